"""Readings of traces: how likely each was to be scored, and the quantities that can be read from them.

Rules (thumbs down, errors) see to it that bad answers are scored more often than they occur, so the mean of what
was scored is not the mean of what the system does. Every estimate here weighs a score by 1 / its chance to be
scored (D. G. Horvitz and D. J. Thompson, JASA 47, 1952; as a ratio, J. Hájek, 1971). What is known of every
trace, such as its latency, weighs 1.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from acidtest.data.watching import Kind, Reading
from acidtest.stats.units import Column

DAY_MS = 86_400_000
_MONDAY = 3  # 1 January 1970 was a Thursday

RATES = ("abstained", "error", "thumbs_down")
SIZES = ("latency_ms", "cost_usd")
CITATION_ERROR = "citation_error"
_CITATIONS = "citation_validity"


class Taken(Struct, frozen=True, kw_only=True):
    """A reading and how its trace was chosen, as far as that can be told afterwards.

    Attributes:
        reading: The reading; it has scores if it was scored.
        caught: A rule that looks at the trace alone would have had it scored.
        drawn: It is in the sampled share.
    """

    reading: Reading
    caught: bool
    drawn: bool


class Quantity(Struct, frozen=True, kw_only=True):
    """What can be read from a trace. `scored` says that only traces that were scored have it."""

    name: str
    kind: Kind
    scored: bool


class Series(Struct, frozen=True):
    """One quantity's values in the order of the readings, with what each weighs."""

    at_ms: "np.ndarray[tuple[int], np.dtype[np.int64]]"
    values: Column
    weights: Column
    sessions: tuple[str, ...]
    traces: tuple[str, ...]

    def part(self, chosen: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> "Series":
        """Return those that are chosen."""
        places = np.flatnonzero(chosen).tolist()
        return Series(
            self.at_ms[chosen],
            self.values[chosen],
            self.weights[chosen],
            tuple(self.sessions[n] for n in places),
            tuple(self.traces[n] for n in places),
        )

    def between(self, since_ms: int, until_ms: int) -> "Series":
        """Return those of a span of time, its end excluded."""
        return self.part((self.at_ms >= since_ms) & (self.at_ms < until_ms))


def with_chances(taken: Iterable[Taken]) -> list[Reading]:
    """Return the readings with their chances, as they came out.

    Traces that a rule catches, and those that none does, are counted by week: the chance is the share of them
    that was scored. So a budget that ran out, or a share that was changed, is made up for. Of the others only
    drawn ones count; one that was scored for another reason gets 0.
    """
    listed = list(taken)
    all_of, scored_of = Counter[tuple[int, bool]](), Counter[tuple[int, bool]]()
    for each in listed:
        stratum = _stratum(each)
        all_of[stratum] += 1
        scored_of[stratum] += _counts(each)
    found = []
    for each in listed:
        stratum = _stratum(each)
        chance = scored_of[stratum] / all_of[stratum] if _counts(each) else 0.0
        found.append(replace(each.reading, chance=chance))
    return found


def _stratum(each: Taken) -> tuple[int, bool]:
    return day_number(each.reading.at_ms) // 7, each.caught


def _counts(each: Taken) -> bool:
    return bool(each.reading.scores) and (each.caught or each.drawn)


def quantities(readings: Iterable[Reading]) -> list[Quantity]:
    """Return what can be read from any of the readings, in a fixed order."""
    scores, facts = set[str](), set[str]()
    for reading in readings:
        scores |= reading.scores.keys()
        facts |= reading.facts.keys()
    found = [Quantity(name=name, kind="score", scored=True) for name in sorted(scores)]
    if _CITATIONS in scores:
        found.append(Quantity(name=CITATION_ERROR, kind="rate", scored=True))
    found += [Quantity(name=name, kind="rate", scored=False) for name in RATES if name in facts]
    found += [Quantity(name=name, kind="size", scored=False) for name in SIZES if name in facts]
    return found


def value_of(reading: Reading, quantity: Quantity) -> float | None:
    """Return the quantity of one trace; None where it has none."""
    if not quantity.scored:
        return reading.facts.get(quantity.name)
    if quantity.name == CITATION_ERROR:
        validity = reading.scores.get(_CITATIONS)
        return None if validity is None else float(validity < 1)
    return reading.scores.get(quantity.name)


def series(readings: Iterable[Reading], quantity: Quantity) -> Series:
    """Return the values of one quantity; scores whose chance is not known are left out."""

    def value(reading: Reading) -> float | None:
        return None if quantity.scored and not reading.chance else value_of(reading, quantity)

    return series_by(readings, value, scored=quantity.scored)


def series_by(
    readings: Iterable[Reading], value: Callable[[Reading], float | None], *, scored: bool
) -> Series:
    """Return the values that a function gives, where it gives one; `scored` ones weigh 1 / chance."""
    held = [(r, v) for r in readings if (v := value(r)) is not None]
    return Series(
        np.array([r.at_ms for r, _ in held], np.int64),
        np.array([v for _, v in held], np.float64),
        np.array([1 / r.chance if scored else 1.0 for r, _ in held], np.float64),
        # A trace without a session stands alone; the mark keeps it apart from sessions of its name.
        tuple(f"s{r.session}" if r.session is not None else f"t{r.trace}" for r, _ in held),
        tuple(r.trace for r, _ in held),
    )


def in_slice(reading: Reading, by: str | None, of: str | None) -> bool:
    """Say whether a trace is in a slice; every trace is in the slice of all."""
    return by is None or of in reading.slices.get(by, ())


def slices(readings: Sequence[Reading], *, least: int) -> list[tuple[str, str]]:
    """Return the slices that have so many traces at least, and not all: what tells traces apart."""
    often = Counter((by, of) for r in readings for by, values in r.slices.items() for of in values)
    return sorted(each for each, n in often.items() if least <= n < len(readings))


def day_number(at_ms: int) -> int:
    """Return the day of a moment, UTC, counted from a Monday."""
    return at_ms // DAY_MS + _MONDAY


def day_begins(day: int) -> int:
    """Return when a day begins, in milliseconds since 1970."""
    return (day - _MONDAY) * DAY_MS
