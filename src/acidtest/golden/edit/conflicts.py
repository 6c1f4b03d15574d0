"""The file of conflicts: written for a person, and read back with what was decided."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from acidtest.codec.fields import Given
from acidtest.codec.json import canonical
from acidtest.codec.rows.read import read_rows
from acidtest.codec.rows.row import Row, shown
from acidtest.codec.values import identifier
from acidtest.errors import BadData, suggestion
from acidtest.golden.edit.desk import Conflict, Decision, Key, Verb
from acidtest.text.surrogates import without_halves_in

HOW = 'Write "ours", "theirs", "base", a grade, or {"value": ...}; null leaves it open.'
_SIDES: tuple[Verb, ...] = ("base", "ours", "theirs")
_FIELDS = ("case", "question", "field", "key", *_SIDES, "decision", "note")


class _Asked(Struct, frozen=True, kw_only=True):
    """A row of the file, in the order in which a person reads it."""

    case: str
    question: str
    field: str
    key: str | None
    base: Any
    ours: Any
    theirs: Any
    decision: None = None


def conflict_rows(conflicts: Iterable[Conflict]) -> bytes:
    """Return the JSON lines that ask a person about every conflict."""
    rows = (_Asked(**msgspec.structs.asdict(each)) for each in conflicts)
    return b"".join(
        msgspec.json.encode(without_halves_in(msgspec.to_builtins(row))) + b"\n" for row in rows
    )


def read_conflicts(path: str) -> dict[Key, Decision]:
    """Return what people decided, by case, field and key; open rows are left out.

    Raises:
        BadData: A row is not what it should be, with file, line and field.
    """
    found: dict[Key, Decision] = {}
    for row in read_rows(path, error=BadData):
        for name in row.values:
            if name not in _FIELDS:
                raise row.fault(f"unknown field {shown(name)}", fix=suggestion(name, _FIELDS))
        key = row.values.get("key")
        if key is not None and not isinstance(key, str):
            raise row.fault("must be text or null, as it was", field="key")
        which: Key = (_name(row, "case"), _name(row, "field"), key)
        decision = _decision(row)
        if decision is None:
            continue
        if which in found:
            raise row.fault(
                "this conflict is decided twice",
                fix=f"It is decided at {found[which].where} too: keep one.",
            )
        found[which] = decision
    return found


def _name(row: Row, field: str) -> str:
    if row.values.get(field) is None:
        raise row.fault("is missing", field=field)
    return identifier(row, Given(field, row.values[field]))


def _decision(row: Row) -> Decision | None:
    said = row.values.get("decision")
    if said is None or said == "":
        return None
    verb, value = _said(row, said)
    base, ours, theirs = (canonical(row.values.get(side)) for side in _SIDES)
    return Decision(where=row.where, verb=verb, value=value, sides=(base, ours, theirs))


def _said(row: Row, said: Any) -> tuple[Verb, Any]:
    if isinstance(said, str):
        word = said.strip().lower()
        verb = next((side for side in _SIDES if side == word), None)
        if verb is not None:
            return verb, None
    if type(said) is int:
        return "value", said
    if isinstance(said, dict) and said.keys() == {"value"}:
        return "value", said["value"]
    raise row.fault(f"{shown(said)} is no decision", field="decision", fix=HOW)
