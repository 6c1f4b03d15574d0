"""What people decided on doubtful labels: the review file, written and read back."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from acidtest.codec.fields import Given
from acidtest.codec.rows.read import read_rows
from acidtest.codec.rows.row import Row, kind, shown
from acidtest.codec.values import identifier
from acidtest.errors import BadData, suggestion
from acidtest.golden.labels import grades
from acidtest.golden.remap.record import Label, Shown
from acidtest.text.surrogates import without_halves_in

Verb = Literal["accept", "keep", "drop", "chunks"]

HOW = (
    'Write "accept" (the proposed chunks), "keep" (the old id), "drop" (no label), '
    'a list of chunk ids, or {"id": grade}; null leaves it open.'
)

_FIELDS = (
    "case",
    "question",
    "label",
    "kind",
    "grade",
    "state",
    "confidence",
    "why",
    "evidence",
    "proposed",
    "others",
    "decision",
    "note",
)


class Decision(Struct, frozen=True, kw_only=True):
    """What a person wrote.

    Args:
        where: File and line.
        verb: What to do.
        chunks: The chunks to label and their grades (None: the label's own), where they are named.
        proposed: The chunks that were proposed.
    """

    where: str
    verb: Verb
    chunks: Mapping[str, int | None] = {}
    proposed: tuple[str, ...] = ()


class _Asked(Struct, frozen=True, kw_only=True):
    """A row of the review file, in the order in which a person reads it."""

    case: str
    question: str
    label: str
    kind: str
    grade: int
    state: str
    confidence: float | None
    why: str | None
    evidence: tuple[str, ...]
    proposed: tuple[Shown, ...]
    others: tuple[Shown, ...]
    decision: None = None


def review_rows(labels: Iterable[Label], questions: Mapping[str, str]) -> bytes:
    """Return the JSON lines that ask a person about every doubtful and lost label.

    Args:
        labels: All labels.
        questions: Case id -> question.
    """
    lines = [
        _Asked(
            case=each.case,
            question=questions[each.case],
            label=each.label,
            kind=each.kind,
            grade=each.grade,
            state=each.state,
            confidence=None if each.confidence is None else round(each.confidence, 3),
            why=each.why,
            evidence=each.evidence,
            proposed=each.proposed,
            others=each.others,
        )
        for each in labels
        if each.state in ("doubtful", "lost")
    ]
    return b"".join(
        msgspec.json.encode(without_halves_in(msgspec.to_builtins(row))) + b"\n" for row in lines
    )


def read_decisions(path: str) -> dict[tuple[str, str, str], Decision]:
    """Return the decisions of a review file by case, kind and label; open rows are left out.

    Raises:
        BadData: A row is not what it should be, with file, line and field.
    """
    found: dict[tuple[str, str, str], Decision] = {}
    for row in read_rows(path, error=BadData):
        for name in row.values:
            if name not in _FIELDS:
                raise row.fault(f"unknown field {shown(name)}", fix=suggestion(name, _FIELDS))
        case, label = (_name(row, field) for field in ("case", "label"))
        which = row.values.get("kind", "chunk")
        if which not in ("chunk", "document"):
            raise row.fault(f"must be chunk or document, not {shown(which)}", field="kind")
        decision = _decision(row)
        if decision is None:
            continue
        key = (case, which, label)
        if key in found:
            raise row.fault(
                f"the label {shown(label)} of case {shown(case)} is decided twice",
                fix=f"It is decided at {found[key].where} too: keep one.",
            )
        found[key] = decision
    return found


def _name(row: Row, field: str) -> str:
    if row.values.get(field) is None:
        raise row.fault("is missing", field=field, fix="Leave the review's own fields as they are.")
    return identifier(row, Given(field, row.values[field]))


def _decision(row: Row) -> Decision | None:
    value = row.values.get("decision")
    if value is None or value == "":
        return None
    more: dict[str, Any] = {"where": row.where, "proposed": _proposed(row)}
    if isinstance(value, str):
        verb = value.strip().lower()
        if verb not in ("accept", "keep", "drop"):
            raise row.fault(f"{shown(value)} is no decision", field="decision", fix=HOW)
        return Decision(verb=verb, **more)  # type: ignore[arg-type]
    if not isinstance(value, list | dict) or not value:
        raise row.fault(f"a decision is not {kind(value)}", field="decision", fix=HOW)
    graded = grades(row, Given("decision", value))
    own = isinstance(value, list)
    return Decision(
        verb="chunks", chunks={each: None if own else g for each, g in graded.items()}, **more
    )


def _proposed(row: Row) -> tuple[str, ...]:
    value = row.values.get("proposed") or []
    if not isinstance(value, list) or not all(
        isinstance(each, dict) and isinstance(each.get("id"), str) for each in value
    ):
        raise row.fault("must be the list of chunks that it was", field="proposed")
    return tuple(each["id"] for each in value)
