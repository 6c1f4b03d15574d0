"""Trace files to items: the JSON values, lines or rows in them, each with its place."""

import json
import math
import os
from collections.abc import Generator, Iterator
from pathlib import PurePath
from typing import Any, NamedTuple

from acidtest.codec.rows import table
from acidtest.codec.rows.fault import LineFault
from acidtest.codec.rows.lines import numbered_lines, opened, too_big, whole_text
from acidtest.errors import TraceFormatError
from acidtest.extras import need
from acidtest.tracing.otlp.values import plain, whole

LARGEST = 512 * 1024**2
"""Bytes of a file that is not read line by line."""

_SPACE = " \t\r\n"
_NAMED_BY = "Name the file .jsonl, .json, .csv, .parquet or .pb by what it is."

PROTOBUF = (".pb", ".binpb", ".bin", ".proto", ".protobuf")


class Item(NamedTuple):
    """One value of a file, and where it stands.

    `raw` is its JSON where it was a text of its own; empty for a row of a table.
    """

    where: str
    value: Any
    raw: str = ""


def items(path: str | os.PathLike[str]) -> Iterator[Item]:
    """Yield the values of a file; JSONL and CSV are read line by line, the items of a JSON list one by one.

    A list in a JSON file is a list of items. A JSON file may hold one value after another, as consoles
    and collectors write them. Any text may be gzipped.

    Raises:
        TraceFormatError: It is missing, not UTF-8, too large or not of the form that its name says.
        MissingExtra: Parquet, and Polars is not installed.
    """
    where = os.fspath(path)
    suffix = _suffix(where)
    try:
        if suffix in (".jsonl", ".ndjson"):
            yield from _lines(path)
        elif suffix in (".csv", ".tsv"):
            yield from _table(path, tabs=suffix == ".tsv")
        elif suffix in (".parquet", ".pq"):
            yield from _parquet(path)
        else:
            yield from _values(path)
    except LineFault as fault:
        raise TraceFormatError(fault.what, where=f"{where}:{fault.line}", fix=fault.fix) from fault


def messages(path: str | os.PathLike[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the protobuf messages of a file: the whole of it, or each with its length before it.

    The collector's file exporter writes the length, four bytes, before each message.
    """
    where = os.fspath(path)
    with opened(path, TraceFormatError) as stream:
        body = stream.read(LARGEST + 1)
    if len(body) > LARGEST:
        raise too_big(where, LARGEST, TraceFormatError)
    places, at = list[tuple[int, int]](), 0
    while at + 4 <= len(body):
        end = at + 4 + int.from_bytes(body[at : at + 4], "big")
        places.append((at + 4, end))
        at = end
    if at == len(body) and places:
        for number, (start, end) in enumerate(places, 1):
            yield f"{where}: message {number}", body[start:end]
    else:
        yield where, body


def is_protobuf(path: str | os.PathLike[str]) -> bool:
    """Say whether a file's name says that it is protobuf."""
    return _suffix(os.fspath(path)) in PROTOBUF


def _suffix(name: str) -> str:
    return PurePath(PurePath(name).name.lower().removesuffix(".gz")).suffix


def _lines(path: str | os.PathLike[str]) -> Iterator[Item]:
    for line, text in numbered_lines(path, TraceFormatError):
        if text.strip():
            value, end = _decoded(text, 0, line)
            if text[end:].strip():
                raise LineFault("there is more after the JSON value", line=line)
            yield Item(f"{os.fspath(path)}:{line}", value, text)


def _values(path: str | os.PathLike[str]) -> Iterator[Item]:
    text = whole_text(path, TraceFormatError, limit=LARGEST)
    where = os.fspath(path)
    if not text.strip():
        raise TraceFormatError("the file is empty", where=where)
    at, line = len(text) - len(text.lstrip()), 1
    line += text.count("\n", 0, at)
    while at < len(text):
        if text[at] == "[":
            end = yield from _elements(text, at, line, where)
        else:
            value, end = _decoded(text, at, line)
            yield Item(f"{where}:{line}", value, text[at:end])
        end = _past(text, end)
        line += text.count("\n", at, end)
        at = end


def _elements(text: str, at: int, line: int, where: str) -> Generator[Item, None, int]:
    """Yield the values of a list one by one, so that they are never held together; return where it ends."""
    began, number, closed = line, 0, True
    place = _past(text, at + 1)
    line += text.count("\n", at, place)
    while text[place : place + 1] != "]" or not closed:
        value, end = _decoded(text, place, line)
        number += 1
        yield Item(f"{where}:{began}: item {number}", value, text[place:end])
        after = _past(text, end)
        closed = text[after : after + 1] != ","
        if closed and text[after : after + 1] != "]":
            early = after >= len(text)
            raise LineFault(
                "not JSON: the text ends too early"
                if early
                else "not JSON: Expecting ',' delimiter",
                line=line + text.count("\n", place, after),
                fix=_NAMED_BY,
            )
        after = after if closed else _past(text, after + 1)
        line += text.count("\n", place, after)
        place = after
    return place + 1


def _past(text: str, at: int) -> int:
    """Return where what follows white space begins."""
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _table(path: str | os.PathLike[str], *, tabs: bool) -> Iterator[Item]:
    for line, row in table.items(_named(numbered_lines(path, TraceFormatError)), tabs=tabs):
        yield Item(f"{os.fspath(path)}:{line}", row)


def _parquet(path: str | os.PathLike[str]) -> Iterator[Item]:
    polars = need("polars", extra="tables")
    where = os.fspath(path)
    with opened(path, TraceFormatError) as stream:
        try:
            frame = polars.read_parquet(stream)
            times = [name for name, kind in frame.schema.items() if kind == polars.Datetime]
            frame = frame.with_columns(polars.col(name).dt.epoch("ns") for name in times)
        except (Exception, polars.exceptions.PanicException) as fault:
            # Polars panics, outside `Exception`, on some damaged files.
            first = (str(fault).splitlines() or [repr(fault)])[0]
            raise TraceFormatError(
                f"not Parquet that can be read: {first[:200]}", where=where
            ) from fault
    for number, row in enumerate(frame.iter_rows(named=True), 1):
        # NaN is how pandas marks what is missing.
        kept = {
            name: plain(each)
            for name, each in row.items()
            if not (isinstance(each, float) and math.isnan(each))
        }
        yield Item(f"{where}: row {number}", kept)


def _named(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    # pandas writes its index under a column without a name, which a table must have.
    for line, text in lines:
        yield line, f"index{text}" if line == 1 and text[:1] in (",", "\t", ";") else text


def _decoded(text: str, at: int, line: int) -> tuple[Any, int]:
    start = _past(text, at)
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as fault:
        early = fault.pos >= len(text.rstrip())
        raise LineFault(
            "not JSON: the text ends too early" if early else f"not JSON: {fault.msg}",
            line=line + text.count("\n", at, fault.pos),
            fix=_NAMED_BY,
        ) from fault
    except RecursionError as fault:
        raise LineFault("not JSON that can be read: it nests too deep", line=line) from fault


def _integer(digits: str) -> int | str:
    # Ids of 128 bits are whole numbers in some dumps.
    return int(digits) if len(digits) <= 40 else whole(digits)


_DECODER = json.JSONDecoder(parse_int=_integer, parse_constant=str)
