"""A judge's row in a table: what it decides, how far it agrees with people there, and how far another does there.

What a judge does not decide is left out of its agreement, so another's agreement on the very rows that it decides
stands beside it. A baseline's threshold is fitted on other groups than it is measured on.
"""

import asyncio
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.judges.local.judge import LocalJudge
from acidtest.judges.local_embed import LocalEmbedder
from acidtest.metrics.generation.faithfulness import faithfulness
from acidtest.stats.agreement import Agreement, Tables
from acidtest.stats.auc import auc
from acidtest.stats.balanced import interval_of, measured, tables_of, verdicts_of
from acidtest.stats.threshold import cross_validated
from acidtest.text.citations import uncited
from acidtest.text.squad import tokens
from judges_tables import Table, correlation, measure, percent, shown, spearman

HEAD = ("decided", "balanced accuracy", "kappa", "AUC of all, open ones between")
LESS = "less that"
ONE_ALONE = np.array([[[[0.5, 0.0], [0.0, 0.5]], [[0.0, 0.5], [0.5, 0.0]]]])
"""A row, half yes and half no, in which the first is right and the second wrong."""
MIDDLE = 0.5
"""Where what a judge leaves open stands among its scores."""
Told = Sequence[float | None]
"""Scores; None where the judge decides nothing."""


class Rows(NamedTuple):
    """What is judged: what is true of each row, and what rows share."""

    truths: list[bool]
    groups: list[Hashable]


def fitted(scores: Sequence[float], on: Rows) -> list[float]:
    """Return 1 or 0 for each row, by a threshold that is fitted on other groups."""
    found = cross_validated(list(scores), on.truths, groups=on.groups)
    return [1.0] * len(scores) if isinstance(found, Skip) else [float(x) for x in found.verdicts]


def add(
    made: Table,
    name: str,
    on: Rows,
    told: Told,
    other: Told | None = None,
    *,
    at: float | None = 0.5,
    grades: Sequence[float] | None = None,
) -> None:
    """Add a judge to a table.

    Args:
        made: The table.
        name: The judge.
        on: The rows.
        told: Its scores.
        other: Another's scores, whose agreement on the rows that this one decides is shown too, and the difference.
        at: From here on a score is a yes; None fits it.
        grades: What people graded, to correlate scores with.
    """
    some = [n for n, score in enumerate(told) if score is not None]
    wide = len(made.columns) - 1
    if not some:
        made.add(name, (f"0% of {len(told)}", *[""] * (wide - 1)), decided=0.0)
        return
    mine = Rows([on.truths[n] for n in some], [on.groups[n] for n in some])
    scores = [float(told[n] or 0) for n in some]
    values = fitted(scores, mine) if at is None else [float(score >= at) for score in scores]
    said = [value == 1 for value in values]
    found: dict[str, Agreement | Skip] = {
        "balanced": measure("balanced_accuracy", mine.truths, said, mine.groups),
        "kappa": measure("kappa", mine.truths, said, mine.groups),
        "auc": auc([MIDDLE if x is None else x for x in told], on.truths, groups=on.groups),
    }
    decided = len(some) / len(told)
    cells = [f"{percent(decided)} of {len(told)}", *map(shown, found.values())]
    if other is not None:
        both = [n for n in some if other[n] is not None]
        there = Rows([on.truths[n] for n in both], [on.groups[n] for n in both])
        theirs = [float(other[n] or 0) >= MIDDLE for n in both]
        of_row = dict(zip(some, said, strict=True))
        found["other"] = measure("kappa", there.truths, theirs, there.groups)
        found["less"] = apart([of_row[n] for n in both], theirs, there)
        cells += [shown(found["other"]), shown(found["less"])]
    if grades is not None:
        found["spearman"] = correlation(spearman, scores, [grades[n] for n in some], mine.groups)
        cells.append(shown(found["spearman"]))
    cells += [""] * (wide - len(cells))
    made.add(name, cells, decided=decided, n=len(some), **found)


def apart(first: Sequence[bool], second: Sequence[bool], on: Rows) -> Agreement | Skip:
    """Return how much higher the first's kappa is than the second's on the same rows, drawn together by group.

    For the interval there is one row more in which the first alone is right, and one in which the second alone
    is: where few rows differ, a bootstrap of those would be sure of what two of them say. People and judge
    are doubted by a group that differs as groups typically do, which is a little wider where groups are few.
    """
    made = [
        tables_of(verdicts_of(on.truths, list(said), groups=on.groups)) for said in (first, second)
    ]
    both = np.stack(made, axis=1)
    value = float(_less(both.sum(axis=0)))
    if np.isnan(value):
        return Skip("one of both has no kappa: all labels and all verdicts are the same")
    ci, why = interval_of(np.concatenate([both, ONE_ALONE, ONE_ALONE[:, ::-1]]), _less)
    return Agreement(value=value, ci=ci, why_no_ci=why, n=len(on.truths))


def _less(both: Tables) -> Tables:
    values = measured("kappa", both)
    found: Tables = values[..., 0] - values[..., 1]
    return found


def supported(question: str, text: str, passages: Sequence[str], judge: LocalJudge) -> Outcome:
    """Return the local judge's faithfulness of a text."""
    chunks = tuple(Chunk(text=passage) for passage in passages)
    return asyncio.run(faithfulness(question, text, chunks, judge))


def value(outcome: Outcome) -> float | None:
    """Return a score; None where nothing was decided."""
    return outcome.value if isinstance(outcome, Score) else None


of_decided = value


def of_all(outcome: Outcome) -> float | None:
    """Return supported claims of all claims; None where nothing is claimed."""
    counts = counted(outcome)
    return counts["supported"] / counts["claims"] if counts else None


def not_unsupported(outcome: Outcome) -> float | None:
    """Return one less the unsupported share of all claims; None where nothing is claimed."""
    counts = counted(outcome)
    return 1 - counts["unsupported"] / counts["claims"] if counts else None


def clear(outcome: Outcome) -> float | None:
    """Return 0 where a claim is unsupported, 1 where all are supported; else None."""
    counts = counted(outcome)
    if counts and counts["unsupported"]:
        return 0.0
    return 1.0 if counts and counts["supported"] == counts["claims"] else None


def counted(outcome: Outcome) -> dict[str, float] | None:
    """Return how many claims there are of each kind; None where there are none."""
    counts = outcome.parts if isinstance(outcome, Score | Skip) else None
    return dict(counts) if counts and counts.get("claims") else None


def share(text: str, of: str) -> float:
    """Return which share of a text's words another text has."""
    words, known = tokens(uncited(text)), set(tokens(of))
    return sum(word in known for word in words) / len(words) if words else 0.0


def nearness(embedder: LocalEmbedder, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Return the cosine of each pair's embeddings."""
    first, second = (
        np.array(asyncio.run(embedder.embed([pair[n] for pair in pairs]))) for n in (0, 1)
    )
    sizes = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    return [float(x) for x in (first * second).sum(axis=1) / np.maximum(sizes, 1e-12)]
