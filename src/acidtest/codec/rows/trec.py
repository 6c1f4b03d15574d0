"""A TREC run to rows: one row a query, its documents in the order that trec_eval gives them.

Six columns: query, Q0, document, rank, score, run name. The score orders, and of equal scores the
larger document id comes first; the rank column says nothing.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Any

from acidtest.codec.rows.fault import LineFault


def items(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield, per query, its first line and `{"id", "retrieved": [[document, score], ...]}`.

    Raises:
        LineFault: A line has not six columns, a score is not a number, or a document comes twice.
    """
    firsts: dict[str, int] = {}
    scores: dict[str, dict[str, float]] = {}
    for line, text in lines:
        columns = text.split()
        if not columns:
            continue
        if len(columns) != 6:
            raise LineFault(
                f"a line of a TREC run has 6 columns; this has {len(columns)}",
                line=line,
                fix="Write: query Q0 document rank score name.",
            )
        query, _, document, _, score, _ = columns
        ranking = scores.setdefault(query, {})
        firsts.setdefault(query, line)
        if document in ranking:
            raise LineFault(
                f"the document {document[:60]!r} comes twice for query {query[:60]!r}", line=line
            )
        ranking[document] = _score(score, line)
    for query, ranking in scores.items():
        ordered = sorted(ranking.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)
        yield firsts[query], {"id": query, "retrieved": [list(pair) for pair in ordered]}


def _score(text: str, line: int) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise LineFault(f"the score {text[:40]!r} is not a finite number", line=line)
    return score
