"""The exact split of a change by crossing: worked by hand, on simulated systems, and at the edges."""

import random
from dataclasses import replace

import pytest

from acidtest.comparison.crossing import (
    Four,
    crossable,
    crossed_splits,
    same_contexts,
    with_crossing,
)
from acidtest.comparison.side_by_side import compare
from acidtest.data.answers import Chunk
from acidtest.data.compared import StageSplit
from acidtest.data.outcomes import Failure, Skip
from acidtest.errors import Incomparable

OLD, NEW = ("old",), ("new",)


@pytest.fixture
def four(make_run, make_case):
    """Make the runs of a crossing from rows (base, base's generator, candidate's, candidate)."""

    def make(rows, *, metric="faithfulness", changed=None, groups=None):
        def run(name, column, contexts):
            cases = [
                make_case(
                    f"c{n}",
                    retrieved=contexts if changed is None or changed[n] else OLD,
                    scores={} if row[column] is None else {metric: row[column]},
                    group=groups[n] if groups else None,
                )
                for n, row in enumerate(rows)
                if column in (0, 3) or changed is None or changed[n]
            ]
            return make_run(cases, name) if cases else None

        return Four(
            base=run("base", 0, OLD),
            base_generator=run("base on candidate", 1, NEW),
            candidate_generator=run("candidate on base", 2, OLD),
            candidate=run("candidate", 3, NEW),
        )

    return make


def test_parts_are_means_over_both_orders(four):
    # By hand. Case 1: retrieval ((.5 - .2) + (.9 - .3)) / 2 = .45, generation ((.3 - .2) + (.9 - .5)) / 2
    # = .25; case 2: ((.6 - .4) + (.4 - .4)) / 2 = .1 and ((.4 - .4) + (.4 - .6)) / 2 = -.1.
    splits, _ = crossed_splits(four([(0.2, 0.5, 0.3, 0.9), (0.4, 0.6, 0.4, 0.4)]))
    split = splits["faithfulness"]
    assert split.retrieval == pytest.approx((0.45 + 0.1) / 2)
    assert split.generation == pytest.approx((0.25 - 0.1) / 2)
    assert split.interaction == pytest.approx(
        ((0.9 - 0.5 - 0.3 + 0.2) + (0.4 - 0.6 - 0.4 + 0.4)) / 2
    )
    assert split.delta == pytest.approx(0.35)
    assert (split.n, split.changed, split.method) == (2, 2, "crossed")


def test_the_parts_add_up_to_the_change_whatever_the_scores(four):
    rng = random.Random(7)
    for _ in range(20):
        rows = [[rng.choice([0, 1 / 3, 0.5, 1, rng.random()]) for _ in range(4)] for _ in range(23)]
        for split in crossed_splits(four(rows))[0].values():
            assert split.retrieval + split.generation == pytest.approx(split.delta, abs=1e-12)


def test_what_feeding_alone_does_falls_out_of_the_parts(four):
    # Both crossed answers are worse by .1, say because fed chunks come without their titles.
    rows = [(0.5, 0.7, 0.6, 0.8), (0.2, 0.4, 0.3, 0.5)]
    fed = [(a, b - 0.1, c - 0.1, d) for a, b, c, d in rows]
    plain, shifted = (crossed_splits(four(some))[0]["faithfulness"] for some in (rows, fed))
    assert shifted.retrieval == pytest.approx(plain.retrieval)
    assert shifted.generation == pytest.approx(plain.generation)
    assert shifted.interaction == pytest.approx(plain.interaction + 0.2)


def test_where_contexts_are_the_same_the_generator_did_it_and_nobody_was_asked(four):
    splits, words = crossed_splits(four([(0.0, None, None, 1.0)] * 30, changed=[False] * 30))
    split = splits["faithfulness"]
    assert (split.retrieval, split.generation, split.interaction) == (0.0, 1.0, 0.0)
    assert split.changed == 0
    assert split.retrieval_ci == split.interaction_ci == (0.0, 0.0)
    low, high = split.generation_ci
    told = (
        f"the generator changed it, by +1.00 [{low:+.2f}, {high:+.2f}]; the retriever did nothing."
    )
    assert words == (
        "The contexts are the same in all 30 cases: only the generator can have changed.",
        f"faithfulness +1.00: {told}",
    )


def test_changed_and_unchanged_cases_are_taken_together(four):
    rows = [(0.0, 1.0, 0.0, 1.0)] * 10 + [(0.5, None, None, 0.5)] * 30
    splits, words = crossed_splits(four(rows, changed=[True] * 10 + [False] * 30))
    split = splits["faithfulness"]
    assert (split.retrieval, split.generation, split.n, split.changed) == (0.25, 0.0, 40, 10)
    assert words[0] == (
        "Crossed: 10 of 40 cases got other contexts, and each generator answered from both."
    )


def test_cases_whose_contexts_a_run_does_not_tell_are_left_out(four, make_run, make_case):
    some = four([(0.0, 1.0, 0.0, 1.0)] * 10)
    mute = make_case("mute", retrieved=None, scores={"faithfulness": 0.0})
    both = [make_run([*run.cases, mute], run.name) for run in (some.base, some.candidate)]
    splits, words = crossed_splits(replace(some, base=both[0], candidate=both[1]))
    assert splits["faithfulness"].n == 10
    assert words[0].startswith("Crossed: 10 of 11 cases got other contexts")
    assert words[1].endswith(" 1 case left out: not scored on all four sides.")


def test_an_interaction_is_told_with_what_it_means(four):
    splits, words = crossed_splits(four([(0.0, 0.0, 0.0, 1.0)] * 40))
    assert splits["faithfulness"].retrieval == splits["faithfulness"].generation == 0.5
    assert "The stages depend on each other (interaction +1.00 [" in words[1]
    assert words[1].endswith(
        "the new generator changes it by 0 on the old contexts and by +1.00 on the new."
    )


def test_metrics_that_one_stage_alone_decides_are_not_split(make_run, make_case):
    scores = {"recall@5": 1.0, "faithfulness": 1.0, "correctness": 0.5}
    base = make_run([make_case(scores=scores)])
    other = make_run([make_case(scores={"recall@5": 0.0, "correctness": 0.5})], "other")
    assert crossable(base, other) == ["correctness"]


def test_cases_without_all_four_scores_are_left_out_and_counted(four):
    rows = [(0.0, 1.0, 0.0, 1.0)] * 20 + [(0.0, Skip("declined"), 0.0, 1.0), (0.0, 0.0, None, 1.0)]
    splits, words = crossed_splits(four(rows))
    assert splits["faithfulness"].n == 20
    assert words[1].endswith(" 2 cases left out: not scored on all four sides.")


def test_failed_crossed_answers_split_nothing(four):
    failed = Failure("the pipeline failed: 500")
    rows = [(0.0, 1.0, 0.0, 1.0)] * 18 + [(0.0, failed, 0.0, 1.0)] * 2
    splits, words = crossed_splits(four(rows))
    assert splits == {}
    assert words[1] == (
        "faithfulness is not split: 2 of 20 crossed cases failed, such as: the pipeline failed: 500"
    )
    # One in twenty is no more than is borne.
    splits, _ = crossed_splits(four(rows[:-1] + rows[:1]))
    assert splits["faithfulness"].n == 19


def test_groups_widen_the_intervals(four):
    rng = random.Random(3)
    rows = [(0.0, float(rng.random() < 0.5), 0.0, 0.5) for _ in range(10)] * 4
    alone, _ = crossed_splits(four(rows))
    together, _ = crossed_splits(four(rows, groups=[f"g{n % 10}" for n in range(40)]))

    def width(splits):
        low, high = splits["faithfulness"].retrieval_ci
        return high - low

    assert width(together) > 1.5 * width(alone)


def test_one_case_has_parts_and_no_intervals(four):
    splits, words = crossed_splits(four([(0.0, 1.0, 0.0, 1.0)]))
    split = splits["faithfulness"]
    assert (split.retrieval, split.retrieval_ci, split.interaction_ci) == (1.0, None, None)
    assert words[1] == (
        "faithfulness +1.00: neither stage's part is clear (retriever +1.00, generator 0)."
    )


def test_nothing_changed_is_said_so(four):
    _, words = crossed_splits(four([(0.5, 0.5, 0.5, 0.5)] * 9))
    assert words[1] == "faithfulness 0: neither stage changed it."


def test_runs_that_share_no_case_are_refused(four, make_run, make_case):
    some = four([(0.0, 0.0, 0.0, 0.0)])
    other = make_run([make_case("other")])
    with pytest.raises(Incomparable):
        crossed_splits(
            Four(
                base=other, candidate=some.candidate, base_generator=None, candidate_generator=None
            )
        )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ([Chunk(id="a", text="x")], [Chunk(id="a", text="x", score=0.1, rank=1)], True),
        ([Chunk(id="a", text="x")], [Chunk(id="a", text="y")], False),
        ([Chunk(id="a", text="x")], [Chunk(id="b", text="x")], False),
        ([Chunk(text="x"), Chunk(text="y")], [Chunk(text="y"), Chunk(text="x")], False),
        ([Chunk(text="x", metadata={"at": 1})], [Chunk(text="x", metadata={"at": 2})], False),
        ([Chunk(id="a")], [Chunk(id="a")], True),
        ([Chunk()], [Chunk()], False),
        ([], [], True),
        (None, None, False),
        (None, [], False),
    ],
)
def test_what_counts_as_the_same_contexts(make_case, one, other, same):
    assert same_contexts(make_case(retrieved=one), make_case(retrieved=other)) is same


# A retriever that finds the passage or not, a generator that copies from it or invents.
SYSTEM = {
    "neither": ((0.6, 0.6), (0.8, 0.8), set()),
    "retrieval": ((0.45, 0.9), (0.8, 0.8), {"retrieval"}),
    "generation": ((0.8, 0.8), (0.5, 0.95), {"generation"}),
    "both": ((0.45, 0.9), (0.55, 0.95), {"retrieval", "generation"}),
}


def simulate(rng, finds, copies, n=100):
    """Return rows of scores: each of the four answers is drawn for itself, as a model would."""
    rows, changed = [], []
    for _ in range(n):
        old, new = rng.random(), rng.random()
        found = (old < finds[0], (old if finds[0] == finds[1] else new) < finds[1])
        cells = ((0, 0), (1, 0), (0, 1), (1, 1))
        rows.append(tuple(float(found[r] and rng.random() < copies[g]) for r, g in cells))
        changed.append(found[0] != found[1] or rng.random() < 0.3)  # some without any effect
    return rows, changed


def named(words):
    told = words[1]
    both = "the retriever changed it by" in told
    return {
        part
        for part, stage in (("retrieval", "retriever"), ("generation", "generator"))
        if both or f"the {stage} changed it," in told
    }


@pytest.mark.parametrize("name", SYSTEM)
def test_the_right_stage_is_named_at_100_cases(four, name):
    finds, copies, expected = SYSTEM[name]
    rng = random.Random(name)
    tries = 20
    right = 0
    for _ in range(tries):
        rows, changed = simulate(rng, finds, copies)
        _, words = crossed_splits(four(rows, metric="correctness", changed=changed))
        right += named(words) == expected
    assert right >= 0.95 * tries, right


def test_an_interaction_is_found_at_100_cases(four):
    """The new generator is better only with what the new retriever brings."""
    rng = random.Random(11)
    tries = 20
    found = 0
    for _ in range(tries):
        rows = [tuple(float(rng.random() < p) for p in (0.4, 0.4, 0.4, 0.9)) for _ in range(100)]
        _, words = crossed_splits(four(rows))
        found += "The stages depend on each other (interaction +" in words[1]
    assert found >= 0.95 * tries


def test_the_exact_split_takes_the_place_of_the_estimated_one(make_run, make_case):
    def run(name, scores, contexts):
        cases = [
            make_case(f"c{n}", retrieved=contexts[n % 2], scores={"recall@5": r, "correctness": x})
            for n, (r, x) in enumerate(scores)
        ]
        return make_run(cases, name)

    base = run("base", [(0.0, 0.0)] * 40, (OLD, OLD))
    candidate = run("candidate", [(1.0, 1.0), (0.0, 0.0)] * 20, (NEW, OLD))
    estimated = compare(base, candidate)
    assert estimated.stages["correctness"].method == "estimated"
    assert any("estimated" in word for word in estimated.words)
    split = StageSplit(
        metric="correctness",
        delta=0.5,
        retrieval=0.1,
        generation=0.4,
        retrieval_ci=None,
        generation_ci=None,
        n=40,
        changed=20,
        method="crossed",
    )
    exact = with_crossing(estimated, {"correctness": split}, ["Crossed."], ["Doubtful."])
    assert exact.stages["correctness"] == split
    assert exact.words[-1] == "Crossed."
    assert "the retriever changed" in exact.words[0]
    assert not any("estimate" in word or "--cross" in word for word in exact.words)
    assert exact.notes == (*estimated.notes, "Doubtful.")
    assert exact.metrics == estimated.metrics
