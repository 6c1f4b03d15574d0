"""Targets read top to bottom: met, below, unreachable, untrusted, missing; and what stands out."""

import msgspec
import pytest

from acidtest.comparison.scorecard import faithful_correct, scorecard
from acidtest.comparison.targets import ceiling_of, targets_of
from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Failure


def found(card, metric):
    return next(finding for finding in card.findings if finding.metric == metric)


def test_default_targets_apply_to_the_metrics_that_the_run_has(make_case, make_run):
    run = make_run([make_case(scores={"recall@5": 1.0, "mrr": 1.0})])
    assert list(targets_of(run)) == ["recall@5"]


def test_the_users_targets_override_and_extend_in_reading_order(make_case, make_run):
    run = make_run([make_case(scores={"faithfulness": 1.0, "recall@5": 1.0})])
    given = {"correctness": 0.5, "recall@5": 0.5, "mrr": 0.3}
    assert targets_of(run, given) == {
        "recall@5": 0.5,
        "mrr": 0.3,
        "faithfulness": 0.85,
        "correctness": 0.5,
    }
    assert list(targets_of(run, given)) == ["recall@5", "mrr", "faithfulness", "correctness"]


def test_below_names_where_to_look_and_what_mends(make_case, make_run):
    card = scorecard(make_run([make_case(scores={"recall@5": 0.5})]))
    line = found(card, "recall@5")
    assert (line.status, line.target, line.value) == ("below", 0.9, 0.5)
    assert "corpus" in line.look
    assert any("hybrid" in mend for mend in line.mends)


def test_exactly_at_the_target_is_met(make_case, make_run):
    run = make_run([make_case(scores={"recall@5": 0.9})])
    assert found(scorecard(run), "recall@5").status == "met"


def test_lines_under_a_failing_recall_are_not_trusted(make_case, make_run):
    run = make_run([make_case(scores={"recall@5": 0.5, "faithfulness": 1.0})])
    line = found(scorecard(run), "faithfulness")
    assert line.status == "untrusted"
    assert "recall@5" in line.note
    assert found(scorecard(run, {"recall@5": 0.4}), "faithfulness").status == "met"


def test_precision_is_unreachable_where_labels_are_few(make_case, make_run):
    # min(R, 5) / 5 over cases with one and three relevant chunks: (0.2 + 0.6) / 2.
    cases = [
        make_case("1", scores={"precision@5": 0.2}),
        make_case("2", relevant={"a": 1, "b": 2, "c": 1, "z": 0}, scores={"precision@5": 0.6}),
    ]
    line = found(scorecard(make_run(cases)), "precision@5")
    assert line.status == "unreachable"
    assert line.ceiling == pytest.approx(0.4)
    assert "at most 0.40" in line.note


def test_a_reachable_target_that_is_missed_is_below(make_case, make_run):
    labels = dict.fromkeys("abcde", 1)
    line = found(
        scorecard(make_run([make_case(relevant=labels, scores={"precision@5": 0.4})])),
        "precision@5",
    )
    assert (line.status, line.ceiling) == ("below", None)


def test_ceilings_of_recall_at_k_and_of_precision_over_the_retrieved(make_case, make_run):
    labels = {f"x{n}": 1 for n in range(10)}
    run = make_run(
        [make_case(relevant=labels, scores={"recall@5": 0.1, "precision": 0.0, "mrr": 0.0})]
    )
    assert ceiling_of(run, "recall@5") == pytest.approx(0.5)
    assert ceiling_of(run, "precision") is None  # 3 retrieved, 10 relevant: 1.0 could be had
    assert ceiling_of(run, "mrr") is None
    one = make_run([make_case(scores={"precision": 1 / 3})])
    assert ceiling_of(one, "precision") == pytest.approx(1 / 3)


def test_unreachable_recall_does_not_make_the_rest_untrusted(make_case, make_run):
    labels = {f"x{n}": 1 for n in range(10)}
    run = make_run([make_case(relevant=labels, scores={"recall@5": 0.5, "faithfulness": 1.0})])
    card = scorecard(run)
    assert found(card, "recall@5").status == "unreachable"
    assert found(card, "faithfulness").status == "met"


def test_a_metric_that_the_run_lacks_or_did_not_score_is_missing(make_case, make_run):
    run = make_run([make_case(scores={"faithfulness": Failure("no reply")})])
    card = scorecard(run, {"mrr": 0.5})
    assert found(card, "mrr").status == "missing"
    assert "not in this run" in found(card, "mrr").note
    assert found(card, "faithfulness").status == "missing"


def test_targets_of_metrics_that_are_better_low_are_ceilings(make_case, make_run):
    run = make_run([make_case(scores={"grounding_leak": 0.05})])
    assert found(scorecard(run, {"grounding_leak": 0.1}), "grounding_leak").status == "met"
    assert found(scorecard(run, {"grounding_leak": 0.01}), "grounding_leak").status == "below"


def test_an_abstaining_judges_faithfulness_is_compared_by_its_unsupported_share(
    make_case, make_run, summed
):
    cases = [make_case(scores={"faithfulness": 0.5})]
    metric = summed(cases, "faithfulness", floor_value=0.95, undecided=0.6)
    line = found(scorecard(make_run(cases, metrics={"faithfulness": metric})), "faithfulness")
    assert (line.status, line.value) == ("met", 0.95)
    assert "the mean over what is decided is 0.50, with 60% left open" in line.note


def test_low_faithfulness_with_low_precision_is_put_down_to_noise(make_case, make_run):
    labels = dict.fromkeys("abcde", 1)
    noisy = make_case(relevant=labels, scores={"faithfulness": 0.5, "precision@5": 0.2})
    line = found(scorecard(make_run([noisy])), "faithfulness")
    assert "noise" in line.look
    assert "precision@5 0.20" in line.note
    clean = make_case(relevant=labels, scores={"faithfulness": 0.5, "precision@5": 1.0})
    assert "noise" not in found(scorecard(make_run([clean])), "faithfulness").look


def test_noise_is_no_cause_of_what_is_not_low(make_case, make_run):
    labels = dict.fromkeys("abcde", 1)
    scores = {"recall@5": 0.2, "faithfulness": 1.0, "precision@5": 0.2}
    card = scorecard(make_run([make_case(relevant=labels, scores=scores)]))
    assert "noise" not in found(card, "faithfulness").note


def test_precision_at_its_ceiling_is_no_noise(make_case, make_run):
    case = make_case(scores={"faithfulness": 0.5, "precision@5": 0.2})
    assert "noise" not in found(scorecard(make_run([case])), "faithfulness").look


def test_thin_coverage_is_said(make_case, make_run, summed):
    cases = [make_case(scores={"recall@5": 1.0})]
    metric = summed(cases, "recall@5", scored=8, failed=2, n=10)
    line = found(scorecard(make_run(cases, metrics={"recall@5": metric})), "recall@5")
    assert "only 8 of 10" in line.note


def test_the_faithful_correct_table_lists_both_faults(make_case, make_run, claims):
    def case(cid, faithful, right):
        faith = claims("supported" if faithful else "unsupported")
        return make_case(cid, scores={"faithfulness": faith, "correctness": right})

    cases = [
        case("ff", True, 1.0),
        case("fw", True, 0.0),
        case("uc", False, 1.0),
        case("uw", False, 0.0),
    ]
    cases.append(make_case("undecided", scores={"correctness": 1.0}))
    cases.append(make_case("failed", failure=Failure("x"), scores={"correctness": 1.0}))
    assert faithful_correct(make_run(cases)) == {
        "faithful, correct": ("ff",),
        "faithful, wrong": ("fw",),
        "unfaithful, correct": ("uc",),
        "unfaithful, wrong": ("uw",),
    }
    notes = " ".join(scorecard(make_run(cases)).notes)
    assert "Faithful and wrong: 1 of 4" in notes
    assert "Correct without their context: 1 of 4" in notes


def test_a_system_that_declines_everything_is_called_out(make_case, make_run):
    cases = [make_case(str(n), scores={"abstention_accuracy": 0.0}) for n in range(10)]
    cases.append(make_case("u", answerable=False, relevant={}, scores={"abstention_accuracy": 1.0}))
    notes = scorecard(make_run(cases)).notes
    assert "declines nearly everything (10 of 10 answerable questions)" in notes[0]


def test_a_system_that_never_declines_is_told(make_case, make_run):
    cases = [
        make_case("a", scores={"abstention_accuracy": 1.0}),
        make_case("u", answerable=False, relevant={}, scores={"abstention_accuracy": 0.0}),
    ]
    assert any("never declines" in note for note in scorecard(make_run(cases)).notes)


def test_over_retrieval_is_named_with_a_cut(make_case, make_run):
    ranked = ["a", "b", *(f"q{n}" for n in range(8))]
    cases = [make_case(str(n), retrieved=ranked, relevant={"a": 1, "b": 1}) for n in range(4)]
    notes = " ".join(scorecard(make_run(cases)).notes)
    assert "10 chunks a question where 2.0 are relevant" in notes
    assert "within rank 2" in notes
    few = [make_case(retrieved=["a", "b", "c"])]
    assert "Over-retrieval" not in " ".join(scorecard(make_run(few)).notes)


def test_high_recall_and_low_correctness_points_at_the_answer(make_case, make_run):
    run = make_run([make_case(scores={"recall@5": 1.0, "correctness": 0.4})])
    assert any("answer beside reference" in note for note in scorecard(run).notes)


def test_stale_documents_are_told_of_the_whole_run(make_case, make_run, claims):
    case = make_case(
        retrieved=[Chunk(id="1", text="t", doc_id="prices-2024")],
        relevant={"prices-2026#1": 1},
        scores={"faithfulness": claims("supported"), "correctness": 0.0},
    )
    assert any("Stale or wrong versions" in note for note in scorecard(make_run([case])).notes)


def test_nothing_scored_is_never_good(make_case, make_run):
    run = make_run([make_case(scores={"recall@5": Failure("x")})])
    assert any("Nothing was scored" in note for note in scorecard(run).notes)


def test_cases_that_are_ok_but_not_known_to_be_right_are_counted(make_case, make_run, claims):
    cases = [
        make_case("1", scores={"faithfulness": claims("supported")}),
        make_case("2", scores={"faithfulness": claims("supported"), "correctness": 1.0}),
    ]
    assert any("1 of 2 ok cases" in note for note in scorecard(make_run(cases)).notes)


def test_verdicts_are_counted_in_the_order_of_the_stages(make_case, make_run, claims):
    cases = [
        make_case("ok", scores={"correctness": 1.0}),
        make_case("gen", scores={"faithfulness": claims("unsupported")}),
        make_case("ret", relevant={"x": 1}),
    ]
    card = scorecard(make_run(cases))
    assert list(card.verdicts.items()) == [
        ("not retrieved", 1),
        ("good context but unfaithful", 1),
        ("ok", 1),
    ]


def test_a_run_without_cases_still_has_a_scorecard(make_run, summed):
    run = make_run([], metrics={"recall@5": summed([], "recall@5", mean=0.95, scored=10, n=10)})
    card = scorecard(run)
    assert found(card, "recall@5").status == "met"
    assert card.verdicts == {}


def test_an_empty_run_has_an_empty_scorecard(make_run):
    assert scorecard(make_run([])).findings == ()


def test_how_far_repeats_differ_is_told(make_run, make_case):
    run = make_run([make_case(scores={"faithfulness": 0.5})])
    told = msgspec.structs.replace(run.metrics["faithfulness"], repeat_sd=0.081, wavering=0.25)
    steady = msgspec.structs.replace(told, repeat_sd=0.0, wavering=0.0)
    for summary, words in ((told, "25% of the cases moved"), (steady, "the same score each time")):
        again = msgspec.structs.replace(run, metrics={"faithfulness": summary})
        assert any(words in note for note in scorecard(again).notes)
