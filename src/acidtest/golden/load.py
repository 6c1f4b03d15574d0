"""Reading a golden set: from a file of any form, from rows, cases or a data frame."""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from acidtest.codec.rows.frames import frame_rows
from acidtest.codec.rows.plain import plain
from acidtest.codec.rows.read import read_rows
from acidtest.codec.rows.row import Row, kind, shown
from acidtest.data.golden import Case, GoldenSet
from acidtest.errors import BadGolden
from acidtest.golden.case import read_case
from acidtest.golden.ids import with_ids
from acidtest.golden.version import version_of

Source = str | os.PathLike[str] | Iterable[Mapping[str, Any] | Case | Row] | Any


def load_golden(source: Source) -> GoldenSet:
    """Read a golden set.

    Args:
        source: A path (`.jsonl`, `.json`, `.yaml`, `.csv`, `.tsv`, `.parquet`; text forms also
            `.gz`), or rows as mappings, or `Case`s, or a data frame that exports Arrow. A
            `Row` is a mapping with the place that errors name.

    Returns:
        The cases in their order, with version, path and the answers that the file itself carried.

    Raises:
        BadGolden: What is wrong, with file, line and field, and how to mend it.
        MissingExtra: Parquet or a data frame, and Polars is not installed.
    """
    if isinstance(source, GoldenSet):
        return source
    path = os.fspath(source) if isinstance(source, str | os.PathLike) else None
    rows = list(_rows(source))
    read = [read_case(row) for row in rows]
    cases = with_ids(case for case, _ in read)
    _refuse_twice(cases, rows)
    recorded = [
        replace(answer, case_id=case.id)
        for case, (_, answer) in zip(cases, read, strict=True)
        if answer is not None
    ]
    if not cases:
        raise BadGolden("the golden set has no case", fix="Give at least one question.")
    return GoldenSet(cases, version=version_of(cases), path=path, recorded=recorded)


def _rows(source: Source) -> Iterator[Row]:
    if isinstance(source, str | os.PathLike):
        return read_rows(source, error=BadGolden)
    if hasattr(source, "__arrow_c_stream__"):
        return frame_rows(source, BadGolden)
    if isinstance(source, Iterable) and not isinstance(source, Mapping | bytes | bytearray):
        return _memory(source)
    raise BadGolden(
        f"a golden set cannot be read from {kind(source)}",
        fix="Give a path, a list of mappings or Cases, or a data frame.",
    )


def _memory(source: Iterable[Any]) -> Iterator[Row]:
    for number, item in enumerate(source, start=1):
        if isinstance(item, Row):
            yield replace(item, values=plain(item.values, item.where, BadGolden), error=BadGolden)
            continue
        where = f"row {number}"
        values = _case_values(item) if isinstance(item, Case) else item
        if not isinstance(values, Mapping):
            raise BadGolden(
                f"a case must be a mapping or a Case, not {kind(item)}",
                where=where,
                fix='Give mappings such as {"id": ..., "question": ...}, or at.Case objects.',
            )
        yield Row(where=where, values=plain(values, where, BadGolden), error=BadGolden)


def _case_values(case: Case) -> dict[str, Any]:
    try:
        values: dict[str, Any] = msgspec.to_builtins(case)
    except (TypeError, ValueError, RecursionError):
        # Metadata that no file could hold: `plain` names it.
        values = {name: getattr(case, name) for name in ("id", "question", "metadata")}
    return values


def _refuse_twice(cases: Iterable[Case], rows: Iterable[Row]) -> None:
    seen: dict[str, Row] = {}
    for case, row in zip(cases, rows, strict=True):
        before = seen.setdefault(case.id, row)
        if before is not row:
            raise row.fault(
                f"the id {shown(case.id)} is already that of {before.where}",
                fix="Give every case an id of its own; a case that is written twice is removed.",
            )
