"""Which stage changed, in words: each rule once, and how often the right stage is named."""

import importlib.util
from pathlib import Path

import pytest

import acidtest as at
from acidtest.comparison.context_change import context_change
from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Failure

N = 40


@pytest.fixture
def two(make_case, make_run):
    """Make two runs: before and after are called with a case's number and give its fields."""

    def make(before, after, n=N):
        sides = (
            make_run([make_case(str(k), **side(k)) for k in range(n)], name=name)
            for name, side in (("base", before), ("new", after))
        )
        return at.compare(*sides)

    return make


def case(*, recall=1.0, mrr=1.0, faithful=0.5, chunks=("a", "b"), answer="An answer.", **kw):
    return {
        "scores": {"recall@5": recall, "mrr": mrr, "faithfulness": faithful},
        "retrieved": chunks,
        "answer": answer,
        **kw,
    }


def least(found, metric):
    return f"{found.metrics[metric].min_detectable:.2f}"


def test_contexts_identical_and_faithfulness_rose(two):
    found = two(lambda k: case(), lambda k: case(faithful=0.75, answer="Another."))
    assert found.words == (
        (
            "Contexts are identical in all 40 cases and faithfulness rose (0.50 to 0.75): the generator "
            "changed."
        ),
    )
    split = found.stages["faithfulness"]
    assert (split.generation, split.retrieval, split.retrieval_ci) == (0.25, 0.0, (0.0, 0.0))
    assert (split.n, split.changed, split.method) == (N, 0, "estimated")


def test_recall_rose_and_faithfulness_did_not(two):
    found = two(
        lambda k: case(recall=float(k > 20), faithful=0.5 + 0.3 * (k % 2)),
        lambda k: case(chunks=("c", "d") if k <= 20 else ("a", "b"), faithful=0.5 + 0.3 * (k % 2)),
    )
    assert found.words[0] == (
        "recall@5 rose (0.47 to 1.00), and 21 of 40 cases got other contexts: the retriever changed. "
        f"No change of the answers that 40 cases could show (smallest: faithfulness {least(found, 'faithfulness')})."
    )
    assert found.words[1].startswith(
        "In the 19 cases that kept their contexts every answer is the same"
    )


def test_reranking_leaves_the_rest_to_crossing(two):
    found = two(
        lambda k: case(mrr=0.5, answer=f"{k}"),
        lambda k: case(chunks=("b", "a"), faithful=0.75, answer=f"new {k}"),
    )
    assert found.words == (
        (
            "Coverage is unchanged (recall@5 the same in every case), ordering changed: mrr rose (0.50 to "
            "1.00), and 40 of 40 cases got the same chunks in another order."
        ),
        (
            "No case kept its contexts: only crossing the stages (--cross) tells what the generator did to "
            "faithfulness."
        ),
        "Only crossing the stages (--cross) tells how much of faithfulness the order brought.",
    )
    assert found.stages == {}


def test_both_stages_and_the_estimated_split(two):
    found = two(
        lambda k: case(recall=float(k % 2), faithful=0.3),
        lambda k: case(
            chunks=("a", "b") if k % 2 else ("c",),
            faithful=0.5 if k % 2 else 0.9,
            answer="Other.",
        ),
    )
    assert "the retriever changed" in found.words[0]
    assert found.words[1] == (
        "In the 20 cases that kept their contexts faithfulness rose (0.30 to 0.50): the generator changed."
    )
    assert found.words[2].startswith("faithfulness +0.40, estimated: +0.20 [")
    split = found.stages["faithfulness"]
    assert split.generation == pytest.approx(0.2)
    assert split.retrieval == pytest.approx(0.2)
    assert split.retrieval + split.generation == pytest.approx(split.delta)
    assert split.changed == 20
    assert split.generation_ci[0] < 0.2 < split.generation_ci[1]
    assert split.retrieval_ci[0] < 0.2 < split.retrieval_ci[1]


def test_a_new_prompt_shows_in_the_length_of_answers_before_any_score(two):
    found = two(
        lambda k: case(answer="word " * (20 + k)), lambda k: case(answer="word " * (10 + k // 2))
    )
    assert "answers are 49% shorter: the generator changed, and no score" in found.words[0]


def test_answers_that_are_the_same_word_for_word_mean_the_same_generator(two):
    found = two(lambda k: case(), lambda k: case(faithful=0.5 + 0.5 * (k % 2)))
    assert found.words[0] == (
        "Contexts and answers are the same in all 40 cases: no stage changed. What moved in "
        "faithfulness is the judge's noise."
    )


def test_nothing_that_these_cases_could_show(two):
    def noisy(sign):
        return lambda k: case(faithful=0.5 + sign * 0.1 * (-1) ** k, answer=f"{sign} {k}")

    found = two(noisy(1), noisy(-1))
    assert found.words == (
        (
            "Contexts are identical in all 40 cases and they show no change of the generator (smallest: "
            f"faithfulness {least(found, 'faithfulness')})."
        ),
        (
            f"No metric changed by what 40 cases could show (smallest: recall@5 {least(found, 'recall@5')}, mrr {least(found, 'mrr')}, "
            f"faithfulness {least(found, 'faithfulness')})."
        ),
    )


def test_a_few_other_contexts_may_be_chance(two):
    found = two(lambda k: case(), lambda k: case(chunks=("a", "z") if k == 3 else ("a", "b")))
    assert found.words[0].startswith(
        "1 of 40 cases got other contexts: so few that it may be chance"
    )


def test_other_contexts_without_any_effect(two):
    found = two(lambda k: case(), lambda k: case(chunks=("a", "z") if k < 12 else ("a", "b")))
    assert found.words[0] == (
        "The retriever changed (12 of 40 cases got other contexts); no retrieval metric shows a change "
        f"that 40 cases could show (smallest: recall@5 {least(found, 'recall@5')}, mrr {least(found, 'mrr')})."
    )


def test_without_labels_the_contexts_tell_by_estimate(two):
    def unlabelled(chunks, faithful, k):
        scores = {"faithfulness": faithful}
        return {"scores": scores, "retrieved": chunks, "answer": f"{k}"}

    found = two(
        lambda k: unlabelled(("a",), 0.4, k),
        lambda k: unlabelled(("b",) if k % 2 else ("a",), 0.9 if k % 2 else 0.4, k),
    )
    assert found.words[0] == (
        "20 of 40 cases got other contexts, and by estimate they moved faithfulness: the retriever "
        "changed."
    )


def noisy(k, mean, spread):
    """A score that wavers around its mean from case to case."""
    return mean + spread * ((k * 7) % 11 - 5) / 5


def test_too_few_kept_cases_leave_the_generator_open(two):
    found = two(
        lambda k: case(recall=float(k < 8), faithful=noisy(k, 0.4, 0.3), answer=f"old {k}"),
        lambda k: case(
            chunks=("a", "b") if k < 8 else ("c",),
            faithful=noisy(3 * k, 0.4 if k < 8 else 0.7, 0.3),
            answer=f"new {k}",
        ),
    )
    assert "the retriever changed" in found.words[0]
    delta = found.metrics["faithfulness"].delta
    assert found.words[1].startswith(
        "Whether the generator changed cannot be told from these runs: the 8 cases that kept their "
        "contexts show no change of it (smallest: faithfulness 0."
    )
    assert found.words[1].endswith(
        f"), and are too few to rule out that it brought half of faithfulness ({delta:+.2f}), or more. "
        "Only crossing the stages (--cross) tells."
    )
    low, high = found.stages["faithfulness"].generation_ci
    assert low < 0 < delta / 2 < high


def test_one_kept_case_leaves_the_generator_open(two):
    found = two(
        lambda k: case(recall=float(k < 1), faithful=noisy(k, 0.4, 0.3), answer=f"old {k}"),
        lambda k: case(
            chunks=("a", "b") if k < 1 else ("c",),
            faithful=noisy(k, 0.7, 0.3),
            answer=f"new {k}",
        ),
    )
    assert (
        "the 1 case that kept its contexts shows no change of it (too few to show any)"
        in (found.words[1])
    )
    assert "and is too few to rule out" in found.words[1]


def test_enough_kept_cases_rule_out_that_the_generator_brought_it(two):
    found = two(
        lambda k: case(recall=float(k % 2), faithful=0.3 + 0.01 * (k % 3), answer=f"old {k}"),
        lambda k: case(
            chunks=("a", "b") if k % 2 else ("c",),
            faithful=(0.3 if k % 2 else 0.9) + 0.01 * ((k + 1) % 3),
            answer=f"new {k}",
        ),
    )
    assert "the retriever changed" in found.words[0]
    assert found.words[1].startswith(
        "In the 20 cases that kept their contexts these show no change of the generator (smallest: "
    )


def test_measures_that_show_little_each_show_the_generator_together(two):
    # Each rose in thirteen cases of sixteen and fell in three, not the same: p 0.02 before correction.
    up = [1, 1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1, -1, 1, 1, 1]
    moves = {
        "faithfulness": up,
        "correctness": [*up[3:], *up[:3]],
        "answer_relevance": [*up[6:], *up[:6]],
    }

    def scored(k, sign):
        scores = {name: 0.5 + sign * 0.1 * some[k] for name, some in moves.items()}
        return {"scores": scores, "retrieved": ("a",), "answer": f"{sign} {k}"}

    found = two(lambda k: scored(k, -1), lambda k: scored(k, 1), n=16)
    assert all(c.p_adjusted > 0.05 for c in found.metrics.values())
    assert found.words[0].startswith("Contexts are identical in all 16 cases and ")
    assert "faithfulness rose (0.44 to 0.56)" in found.words[0]
    assert "all measures together more than chance explains (p 0.0" in found.words[0]
    assert found.words[0].endswith("): the generator changed.")


def test_contexts_that_are_not_known(two):
    found = two(lambda k: case(chunks=None), lambda k: case(chunks=None, faithful=0.9))
    assert found.words == ("What was retrieved is not known in both runs: no stage can be told.",)
    assert found.stages == {}


def chunk(cid, text=None):
    return Chunk(id=cid, text=text)


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        (("a", "b"), ("a", "b"), "same"),
        (("a", "b"), ("b", "a"), "reordered"),
        (("a", "b"), ("a", "c"), "other"),
        (("a", "a"), ("a",), "other"),
        ((), (), "same"),
        (None, ("a",), "unknown"),
        ((chunk(None, "x"), chunk(None, "y")), (chunk(None, "y"), chunk(None, "x")), "reordered"),
        ((chunk("a", "x"),), (chunk("a", "rewritten"),), "other"),
        ((chunk("a", "x"),), (chunk("a"),), "same"),
        ((chunk(None),), (chunk(None),), "unknown"),
    ],
)
def test_what_became_of_contexts(make_case, old, new, kind):
    assert context_change(make_case("1", retrieved=old), make_case("1", retrieved=new)) == kind


def test_a_case_that_the_pipeline_failed_kept_nothing(make_case):
    broken = make_case("1", failure=Failure("threw"))
    assert context_change(make_case("1"), broken) == "unknown"


@pytest.fixture(scope="module")
def simulated():
    path = Path(__file__).resolve().parents[2] / "benchmarks" / "stage_split.py"
    spec = importlib.util.spec_from_file_location("stage_split", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "changed", [(True, False), (False, True), (True, True), (False, False)], ids=str
)
def test_the_right_stage_is_named(simulated, changed):
    """The whole table is made by the benchmark; a sample of it guards the rules here."""
    assert simulated.accuracy(simulated.World(), changed, pairs=20, cases=100).right >= 0.9


def test_where_few_cases_kept_their_contexts_a_miss_is_said_to_be_open(simulated):
    some = simulated.accuracy(simulated.World(touched=0.9), (True, True), pairs=20, cases=100)
    assert some.wrong == 0
    assert some.open > 0


def test_real_runs_of_one_application_name_no_stage(shared, make_case, make_run):
    import gzip
    import json

    with gzip.open(shared / "data/ragchat_runs/results.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]

    def run(name):
        cases = [
            make_case(
                str(row["row"]),
                retrieved=row["context_ids"],
                relevant=None,
                answer=row["answer"],
                scores={
                    "faithfulness": (row["gpt_groundedness"] - 1) / 4,
                    "answer_relevance": (row["gpt_relevance"] - 1) / 4,
                },
            )
            for row in rows
            if row["run"] == name
        ]
        return make_run(cases, name=name)

    found = at.compare(run("baseline"), run("baseline2"))
    assert found.cases == 200
    assert found.words[0].startswith("2 of 200 cases got other contexts: so few")
    assert "show no change of the generator" in found.words[1]
    assert all(c.p_adjusted > 0.05 for c in found.metrics.values())
