"""LLMBar's recorded verdicts: 45 judge settings on five sets of pairs, each pair in both orders.

Upstream counts for a setting on a set how often the better answer won in each order, in both, how often the
orders agree, and their kappa. Six pairs of the set Natural are not in this copy, so its counts may be lower
than upstream's by up to six.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np

from acidtest.stats.agreement import distance, kappas
from judges_llmbar_published import UPSTREAM, Cell
from judges_tables import Table, lines, table

WINNERS = {None: 2, "1": 1, "2": 2}
"""For the kappa upstream counts a reply without a verdict as one for the second output."""


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
    """Return how many of our cells are the published ones, set by set; `figures` names those that differ."""
    made = table(
        "LLMBar",
        "Pairs",
        "cells compared",
        "the same",
        "as they can be without 6 pairs",
        "different",
    )
    ours = cells(pairs(data))
    for subset in dict.fromkeys(subset for subset, _ in UPSTREAM):
        keys = [key for key in UPSTREAM if key[0] == subset]
        alike = [key for key in keys if same(ours[key], UPSTREAM[key])]
        exact = sum(ours[key].n == UPSTREAM[key].n for key in alike)
        other = [setting for _, setting in keys if (subset, setting) not in alike]
        shown = (len(keys), exact, len(alike) - exact, ", ".join(other) or "none")
        made.add(subset, [str(x) for x in shown], compared=len(keys), exact=exact, different=other)
    return made
