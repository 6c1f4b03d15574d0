"""Has a quantity of a live system left its reference window? A watch that may be looked at every day.

A day's mean y of n values (as many as they are worth: see `drift_days`) has, about a tilt t of the reference
(`drift_shape`), the density of B. Efron's double exponential family (JASA 81, 1986)

    f(y; t, s) = c^(-1/2) exp(-(n / c) D(y, t)),   c = 1 + n s^2,   D(y, t) = max_u (u y - K(u)) - (t y - K(t))

where s is how much days differ by more than chance, in standard deviations. Under "nothing changed" one t and
one s hold for the reference and all days since; under "changed by d on day k" t + d holds from day k on. What
is not known is averaged over, in both alike: t with Jeffreys' prior near the reference, s over a grid, and
d over a grid of sizes up and down (H. Robbins' method of mixtures, Ann. Math. Stat. 41, 1970). So the reference's
own error counts, quiet days sharpen the reference, and days that vary much make the watch slow, not wrong.

The ratio of both averages is an e-value for each first day k. Their sum over all k so far is the statistic of
A. N. Shiryaev (1963) and S. W. Roberts (1966); as a sum of e-processes it is an e-detector, and an alarm at c
comes on average no sooner than after c quiet days, however often one looks (M. Pollak, Ann. Stat. 13, 1985;
J. Shin, A. Ramdas and A. Rinaldo, "E-detectors", 2024). For parameters that are averaged over, this holds on
the average over them; what holds for each is measured by `benchmarks/drift.py`.

Beside this sum the latest days are looked at alone (`drift_window`), which sees a sudden change sooner. The sum's
bound is loose, and most that alarms both is the same: so the sum may have half of the false alarms that a limit
allows and the latest days four fifths, and together they have fewer than the limit, as measured. Most goes to the
latest days, which is where the power against sudden changes comes from.
"""

import math
import statistics
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from acidtest.stats.drift_shape import Shape, Table, Tilts
from acidtest.stats.drift_window import seldom, tails, window

LIMIT = 100.0
"""Quiet days to a false alarm, on average at least."""

WEEK = 7

_SIZES = (0.1, 0.17, 0.28, 0.45, 0.8, 1.5)
_SIZE_WEIGHTS = (0.15, 0.25, 0.25, 0.15, 0.1, 0.1)
"""The changes that are looked for, in standard deviations of single values, and the bet on each."""

_DAYS_DIFFER = (0.0, 0.02, 0.03, 0.04, 0.05, 0.063, 0.08, 0.1, 0.125, 0.16, 0.22, 0.5)
_DAYS_WEIGHTS = (0.1, 0.09, 0.09, 0.1, 0.1, 0.1, 0.1, 0.1, 0.08, 0.06, 0.05, 0.03)
"""How much days may differ, and how likely that is before any was seen.

In steps so small that between two of them no day is taken to be much steadier than it is.
"""

_SUMMED_SHARE = 1 / 2  # of the false alarms
_LATEST_SHARE = 0.8

_LEAST = 1e-300

_STEPS = np.linspace(-5, 5, 31)  # standard errors of the reference's mean


class Day(Struct, frozen=True, kw_only=True):
    """One day's values in short: their mean, and how many independent ones they are worth.

    `day` counts days from any Monday; days without values are left out.
    """

    day: int
    mean: float
    n: float


class Reference(Struct, frozen=True, kw_only=True):
    """What a watch compares with.

    Attributes:
        shape: The distribution of single values.
        days: The days of the reference window.
        weekdays: The tilts that belong to Monday to Sunday.
        doubt: The variance that is left of such a tilt.
        levels: The tilt of the weekday of each of the first days as the other days tell it: held against a level
            that they made themselves, days would look steadier than they are. Empty: as `weekdays` says.
        effect: By what factor sessions widen the variance of a mean.
    """

    shape: Shape
    days: tuple[Day, ...]
    weekdays: tuple[float, ...] = (0.0,) * WEEK
    doubt: float = 0.0
    levels: tuple[float, ...] = ()
    effect: float = 1.0


class Change(Struct, frozen=True, kw_only=True):
    """What most likely happened: the first day of it, which way, and the share of the bets on that way."""

    since: int
    rising: bool
    sure: float


class Evidence(Struct, frozen=True):
    """What speaks for a change after a day, as logarithms; both are told from the same limit.

    Attributes:
        summed: Of the sum over all days on which it could have begun.
        latest: Of the latest days alone.
    """

    summed: float
    latest: float

    @property
    def log(self) -> float:
        """The larger of both, each held to its share of the false alarms."""
        return max(self.summed + math.log(_SUMMED_SHARE), self.latest + math.log(_LATEST_SHARE))


NONE = Evidence(-math.inf, -math.inf)
"""Where no day was seen."""


class Watch:
    """The watch over one quantity.

    Args:
        reference: What to compare with; one day at least. It is read at once.
        falls: The share of the bets that is on a fall.
    """

    def __init__(self, reference: Reference, *, falls: float = 0.5) -> None:
        self._tilts = Tilts(reference.shape)
        self._weekdays = reference.weekdays
        self._doubt = reference.doubt
        self._falls = falls
        self._days: tuple[Day, ...] = ()
        self._spread = np.asarray(_DAYS_DIFFER) ** 2
        near = _STEPS * self._error(reference.days)
        self._at = np.array([0.0, *_SIZES, *(-size for size in _SIZES)])[:, None] + near
        self._near = near
        self._k = {each: self._tilts.log_mean(self._at + each) for each in set(self._weekdays)}
        bets = [weight * share for share in (1 - falls, falls) for weight in _SIZE_WEIGHTS]
        self._bets = np.log(np.maximum(bets, _LEAST))[:, None, None]
        jeffreys = 0.5 * np.log(np.maximum(self._tilts.spread(near), _LEAST))
        self._quiet: Table = jeffreys[:, None] + np.log(_DAYS_WEIGHTS)  # tilts x spreads
        self._changed: Table = np.full((len(bets), *self._quiet.shape), -np.inf)
        self._seen: tuple[tuple[int, Table, Table], ...] = ()
        self._usual = statistics.median(day.n for day in reference.days)
        for n, day in enumerate(reference.days):
            own = reference.levels[n] if n < len(reference.levels) else self._weekday(day)
            # Of the reference only that nothing changed is asked.
            at = near[None]
            self._quiet = self._quiet + self._fit(day, own, at, self._tilts.log_mean(at + own))[0]

    def look(self, day: Day, *, over: bool = True) -> Evidence:
        """Read the next day, and return what then speaks for a change.

        Args:
            day: After those that were read.
            over: False for a day that goes on: nothing is read after it (a copy of this watch may be).
        """
        offset = self._weekday(day)
        fit = self._fit(day, offset, self._at, self._k[offset])
        self._days = (*self._days, day)
        self._seen = (*self._seen, (day.day, self._quiet, fit[1:]))
        self._changed = np.logaddexp(self._changed, self._quiet) + fit[1:]
        self._quiet = self._quiet + fit[0]
        summed = _log_sum(self._changed + self._bets) - _log_sum(self._quiet)
        missing = 0.0 if over else max(0.0, self._usual - day.n)
        return Evidence(summed, self._latest(missing))

    def change(self) -> Change | None:
        """Return what most likely changed, if anything did; None before the first day."""
        best: tuple[float, int, Table] | None = None
        ahead: Table = np.zeros_like(self._changed)
        for day, quiet, fit in reversed(self._seen):
            ahead = ahead + fit
            bets = np.asarray(quiet + ahead + self._bets)
            log = _log_sum(bets)
            if best is None or log > best[0]:
                best = log, day, bets
        if best is None:
            return None
        log, since, bets = best
        up = math.exp(_log_sum(bets[: len(_SIZES)]) - log)
        return Change(since=since, rising=up >= 0.5, sure=max(up, 1 - up))

    def _error(self, days: Sequence[Day]) -> float:
        """Return the standard error of the reference's mean, in standard deviations."""
        by_chance = 1 / sum(day.n for day in days)
        if len(days) < 2:
            return math.sqrt(by_chance)
        y = np.array([self._tilts.scaled(day.mean) for day in days])
        return math.sqrt(max(by_chance, float(y.var(ddof=1)) / len(y)))

    def _latest(self, missing: float) -> float:
        """Return how seldom the latest days get so unlikely, as a logarithm: at the limit once in so many days.

        Args:
            missing: How many values are still to come today.
        """
        count = window([day.n for day in self._days])
        days = self._days[-count:]
        quiet = self._seen[-count][1]  # of the days before these
        posterior = np.exp(quiet - _log_sum(quiet))
        low, high = tails(
            self._tilts,
            self._near,
            # A weekday whose level was taken wrong is wrong again each week.
            self._spread + self._doubt,
            posterior,
            means=[day.mean for day in days],
            worth=[day.n for day in days],
            offsets=[self._weekday(day) for day in days],
        )
        worth = sum(day.n for day in days)
        part = worth / (worth + missing)
        shares = ((low, self._falls), (high, 1 - self._falls))
        return max(
            math.log(share / max(seldom(max(p, _LEAST), count, part), _LEAST))
            for p, share in shares
            if share > 0
        )

    def _weekday(self, day: Day) -> float:
        return self._weekdays[day.day % WEEK]

    def _fit(self, day: Day, offset: float, at: Table, k: Table) -> Table:
        """Return the log density of a day under some tilts: sizes x tilts x spreads; `k` is K at them."""
        y = self._tilts.scaled(day.mean)
        short = self._tilts.best(y) - (at + offset) * y + k
        wide = 1 + day.n * self._spread
        found: Table = -short[..., None] * (day.n / wide) - 0.5 * np.log(wide)
        return found


def looks(reference: Reference, days: Sequence[Day], *, falls: float = 0.5) -> list[float]:
    """Return the logarithm of the evidence after each day.

    Args:
        reference: What to compare with; one day at least.
        days: After the reference, in order.
        falls: The share of the bets that is on a fall.
    """
    watch = Watch(reference, falls=falls)
    return [watch.look(day).log for day in days]


def _log_sum(logs: Table) -> float:
    most = float(logs.max())
    return most + float(np.log(np.exp(logs - most).sum()))
