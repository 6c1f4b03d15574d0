"""Fields that a format has no place for, told for every case and answer that fills them."""

from collections.abc import Collection, Iterable
from functools import cache
from typing import Any

import msgspec
from msgspec import NODEFAULT, Struct

from acidtest.data.answers import Answer
from acidtest.data.exchange import Exchanged
from acidtest.data.golden import Case
from acidtest.formats.losses import Losses


def fields_left(
    losses: Losses, records: Iterable[Case | Answer], held: Collection[str], why: str
) -> None:
    """Count the filled fields that are not in `held`, each once a record."""
    for record in records:
        where = record.id if isinstance(record, Case) else record.case_id
        for name, _ in filled(record):
            if name not in held:
                losses.add("answer" if name == "text" else name, why, where)


def scores_left(losses: Losses, exchanged: Exchanged, why: str) -> None:
    """Count the scores that are not written, each run once."""
    for run in exchanged.runs:
        losses.add("scores", why, run.name)


def filled(record: Struct) -> list[tuple[str, Any]]:
    """Return the fields of a record that are not at their default, with their values."""
    return [
        (name, value)
        for name, default in _defaults(type(record))
        if (value := getattr(record, name)) != default
    ]


@cache
def _defaults(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    found = []
    for field in msgspec.structs.fields(kind):
        default = field.default if field.default is not NODEFAULT else None
        if field.default_factory is not NODEFAULT:
            default = field.default_factory()
        found.append((field.name, default))
    return tuple(found)


def chunks_left(losses: Losses, answer: Answer, held: Collection[str], why: str) -> None:
    """Count what retrieved chunks hold beyond `held`, each field once an answer."""
    names = {name for chunk in answer.retrieved or () for name, _ in filled(chunk)}
    for name in sorted(names - {*held, "rank"}):
        losses.add(f"retrieved.{name}", why, answer.case_id)
