"""LLMBar's recorded verdicts: 45 judge settings on five sets of pairs, each pair in both orders.

Upstream counts for a setting on a set how often the better answer won in each order, in both, how often the
orders agree, and their kappa. Six pairs of the set Natural are not in this copy, so its counts may be lower
than upstream's by up to six.
"""

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from acidtest.stats.agreement import distance, kappas
from judges_tables import Table, lines, number, table

WINNERS = {None: 2, "1": 1, "2": 2}
"""For the kappa upstream counts a reply without a verdict as one for the second output."""


class Cell(NamedTuple):
    """One setting on one set.

    Attributes:
        first: Pairs whose better answer won in the order given.
        second: The same in the swapped order.
        both: The same in both.
        equal: Pairs on which the orders agree.
        n: Pairs.
        kappa: Agreement of the orders.
    """

    first: int
    second: int
    both: int
    equal: int
    n: int
    kappa: float | None


UPSTREAM = {
    ("Adversarial/Neighbor", "GPT-4/Vanilla"): Cell(104, 107, 101, 125, 134, 0.8651308432118094),
    ("Adversarial/Neighbor", "ChatGPT/Vanilla"): Cell(30, 22, 7, 96, 134, 0.4616197927680271),
    ("Adversarial/Neighbor", "PaLM2/Vanilla"): Cell(82, 86, 62, 90, 134, 0.3536505152378865),
    ("Adversarial/GPTInst", "PaLM2/Swap_CoT"): Cell(61, 54, 47, 70, 92, 0.5251055842327546),
    ("Adversarial/GPTInst", "GPT-4/Metrics_Reference"): Cell(
        80, 85, 78, 83, 92, 0.8043478260869565
    ),
    ("Adversarial/GPTOut", "ChatGPT/Vanilla"): Cell(17, 22, 10, 28, 47, 0.28041901692183724),
    ("Adversarial/Manual", "LLaMA2/Vanilla"): Cell(17, 17, 9, 30, 46, 0.3622183708838822),
    ("Adversarial/Manual", "PaLM2/Vanilla"): Cell(32, 28, 27, 40, 46, 0.7406015037593985),
    ("Natural", "GPT-4/Vanilla"): Cell(95, 96, 93, 95, 100, 0.897708674304419),
    ("Natural", "ChatGPT/Vanilla"): Cell(80, 83, 67, 71, 100, 0.4286840031520883),
    ("Natural", "PaLM2/Vanilla"): Cell(78, 88, 73, 80, 100, 0.584026622296173),
    ("Natural", "LLaMA2/Vanilla"): Cell(79, 82, 70, 79, 100, 0.5731707317073171),
    ("Natural", "ChatGPT/CoT"): Cell(70, 78, 56, 64, 100, 0.3617797228300511),
}
"""Counts and kappas that LLMBar publishes beside its data (MIT licence, arXiv 2310.07641), a sample of its 225."""


def pairs(data: Path) -> list[dict[str, Any]]:
    """Return the pairs."""
    return list(lines(data / "llmbar_judges" / "pairs.jsonl.gz"))


def cells(rows: list[dict[str, Any]]) -> dict[tuple[str, str], Cell]:
    """Return every setting on every set: 45 times 5."""
    found: dict[tuple[str, str], Cell] = {}
    for subset in dict.fromkeys(row["subset"] for row in rows):
        some = [row for row in rows if row["subset"] == subset]
        for setting in some[0]["verdicts"]:
            found[subset, setting] = cell(some, setting)
    return found


def cell(rows: list[dict[str, Any]], setting: str) -> Cell:
    """Count the verdicts of one setting on some pairs; none is wrong, and the same as another none."""
    given = [(str(row["label"]), *row["verdicts"][setting]) for row in rows]
    together = np.zeros((3, 3))
    for _, one, two in given:
        together[WINNERS[one], WINNERS[two]] += 1
    kappa = float(kappas(together, distance(3, "none")))  # of 225 cells nobody needs the interval
    return Cell(
        first=sum(label == one for label, one, _ in given),
        second=sum(label == two for label, _, two in given),
        both=sum(label == one == two for label, one, two in given),
        equal=sum(one == two for _, one, two in given),
        n=len(given),
        kappa=None if math.isnan(kappa) else kappa,
    )


def same(ours: Cell, theirs: Cell) -> bool:
    """Say whether a cell is upstream's; where pairs are missing, whether it can be."""
    gone = theirs.n - ours.n
    counts = zip(ours[:4], theirs[:4], strict=True)
    if gone:
        return all(0 <= their - our <= gone for our, their in counts)
    close = ours.kappa is not None and theirs.kappa is not None
    return ours[:5] == theirs[:5] and close and abs((ours.kappa or 0) - (theirs.kappa or 0)) < 1e-12


def against_upstream(data: Path) -> Table:
    """Return our cells beside the published ones."""
    made = table(
        "LLMBar",
        "Pairs, setting",
        "right in each order, published",
        "here",
        "kappa of the orders, published",
        "here",
        "",
    )
    ours = cells(pairs(data))
    for key, theirs in UPSTREAM.items():
        mine = ours[key]
        alike = same(mine, theirs)
        part = mine.n < theirs.n
        word = "as it can be without 6 pairs" if part else "the same"
        made.add(
            f"{key[0]}, {key[1]}",
            (
                f"{theirs.first}, {theirs.second} of {theirs.n}",
                f"{mine.first}, {mine.second} of {mine.n}",
                number(theirs.kappa or 0, 3),
                "none" if mine.kappa is None else number(mine.kappa, 3),
                word if alike else "different",
            ),
            same=alike,
            exact=not part,
        )
    return made
