"""Changes between two runs, paired by case."""

import pytest

from acidtest.comparison.pair import caveats, changes, shared_cases
from acidtest.data import GoldenRef, JudgeRef, Skip
from acidtest.errors import Incomparable


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
    assert caveats(one, one) == ()
