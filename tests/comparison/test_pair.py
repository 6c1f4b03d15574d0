"""Changes between two runs, paired by case."""

import pytest
from msgspec.structs import replace

from acidtest.comparison.change import changes_of, corrected, shared_measures
from acidtest.comparison.pair import caveats, shared_cases
from acidtest.data.outcomes import Score, Skip
from acidtest.data.runs import GoldenRef, JudgeRef
from acidtest.errors import Incomparable


def changes(base, candidate):
    """Return what changed in the metrics that both runs have."""
    return corrected(changes_of(shared_measures(base, candidate), shared_cases(base, candidate)))


def runs(make_case, make_run, base, new, metric="mrr"):
    old = make_run([make_case(str(n), scores={metric: x}) for n, x in enumerate(base)])
    return old, make_run(
        [make_case(str(n), scores={metric: x}) for n, x in enumerate(new)], name="new"
    )


def test_delta_wins_losses_and_ties(make_case, make_run):
    (change,) = changes(
        *runs(make_case, make_run, [0.0, 0.5, 1.0, 0.5], [1.0, 0.25, 1.0, 0.5 + 1e-12])
    )
    assert change.base == pytest.approx(0.5)
    assert change.candidate == pytest.approx(0.6875)
    assert change.delta == pytest.approx(0.1875)
    assert (change.wins, change.losses, change.ties, change.n) == (1, 1, 2, 4)
    assert change.ci[0] <= change.delta <= change.ci[1]


def test_a_fall_is_a_win_where_lower_is_better(make_case, make_run):
    base, new = runs(make_case, make_run, [0.5, 0.5], [0.0, 0.6], metric="grounding_leak")
    (change,) = changes(base, new)
    assert (change.direction, change.wins, change.losses) == ("lower", 1, 1)
    assert change.delta == pytest.approx(-0.2)


def test_only_cases_scored_on_both_sides_count(make_case, make_run):
    base, new = runs(make_case, make_run, [1.0, 0.0, 1.0], [Skip("x"), 1.0, 1.0])
    (change,) = changes(base, new)
    assert (change.n, change.base, change.candidate) == (2, 0.5, 1.0)


def test_a_metric_scored_nowhere_on_both_sides_gives_no_change(make_case, make_run):
    assert changes(*runs(make_case, make_run, [1.0], [Skip("x")])) == ()


def test_one_pair_has_no_interval(make_case, make_run):
    (change,) = changes(*runs(make_case, make_run, [0.2], [0.4]))
    assert change.ci is None


def test_cases_of_one_group_are_one_unit(make_case, make_run):
    def run(name, value):
        cases = [make_case(str(n), group="talk", scores={"mrr": value(n)}) for n in range(6)]
        return make_run(cases, name=name)

    (change,) = changes(run("a", lambda n: 0.0), run("b", lambda n: n / 10))
    assert change.ci is None


def test_runs_that_share_no_case_are_refused(make_case, make_run):
    one, other = make_run([make_case("1")]), make_run([make_case("2")])
    for call in (changes, shared_cases, caveats):
        with pytest.raises(Incomparable, match="share no case"):
            call(one, other)


def test_the_same_id_with_another_question_is_not_the_same_case(make_case, make_run):
    one = make_case("1", scores={"mrr": 1.0})
    other = type(one)(id="1", question="something else?", scores=one.scores)
    with pytest.raises(Incomparable):
        changes(make_run([one]), make_run([other]))


def test_differing_golden_sets_are_compared_on_what_they_share_and_said(make_case, make_run):
    one = make_run([make_case("1"), make_case("2")])
    other = make_run(
        [make_case("2"), make_case("3")], golden=GoldenRef(version="sha256:2", cases=2)
    )
    assert [a.id for a, _ in shared_cases(one, other)] == ["2"]
    assert "golden sets differ; compared on the 1 cases" in caveats(one, other)[0]


def test_differing_judges_modes_and_labels_are_said(make_case, make_run):
    one = make_run([make_case("1", scores={"mrr": 1.0})])
    other = make_run(
        [make_case("1", relevant={"b": 1}, scores={"map": 1.0})],
        judge=JudgeRef(model="big", fingerprint="sha256:k"),
        mode="golden-context",
    )
    said = " ".join(caveats(one, other))
    assert "judges differ (local, big)" in said
    assert "modes differ" in said
    assert "Labels or reference changed in 1" in said
    assert "not compared: mrr, map" in said
    assert caveats(one, one) == ("Both are the same run: nothing can differ.",)


def test_a_model_that_changed_behind_its_name_is_said(make_case, make_run):
    before, after = (
        JudgeRef(model="m", fingerprint=f"sha256:{month}", reported=(f"m-2026-0{month}",))
        for month in (1, 9)
    )
    cases = [make_case("1", scores={"mrr": 1.0})]
    one, other = make_run(cases, judge=before), make_run(cases, judge=after)
    assert "judges differ (m (m-2026-01), m (m-2026-09))" in caveats(one, other)[0]
    assert caveats(one, one) == ("Both are the same run: nothing can differ.",)


def test_a_metric_of_another_version_is_said(make_case, make_run):
    one = make_run([make_case("1", scores={"mrr": 1.0, "map": 1.0})])
    reworded = replace(one.metrics["mrr"], version="1+2")
    other = replace(one, metrics=one.metrics | {"mrr": reworded})
    assert caveats(one, other) == ("Scored in other versions (method or prompt): mrr.",)


def test_yes_or_no_is_mcnemars_test(make_case, make_run):
    base, new = [1.0] * 9 + [0.0], [0.0] * 6 + [1.0] * 4
    (change,) = changes(*runs(make_case, make_run, base, new))
    assert (change.wins, change.losses, change.ties) == (1, 6, 3)
    assert change.p == pytest.approx(2 * (1 + 7) / 2**7)
    assert change.p_adjusted == change.p
    assert change.needed > 10
    assert change.effect < 0


def test_fractions_are_tested_by_flipping_signs(make_case, make_run):
    (change,) = changes(*runs(make_case, make_run, [0.5, 0.25, 0.75], [0.75, 0.5, 1.0]))
    assert change.p == 0.25  # 2 of 8 patterns
    assert change.min_detectable is None  # three cases show nothing
    assert change.base_p10 == 0.25
    assert change.candidate_p10 == 0.5
    assert change.p10_ci is None


def test_p_values_are_corrected_over_the_metrics(make_case, make_run):
    def run(name, a, b):
        return make_run(
            [make_case(str(n), scores={"mrr": a, "recall@5": b(n)}) for n in range(8)], name=name
        )

    one, two = changes(run("x", 0.0, lambda n: 0.5), run("y", 1.0, lambda n: 0.5 + (n == 0)))
    assert one.p == pytest.approx(2 / 2**8)
    assert one.p_adjusted == pytest.approx(2 * one.p)
    assert two.p == two.p_adjusted == 1.0


def test_what_the_judge_adds_to_the_noise_is_told(make_case, make_run):
    def run(name, trials):
        return make_run(
            [
                make_case(str(n), scores={"mrr": Score(sum(t) / 2, trials=t)})
                for n, t in enumerate(trials)
            ],
            name=name,
        )

    base = run("x", [(0.0, 1.0), (1.0, 1.0)])
    (change,) = changes(base, run("y", [(1.0, 1.0), (0.0, 0.0)]))
    assert change.noise == pytest.approx(0.125 / 1.125)
    (alone,) = changes(*runs(make_case, make_run, [0.0, 1.0], [0.5, 0.5]))
    assert alone.noise is None


def test_a_run_of_summaries_only_is_named(make_case, make_run):
    one, other = runs(make_case, make_run, [1.0, 0.0], [1.0, 1.0])
    for pair in ((one, replace(other, cases=())), (replace(one, cases=()), other)):
        with pytest.raises(Incomparable, match="summaries only"):
            shared_cases(*pair)


def test_a_metric_that_turned_round_is_said(make_case, make_run):
    one, other = runs(make_case, make_run, [1.0, 0.0], [1.0, 1.0])
    assert not caveats(one, other)
    summary = replace(other.metrics["mrr"], direction="lower")
    assert caveats(one, replace(other, metrics={"mrr": summary})) == (
        "Higher is better in one run, lower in the other: mrr.",
    )
