"""One verdict a case: each of the closed list, from labels, texts and claims together."""

import msgspec
import pytest

from acidtest.comparison.diagnose import diagnose_case, with_diagnoses
from acidtest.comparison.verdicts import STAGES
from acidtest.data.answers import Chunk
from acidtest.data.golden import Evidence
from acidtest.data.outcomes import Failure, Skip

GOOD = {"a": 1}


def test_a_pipeline_that_failed_is_blamed_on_operations(make_case):
    found = diagnose_case(make_case(failure=Failure("TimeoutError: too slow")))
    assert (found.verdict, found.stage) == ("pipeline failed", "operations")
    assert "too slow" in found.why


def test_declining_what_has_no_answer_is_ok(make_case):
    case = make_case(answerable=False, relevant={}, scores={"abstention_accuracy": 1.0})
    assert diagnose_case(case).verdict == "ok"


def test_answering_what_has_no_answer_is_failing_to_abstain(make_case):
    case = make_case(answerable=False, relevant={}, scores={"abstention_accuracy": 0.0})
    found = diagnose_case(case)
    assert (found.verdict, found.stage) == ("failed to abstain", "generation")


def test_the_pipelines_own_word_on_abstaining_counts_without_a_score(make_case):
    for own, verdict in ((True, "ok"), (False, "failed to abstain")):
        assert (
            diagnose_case(make_case(answerable=False, relevant={}, abstained=own)).verdict
            == verdict
        )


def test_without_either_the_wording_of_the_answer_tells(make_case):
    def verdict(answer):
        return diagnose_case(make_case(answerable=False, relevant={}, answer=answer)).verdict

    assert verdict("I'm sorry, the documents do not contain this information.") == "ok"
    assert verdict("The Pro plan costs €49 per month.") == "failed to abstain"


def test_an_unanswerable_case_without_an_answer_is_unknown(make_case):
    found = diagnose_case(make_case(answerable=False, relevant={}, answer=None))
    assert found.verdict == "unknown"
    assert "no answer" in found.why


def test_nothing_relevant_among_the_retrieved_is_not_retrieved(make_case):
    found = diagnose_case(make_case(relevant={"x": 1}, scores={"correctness": 0.0}))
    assert (found.verdict, found.stage) == ("not retrieved", "retrieval")
    assert "x not among the 3 retrieved" in found.why


def test_no_chunk_at_all_is_not_retrieved(make_case):
    found = diagnose_case(make_case(retrieved=()))
    assert found.verdict == "not retrieved"
    assert "nothing was retrieved" in found.why


def test_declining_for_want_of_contexts_is_retrievals_fault(make_case):
    case = make_case(relevant={"x": 1}, scores={"abstention_accuracy": 0.0})
    found = diagnose_case(case)
    assert found.verdict == "not retrieved"
    assert "rightly" in found.why


def test_not_in_corpus_is_said_only_where_the_corpus_is_known(make_case):
    case = make_case(relevant={"x": 1})
    assert diagnose_case(case, corpus={"a", "b"}).verdict == "not in corpus"
    assert diagnose_case(case, corpus={"a", "x"}).verdict == "not retrieved"
    assert diagnose_case(case).verdict == "not retrieved"


def test_a_candidate_that_did_not_survive_is_lost_in_reranking(make_case):
    found = diagnose_case(make_case(relevant={"x": 1}, candidates=["q", "x"]))
    assert (found.verdict, found.stage) == ("lost in reranking", "retrieval")
    assert "x not among the 3 retrieved; before reranking at 2" in found.why


def test_a_relevant_chunk_beyond_the_cut_ranks_too_low(make_case):
    ranked = ["q1", "q2", "q3", "q4", "q5", "a"]
    wrong = diagnose_case(make_case(retrieved=ranked, scores={"correctness": 0.0}))
    assert (wrong.verdict, wrong.stage) == ("ranked too low", "retrieval")
    assert "a at rank 6 of 6" in wrong.why
    right = {"correctness": 1.0}
    assert diagnose_case(make_case(retrieved=ranked, scores=right)).verdict == "ok"
    assert diagnose_case(make_case(retrieved=ranked[1:], answer=None)).verdict == "ok"


def test_claims_beside_good_contexts_are_unfaithful(make_case, claims):
    case = make_case(scores={"faithfulness": claims("supported", "unsupported")})
    found = diagnose_case(case)
    assert (found.verdict, found.stage) == ("good context but unfaithful", "generation")
    assert "1 unsupported" in found.why


def test_one_unsupported_claim_in_ten_is_still_faithful(make_case, claims):
    score = claims(*["supported"] * 9, "unsupported")
    assert (
        diagnose_case(make_case(scores={"faithfulness": score, "correctness": 1.0})).verdict == "ok"
    )


def test_faithful_with_good_contexts_and_wrong(make_case, claims):
    case = make_case(scores={"faithfulness": claims("supported"), "correctness": 0.5})
    found = diagnose_case(case)
    assert found.verdict == "good context, faithful, yet wrong or incomplete"
    assert found.stage == "generation"


def test_faithful_to_other_passages_than_the_relevant_is_a_wrong_context(make_case, claims):
    faith = claims("supported", passages=[2])
    case = make_case(scores={"faithfulness": faith, "correctness": 0.0})
    found = diagnose_case(case)
    assert (found.verdict, found.stage) == ("faithful to a wrong context", "retrieval")
    assert "rank 2" in found.why


@pytest.mark.parametrize(
    ("chunk", "evidence", "named"),
    [
        (
            Chunk(id="p1", text="€39", doc_id="prices", metadata={"doc_version": "1"}),
            Evidence(text="€49", chunk_id="p2", doc_id="prices", doc_version="2"),
            "prices (version 1, the evidence is from 2)",
        ),
        (
            Chunk(id="p1", text="€39", doc_id="prices-2024"),
            Evidence(text="€49", chunk_id="p2", doc_id="prices-2026"),
            "prices-2024 (perhaps another version of prices-2026)",
        ),
        (
            Chunk(id="p1", text="€39", doc_id="old", metadata={"status": "Superseded"}),
            Evidence(text="€49", chunk_id="p2", doc_id="prices"),
            "old (marked Superseded)",
        ),
    ],
)
def test_a_stale_document_is_named(make_case, claims, chunk, evidence, named):
    case = make_case(
        retrieved=[chunk],
        relevant={"p2": 1},
        evidence=(evidence,),
        scores={"faithfulness": claims("supported"), "correctness": 0.0},
    )
    found = diagnose_case(case)
    assert found.verdict == "faithful to a wrong context"
    assert named in found.why


def test_a_chunk_of_the_same_document_is_not_called_another_version(make_case, claims):
    case = make_case(
        retrieved=["refunds-v2#7"],
        relevant={"refunds-v2#1": 1},
        scores={"faithfulness": claims("supported"), "correctness": 0.0},
    )
    found = diagnose_case(case)
    assert found.verdict == "faithful to a wrong context"
    assert "version" not in found.why


def test_right_without_any_relevant_context(make_case, claims):
    case = make_case(
        relevant={"x": 1}, scores={"correctness": 1.0, "faithfulness": claims("unsupported")}
    )
    found = diagnose_case(case)
    assert (found.verdict, found.stage) == ("correct without its context", "retrieval")


def test_right_beside_good_contexts_that_support_nothing_of_it(make_case, claims):
    case = make_case(scores={"correctness": 1.0, "faithfulness": claims("unsupported")})
    found = diagnose_case(case)
    assert (found.verdict, found.stage) == ("correct without its context", "generation")


def test_right_and_supported_by_chunks_without_a_label_is_ok_and_says_so(make_case, claims):
    case = make_case(
        relevant={"x": 1}, scores={"correctness": 1.0, "faithfulness": claims("supported")}
    )
    found = diagnose_case(case)
    assert found.verdict == "ok"
    assert "labels may be missing" in found.why


def test_declining_with_good_contexts_is_needless(make_case):
    found = diagnose_case(make_case(scores={"abstention_accuracy": 0.0}))
    assert (found.verdict, found.stage) == ("abstained needlessly", "generation")


def test_an_empty_answer_is_declining(make_case):
    assert diagnose_case(make_case(answer="  ")).verdict == "abstained needlessly"


def test_an_answer_beside_the_question_is_off_topic(make_case, claims):
    scores = {"answer_relevance": 0.3, "faithfulness": claims("supported"), "correctness": 0.0}
    assert diagnose_case(make_case(scores=scores)).verdict == "off topic"


def test_ok_needs_something_that_speaks_for_it(make_case, claims):
    assert diagnose_case(make_case(scores={})).verdict == "unknown"
    faithful = diagnose_case(make_case(scores={"faithfulness": claims("supported")}))
    assert faithful.verdict == "ok"
    assert "not known to be right" in faithful.why


def test_faithful_to_other_passages_and_not_known_to_be_right_is_unknown(make_case, claims):
    found = diagnose_case(make_case(scores={"faithfulness": claims("supported", passages=[3])}))
    assert found.verdict == "unknown"
    assert "rank 3, not on the relevant" in found.why


def test_undecided_claims_are_not_taken_for_faithful(make_case, claims):
    score = claims("supported", "undecided", "undecided")
    found = diagnose_case(make_case(scores={"faithfulness": score}))
    assert found.verdict == "unknown"
    assert "undecided" in found.why


def test_unknown_blames_generation_where_contexts_are_good_and_the_answer_is_wrong(make_case):
    found = diagnose_case(make_case(scores={"correctness": 0.0, "faithfulness": Skip("no judge")}))
    assert (found.verdict, found.stage) == ("unknown", "generation")
    assert "no judge" in found.why


def test_without_labels_and_scores_it_says_what_is_missing(make_case):
    case = make_case(relevant=None, answer=None)
    bare = diagnose_case(case)
    assert bare.verdict == "unknown"
    assert "no label or evidence" in bare.why


def test_a_part_that_is_missing_is_blamed_when_the_answer_is_incomplete(make_case, claims):
    scores = {"correctness": 0.5, "faithfulness": claims("supported")}
    found = diagnose_case(make_case(relevant={"a": 1, "x": 1}, scores=scores))
    assert found.verdict == "not retrieved"
    assert "x not among" in found.why


def test_a_contradiction_outweighs_a_missing_part(make_case, claims):
    scores = {"correctness": 0.0, "faithfulness": claims("supported", "contradicted")}
    found = diagnose_case(make_case(relevant={"a": 1, "x": 1}, scores=scores))
    assert found.verdict == "good context but unfaithful"


def test_many_labels_are_alternatives_and_not_parts(make_case, claims):
    labels = {f"x{n}": 1 for n in range(40)} | {"a": 1, "b": 1, "c": 1}
    scores = {"correctness": 0.0, "faithfulness": claims("supported")}
    found = diagnose_case(make_case(relevant=labels, scores=scores))
    assert found.verdict == "good context, faithful, yet wrong or incomplete"


def test_labels_of_grade_zero_are_not_needed(make_case):
    found = diagnose_case(make_case(relevant={"a": 2, "x": 0}, answer=None))
    assert found.verdict == "ok"


def test_document_labels_match_on_the_chunks_document(make_case):
    chunks = [Chunk(id="9", doc_id="handbook")]
    case = make_case(
        retrieved=chunks, relevant=None, relevant_docs={"handbook": 1, "other": 0}, answer=None
    )
    assert diagnose_case(case).verdict == "ok"


def test_evidence_text_counts_where_ids_changed(make_case):
    text = "Batteries are covered for twelve months from the day of purchase."
    chunk = Chunk(id="new-7", text=f"Cover.\n{text.upper()} Drops are not.")
    case = make_case(
        retrieved=[chunk],
        relevant={"old-3": 1},
        evidence=(Evidence(text=text, chunk_id="old-3"),),
        answer=None,
    )
    found = diagnose_case(case)
    assert found.verdict == "ok"
    assert "by its text, not its id" in found.why


def test_a_few_common_words_do_not_count_as_evidence(make_case):
    case = make_case(
        retrieved=[Chunk(id="n", text="the plan of the pro costs nothing")],
        relevant={"old": 1},
        evidence=(Evidence(text="The Pro plan costs €49", chunk_id="old"),),
        answer=None,
    )
    assert diagnose_case(case).verdict == "not retrieved"


def test_chunks_without_ids_or_texts_leave_the_contexts_unknown(make_case):
    case = make_case(retrieved=[Chunk(score=1.0)], answer=None)
    assert diagnose_case(case).verdict == "unknown"


def test_judged_contexts_serve_where_there_are_no_labels(make_case, claims):
    nothing = {"context_recall": 0.0, "correctness": 0.0}
    assert diagnose_case(make_case(relevant=None, scores=nothing)).verdict == "not retrieved"
    most = {"context_recall": 0.9, "correctness": 0.0, "faithfulness": claims("supported")}
    found = diagnose_case(make_case(relevant=None, scores=most))
    assert found.verdict == "good context, faithful, yet wrong or incomplete"
    assert "90%" in found.why
    useless = {"context_usefulness": 0.0}
    assert diagnose_case(make_case(relevant=None, scores=useless)).verdict == "not retrieved"


def test_the_order_of_the_verdicts_is_that_of_the_stages():
    order = [stage for stage in STAGES.values() if stage]
    assert order == sorted(order, key=["operations", "retrieval", "generation"].index)


def test_every_case_of_a_run_is_diagnosed_and_the_run_is_left_alone(make_case, make_run):
    run = make_run([make_case("c1"), make_case("c2", relevant={"x": 1})])
    done = with_diagnoses(run)
    assert [case.diagnosis.verdict for case in done.cases] == ["unknown", "not retrieved"]
    assert all(case.diagnosis is None for case in run.cases)


def test_claims_of_repeated_trials_are_told_as_such(make_case, claims):
    score = claims(*["contradicted"] * 6)
    for trials, told in (((), "6 claims: 6"), ((0.0, 0.0, 0.0), "6 claims in all trials: 6")):
        faith = msgspec.structs.replace(score, trials=trials)
        assert told in diagnose_case(make_case(scores={"faithfulness": faith})).why
