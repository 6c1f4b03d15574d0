"""Phoenix' evaluations in the columns of a table: score, label and explanation of each."""

import re
from typing import Any

from msgspec import Struct

from acidtest.codec.rows.row import Row
from acidtest.data.terms import Direction
from acidtest.formats.cells import opened

_COLUMN = re.compile(
    r"(?:eval(?:uation)?s?\.)?(?:(?P<name>.+?)[._])?(?P<part>score|label|explanation)"
)
_NOT = ("document", "similarity", "retrieval")


_DIRECTIONS: dict[str, Direction] = {"maximize": "higher", "minimize": "lower"}


class Evaluation(Struct, frozen=True):
    """One evaluation of a span."""

    score: Any = None
    label: str = ""
    explanation: str = ""
    direction: Direction | None = None


def evaluations(row: Row) -> dict[str, Evaluation]:
    """Return the evaluations of a row by name; `score` names those of bare columns."""
    parts: dict[str, dict[str, Any]] = {}
    for key, value in row.values.items():
        match = _COLUMN.fullmatch(key)
        if match is None or value in (None, "") or key.startswith(("attributes.", "context.")):
            continue
        name = match["name"] or "score"
        if any(mark in name for mark in _NOT):
            continue
        inner = _packed(row, key, value)
        parts.setdefault(name, {}).update(inner or {match["part"]: value})
    return {
        name: Evaluation(
            score=given.get("score"),
            label=str(given.get("label") or ""),
            explanation=str(given.get("explanation") or ""),
            direction=_DIRECTIONS.get(str(given.get("direction"))),
        )
        for name, given in parts.items()
        if {"score", "label"} & given.keys()
    }


def _packed(row: Row, key: str, value: object) -> dict[str, Any] | None:
    """Return the parts of a score that is written as JSON in one cell."""
    value = opened(row, key, value)
    return value if isinstance(value, dict) else None
