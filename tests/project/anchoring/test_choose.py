"""Which cases an anchor holds."""

from acidtest.data.outcomes import Failure, Score
from acidtest.data.runs import CaseResult, GoldenRef, Ref, Run, RunInfo, Summary
from acidtest.project.anchoring.choose import choose


def run_of(values, *, direction="higher", other=None):
    cases = [
        CaseResult(
            id=f"c{n:03}",
            question="?",
            scores={
                "a": Failure("gone") if value is None else Score(value),
                **({"b": Score(other[n])} if other else {}),
            },
        )
        for n, value in enumerate(values)
    ]
    summary = Summary(stage="generation", direction=direction, mean=None, cost="judge")
    return Run(
        info=RunInfo(
            id="r",
            name="r",
            created="",
            status="finished",
            mode="live",
            golden=GoldenRef(version="v", cases=len(values)),
            pipeline=Ref(name="p", fingerprint="f"),
        ),
        metrics={"a": summary, "b": summary},
        cases=tuple(cases),
    )


def chosen(run, n, metrics=("a",), **thresholds):
    return [case.id for case in choose(run, metrics, n, thresholds)]


VALUES = [n / 100 for n in range(100)]


def test_near_the_threshold_low_and_spread():
    found = {int(i[1:]) for i in chosen(run_of(VALUES), 30, a=0.8)}
    assert len(found) == 30
    assert {79, 80, 81} <= found
    assert {0, 1, 2, 3} <= found
    assert len([i for i in found if 15 <= i <= 70]) >= 5
    assert max(found) > 88


def test_where_lower_is_better_the_highest_are_the_bad_ones():
    found = {int(i[1:]) for i in chosen(run_of(VALUES, direction="lower"), 12)}
    assert {99, 98} <= found


def test_failures_cannot_be_held_against_a_judge():
    assert chosen(run_of([None, 0.5, None, 0.1]), 10) == ["c001", "c003"]


def test_each_metric_has_its_part():
    other = [1 - value for value in VALUES]
    found = {int(i[1:]) for i in chosen(run_of(VALUES, other=other), 20, ("a", "b"), a=1, b=1)}
    assert len(found) == 20
    assert {0, 99} <= found


def test_the_choice_is_the_same_every_time_and_in_the_order_of_the_run():
    run = run_of([0.5] * 50)
    assert chosen(run, 10) == chosen(run, 10) == sorted(chosen(run, 10))
