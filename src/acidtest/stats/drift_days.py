"""The days that a drift watch reads: each day's mean, and how many independent values it is worth.

Values of one session are not independent, and weighted values are worth less than their number. A day's n
values with weights w are worth (sum w)^2 / sum w^2 (L. Kish, "Survey Sampling" 1965, ch. 11.7), less by the
factor by which sessions widen the variance: sum over sessions of (sum w e)^2 over sum (w e)^2, of residuals e.
That factor is measured in the reference window, once, since one day tells it badly.
"""

from collections.abc import Hashable, Sequence

import numpy as np
from msgspec import Struct

from acidtest.stats.drift import WEEK, Day, Reference
from acidtest.stats.drift_shape import Shape, Tilts, shape
from acidtest.stats.units import Column, Places, places


class Values(Struct, frozen=True):
    """Values from 0 to 1 with the day of each (counted from any Monday), its weight, and its session."""

    days: Places
    values: Column
    weights: Column
    sessions: Places

    @classmethod
    def of(
        cls,
        days: Sequence[int],
        values: Sequence[float] | Column,
        weights: Sequence[float] | None = None,
        sessions: Sequence[Hashable] | None = None,
    ) -> "Values":
        """Return the columns.

        Args:
            days: The day of each value.
            values: From 0 to 1.
            weights: Above 0; by default all alike.
            sessions: What belongs together; by default each value alone.
        """
        n = len(days)
        return cls(
            np.asarray(days, np.int64),
            np.asarray(values, np.float64),
            np.ones(n) if weights is None else np.asarray(weights, np.float64),
            np.arange(n) if sessions is None else places(sessions),
        )


def session_effect(some: Values) -> float:
    """Return by what factor sessions widen the variance of a mean; 1 at least."""
    if not len(some.values):
        return 1.0
    mean = float(some.weights @ some.values / some.weights.sum())
    residuals = some.weights * (some.values - mean)
    alone = float(residuals @ residuals)
    keys = some.days * (int(some.sessions.max()) + 1) + some.sessions
    _, where = np.unique(keys, return_inverse=True)
    if alone <= 0:
        # Nothing varied: a day's part of a session is then taken to be of one piece.
        counts = np.bincount(where).astype(np.float64)
        return float((counts**2).sum() / counts.sum())
    sums = np.bincount(where, weights=residuals)
    return max(1.0, float(sums @ sums) / alone)


def days_of(some: Values, *, effect: float = 1.0) -> tuple[Day, ...]:
    """Return the days that have values, in order.

    Args:
        some: The values.
        effect: The reference's `session_effect`.
    """
    found, where = np.unique(some.days, return_inverse=True)
    weights = np.bincount(where, weights=some.weights)
    squares = np.bincount(where, weights=some.weights**2)
    means = np.bincount(where, weights=some.weights * some.values) / weights
    worth = weights**2 / squares / effect
    return tuple(
        Day(day=int(day), mean=float(mean), n=float(n))
        for day, mean, n in zip(found, means, worth, strict=True)
    )


def reference_of(some: Values) -> Reference:
    """Return what a watch compares with.

    Args:
        some: The values of the reference window; one at least.
    """
    effect = session_effect(some)
    found = shape(some.values, some.weights)
    days = days_of(some, effect=effect)
    # As many observations as they are worth: the half ones that are added then count more.
    worth = sum(day.n for day in days) / found.total
    held = Shape(found.values, tuple(count * worth for count in found.counts))
    tilts = Tilts(held)
    weekdays = weekdays_of(tilts, days)
    return Reference(
        shape=held,
        days=days,
        weekdays=weekdays.tilts,
        doubt=weekdays.doubt,
        levels=tuple(
            weekdays_of(tilts, days[:n] + days[n + 1 :]).tilts[day.day % WEEK]
            for n, day in enumerate(days)
        ),
        effect=effect,
    )


class Weekdays(Struct, frozen=True):
    """How each weekday differs, as tilts, and the variance that is left of such a tilt: it is known from few weeks."""

    tilts: tuple[float, ...]
    doubt: float


def weekdays_of(tilts: Tilts, days: Sequence[Day]) -> Weekdays:
    """Return how each weekday differs, in standard deviations, as far as the reference can tell.

    Each weekday's mean is drawn towards the mean of all by the share of its variance that is noise
    (W. James and C. Stein, 1961); zeros where a weekday has fewer than two days.
    """
    none = Weekdays((0.0,) * WEEK, 0.0)
    at = np.array([day.day % WEEK for day in days])
    often = np.bincount(at, minlength=WEEK) if len(at) else np.zeros(WEEK)
    if often.min() < 2:
        return none
    y = np.array([tilts.scaled(day.mean) for day in days])
    n = np.array([day.n for day in days])
    means = np.bincount(at, weights=n * y, minlength=WEEK) / np.bincount(at, weights=n)
    within = float(((y - means[at]) ** 2).sum() / (len(y) - WEEK))
    noise = np.maximum(within, np.bincount(at, weights=1 / n, minlength=WEEK) / often) / often
    centre = float(means.mean())
    real = float(means.var(ddof=1) - noise.mean())
    if real <= 0:
        return none
    share = real / (real + noise)
    drawn = (means - centre) * share
    return Weekdays(tuple((drawn - drawn.mean()).tolist()), float((share * noise).mean()))
