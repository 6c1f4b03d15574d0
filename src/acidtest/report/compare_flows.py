"""Verdicts before and after, and which cases went from which verdict to which."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from acidtest.report.compare_case import Moved, Pair
from acidtest.report.view import GOOD, UNKNOWN
from acidtest.report.words import Tone

MOST_IDS = 12
MOST_FLOWS = 60

Flow = tuple[str, str]


class VerdictRow(Struct, frozen=True, kw_only=True):
    """How many cases have a verdict before and after, with bars as shares of the longest."""

    verdict: str
    before: int
    after: int
    bars: tuple[float, float]
    tone: Tone


class FlowRow(Struct, frozen=True, kw_only=True):
    """The cases that went from one verdict to another: the first ids, each with its place if shown."""

    flow: Flow
    count: int
    tone: Tone
    cases: tuple[tuple[str, str], ...]
    more: int


def verdict_rows(verdicts: Mapping[str, tuple[int, int]]) -> tuple[VerdictRow, ...]:
    """Return the verdict table."""
    most = max((n for both in verdicts.values() for n in both), default=0) or 1
    return tuple(
        VerdictRow(
            verdict=verdict,
            before=before,
            after=after,
            bars=(round(100 * before / most, 1), round(100 * after / most, 1)),
            tone="good" if verdict == GOOD else "warn" if verdict == UNKNOWN else "bad",
        )
        for verdict, (before, after) in verdicts.items()
        if before or after
    )


def counted(pairs: Sequence[tuple[Pair, Moved]]) -> dict[str, tuple[int, int]]:
    """Return how many cases have each verdict before and after, as the pairs have it."""
    found: dict[str, tuple[int, int]] = {}
    for _, how in pairs:
        for place, verdict in enumerate(how.flow):
            old = found.get(verdict, (0, 0))
            found[verdict] = (old[0] + (place == 0), old[1] + (place == 1))
    return found


def flow_rows(
    pairs: Sequence[tuple[Pair, Moved]], anchors: Mapping[str, str]
) -> tuple[FlowRow, ...]:
    """Return the flows between verdicts, the commonest first.

    Args:
        pairs: All cases.
        anchors: The places of the cases that the page shows, by id.
    """
    flows: dict[Flow, list[str]] = {}
    for (case, _), how in pairs:
        if how.flow[0] != how.flow[1]:
            flows.setdefault(how.flow, []).append(case.id)
    return tuple(
        FlowRow(
            flow=flow,
            count=len(ids),
            tone="good" if flow[1] == GOOD else "bad" if flow[0] == GOOD else "mute",
            cases=tuple((name, anchors.get(name, "")) for name in ids[:MOST_IDS]),
            more=max(0, len(ids) - MOST_IDS),
        )
        for flow, ids in sorted(flows.items(), key=lambda one: -len(one[1]))[:MOST_FLOWS]
    )
