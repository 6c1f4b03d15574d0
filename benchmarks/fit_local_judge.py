"""Fit the embedded judge: `python benchmarks/fit_local_judge.py --data ../shared/data [--write]`.

How much it decides is a choice, so it is fitted for several: a wrong ruling costs as much as so many right
ones gain, and a *level* is a factor on these costs. Every set counts alike, as if a fixed share of its units
were bad. What a level decides and how often it errs is measured on data that it was not fitted on: sets that
share documents or makers are one family, and a family is ruled on with thresholds fitted on the rest. What
ships is fitted on everything. Few thresholds are fitted, and all on grids: the same data give the same file.

With --write the levels go into the package, where `coverage` under `[judge]` chooses among them; the
thresholds of level 1, the default, are printed, to be set in `rules.py`.
"""

import argparse
import itertools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from acidtest.judges.local import usefulness
from acidtest.judges.local.judge import VERSION
from acidtest.judges.local.levels import Level, Levels
from acidtest.judges.local.rules import THRESHOLDS, Thresholds, rule
from local_judge_sets import Unit, answered, units

AGAINST = frozenset({"unsupported", "useless", "incorrect"})
IN_FAVOUR = frozenset({"supported", "useful", "correct"})
COSTS = {"faithfulness": (4.0, 1.6), "context_usefulness": (15.0, 2.0)}  # against, in favour
BAD = {"faithfulness": 0.6, "context_usefulness": 0.4}
FACTORS = (0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0)
DRAWS = 1_000
LEAST = 10  # rulings of a kind under which a set says nothing of it
TARGET = Path(__file__).resolve().parents[1] / "src/acidtest/judges/local/levels.json"

Cut = dict[str, float]
GRIDS: Mapping[str, tuple[Sequence[Cut], Sequence[Cut]]] = {
    "faithfulness": (
        [
            {"low": low, "low_odd": odd}
            for low, odd in itertools.product(
                (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5),
                (0.2, 0.3, 0.4, 0.5, 0.6, 0.7),
            )
        ],
        [{"high": high / 100} for high in range(30, 100, 5)],
    ),
    "context_usefulness": (
        [{"useless": useless / 100} for useless in range(2, 32, 2)],
        [{"useful": useful / 100} for useful in range(20, 100, 5)],
    ),
}


class Tried(NamedTuple):
    """What one task's units get at every point of its two grids: points x units, each true or false."""

    units: Sequence[Unit]
    against: np.ndarray
    in_favour: np.ndarray


def main() -> None:
    """Fit, measure, print and, if asked to, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    everything = [u for u in units(options.data) if u.labels != "machine"]
    rng = np.random.default_rng(1)
    tasks = {task: fitted_levels(task, everything, rng) for task in GRIDS}
    tasks["correctness"] = (answer_level(everything, rng),)
    for task, levels in tasks.items():
        show(task, levels)
    default = THRESHOLDS
    for task in GRIDS:
        cut = next(level.thresholds for level in tasks[task] if level.factor == 1)
        default = msgspec.structs.replace(default, **cut)
    print("\nlevel 1:", default)
    table = Levels(
        version=VERSION,
        fitted_by="benchmarks/fit_local_judge.py",
        sets={
            task: {
                name: sum(u.data == name for u in everything if u.task == task) for name in names
            }
            for task in tasks
            for names in [dict.fromkeys(u.data for u in everything if u.task == task)]
        },
        tasks=tasks,
    )
    if options.write:
        TARGET.write_bytes(msgspec.json.format(msgspec.json.encode(table), indent=1) + b"\n")
        print(f"written to {TARGET}")


def fitted_levels(
    task: str, everything: Sequence[Unit], rng: np.random.Generator
) -> tuple[Level, ...]:
    """Return the levels of a task whose thresholds are fitted, the one that decides least first."""
    tried = trial(task, everything)
    families = np.array([u.family for u in tried.units])
    found: list[Level] = []
    for factor in sorted(FACTORS, reverse=True):
        against, in_favour = (np.zeros(len(families), bool) for _ in range(2))
        for family in dict.fromkeys(families.tolist()):
            mine = families == family
            first, second = best(tried, ~mine, task, factor)
            against[mine] = tried.against[first][mine]
            in_favour[mine] = tried.in_favour[second][mine]
        first, second = best(tried, np.ones(len(families), bool), task, factor)
        cut = GRIDS[task][0][first] | GRIDS[task][1][second]
        if found and cut == found[-1].thresholds and factor != 1:
            continue
        rulings = np.where(against, -1, np.where(in_favour, 1, 0))
        this = level(factor, cut, tried.units, rulings, rng)
        if factor == 1 or not found or this.coverage > found[-1].coverage:  # else it only errs more
            found.append(this)
    return tuple(found)


def held_out(everything: Sequence[Unit]) -> list[str]:
    """Return what level 1 says of every unit, with thresholds that its family had no part in."""
    cuts: dict[tuple[str, str], Thresholds] = {}
    for task in GRIDS:
        tried = trial(task, [u for u in everything if u.labels != "machine"])
        families = np.array([u.family for u in tried.units])
        for family in dict.fromkeys(families.tolist()):
            first, second = best(tried, families != family, task, 1.0)
            values = GRIDS[task][0][first] | GRIDS[task][1][second]
            cuts[task, family] = msgspec.structs.replace(THRESHOLDS, **values)
            print(f"without {family}: {values}")
    return [ruling(u, cuts.get((u.task, u.family), THRESHOLDS)) for u in everything]


def answer_level(everything: Sequence[Unit], rng: np.random.Generator) -> Level:
    """Return the one level of answers: against short references nothing is cut, so nothing is fitted."""
    mine = [u for u in everything if u.task == "correctness"]
    said = [ruling(u, THRESHOLDS) for u in mine]
    signs = np.array([-1 if s in AGAINST else 1 if s in IN_FAVOUR else 0 for s in said])
    return level(1.0, {}, mine, signs, rng)


def trial(task: str, everything: Iterable[Unit]) -> Tried:
    """Rule on a task's units at every point of its grids."""
    mine = [u for u in everything if u.task == task]
    against, in_favour = GRIDS[task]

    def said(grid: Sequence[Cut], kind: frozenset[str]) -> np.ndarray:
        cuts = [msgspec.structs.replace(THRESHOLDS, **values) for values in grid]
        return np.array([[ruling(u, cut) in kind for u in mine] for cut in cuts])

    return Tried(mine, said(against, AGAINST), said(in_favour, IN_FAVOUR))


def best(tried: Tried, chosen: np.ndarray, task: str, factor: float) -> tuple[int, int]:
    """Return the points of the two grids that gain most on the chosen units."""
    good = np.array([u.label for u in tried.units])
    weights = balanced(tried.units, chosen, BAD[task])
    against, favour = (factor * cost for cost in COSTS[task])
    lost = np.where(good, -against, 1.0) * weights
    won = np.where(good, 1.0, -favour) * weights
    return int(np.argmax(tried.against @ lost)), int(np.argmax(tried.in_favour @ won))


def balanced(everything: Sequence[Unit], chosen: np.ndarray, bad: float) -> np.ndarray:
    """Weigh the chosen units so that every set counts alike and has the same share of bad ones."""
    counts: dict[tuple[str, bool], int] = {}
    for unit, kept in zip(everything, chosen, strict=True):
        if kept:
            counts[unit.data, unit.label] = counts.get((unit.data, unit.label), 0) + 1
    return np.array(
        [
            ((1 - bad if u.label else bad) / counts[u.data, u.label]) if kept else 0.0
            for u, kept in zip(everything, chosen, strict=True)
        ]
    )


def ruling(unit: Unit, cut: Thresholds) -> str:
    """Return what the judge says of a unit."""
    if unit.found is None:
        return answered(unit, cut)
    if unit.task == "context_usefulness":
        return usefulness.rule(unit.found, cut)[0]
    return rule(unit.found, cut)[0]


def level(
    factor: float | None,
    cut: Cut,
    everything: Sequence[Unit],
    rulings: np.ndarray,
    rng: np.random.Generator,
) -> Level:
    """Measure one level: means over data sets, with intervals over documents or questions."""
    by_set: dict[str, dict[str, np.ndarray]] = {}
    for unit, sign in zip(everything, rulings.tolist(), strict=True):
        counts = by_set.setdefault(unit.data, {}).setdefault(unit.group, np.zeros(5))
        right = sign == (1 if unit.label else -1)
        counts += [1, sign < 0, sign < 0 and right, sign > 0, sign > 0 and right]
    tables = [np.array(list(groups.values())) for groups in by_set.values()]
    ruled = [table.sum(axis=0)[None] for table in tables]
    enough = [told_apart(total) for total in ruled]
    points = np.nanmean(
        [shares(total) * keep for total, keep in zip(ruled, enough, strict=True)], axis=0
    )[0]
    drawn = np.nanmean(
        [
            shares(table[rng.integers(len(table), size=(DRAWS, len(table)))].sum(axis=1)) * keep
            for table, keep in zip(tables, enough, strict=True)
        ],
        axis=0,
    )
    low, high = np.nanpercentile(drawn, [2.5, 97.5], axis=0)
    decided, risk, against, favour = (round(float(x), 4) for x in points)
    spans = [(round(float(a), 4), round(float(b), 4)) for a, b in zip(low, high, strict=True)]
    return Level(
        factor=factor,
        thresholds=cut,
        coverage=decided,
        coverage_ci=spans[0],
        risk=risk,
        risk_ci=spans[1],
        against=against,
        against_ci=spans[2],
        in_favour=favour,
        in_favour_ci=spans[3],
    )


def told_apart(total: np.ndarray) -> np.ndarray:
    """Return 1 for each share that a set has enough rulings for, else nan, so that the mean leaves it out."""
    _, against, _, favour, _ = total[0]
    few = [False, against + favour < LEAST, against < LEAST, favour < LEAST]
    return np.where(few, np.nan, 1.0)


def shares(counts: np.ndarray) -> np.ndarray:
    """Return decided, the share of rulings that are wrong, and the shares right of either kind."""
    n, against, against_right, favour, favour_right = counts.T
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack(
            [
                (against + favour) / n,
                1 - (against_right + favour_right) / (against + favour),
                against_right / against,
                favour_right / favour,
            ],
            axis=1,
        )


def show(task: str, levels: Sequence[Level]) -> None:
    """Print a task's levels as Markdown."""
    print(f"\n{task}\n\n| Level | Thresholds | Decided | Wrong | Against right | In favour right |")
    print("|---|---|---|---|---|---|")
    for each in levels:
        cut = ", ".join(f"{name} {value:g}" for name, value in each.thresholds.items())
        print(
            f"| {each.factor or ''} | {cut} | {told(each.coverage, each.coverage_ci)} "
            f"| {told(each.risk, each.risk_ci)} | {told(each.against, each.against_ci)} "
            f"| {told(each.in_favour, each.in_favour_ci)} |"
        )


def told(value: float, ci: tuple[float, float]) -> str:
    """Return a share with its interval."""
    return f"{value:.0%} ({100 * ci[0]:.0f}-{100 * ci[1]:.0f})"


if __name__ == "__main__":
    main()
