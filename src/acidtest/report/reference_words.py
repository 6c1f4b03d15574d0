"""Since when changes of a quantity can be told, or from when on, in words."""

from collections.abc import Iterable

from acidtest.data.watching import Reference
from acidtest.report.alert_words import called
from acidtest.report.figures import count
from acidtest.report.online_dashboard import day

LEAST, LEAST_DAYS = 100, 7
"""Traces, and days that have some, which it takes to know what is usual."""


def reference_words(one: Reference) -> str:
    """Return in one sentence whether changes of a quantity are told, and by what."""
    held = f"{count(one.traces, 'scored trace' if one.scored else 'trace')} on {count(one.days, 'day')}"
    since = day(one.since_ms)
    needed = f"{LEAST} on {LEAST_DAYS} days are needed"
    if one.state == "complete" and one.until_ms is not None:
        return f"changes are told, held against {held}, {since} to {day(one.until_ms - 1)}"
    if one.state == "collecting" and one.until_ms is not None:
        so_far = f"what is usual is learnt since {since}, from {held} so far"
        if one.slow:
            return f"changes are told from {day(one.until_ms)} on if there is enough by then: {so_far}, and {needed}"
        return f"changes are told from {day(one.until_ms)} on: {so_far}"
    return f"changes cannot be told: only {held} since {since}, and {needed}"


def told_by(some: Iterable[Reference]) -> dict[str, str]:
    """Return a sentence of its own by the name of each quantity."""
    words = {one.metric: reference_words(one) for one in some}
    return {metric: f"{said[:1].upper()}{said[1:]}." for metric, said in words.items()}


def reference_lines(some: Iterable[Reference]) -> list[str]:
    """Return a line for each sentence, before it the quantities that it is said of."""
    by_words: dict[str, list[str]] = {}
    for one in some:
        by_words.setdefault(reference_words(one), []).append(called(one.metric))
    return [f"{', '.join(names)}: {words}" for words, names in by_words.items()]
