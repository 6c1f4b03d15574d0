"""What quantities are held against, and from when on a change can be told; as drift itself uses it."""

import pytest
from tests.online.test_look import at, fill

from acidtest.data.watching import Reading, Reference
from acidtest.online.config import OnlineConfig
from acidtest.online.drift import drifts
from acidtest.online.held import LEAST_DAYS, LEAST_REFERENCE, Window
from acidtest.online.look import alerting, read_state
from acidtest.online.readings import DAY_MS
from acidtest.online.reference import references
from acidtest.report import reference_words
from acidtest.report.reference_words import reference_lines, told_by
from acidtest.store.alerts import Alerts

MONDAY = 1_767_571_200_000  # 5 January 2026
WINDOW = Window(since_ms=MONDAY, until_ms=MONDAY + 28 * DAY_MS)


def some(days, per=10, metric="m", first=0):
    return [
        Reading(
            trace=f"{metric}{day}-{n}",
            at_ms=MONDAY + day * DAY_MS + n,
            scores={metric: n % 2 / 2},
            facts={"error": 0.0},
        )
        for day in range(first, first + days)
        for n in range(per)
    ]


def told(readings, window, begun, day):
    found = references(readings, window, begun, now_ms=MONDAY + day * DAY_MS - 1)
    return {one.metric: one for one in found}


def test_a_complete_window_holds_what_is_in_it():
    one = told(some(40), WINDOW, None, 40)["m"]
    assert one == Reference(
        metric="m",
        scored=True,
        state="complete",
        since_ms=WINDOW.since_ms,
        until_ms=WINDOW.until_ms,
        traces=280,
        days=28,
    )
    assert not told(some(40), WINDOW, None, 40)["error"].scored


def test_one_that_has_begun_says_when_it_ends_and_whether_that_will_do():
    one = told(some(12), None, WINDOW, 12)["m"]
    assert (one.state, one.until_ms, one.traces, one.days, one.slow) == (
        "collecting",
        WINDOW.until_ms,
        120,
        12,
        False,
    )
    slow = told([*some(12, metric="k", per=1), *some(12)], None, WINDOW, 12)
    assert (slow["k"].slow, slow["m"].slow) == (True, False)
    young = told(some(2, per=3), None, None, 2)["m"]
    assert (young.state, young.since_ms, young.until_ms, young.slow) == (
        "collecting",
        MONDAY,
        WINDOW.until_ms,
        True,
    )


def test_what_comes_later_has_a_window_of_its_own():
    late = [*some(60), *some(10, metric="k", first=50)]
    one = told(late, WINDOW, None, 60)["k"]
    assert (one.state, one.since_ms, one.until_ms, one.traces) == (
        "collecting",
        MONDAY + 50 * DAY_MS,
        MONDAY + 78 * DAY_MS,
        100,
    )
    # Not yet complete, and it begins too late to be in what the others are held against.
    assert told([*some(26), *some(1, metric="k", first=25)], None, WINDOW, 26)["k"].until_ms == (
        MONDAY + 53 * DAY_MS
    )


def test_too_little_is_no_reference():
    few = [*some(60), *some(60, metric="k", per=1)]
    one = told(few, WINDOW, None, 60)["k"]
    assert (one.state, one.until_ms) == ("short", None)
    assert told([], None, None, 1) == {}


@pytest.mark.parametrize("day", [29, 45, 60, 90])
def test_it_is_what_drift_uses(day):
    traces = [
        *some(90, per=5),
        *some(40, metric="late", first=50),
        *some(90, metric="few", per=1),
        *some(3, metric="short"),
    ]
    seen = [r for r in traces if r.at_ms < MONDAY + day * DAY_MS]
    found = told(seen, WINDOW, None, day)
    watched = drifts(seen, WINDOW, now_ms=MONDAY + day * DAY_MS - 1)
    for drift in watched:
        if drift.metric in found:
            complete = found[drift.metric].state == "complete"
            assert complete == ("reference" not in drift.note or "since the" in drift.note), drift


def test_in_words():
    assert (reference_words.LEAST, reference_words.LEAST_DAYS) == (LEAST_REFERENCE, LEAST_DAYS)
    whole = told([*some(40), *some(40, metric="k")], WINDOW, None, 40)
    assert reference_lines(whole.values())[:2] == [
        "k, m: changes are told, held against 280 scored traces on 28 days, 2026-01-05 to 2026-02-01",
        "errors: changes are told, held against 560 traces on 28 days, 2026-01-05 to 2026-02-01",
    ]
    young = told_by(told(some(1, per=3), None, None, 1).values())
    assert young["m"] == (
        "Changes are told from 2026-02-02 on if there is enough by then: what is usual is learnt since"
        " 2026-01-05, from 3 scored traces on 1 day so far, and 100 on 7 days are needed."
    )
    begun = told_by(told(some(12), None, WINDOW, 12).values())["m"]
    assert begun.startswith("Changes are told from 2026-02-02 on: what is usual is learnt")
    short = told_by(told([*some(60), *some(60, metric="k", per=1)], WINDOW, None, 60).values())["k"]
    assert short.startswith("Changes cannot be told: only 28 scored traces on 28 days since")


async def test_a_look_keeps_it_from_the_first_trace_on(rooms):
    look = alerting(OnlineConfig(sample=1.0), every_ms=0)

    def kept():
        with Alerts(rooms.traces.url) as alerts:
            return {one.metric: one for one in read_state(alerts).references}

    fill(rooms, 0, 2)
    await look(rooms, at(2))
    assert (kept()["faithfulness"].state, kept()["faithfulness"].until_ms) == ("collecting", at(28))
    fill(rooms, 2, 27)
    await look(rooms, at(27))
    assert (kept()["error"].state, kept()["error"].until_ms) == ("collecting", at(28))
    fill(rooms, 27, 30)
    await look(rooms, at(30))
    assert (kept()["error"].state, kept()["error"].days) == ("complete", 28)
