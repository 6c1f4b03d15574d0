"""How often `acidtest judge anchor` raises a false alarm in a year of daily looks, and how soon it sees a shift.

    python benchmarks/anchor.py [--sims 1000]

A judge is simulated, the test is the shipped one. Each case has noise rates of its own: one case in five
wavers, the others hardly. `noise` is the mean share of verdicts that are moved by noise alone, half up and
half down. A shift changes the verdict of a fixed share of the cases for good.
"""

import argparse
import random
import statistics

from acidtest.stats.sequential import evidence, first_alarm
from acidtest.stats.sequential_noise import Moves, noise_bounds

YEAR = 365
MOST_DAYS = 90


def rates(noise: float, n: int) -> list[float]:
    """Return each case's share of moved verdicts: a fifth of the cases carry nine tenths of the noise."""
    wavering = max(1, n // 5)
    high, low = 0.9 * noise * n / wavering, 0.1 * noise * n / max(1, n - wavering)
    return [min(high, 0.98)] * wavering + [low] * (n - wavering)


def day(draw: random.Random, each: list[float], up: int = 0, down: int = 0) -> Moves:
    """Draw one look; the last `up` + `down` cases have another verdict for good."""
    ups, downs = up, down
    for rate in each[: len(each) - up - down]:
        x = draw.random()
        if x < rate / 2:
            ups += 1
        elif x < rate:
            downs += 1
    return Moves(up=ups, down=downs, n=len(each))


def pooled(days: list[Moves]) -> Moves:
    """Return the counts of several days in one."""
    return Moves(
        up=sum(d.up for d in days), down=sum(d.down for d in days), n=sum(d.n for d in days)
    )


def false_alarms(
    noise: float, n: int, repeat: int, sims: int, *, burst: float = 1.0
) -> dict[str, float]:
    """Return the share of years with an alarm: of the watch, and of a daily binomial test at 5 %.

    `burst` multiplies the noise on one day in ten, which no repeat of one hour can know.
    """
    draw = random.Random(11)
    each = rates(noise, n)
    alarms = naive = 0
    for _ in range(sims):
        repeats = pooled([day(draw, each) for _ in range(repeat - 1)])
        days = [
            day(
                draw,
                [min(1.0, r * burst) for r in each] if burst > 1 and draw.random() < 0.1 else each,
            )
            for _ in range(YEAR)
        ]
        alarms += first_alarm(evidence(noise_bounds(repeats), days)) is not None
        rate = (repeats.up + repeats.down) / repeats.n
        limit = n * rate + 1.645 * max(n * rate * (1 - rate), 1e-9) ** 0.5
        naive += any(d.up + d.down > limit for d in days)
    return {"watch": alarms / sims, "daily test": naive / sims}


def delay(
    noise: float, n: int, repeat: int, shift: float, sims: int, *, quiet: int, both: bool = False
) -> tuple[float, float, float]:
    """Return the median and 90th percentile of looks until the alarm, and the share never told.

    The first look after the shift is 1. `quiet` looks come before it.
    """
    draw = random.Random(12)
    each = rates(noise, n)
    k = round(shift * n)
    up = k // 2 if both else k
    waits = []
    for _ in range(sims):
        bounds = noise_bounds(pooled([day(draw, each) for _ in range(repeat - 1)]))
        days = [day(draw, each) for _ in range(quiet)]
        days += [day(draw, each, up, k - up) for _ in range(MOST_DAYS)]
        alarm = first_alarm(evidence(bounds, days)[quiet:])
        waits.append(alarm + 1 if alarm is not None else MOST_DAYS + 1)
    waits.sort()
    missed = sum(w > MOST_DAYS for w in waits) / sims
    return statistics.median(waits), waits[int(0.9 * (sims - 1))], missed


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--sims", type=int, default=1000)
    sims = options.parse_args().sims

    print(f"False alarms in {YEAR} daily looks, {sims} simulated years each\n")
    print("| noise | cases | repeats | watch | daily test at 5 % |\n|---|---|---|---|---|")
    for noise, n, repeat in (
        (0.0, 50, 5), (0.02, 50, 5), (0.05, 50, 5), (0.1, 50, 5), (0.2, 50, 5), (0.1, 50, 2),
        (0.1, 30, 3), (0.05, 200, 5),
    ):  # fmt: skip
        found = false_alarms(noise, n, repeat, sims)
        print(
            f"| {noise:.0%} | {n} | {repeat} | {found['watch']:.1%} | {found['daily test']:.1%} |"
        )
    for burst in (2.0, 4.0):
        found = false_alarms(0.05, 50, 5, sims, burst=burst)
        told = f"5 %, and {burst:g} times as much on one day in ten"
        print(f"| {told} | 50 | 5 | {found['watch']:.1%} | {found['daily test']:.1%} |")

    fewer = max(sims // 5, 20)
    for quiet in (0, 100):
        print(
            f"\nLooks until the alarm after {quiet} quiet ones: median (90th percentile), 5 repeats\n"
        )
        print("| noise | verdicts that change | 25 cases | 50 cases | 100 cases | 200 cases |")
        print("|---|---|---|---|---|---|")
        for noise in (0.0, 0.02, 0.1):
            for shift in (0.04, 0.08, 0.12, 0.2, 0.4):
                cells = [
                    _cell(delay(noise, n, 5, shift, fewer, quiet=quiet)) for n in (25, 50, 100, 200)
                ]
                print(f"| {noise:.0%} | {shift:.0%} | {' | '.join(cells)} |")
    print("\nThe same for changes in both directions, after 0 quiet looks\n")
    for shift in (0.08, 0.2):
        cells = [
            _cell(delay(0.02, n, 5, shift, fewer, quiet=0, both=True)) for n in (25, 50, 100, 200)
        ]
        print(f"| 2% | {shift:.0%} | {' | '.join(cells)} |")


def _cell(waits: tuple[float, float, float]) -> str:
    median, late, missed = waits
    if missed >= 0.5:
        return f"not in {MOST_DAYS}"
    return f"{median:g} ({'more' if late > MOST_DAYS else late})"


if __name__ == "__main__":
    main()
