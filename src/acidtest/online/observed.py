"""All traces of a span of time as columns: for trends over many traces, which single readings are too slow for.

The chances are those of `readings.with_chances`, and each series has the values, weights and sessions of the one
that `readings.series` gives.
"""

from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

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
from acidtest.stats.units import Column
from acidtest.store.trace_figures import Figures, Names, TraceFigures

Mask = NDArray[np.bool_]
Places = NDArray[np.int64]

Scorer = tuple[str | None, str | None]
"""What gave a score: the judge's fingerprint, and the metric's version."""

_CITATIONS = "citation_validity"
_FACTS = (*RATES, *SIZES)


class Left(Struct, frozen=True, kw_only=True):
    """Scores that another judge, or version of the metric, gave: they are left out.

    `n` are so many; `since_ms` is when the first trace began that has a score of now. `judge` and `version` say what was
    another one.
    """

    n: int
    since_ms: int
    judge: bool
    version: bool


class Observed(Struct, frozen=True, kw_only=True):
    """Traces in the order of their beginning; a value that is not known is NaN within, and never leaves it.

    Attributes:
        ids: The id of each.
        at_ms: When each began.
        units: What belongs together: a number for each session, and for each trace that has none.
        names: By column (`service`, `model`, `prompt_version`), what each has there.
        facts: By name, a value a trace.
        scores: By metric, a value a trace, of what scores it now: another judge's cannot be compared.
        chance: How likely each was to be scored; 0 where that does not count.
        scored: Which have a score, whatever gave it.
        unscored: By metric, places of traces that it skipped, or failed on.
        left: By metric, the scores that are left out, where something else scored before.
        left_at: By metric, places of the traces of these scores.
        cut: There were more traces, which are older.
    """

    ids: list[str]
    at_ms: NDArray[np.int64]
    units: NDArray[np.int64]
    names: dict[str, Names]
    facts: dict[str, Column]
    scores: dict[str, Column]
    chance: Column
    scored: Mask
    unscored: dict[str, Places]
    left: dict[str, Left]
    left_at: dict[str, Places]
    cut: bool

    def quantities(self) -> list[Quantity]:
        """Return what can be read from any of them, in a fixed order."""
        found = [Quantity(name=name, kind="score", scored=True) for name in sorted(self.scores)]
        if _CITATIONS in self.scores:
            found.append(Quantity(name=CITATION_ERROR, kind="rate", scored=True))
        known = [name for name in _FACTS if not np.isnan(self.facts[name]).all()]
        found += [Quantity(name=n, kind="rate", scored=False) for n in RATES if n in known]
        return found + [Quantity(name=n, kind="size", scored=False) for n in SIZES if n in known]

    def metric_of(self, quantity: Quantity) -> str:
        """Return which metric a scored quantity is read from."""
        return _CITATIONS if quantity.name == CITATION_ERROR else quantity.name

    def series(self, quantity: Quantity, chosen: Mask | None = None) -> Series:
        """Return the values of one quantity, of all or of chosen traces.

        Sessions are numbers there, and the ids of traces are left out: estimates need no more.
        """
        if quantity.name == CITATION_ERROR:
            validity = self.scores[self.metric_of(quantity)]
            values = np.where(np.isnan(validity), np.nan, (validity < 1).astype(np.float64))
        else:
            values = (self.scores if quantity.scored else self.facts)[quantity.name]
        has = ~np.isnan(values)
        if quantity.scored:
            has &= self.chance > 0
        held = np.flatnonzero(has if chosen is None else has & chosen)
        weights = 1 / self.chance[held] if quantity.scored else np.ones(len(held))
        sessions: Any = self.units[held]
        return Series(self.at_ms[held], values[held], weights, sessions, ())


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
    traces = figures.figures(since_ms, until_ms, limit=limit)
    place = {trace_id: n for n, trace_id in enumerate(traces.ids)}
    given: dict[str, dict[Scorer, Column]] = {}
    without: dict[str, dict[Scorer, list[int]]] = {}
    for trace_id, metric, value, judge, version in figures.scores(since_ms, until_ms):
        n = place.get(trace_id)
        if n is None:
            continue
        by = judge, version
        if value is None:
            without.setdefault(metric, {}).setdefault(by, []).append(n)
            continue
        columns = given.setdefault(metric, {})
        if by not in columns:
            columns[by] = np.full(len(place), np.nan)
        columns[by][n] = value
    now = {metric: _now(columns) for metric, columns in given.items()}
    scores = {metric: columns[now[metric]] for metric, columns in given.items()}
    scored = _any(
        np.zeros(len(place), np.bool_), *(c for some in given.values() for c in some.values())
    )
    counted = _any(np.zeros(len(place), np.bool_), *scores.values())
    facts = {
        "abstained": traces.abstained,
        "error": traces.failed,
        "thumbs_down": (traces.feedback <= 0).astype(np.float64),
        "latency_ms": traces.latency_ms,
        "cost_usd": traces.cost_usd,
    }
    caught = np.zeros(len(place), np.bool_)
    for rule in config.always:
        if rule.startswith("tag:"):
            tagged = figures.tagged(rule.partition(":")[2], since_ms, until_ms)
            caught[[place[trace_id] for trace_id in tagged if trace_id in place]] = True
        else:
            caught |= _caught(rule, config, traces, facts)
    return Observed(
        ids=traces.ids,
        at_ms=traces.started,
        units=_units(traces.session),
        names={
            "service": traces.service,
            "model": traces.model,
            "prompt_version": traces.prompt_version,
        },
        facts=facts,
        scores=scores,
        chance=_chances(traces, counted, caught, config.sample),
        scored=scored,
        unscored={
            metric: _places(
                some.get(now[metric], ()) if metric in now else chain.from_iterable(some.values())
            )
            for metric, some in without.items()
        },
        left={
            metric: _left(columns, now[metric], traces.started)
            for metric, columns in given.items()
            if len(columns) > 1
        },
        left_at={
            metric: np.concatenate(
                [np.flatnonzero(~np.isnan(c)) for by, c in columns.items() if by != now[metric]]
            )
            for metric, columns in given.items()
            if len(columns) > 1
        },
        cut=traces.cut,
    )


def _now(columns: dict[Scorer, Column]) -> Scorer:
    """Return what scored the newest trace that has a score: what scores now."""
    return max(columns, key=lambda by: int(np.flatnonzero(~np.isnan(columns[by]))[-1]))


def _left(columns: dict[Scorer, Column], now: Scorer, at_ms: NDArray[np.int64]) -> Left:
    others = [by for by in columns if by != now]
    return Left(
        n=sum(int((~np.isnan(columns[by])).sum()) for by in others),
        since_ms=int(at_ms[np.flatnonzero(~np.isnan(columns[now]))[0]]),
        judge=any(by[0] != now[0] for by in others),
        version=any(by[1] != now[1] for by in others),
    )


def _places(some: Iterable[int]) -> Places:
    return np.fromiter(some, np.int64)


def _any(none: Mask, *columns: Column) -> Mask:
    """Return which traces have a value in any of the columns."""
    for values in columns:
        none |= ~np.isnan(values)
    return none


def _units(session: Names) -> NDArray[np.int64]:
    """Return a number for what belongs together, counted by first appearance."""
    unit = session.numbers.copy()
    if None in session.names:
        alone = unit == session.names.index(None)
        unit[alone] = len(session.names) + np.arange(int(alone.sum()))
    _, first, where = np.unique(unit, return_index=True, return_inverse=True)
    order = np.empty(len(first), np.int64)
    order[np.argsort(first)] = np.arange(len(first))
    return order[where]


def _caught(rule: str, config: OnlineConfig, traces: Figures, facts: dict[str, Column]) -> Mask:
    """Return which traces a rule would have had scored, of the rules that look at the trace alone."""
    kind, _, name = rule.partition(":")
    if kind == "model":
        names = traces.model.names
        ours: Mask = traces.model.numbers == (names.index(name) if name in names else -1)
        return ours
    if rule == "slow" and config.slow_ms is not None:
        slow: Mask = np.nan_to_num(traces.latency_ms) > config.slow_ms
        return slow
    fact = {"thumbs-down": "thumbs_down", "error": "error", "abstained": "abstained"}.get(rule)
    if fact is None:  # what was new, or slow, on its day cannot be told any more
        return np.zeros(len(traces.ids), np.bool_)
    held: Mask = facts[fact] > 0
    return held


def _chances(traces: Figures, scored: Mask, caught: Mask, share: float) -> Column:
    """Return the chances by week and by whether a rule catches the trace; see `readings.with_chances`."""
    if not traces.ids:
        return np.zeros(0)
    counts = scored & caught
    for n in np.flatnonzero(scored & ~caught).tolist():
        counts[n] = sampled(traces.ids[n], share)
    week = (traces.started // DAY_MS + day_number(0)) // 7
    stratum = (week - week.min()) * 2 + caught
    all_of = np.bincount(stratum)
    scored_of = np.bincount(stratum, weights=counts)
    chance: Column = np.where(counts, scored_of[stratum] / all_of[stratum], 0.0)
    return chance
