"""How often corrected intervals hold the truth, and how wide they are beside those of labels alone.

    python benchmarks/ppi.py [--tries 1000]

Judges of known faults judge cases whose right values are known; some of these are given as labels. A line a
cell: how many of the intervals hold the true mean (of 95 that should), by the labels alone and corrected;
the mean width of the corrected one as a share of the other, and the greatest such share of any try. The
last columns are how far the judge's own mean is off, and how often its plain interval holds
the truth.
"""

import argparse
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from acidtest.stats.ppi import corrected_mean
from acidtest.stats.ppi_change import corrected_change

Values = NDArray[np.float64]
Made = tuple[Values, Values]
"""The right values and the judge's."""

SCALE = np.array([0, 0.25, 0.5, 0.75, 1.0])
SHARES = np.array([0.05, 0.05, 0.15, 0.25, 0.5])
SIZES = ((20, 500), (30, 100), (30, 500), (30, 2000), (50, 500), (100, 500), (100, 2000))


def yes_no(rate: float, hit: float, slip: float) -> Callable[[np.random.Generator, int], Made]:
    """Return what makes yes and no: the share of yes, and how often the judge says yes to a yes and to a no."""

    def make(rng: np.random.Generator, n: int) -> Made:
        right = (rng.random(n) < rate).astype(np.float64)
        says = rng.random(n) < np.where(right == 1, hit, slip)
        return right, says.astype(np.float64)

    return make


def fractions(bias: float, noise: float) -> Callable[[np.random.Generator, int], Made]:
    """Return what makes shares of supported claims, and a judge with a bias and a noise."""

    def make(rng: np.random.Generator, n: int) -> Made:
        right = rng.choice(SCALE, p=SHARES, size=n)
        return right, np.clip(right + bias + noise * rng.standard_normal(n), 0, 1)

    return make


def guessing(rng: np.random.Generator, n: int) -> Made:
    """Make shares, and a judge that knows nothing of them."""
    return rng.choice(SCALE, p=SHARES, size=n), rng.random(n)


MEAN = float(SHARES @ SCALE)
JUDGES = {
    "yes 50 %, good": (yes_no(0.5, 0.92, 0.15), 0.5),
    "yes 50 %, lenient": (yes_no(0.5, 0.98, 0.6), 0.5),
    "yes 80 %, good": (yes_no(0.8, 0.92, 0.15), 0.8),
    "yes 80 %, lenient": (yes_no(0.8, 0.98, 0.6), 0.8),
    "yes 80 %, harsh": (yes_no(0.8, 0.5, 0.02), 0.8),
    "yes 80 %, useless": (yes_no(0.8, 0.7, 0.7), 0.8),
    "yes 80 %, contrary": (yes_no(0.8, 0.3, 0.8), 0.8),
    "yes 80 %, near-perfect": (yes_no(0.8, 0.99, 0.02), 0.8),
    "yes 90 %, good": (yes_no(0.9, 0.92, 0.15), 0.9),
    "yes 90 %, lenient": (yes_no(0.9, 0.98, 0.6), 0.9),
    "yes 95 %, lenient": (yes_no(0.95, 0.98, 0.6), 0.95),
    "yes 100 %, good": (yes_no(1.0, 0.92, 0.15), 1.0),
    "shares, good": (fractions(0.0, 0.1), MEAN),
    "shares, lenient": (fractions(0.3, 0.15), MEAN),
    "shares, harsh": (fractions(-0.4, 0.2), MEAN),
    "shares, near-perfect": (fractions(0.0, 0.02), MEAN),
    "shares, useless": (guessing, MEAN),
}


def means(tries: int) -> Iterator[str]:
    """Yield a line for each judge and size."""
    for (name, (make, truth)), (labels, cases) in product(JUDGES.items(), SIZES):
        rng = np.random.default_rng([labels, cases, *name.encode()])
        held, alone, plain, widths, off = [], [], [], [], []
        for _ in range(tries):
            right, judged = make(rng, cases)
            some = [*right[:labels].tolist(), *[None] * (cases - labels)]
            found = corrected_mean(judged.tolist(), some)
            by_labels = corrected_mean([0.0] * cases, some)
            held.append(_holds(found.ci, truth))
            alone.append(_holds(by_labels.ci, truth))
            widths.append(_width(found.ci) / _width(by_labels.ci))
            half = 1.96 * judged.std() / cases**0.5
            plain.append(_holds((found.judged - half, found.judged + half), truth))
            off.append(found.judged - truth)
        yield (
            f"{name:24}{labels:7}{cases:7}  {_share(alone):6}{_share(held):6}"
            f"{np.mean(widths):8.2f}{max(widths):8.2f}{np.mean(off):+8.2f}  {_share(plain)}"
        )


def changes(tries: int) -> Iterator[str]:
    """Yield a line for each pair of runs: labels of the same cases in both, or of others."""
    pairs = {
        "good": (0.92, 0.15, 0.92, 0.15),
        "lenient": (0.98, 0.6, 0.98, 0.6),
        "fooled by the second": (0.92, 0.15, 0.99, 0.7),
        "useless": (0.7, 0.7, 0.7, 0.7),
    }
    for (name, judge), same, (labels, cases) in product(
        pairs.items(), (True, False), ((30, 500), (100, 500), (100, 2000))
    ):
        rng = np.random.default_rng([labels, cases, same, *name.encode()])
        held, alone, widths = [], [], []
        for _ in range(tries):
            old = (rng.random(cases) < 0.7).astype(np.float64)
            new = np.where(rng.random(cases) < np.where(old == 1, 0.05, 0.4), 1 - old, old)
            first = (rng.random(cases) < np.where(old == 1, judge[0], judge[1])).astype(float)
            other = (rng.random(cases) < np.where(new == 1, judge[2], judge[3])).astype(float)
            at = range(labels) if same else range(labels, 2 * labels)
            of_old = [y if n < labels else None for n, y in enumerate(old.tolist())]
            of_new = [y if n in at else None for n, y in enumerate(new.tolist())]
            found = corrected_change(first.tolist(), other.tolist(), of_old, of_new)
            zeros = [0.0] * cases
            by_labels = corrected_change(zeros, zeros, of_old, of_new)
            truth = 0.7 * 0.95 + 0.3 * 0.4 - 0.7
            held.append(_holds(found.ci, truth))
            alone.append(_holds(by_labels.ci, truth))
            widths.append(_width(found.ci) / _width(by_labels.ci))
        where = "same cases" if same else "other cases"
        yield (
            f"{name + ', ' + where:34}{labels:7}{cases:7}  {_share(alone):6}{_share(held):6}"
            f"{np.mean(widths):8.2f}{max(widths):8.2f}"
        )


def designs(tries: int) -> Iterator[str]:
    """Yield a line for each way of choosing what is labelled: hard cases on purpose, and whole groups."""
    for design, (labels, cases) in product(
        (
            "on purpose, weighted",
            "on purpose, not weighted",
            "groups of 4",
            "groups of 4, not told",
        ),
        ((40, 500), (100, 500), (200, 2000)),
    ):
        rng = np.random.default_rng([labels, cases, *design.encode()])
        held, alone, widths = [], [], []
        for _ in range(tries):
            make = _grouped if design.startswith("groups") else _hard
            right, judged, chance = make(rng, cases, labels)
            chosen = rng.random(cases) < chance if make is _hard else np.arange(cases) < labels
            some = [y if c else None for y, c in zip(right.tolist(), chosen, strict=True)]
            weights = (1 / chance).tolist() if design.endswith("weighted") else None
            weights = None if "not" in design else weights
            groups = [n // 4 for n in range(cases)] if design == "groups of 4" else None
            found = corrected_mean(judged.tolist(), some, weights=weights, groups=groups, least=10)
            by_labels = corrected_mean(
                [0.0] * cases, some, weights=weights, groups=groups, least=10
            )
            held.append(_holds(found.ci, 0.7))
            alone.append(_holds(by_labels.ci, 0.7))
            widths.append(_width(found.ci) / _width(by_labels.ci))
        yield (
            f"{design:34}{labels:7}{cases:7}  {_share(alone):6}{_share(held):6}"
            f"{np.mean(widths):8.2f}{max(widths):8.2f}"
        )


def _hard(rng: np.random.Generator, n: int, labels: int) -> tuple[Values, Values, Values]:
    """Make cases of which half are hard: wrong more often, and looked at four times as often."""
    hard = rng.random(n) < 0.5
    right = (rng.random(n) < np.where(hard, 0.5, 0.9)).astype(np.float64)
    judged = (rng.random(n) < np.where(right == 1, 0.95, 0.3)).astype(np.float64)
    return right, judged, np.where(hard, 1.6, 0.4) * labels / n


def _grouped(rng: np.random.Generator, n: int, labels: int) -> tuple[Values, Values, Values]:
    """Make groups of four, alike in what is right and in how the judge errs."""
    size = n // 4
    rate = np.repeat(rng.choice([0.4, 1.0], size), 4)
    kind = np.repeat(rng.choice([0.1, 0.5], size), 4)
    right = (rng.random(n) < rate).astype(np.float64)
    judged = (rng.random(n) < np.where(right == 1, 0.95, kind)).astype(np.float64)
    return right, judged, np.full(n, labels / n)


def _holds(ci: tuple[float, float] | None, truth: float) -> bool:
    return ci is not None and ci[0] - 1e-12 <= truth <= ci[1] + 1e-12


def _width(ci: tuple[float, float] | None) -> float:
    return ci[1] - ci[0] if ci else float("inf")


def _share(held: list[bool]) -> str:
    return f"{100 * sum(held) / len(held):.1f}"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=1000)
    tries = parser.parse_args().tries
    columns = f"{'alone':6}{'held':6}{'width':>8}{'widest':>8}"
    print(f"{'judge':24}{'labels':>7}{'cases':>7}  {columns}{'off':>8}  plain")
    for line in means(tries):
        print(line, flush=True)
    print(f"\n{'change, judge':34}{'labels':>7}{'cases':>7}  {columns}")
    for line in changes(tries):
        print(line, flush=True)
    print(f"\n{'choice of labels':34}{'labels':>7}{'cases':>7}  {columns}")
    for line in designs(tries):
        print(line, flush=True)


if __name__ == "__main__":
    main()
