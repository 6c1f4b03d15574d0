"""What an anchor's lines amount to."""

import pytest
from msgspec.structs import replace

from acidtest.data.answers import Answer
from acidtest.data.golden import Case
from acidtest.data.outcomes import Score
from acidtest.data.runs import JudgeRef
from acidtest.project.anchoring.records import (
    Anchor,
    Header,
    Judged,
    Kept,
    Look,
    Recorded,
    Source,
)
from acidtest.project.anchoring.watch import moved, status_of

N = 40
BY = Judged(name="m", judge=JudgeRef(model="m", fingerprint="f1"), asked="f")
OTHER = Judged(name="m", judge=JudgeRef(model="m", fingerprint="f2", reported=("m-2",)), asked="f")


def anchor(*looks, metrics=("a",), repeats=(0.5, 0.5, 0.5, 0.5)):
    recorded = Recorded(verdict=Score(0.5), repeats=repeats)
    return Anchor(
        header=Header(
            created="day 0",
            source=Source(id="r", name="r", golden="g"),
            by=BY,
            metrics=dict.fromkeys(metrics, "1"),
            repeat=1 + len(repeats),
        ),
        cases=tuple(
            Kept(
                case=Case(id=f"c{n}", question="?"),
                answer=Answer(case_id=f"c{n}", text="!"),
                verdicts=dict.fromkeys(metrics, recorded),
            )
            for n in range(N)
        ),
        looks=looks,
    )


def look(day, up=0, missing=0, by=BY, metric="a"):
    values = {f"c{n}": 1.0 if n < up else 0.5 for n in range(N - missing)}
    return Look(
        created=f"day {day}",
        by=by,
        values={metric: values},
        moved={metric: {f"c{n}": Score(1.0) for n in range(min(up, N - missing))}},
        missing={metric: {f"c{n}": "gone" for n in range(N - missing, N)}},
    )


@pytest.mark.parametrize(
    ("value", "recorded", "way"),
    [(0.5, 0.5, 0), (0.55, 0.5, 0), (0.56, 0.5, 1), (0.44, 0.5, -1), (0.7, 0.65, 0)],
)
def test_a_verdict_moves_beyond_the_tolerance(value, recorded, way):
    assert moved(value, recorded, 0.05) == way


def test_steady():
    found = status_of(anchor(*(look(d) for d in range(1, 60))), "p")
    assert (found.result, found.exit_status, found.coverage) == ("steady", 0, 1.0)
    assert found.e_value < 1


def test_drift_stays_told_with_the_day_it_was_seen():
    looks = [look(1), look(2, up=20), look(3), look(4)]
    found = status_of(anchor(*looks), "p")
    assert (found.result, found.exit_status, found.drift_since) == ("drift", 1, "day 2")
    assert found.moved == ()


def test_noise_that_was_measured_is_no_drift():
    found = status_of(
        anchor(*(look(d, up=8) for d in range(1, 30)), repeats=(0.5, 0.5, 0.5, 1.0)), "p"
    )
    assert found.metrics["a"].repeats.up == N
    assert found.result == "steady"
    assert len(found.moved) == 8
    assert found.moved[0].times == 29


def test_missing_verdicts_count_as_unmoved_and_too_many_are_incomplete():
    found = status_of(anchor(look(1, missing=3)), "p")
    assert (found.result, found.exit_status) == ("incomplete", 3)
    assert found.metrics["a"].last.n == N
    assert status_of(anchor(look(1, missing=2)), "p").result == "steady"
    assert status_of(anchor(look(1, up=20, missing=3)), "p").exit_status == 1  # 1 outranks 3


def test_a_change_is_told_once():
    found = status_of(anchor(look(1), look(2, by=OTHER)), "p")
    assert (found.result, found.exit_status) == ("changed", 1)
    assert found.judge_changed.before.fingerprint == "f1"
    assert found.judge_changed.now.reported == ("m-2",)
    assert status_of(anchor(look(1), look(2, by=OTHER), look(3, by=OTHER)), "p").result == "steady"
    assert status_of(anchor(look(1, by=OTHER)), "p").result == "changed"  # since the anchor itself


def test_another_judge_has_a_series_of_its_own():
    other = replace(OTHER, asked="g")
    found = status_of(anchor(look(1), look(2, up=30, by=other), look(3)), "p")
    assert (found.result, found.other_judge) == ("steady", False)
    assert [seen.e_value is None for seen in found.history] == [False, True, False]
    only = status_of(anchor(look(1), look(2, by=other)), "p")
    assert (only.result, only.other_judge, only.judge_changed) == ("steady", True, None)


def test_several_metrics_share_the_risk_and_one_that_drifts_is_enough():
    one, two = anchor(metrics=("a",)), anchor(metrics=("a", "b"))
    assert status_of(two, "p").metrics["a"].bounds.up > status_of(one, "p").metrics["a"].bounds.up
    day = look(1, up=20)
    day = replace(day, values={**day.values, "b": {f"c{n}": 0.5 for n in range(N)}})
    assert status_of(anchor(day, metrics=("a", "b")), "p").result == "drift"


def test_a_metric_that_was_not_judged_says_nothing():
    found = status_of(anchor(look(1), metrics=("a", "b")), "p")
    assert found.metrics["b"].last.n == 0
    assert found.metrics["b"].mean is None
    assert (found.coverage, found.result) == (0.5, "incomplete")


def test_not_looked_at_yet():
    found = status_of(anchor(), "p")
    assert (found.result, found.e_value, found.exit_status, found.history) == ("new", 1.0, 0, ())
