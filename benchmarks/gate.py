"""How often the statistical gate is right: false alarms, coverage, power, the smallest change it shows.

Pairs of runs are simulated in four shapes that scores have: yes/no (`binary`), shares of one to seven
claims (`claims`), 94 % ties (`ties`), and all equal (`equal`); the same case has the same difficulty in
both runs, and most cases come out alike. A drop takes claims, answers or half points away at random.

    python benchmarks/gate.py                       # all tables, 1,000 pairs each: ten minutes and more
    python benchmarks/gate.py --only alarms,power --pairs 200
    python benchmarks/gate.py --data ../shared/data/ragchat_runs     # also one real app, run twice
    pip install scipy                               # for the tests that the gate's is held against
"""

import argparse
import gzip
import json
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from acidtest.stats.beyond import drop_beyond
from acidtest.stats.holm import holm
from acidtest.stats.paired import paired_interval
from acidtest.stats.permutation import sign_flip
from acidtest.stats.power import smallest_change
from acidtest.stats.quantile_drop import quantile_drop, worst_tenths

Column = NDArray[np.float64]
Pair = tuple[Column, Column]
Shape = Callable[[np.random.Generator, int, float], Pair]

SIZES = (30, 50, 100, 300)
ALPHA = 0.05


# ------------------------------------------------------------------------------------------ pairs


def binary(rng: np.random.Generator, n: int, drop: float) -> Pair:
    """Yes/no: 80 % yes, one case in five answered anew."""
    chance = rng.beta(4, 1, n)
    first, second = (rng.random((2, n)) < chance).astype(float)
    after = np.where(rng.random(n) < 0.8, first, second)
    return first, after * (rng.random(n) >= drop / 0.8)


def claims(rng: np.random.Generator, n: int, drop: float) -> Pair:
    """Shares of one to seven claims, 90 % supported, two cases in five answered anew."""
    size, chance = rng.integers(1, 8, n), rng.beta(9, 1, n)
    first, second = rng.binomial(size, chance), rng.binomial(size, chance)
    after = np.where(rng.random(n) < 0.6, first, second)
    return first / size, rng.binomial(after, 1 - drop / 0.9) / size


def ties(rng: np.random.Generator, n: int, drop: float) -> Pair:
    """94 % ties; the rest moves by thirds and halves. A drop takes half a point."""
    step = rng.choice([-1, -1 / 2, -1 / 3, 1 / 3, 1 / 2, 1], n) * (rng.random(n) < 0.06)
    base = np.full(n, 0.75)
    return base, base + step - 0.5 * (rng.random(n) < 2 * drop)


def equal(rng: np.random.Generator, n: int, drop: float) -> Pair:  # noqa: ARG001
    """Every case alike in both runs."""
    base = rng.choice([0.0, 0.5, 1.0], n)
    return base, base


def graded(rng: np.random.Generator, n: int, drop: float) -> Pair:
    """A judge's grade on a fine scale, with noise in every case."""
    base = rng.normal(0.7, 0.15, n)
    return base, base + rng.normal(-drop, 0.15, n)


SHAPES: dict[str, Shape] = {"binary": binary, "claims": claims, "ties": ties, "graded": graded}


def random(table: str, shape: str, n: int) -> np.random.Generator:
    return np.random.default_rng([sum(table.encode()), sum(shape.encode()), n])


def rejected(pair: Pair, tolerance: float = 0.0) -> bool:
    p = drop_beyond(pair[0] - pair[1], tolerance)
    return p is not None and p <= ALPHA


def row(*cells: object) -> None:
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def head(*cells: str) -> None:
    print()
    row(*cells)
    row("---", *["--:"] * (len(cells) - 1))


# ----------------------------------------------------------------------------------------- tables


def alarms(pairs: int) -> None:
    """False alarms of one metric: no drop, and a true drop of just the tolerance."""
    head("False alarms, one metric", *(f"n = {n}" for n in SIZES))
    for name, shape in (SHAPES | {"equal": equal}).items():
        for drop in (0.0, 0.03) if name != "equal" else (0.0,):
            cells = []
            for n in SIZES:
                rng = random("alarms", name, n)
                hits = sum(rejected(shape(rng, n, drop), drop) for _ in range(pairs))
                cells.append(f"{hits / pairs:.1%}")
            row(f"{name}, drop = tolerance = {drop:g}", *cells)
    for name in ("claims", "binary"):
        cells = []
        for n in SIZES:
            rng = random("tenths", name, n)
            hits = 0
            for _ in range(pairs):
                seen = quantile_drop(*SHAPES[name](rng, n, 0.0), worst_tenths, draws=500)
                hits += seen is not None and seen.p <= ALPHA
            cells.append(f"{hits / pairs:.1%}")
        row(f"{name}, p10, no drop", *cells)


def gates(pairs: int) -> None:
    """False alarms of a whole gate: ten metrics of the same cases, corrected together."""
    head("False alarms, a gate of ten metrics", *(f"n = {n}" for n in SIZES))
    for drop in (0.0, 0.03):
        cells = []
        for n in SIZES:
            rng = random("gates", str(drop), n)
            hits = 0
            for _ in range(pairs):
                p_values = []
                for shape in (binary, claims, ties, graded):
                    before, after = shape(rng, n, drop)
                    p_values.append(drop_beyond(before - after, drop) or 1.0)
                    # Metrics of a family move together: the next two share most of their cases.
                    for share in (0.7, 0.9):
                        fresh = shape(rng, n, drop)
                        keep = rng.random(n) < share
                        mixed = np.where(keep, before - after, fresh[0] - fresh[1])
                        p_values.append(drop_beyond(mixed, drop) or 1.0)
                hits += min(holm(p_values[:10])) <= ALPHA
            cells.append(f"{hits / pairs:.1%}")
        row(f"drop = tolerance = {drop:g}", *cells)


def coverage(pairs: int) -> None:
    """How often the 95 % interval of the change holds the true one."""
    head("Coverage of the 95 % interval", *(f"n = {n}" for n in SIZES))
    for name, shape in SHAPES.items():
        for drop in (0.0, 0.05):
            truth = -_mean_drop(shape, name, drop)
            cells = []
            for n in SIZES:
                rng = random("coverage", name, n)
                hits = 0
                for _ in range(pairs):
                    before, after = shape(rng, n, drop)
                    interval = paired_interval(after - before, resamples=2_000)
                    hits += interval is not None and interval[0] <= truth <= interval[1]
                cells.append(f"{hits / pairs:.1%}")
            row(f"{name}, change {-drop:g}", *cells)


def _mean_drop(shape: Shape, name: str, drop: float) -> float:
    if not drop:
        return 0.0
    before, after = shape(random("truth", name, 0), 2_000_000, drop)
    return float((before - after).mean())


MEANS = ("t", "sign flips")
"""Tests of what a gate asks: did the mean fall?"""

RANKS = ("Wilcoxon", "sign")
"""Tests of another question: are there more losses than gains? They know nothing of how much."""


def power(pairs: int) -> None:
    """How often a drop is found, and how often other paired tests find it, all one-sided at 5 %.

    The best rival is the one that finds most among the tests of a mean. Tests of ranks stand beside
    them: where a drop takes a little from many cases they find more, and cannot say whether it is more
    than is tolerated.
    """
    tests = ("gate", *MEANS, *RANKS)
    head("Power", "n", "drop", *tests, "best of a mean, less gate")
    for name, shape in SHAPES.items():
        for n in SIZES:
            drop = _interesting(shape, name, n)
            rng = random("power", name, n)
            hits = dict.fromkeys(tests, 0)
            for _ in range(pairs):
                before, after = shape(rng, n, drop)
                hits["gate"] += rejected((before, after))
                for test, p in _rivals(np.round(before - after, 12)):
                    hits[test] += p <= ALPHA
            gap = 100 * (max(hits[test] for test in MEANS) - hits["gate"]) / pairs
            cells = [f"{hits[test] / pairs:.1%}" for test in tests]
            row(name, n, f"{drop:.3f}", *cells, f"{gap:+.1f} points")


def _rivals(worse: Column) -> Iterator[tuple[str, float]]:
    from scipy import stats

    if not worse.any():
        return
    up, down = int((worse > 0).sum()), int((worse < 0).sum())
    ranks = {"method": "asymptotic", "zero_method": "wilcox"}
    yield "t", stats.ttest_1samp(worse, 0.0, alternative="greater").pvalue
    yield "sign flips", sign_flip(worse, side="greater") or 1.0
    yield "Wilcoxon", stats.wilcoxon(worse, alternative="greater", **ranks).pvalue
    yield "sign", stats.binomtest(up, up + down, alternative="greater").pvalue


def _interesting(shape: Shape, name: str, n: int) -> float:
    """Return a drop of about two standard errors: neither certain nor hopeless to find."""
    before, after = shape(random("spread", name, 0), 200_000, 0.0)
    return float(2.2 * (before - after).std() / math.sqrt(n))


def detectable(pairs: int) -> None:
    """The smallest change that the gate reports, against the drop that it finds in 80 %."""
    head("Smallest change shown", "n", "reported", "found in 80 %", "reported / found")
    for name, shape in SHAPES.items():
        for n in SIZES[1:]:
            rng = random("detectable", name, n)
            told = []
            for _ in range(pairs):
                before, after = shape(rng, n, 0.0)
                least = smallest_change(before - after, alpha=2 * ALPHA)
                if least is not None:
                    told.append(least)
            reported = float(np.mean(told))
            true = _found_in(0.8, shape, name, n, reported, pairs)
            row(name, n, f"{reported:.3f}", f"{true:.3f}", f"{reported / true:.2f}")


def _found_in(share: float, shape: Shape, name: str, n: int, near: float, pairs: int) -> float:
    """Return the drop that is found in a share of pairs, by bisection over the same random numbers."""
    low, high = near / 2, near * 2
    for _ in range(7):
        middle = (low + high) / 2
        rng = random("found", name, n)
        hits = sum(rejected(shape(rng, n, middle)) for _ in range(pairs))
        low, high = (low, middle) if hits / pairs >= share else (middle, high)
    return (low + high) / 2


def real(folder: Path, pairs: int) -> None:
    """One app, run twice with the same settings: cases drawn, and the runs swapped at random."""
    rows: dict[int, dict[str, dict[str, float | None]]] = {}
    with gzip.open(folder / "results.jsonl.gz", "rt") as stream:
        for line in stream:
            record = json.loads(line)
            rows.setdefault(record["row"], {})[record["run"]] = record
    names = ("gpt_groundedness", "gpt_relevance", "answer_length", "latency")
    columns = {
        name: np.array(
            [
                [float(each[run][name] or 0) for run in sorted(each)]
                for _, each in sorted(rows.items())
                if all(each[run].get(name) is not None for run in each)
            ]
        )
        for name in names
    }
    whole = min(len(column) for column in columns.values())
    head("False alarms, one app run twice", *(f"n = {n}" for n in (30, 50, 100, whole)))
    alarmed: dict[str, list[str]] = {name: [] for name in (*names, "a gate of all four")}
    for n in (30, 50, 100, whole):
        rng = random("real", "", n)
        hits = dict.fromkeys(alarmed, 0)
        for _ in range(pairs):
            # With replacement: the next set of questions changes in more or fewer places.
            drawn = rng.integers(0, whole, n)
            swap = rng.random(n) < 0.5
            p_values = []
            for name, column in columns.items():
                worse = column[drawn, 0] - column[drawn, 1]
                p = drop_beyond(np.where(swap, -worse, worse)) or 1.0
                hits[name] += p <= ALPHA
                p_values.append(p)
            hits["a gate of all four"] += min(holm(p_values)) <= ALPHA
        for name, count in hits.items():
            alarmed[name].append(f"{count / pairs:.1%}")
    for name, cells in alarmed.items():
        row(name, *cells)
    for name, column in columns.items():
        worse = column[:, 0] - column[:, 1]
        told = [f"{drop_beyond(sign * worse):.2f}" for sign in (1, -1)]
        print(f"{name}: as recorded, p {told[0]} one way round and {told[1]} the other")


TABLES: dict[str, Callable[[int], None]] = {
    "alarms": alarms,
    "gates": gates,
    "coverage": coverage,
    "power": power,
    "detectable": detectable,
}


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=1_000, help="simulated pairs a cell")
    parser.add_argument("--only", default=",".join(TABLES), help="tables, with commas between")
    parser.add_argument("--data", type=Path, help="folder of recorded runs of one app")
    parser.add_argument("--draws", type=int, default=20_000, help="sets drawn from these runs")
    given = parser.parse_args()
    started = time.perf_counter()
    for name in filter(None, given.only.split(",")):
        TABLES[name](given.pairs)
    if given.data:
        real(given.data, given.draws)
    print(f"\n{given.pairs:,} pairs a cell, {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
