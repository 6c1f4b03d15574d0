"""Drift of a simulated live system: what is told, of what, since when; and that quiet stays quiet."""

import numpy as np
import pytest

from acidtest.data.watching import Reading
from acidtest.online.drift import drifts
from acidtest.online.held import Span, Window
from acidtest.online.questions import Kinds
from acidtest.online.readings import DAY_MS

MONDAY = 1_767_571_200_000  # 5 January 2026
WINDOW = Window(since_ms=MONDAY, until_ms=MONDAY + 28 * DAY_MS)
WORDS = {
    "refund": "how long does a refund for my order take",
    "login": "why does the login page reject my password",
    "invoice": "where is the invoice of last month with tax",
    "export": "export a table as spreadsheet file",
}


def system(seed, days, *, per=60, at=28, sink=0.0, model="old", slow=1.0, topic=None):
    """Return traces of some days; from day `at` on, scores sink, or answers slow down, or questions move."""
    draw = np.random.default_rng(seed)
    found = []
    for day in range(days):
        late = day >= at
        level = 0.93 - (sink if late else 0) + 0.005 * draw.standard_normal()
        for n in range(draw.poisson(per)):
            bad = draw.random() < (1 - level) / 0.4
            kinds = list(WORDS)
            kind = topic if late and topic and draw.random() < 0.5 else kinds[draw.integers(4)]
            found.append(
                Reading(
                    trace=f"t{day}-{n}",
                    at_ms=MONDAY + day * DAY_MS + int(n * DAY_MS / 200),
                    session=f"s{day}-{n // 2}",
                    slices={"model": (model if late else "old",)},
                    question=f"{WORDS.get(kind, kind)} {draw.choice(['please', 'now', 'today'])}",
                    scores={"faithfulness": draw.integers(1, 5) / 5 if bad else 1.0},
                    facts={
                        "error": float(draw.random() < 0.02),
                        "latency_ms": float(
                            800 * draw.lognormal(sigma=0.6) * (slow if late else 1)
                        ),
                    },
                )
            )
    return found


def look(readings, days, **more):
    return {
        d.metric: d for d in drifts(readings, WINDOW, now_ms=MONDAY + int(days * DAY_MS), **more)
    }


def test_a_fall_is_told_with_its_direction_day_and_both_sides():
    found = look(system(1, 50, at=40, sink=0.12), 50)
    drift = found["faithfulness"]
    assert drift.alarmed
    assert not drift.rising
    assert abs(drift.since_ms - (MONDAY + 40 * DAY_MS)) <= DAY_MS
    assert drift.before.value == pytest.approx(0.93, abs=0.02)
    assert drift.after.high < drift.before.low
    assert drift.recent.value == pytest.approx(0.81, abs=0.05)
    assert not found["error"].alarmed
    assert not found["latency_ms"].alarmed
    assert not found["questions"].alarmed


def test_a_metric_of_which_less_is_better_falls_upwards():
    readings = [
        Reading(trace=r.trace, at_ms=r.at_ms, scores={"harm": 1 - r.scores["faithfulness"]})
        for r in system(1, 40, sink=0.15)
    ]
    drift = look(readings, 40, lower_is_better=["harm"])["harm"]
    assert drift.alarmed
    assert drift.rising


def test_slower_answers_are_told_by_their_ranks():
    drift = look(system(2, 36, slow=1.5), 36)["latency_ms"]
    assert drift.alarmed
    assert drift.rising
    assert drift.after.value > 1.3 * drift.before.value


@pytest.mark.parametrize(
    ("topic", "note"),
    [("refund", "more: "), ("warranty repair shipping abroad customs", "more: new words")],
)
def test_other_questions_are_told_by_what_they_are_about(topic, note):
    drift = look(system(3, 34, topic=topic), 34)["questions"]
    assert drift.alarmed
    assert drift.note.startswith(note)


def test_questions_without_a_telling_word_are_of_no_kind():
    kinds = Kinds(["Why?"] * 50)
    assert kinds.names == ()
    assert kinds.shares(["And?", "Refund?"]) == {"other words": [1.0, 1.0], "new words": [0.0, 1.0]}


def test_quiet_stays_quiet():
    alarms = [
        d for seed in range(2) for d in look(system(seed, 80, per=40), 80).values() if d.alarmed
    ]
    assert len(alarms) <= 3  # one of each quantity in a hundred days is what may be


def test_today_counts_when_half_of_it_is_there():
    readings = system(5, 29, sink=0.4)
    morning = MONDAY + 28 * DAY_MS + DAY_MS // 24
    early = {d.metric: d for d in drifts(readings, WINDOW, now_ms=morning)}
    assert early["faithfulness"].note == "nothing came since the reference window"
    assert look(readings, 29)["faithfulness"].alarmed


def test_little_is_not_told_at_all():
    few = look(system(6, 40, per=2), 40)["faithfulness"]
    assert not few.alarmed
    assert "100 on 7 are needed" in few.note
    burst = system(7, 28)
    burst += [
        Reading(trace=f"x{n}", at_ms=MONDAY + 28 * DAY_MS + n, scores={"faithfulness": 0.0})
        for n in range(20)
    ]
    drift = look(burst, 29)["faithfulness"]
    assert not drift.alarmed  # 20 traces are too few, however bad


def test_after_an_alert_that_is_over_the_watch_begins_anew():
    readings = system(8, 38, at=28, sink=0.2) + [
        Reading(
            trace=f"l{r.trace}",
            at_ms=r.at_ms + 10 * DAY_MS,
            scores=r.scores,
            facts=r.facts,
        )
        for r in system(9, 38, at=99)
        if r.at_ms >= MONDAY + 28 * DAY_MS
    ]
    assert look(readings, 48)["faithfulness"].alarmed
    over = Span(since_ms=MONDAY + 28 * DAY_MS, until_ms=MONDAY + 38 * DAY_MS)
    assert not look(readings, 48, over=[over])["faithfulness"].alarmed


def test_slices_are_held_against_their_own_past_at_a_shared_limit():
    readings = system(10, 40, sink=0.2)
    found = drifts(
        readings,
        WINDOW,
        now_ms=MONDAY + 40 * DAY_MS,
        slices=[("model", "old"), ("model", "new")],
    )
    whole, old, *rest = [d for d in found if d.metric == "faithfulness"]
    assert (whole.by, whole.limit) == (None, 100)
    assert (old.by, old.of, old.limit) == ("model", "old", 200)
    assert not rest  # nobody has seen the new one


def test_the_same_traces_in_another_order_tell_the_same():
    readings = system(11, 40, sink=0.05)
    again = list(reversed(readings))
    assert look(readings, 40) == look(again, 40)


def test_a_day_that_goes_on_must_say_more_than_one_that_is_over():
    def answers(day, n, every):
        return [
            Reading(
                trace=f"{day}-{k}",
                at_ms=MONDAY + day * DAY_MS + k * DAY_MS // 200,
                scores={"grounded": float(k % every > 0)},
            )
            for k in range(n)
        ]

    quiet = [r for day in range(30) for r in answers(day, 200, 10)]
    for every, at_once in ((5, False), (3, True)):
        readings = quiet + answers(30, 150, every)
        assert look(readings, 30.75)["grounded"].alarmed is at_once
        assert look(readings, 31)["grounded"].alarmed
