"""How often the drift watch raises a false alarm in quiet days, and how soon it sees that answers got worse.

    python benchmarks/drift.py [--sims 200] [--seed 0]

A live system is simulated, the watch is the shipped one, at its shipped limit. Sessions of one to four traces share
half of their luck; days differ by more than chance (`noise`, a standard deviation in points); weekends may be
worse. Where it is about 300 scored traces, they are a sample of single ones without sessions. Shapes of scores: `claims` is the share of 2 to 8 claims that are supported, where most answers are perfect;
`graded` is a Beta distribution without perfect ones; `yes/no` is one or the other.
"""

import argparse
import copy
import math
import statistics
import time
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from acidtest.stats.drift import LIMIT, Day, Reference, Watch
from acidtest.stats.drift_days import Values, days_of, reference_of
from acidtest.stats.drift_shape import perfect, ranks, with_perfect

Column = NDArray[np.float64]
Shape = Callable[[np.random.Generator, Column, Column], Column]

LONGEST = 60
LOOKS = 48  # a day, where it is looked at while it goes on
WITHIN = 300


def claims(draw: np.random.Generator, luck: Column, mean: Column) -> Column:
    """Answers with low luck are bad: four in ten of their claims are wrong."""
    n = draw.integers(2, 9, len(luck))
    bad = luck < (1 - mean) / 0.4
    return np.where(bad, draw.binomial(n, 0.6), n) / n


def graded(draw: np.random.Generator, luck: Column, mean: Column) -> Column:
    return draw.beta(6 * mean, 6 * (1 - mean), len(luck))


def yes(_: np.random.Generator, luck: Column, mean: Column) -> Column:
    return (luck < mean).astype(float)


def latency(draw: np.random.Generator, luck: Column, mean: Column) -> Column:
    """Seconds, log-normal; `mean` multiplies them."""
    return mean * np.exp(0.6 * draw.standard_normal(len(luck)))


def sessions(draw: np.random.Generator, n: int) -> tuple[NDArray[np.int64], Column]:
    """Return the session of each trace, and its luck, of which half the traces of a session share theirs."""
    which = np.repeat(np.arange(n), draw.integers(1, 5, n))[:n]
    shared = draw.random(n)[which]
    return which, np.where(draw.random(n) < 0.5, shared, draw.random(n))


class System:
    """A live system whose answers may get worse."""

    def __init__(
        self,
        seed: int,
        shape: Shape,
        mean: float,
        *,
        noise: float = 0.0,
        weekend: float = 0.0,
        together: bool = True,
    ) -> None:
        self.draw = np.random.default_rng(seed)
        self.shape, self.mean, self.noise, self.weekend = shape, mean, noise, weekend
        self.together = together

    def day(self, day: int, n: int, fall: float = 0.0, *, calm: int = 0) -> Values:
        """Draw the values of one day; the fall begins after so many calm ones."""
        worse = np.where(np.arange(n) < calm, 0.0, fall) + (self.weekend if day % 7 >= 5 else 0)
        moved = self.noise * self.draw.standard_normal()
        if self.shape is latency:
            level = self.mean * (1 + worse) * np.exp(moved)
        else:
            level = np.clip(self.mean - worse + moved, 0.0, 1.0)
        if self.together:
            which, luck = sessions(self.draw, n)
        else:
            which, luck = np.arange(n), self.draw.random(n)
        return Values.of([day] * n, self.shape(self.draw, luck, level), sessions=which.tolist())

    def days(self, first: int, count: int, per: int, fall: Callable[[int], float]) -> list[Values]:
        """Draw the values of some days; `per` a day on average."""
        return [
            self.day(d, max(1, int(self.draw.poisson(per))), fall(d))
            for d in range(first, first + count)
        ]


def none(_day: int) -> float:
    return 0.0


def read(shape: Shape, held: list[Values]) -> Callable[[Values], Values]:
    """Return how the product puts values on its scale: ranks for latency, else the score and perfection."""
    if shape is latency:
        scale = np.concatenate([v.values for v in held]).tolist()
        return lambda v: Values(v.days, ranks(scale, v.values), v.weights, v.sessions)
    share = perfect(np.concatenate([v.values for v in held]))
    return lambda v: Values(v.days, with_perfect(v.values, share), v.weights, v.sessions)


def joined(parts: list[Values]) -> Values:
    starts = np.cumsum([0, *(int(p.sessions.max()) + 1 for p in parts[:-1])])
    return Values(
        np.concatenate([p.days for p in parts]),
        np.concatenate([p.values for p in parts]),
        np.concatenate([p.weights for p in parts]),
        np.concatenate([p.sessions + s for p, s in zip(parts, starts, strict=True)]),
    )


def referred(system: System, days: int, per: int) -> tuple[Reference, Callable[[Values], Day]]:
    held = system.days(0, days, per, none)
    scaled = read(system.shape, held)
    reference = reference_of(joined([scaled(v) for v in held]))
    return reference, lambda v: days_of(scaled(v), effect=reference.effect)[0]


def falls(shape: Shape, mean: float) -> float:
    return 0.1 if shape is latency or mean < 0.5 else 0.9


def within(
    watch: Watch, short: Callable[[Values], Day], values: Values, per: int
) -> Iterator[float]:
    """Yield what a watch says while a day goes on, each half hour from half of a usual day's traces on."""
    for n in range(per // 2, len(values.values), max(1, per // LOOKS)):
        begun = Values(values.days[:n], values.values[:n], values.weights[:n], values.sessions[:n])
        yield copy.copy(watch).look(short(begun), over=False).log


def false_alarms(
    shape: Shape,
    mean: float,
    per: int,
    noise: float,
    weekend: float,
    seeds: range,
    *,
    limit: float,
    often: bool = False,
) -> float:
    """Return the mean number of alarms in 100 quiet days; after each the watch begins anew.

    Looked at daily, or each half hour.
    """
    alarms = 0
    for seed in seeds:
        system = System(seed, shape, mean, noise=noise, weekend=weekend)
        reference, short = referred(system, 28, per)
        watch, known = Watch(reference, falls=falls(shape, mean)), list(reference.days)
        for values in system.days(28, 100, per, none):
            day = short(values)
            known.append(day)
            early = often and any(
                log >= math.log(limit) for log in within(watch, short, values, per)
            )
            if watch.look(day).log >= math.log(limit) or early:
                alarms += 1
                again = Reference(
                    shape=reference.shape,
                    days=tuple(known),
                    weekdays=reference.weekdays,
                    levels=reference.levels,
                    doubt=reference.doubt,
                    effect=reference.effect,
                )
                watch = Watch(again, falls=falls(shape, mean))
    return alarms / len(seeds)


def found_within(
    shape: Shape,
    mean: float,
    per: int,
    noise: float,
    days: int,
    quiet: int,
    fall: float,
    seeds: range,
    *,
    midday: bool = False,
) -> float:
    """Return in what share of simulations a fall is seen within 300 traces of it.

    It begins at midnight and is looked at daily and then; or at any time, and is looked at each half hour.
    """
    found = 0
    for seed in seeds:
        system = System(seed, shape, mean, noise=noise, together=False)
        reference, short = referred(system, days, per)
        watch = Watch(reference, falls=falls(shape, mean))
        for values in system.days(days, quiet, per, none):
            watch.look(short(values))
        left, day, seen = WITHIN, days + quiet, False
        calm = int(system.draw.integers(per)) if midday else 0
        while left > 0:
            n = min(calm + left, per)
            values = system.day(day, n, fall, calm=calm)
            if midday:
                seen |= any(log >= math.log(LIMIT) for log in within(watch, short, values, per))
            if n == per or not midday:
                seen |= watch.look(short(values)).log >= math.log(LIMIT)
            elif n >= per / 2:
                seen |= watch.look(short(values), over=False).log >= math.log(LIMIT)
            left, day, calm = left - (n - calm), day + 1, 0
        found += seen
    return found / len(seeds)


def best_possible(
    shape: Shape, mean: float, fall: float, noise: float, per: int, seeds: range
) -> float:
    """Return the power of the best single look at 300 traces, of 1 % false alarms.

    Both distributions are known to it exactly, and when it came: what no real watch knows. Likelihood ratio
    of binned values (Neyman and Pearson, 1933); noise of days as of the simulation.
    """
    bins = np.linspace(0, 1, 41)

    def density(level: float) -> Column:
        some = System(10**6, shape, level, together=False).day(0, 200_000).values
        counts = np.histogram(some, bins)[0] + 0.5
        return counts / counts.sum()

    ratio = np.log(density(mean - fall) / density(mean))

    def score(system: System, worse: float) -> float:
        total, left, day = 0.0, WITHIN, 0
        while left > 0:
            n = min(left, per)
            x = system.day(day, n, worse).values
            total += float(ratio[np.clip(np.digitize(x, bins) - 1, 0, 39)].sum())
            left, day = left - n, day + 1
        return total

    calm = sorted(
        score(System(seeds[0] + s, shape, mean, noise=noise, together=False), 0.0)
        for s in range(5 * len(seeds))
    )
    edge = calm[int(0.99 * len(calm))]
    return statistics.fmean(
        score(System(10_000 + s, shape, mean, noise=noise, together=False), fall) > edge
        for s in seeds
    )


def delay(
    shape: Shape, mean: float, per: int, noise: float, fall: Callable[[int], float], seeds: range
) -> str:
    """Return the days until the alarm after 28 quiet ones: the median, and the 90th percentile."""
    waits = []
    for seed in seeds:
        system = System(seed, shape, mean, noise=noise)
        reference, short = referred(system, 28, per)
        watch = Watch(reference, falls=falls(shape, mean))
        for values in system.days(28, 28, per, none):
            watch.look(short(values))
        wait = LONGEST + 1
        for values in system.days(56, LONGEST, per, lambda d: fall(d - 56)):
            if watch.look(short(values)).log >= math.log(LIMIT):
                wait = int(values.days[0]) - 55
                break
        waits.append(wait)
    waits.sort()
    late = waits[int(0.9 * (len(waits) - 1))]
    middle = statistics.median(waits)
    return (
        f"not in {LONGEST}"
        if middle > LONGEST
        else f"{middle:g} ({'more' if late > LONGEST else late})"
    )


SCORES: tuple[tuple[str, Shape, float], ...] = (
    ("claims, mean 0.95", claims, 0.95),
    ("claims, mean 0.90", claims, 0.90),
    ("graded, mean 0.85", graded, 0.85),
    ("yes/no, mean 0.95", yes, 0.95),
    ("yes/no, mean 0.80", yes, 0.80),
)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--sims", type=int, default=200)
    options.add_argument("--seed", type=int, default=0, help="of the first simulation")
    told = options.parse_args()
    seeds = range(told.seed, told.seed + told.sims)
    half, quarter = (seeds[: max(1, told.sims // n)] for n in (2, 4))
    began = time.perf_counter()

    print(f"False alarms in 100 quiet days after 28 days of reference; {len(half)} simulations\n")
    print("| quantity | noise of days | weekends | 20 a day | 100 a day | 500 a day |")
    print("|---|---|---|---|---|---|")
    others = (
        ("rate of 2 %", yes, 0.02, 0.002, 0.0, 4 * LIMIT),
        ("rate of 25 %, such as a kind of question", yes, 0.25, 0.01, 0.03, 4 * LIMIT),
        ("latency", latency, 1.0, 0.05, 0.1, 4 * LIMIT),
    )
    rows = [
        (name, shape, mean, noise, weekend, LIMIT)
        for name, shape, mean in SCORES
        for noise, weekend in ((0.005, 0.0), (0.01, 0.02), (0.02, 0.04))
    ]
    for name, shape, mean, noise, weekend, limit in (*rows, *others):
        cells = [
            f"{false_alarms(shape, mean, per, noise, weekend, half, limit=limit):.2f}"
            for per in (20, 100, 500)
        ]
        print(f"| {name} | {noise:g} | {weekend:g} | {' | '.join(cells)} |", flush=True)

    print("\nThe same, looked at each half hour; noise of days 0.01, weekends 0.02\n")
    print("| score | 100 a day | 300 a day |\n|---|---|---|")
    for name, shape, mean in SCORES[:3]:
        cells = [
            f"{false_alarms(shape, mean, per, 0.01, 0.02, quarter, limit=LIMIT, often=True):.2f}"
            for per in (100, 300)
        ]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)

    print("\nFalls of 5 points seen within 300 traces\n")
    print(
        "| score | noise of days | a day | 28 days of reference | 56 days | 28, then 60 quiet | best possible |"
    )
    print("|---|---|---|---|---|---|---|")
    for name, shape, mean in SCORES:
        for per, noise in ((20, 0.005), (100, 0.005), (300, 0.005)):
            cells = [
                f"{found_within(shape, mean, per, noise, days, quiet, 0.05, seeds):.0%}"
                for days, quiet in ((28, 0), (56, 0), (28, 60))
            ]
            best = best_possible(shape, mean, 0.05, noise, per, seeds)
            print(f"| {name} | {noise:g} | {per} | {' | '.join(cells)} | {best:.0%} |", flush=True)

    print(
        "\nFalls that begin at any time of the day, looked at each half hour; 28 days of reference\n"
    )
    print("| score | 100 a day | 300 a day |\n|---|---|---|")
    for name, shape, mean in SCORES[:3]:
        cells = [
            f"{found_within(shape, mean, per, 0.005, 28, 0, 0.05, seeds, midday=True):.0%}"
            for per in (100, 300)
        ]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)

    print("\nDays until the alarm: median (90th percentile); noise of days 0.005\n")
    print("| change | 20 a day | 100 a day | 500 a day |\n|---|---|---|---|")
    changes: tuple[tuple[str, Shape, float, float, Callable[[int], float]], ...] = (
        ("claims 0.90 to 0.85 at once", claims, 0.9, 0.005, lambda _: 0.05),
        ("claims 0.90 to 0.80 at once", claims, 0.9, 0.005, lambda _: 0.1),
        ("claims from 0.90 by 1 point a week", claims, 0.9, 0.005, lambda d: 0.01 * d / 7),
        ("claims 0.90 to 0.95 at once", claims, 0.9, 0.005, lambda _: -0.05),
        ("errors 2 % to 5 % at once", yes, 0.02, 0.002, lambda _: -0.03),
        ("errors 2 % to 20 % at once", yes, 0.02, 0.002, lambda _: -0.18),
        ("latency 20 % slower at once", latency, 1.0, 0.05, lambda _: 0.2),
    )
    for name, shape, mean, noise, change in changes:
        cells = [delay(shape, mean, per, noise, change, quarter) for per in (20, 100, 500)]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)

    reference, short = referred(System(1, claims, 0.9), 28, 100)
    days = [short(v) for v in System(2, claims, 0.9).days(28, 100, 100, none)]
    start = time.perf_counter()
    watch = Watch(reference)
    for day in days:
        watch.look(day)
    print(f"\n100 days of one quantity: {1000 * (time.perf_counter() - start):.0f} ms")
    print(f"All of this: {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
