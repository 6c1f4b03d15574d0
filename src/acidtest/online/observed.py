"""All traces of a span of time as columns: for trends over many traces, which single readings are too slow for.

The chances are those of `readings.with_chances`, and each series is the one that `readings.series` gives.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from acidtest.data.watching import Reading
from acidtest.online.config import OnlineConfig
from acidtest.online.readings import (
    CITATION_ERROR,
    DAY_MS,
    RATES,
    SIZES,
    Quantity,
    Series,
    day_number,
)
from acidtest.online.sample import sampled
from acidtest.stats.units import Column, places
from acidtest.store.trace_figures import Figures, TraceFigures

Mask = NDArray[np.bool_]

_CITATIONS = "citation_validity"
_FACTS = (*RATES, *SIZES)


class Observed(Struct, frozen=True, kw_only=True):
    """Traces in the order of their beginning; a value that is not known is NaN within, and never leaves it.

    Attributes:
        traces: What is known of each.
        ids: The id of each.
        sessions: What belongs together: the session of each, or the trace alone.
        units: The same as numbers.
        at_ms: When each began.
        facts: By name, a value a trace.
        scores: By metric, a value a trace.
        chance: How likely each was to be scored; 0 where that does not count.
        scored: Which have a score.
        unscored: By metric, how often it skipped or failed.
        cut: There were more traces, which are older.
    """

    traces: tuple[Figures, ...]
    ids: NDArray[np.object_]
    sessions: NDArray[np.object_]
    units: NDArray[np.int64]
    at_ms: NDArray[np.int64]
    facts: dict[str, Column]
    scores: dict[str, Column]
    chance: Column
    scored: Mask
    unscored: dict[str, int]
    cut: bool

    def quantities(self) -> list[Quantity]:
        """Return what can be read from any of them, in a fixed order."""
        found = [Quantity(name=name, kind="score", scored=True) for name in sorted(self.scores)]
        if _CITATIONS in self.scores:
            found.append(Quantity(name=CITATION_ERROR, kind="rate", scored=True))
        known = [name for name in _FACTS if not np.isnan(self.facts[name]).all()]
        found += [Quantity(name=n, kind="rate", scored=False) for n in RATES if n in known]
        return found + [Quantity(name=n, kind="size", scored=False) for n in SIZES if n in known]

    def series(self, quantity: Quantity, chosen: Mask | None = None) -> Series:
        """Return the values of one quantity, of all or of chosen traces."""
        values, has = self._values(quantity)
        held = np.flatnonzero(has if chosen is None else has & chosen)
        return Series(
            self.at_ms[held],
            values[held],
            1 / self.chance[held] if quantity.scored else np.ones(len(held)),
            tuple(self.sessions[held].tolist()),
            tuple(self.ids[held].tolist()),
        )

    def _values(self, quantity: Quantity) -> tuple[Column, Mask]:
        """Return a value a trace, and which of them count."""
        if quantity.name == CITATION_ERROR:
            validity = self.scores[_CITATIONS]
            values = np.where(np.isnan(validity), np.nan, (validity < 1).astype(np.float64))
        else:
            values = (self.scores if quantity.scored else self.facts)[quantity.name]
        has = ~np.isnan(values)
        return values, has & (self.chance > 0) if quantity.scored else has

    def plain(self, quantity: Quantity, chosen: Mask) -> Series:
        """Return `series` with numbers for sessions and without the ids of traces: what estimates need."""
        values, has = self._values(quantity)
        held = np.flatnonzero(has & chosen)
        weights = 1 / self.chance[held] if quantity.scored else np.ones(len(held))
        sessions: Any = self.units[held]
        return Series(self.at_ms[held], values[held], weights, sessions, ())

    def readings(self) -> list[Reading]:
        """Return each as a reading, without its question and tags."""
        return [
            Reading(
                trace=trace.id,
                at_ms=trace.started,
                session=trace.session,
                slices={
                    by: (of,)
                    for by in ("model", "prompt_version", "service")
                    if (of := getattr(trace, by)) is not None
                },
                scores=_known(self.scores, n),
                facts=_known(self.facts, n),
                chance=float(self.chance[n]),
            )
            for n, trace in enumerate(self.traces)
        ]


def observed(
    figures: TraceFigures, config: OnlineConfig, *, since_ms: int, until_ms: int, limit: int
) -> Observed:
    """Return the traces that began in a span of time, its end excluded.

    Args:
        figures: The store.
        config: By which rules traces were chosen.
        since_ms: The beginning.
        until_ms: The end.
        limit: So many traces at most, the newest.
    """
    rows = figures.figures(since_ms, until_ms, limit=limit + 1)
    cut = len(rows) > limit
    traces = tuple(reversed(rows[:limit]))
    place = {trace.id: n for n, trace in enumerate(traces)}
    scores: dict[str, Column] = {}
    unscored: dict[str, int] = {}
    for trace_id, metric, value in figures.scores(since_ms, until_ms):
        n = place.get(trace_id)
        if n is None:
            continue
        if value is None:
            unscored[metric] = unscored.get(metric, 0) + 1
            continue
        if metric not in scores:
            scores[metric] = np.full(len(traces), np.nan)
        scores[metric][n] = value
    at_ms = np.array([t.started for t in traces], np.int64)
    sessions = [f"s{t.session}" if t.session is not None else f"t{t.id}" for t in traces]
    scored = np.zeros(len(traces), np.bool_)
    for values in scores.values():
        scored |= ~np.isnan(values)
    caught = _caught(figures, config, traces, since_ms, until_ms)
    return Observed(
        traces=traces,
        ids=_objects([t.id for t in traces]),
        sessions=_objects(sessions),
        units=places(sessions),
        at_ms=at_ms,
        facts=_facts(traces),
        scores=scores,
        chance=_chances(traces, at_ms, scored, caught, config.sample),
        scored=scored,
        unscored=unscored,
        cut=cut,
    )


def _objects(texts: list[str]) -> NDArray[np.object_]:
    return np.array(texts, np.object_)


def _facts(traces: Sequence[Figures]) -> dict[str, Column]:
    return {
        "abstained": _column([t.abstained for t in traces]),
        "error": _column([t.failed for t in traces]),
        "thumbs_down": _column([t.feedback is not None and t.feedback <= 0 for t in traces]),
        "latency_ms": _column([t.latency_ms for t in traces]),
        "cost_usd": _column([t.cost_usd for t in traces]),
    }


def _column(values: list[Any]) -> Column:
    return np.array(values, np.float64)  # None becomes NaN


def _caught(
    figures: TraceFigures,
    config: OnlineConfig,
    traces: Sequence[Figures],
    since_ms: int,
    until_ms: int,
) -> Mask:
    """Return which traces a rule would have had scored, of the rules that look at the trace alone."""
    found = np.zeros(len(traces), np.bool_)
    for rule in config.always:
        kind, _, name = rule.partition(":")
        if rule == "thumbs-down":
            some = [t.feedback is not None and t.feedback <= 0 for t in traces]
        elif rule == "error":
            some = [t.failed for t in traces]
        elif rule == "abstained":
            some = [bool(t.abstained) for t in traces]
        elif rule == "slow" and config.slow_ms is not None:
            some = [(t.latency_ms or 0.0) > config.slow_ms for t in traces]
        elif kind == "model":
            some = [t.model == name for t in traces]
        elif kind == "tag":
            tagged = figures.tagged(name, since_ms, until_ms)
            some = [t.id in tagged for t in traces]
        else:
            continue  # what was new, or slow, on its day cannot be told any more
        found |= np.array(some, np.bool_)
    return found


def _chances(
    traces: Sequence[Figures], at_ms: NDArray[np.int64], scored: Mask, caught: Mask, share: float
) -> Column:
    """Return the chances by week and by whether a rule catches the trace; see `readings.with_chances`."""
    counts = scored & caught
    for n in np.flatnonzero(scored & ~caught).tolist():
        counts[n] = sampled(traces[n].id, share)
    if not len(traces):
        return np.zeros(0)
    week = (at_ms // DAY_MS + day_number(0)) // 7
    stratum = (week - week.min()) * 2 + caught
    all_of = np.bincount(stratum)
    scored_of = np.bincount(stratum, weights=counts)
    chance: Column = np.where(counts, scored_of[stratum] / all_of[stratum], 0.0)
    return chance


def _known(columns: dict[str, Column], n: int) -> dict[str, float]:
    return {name: float(c[n]) for name, c in columns.items() if not np.isnan(c[n])}
