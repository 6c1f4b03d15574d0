"""The formats of trace files: told from what a file holds, and read as spans."""

import json
import os
from collections.abc import Iterator
from itertools import chain
from typing import Any

from acidtest.codec.rows.row import kind
from acidtest.data.spans import Arrivals, Span
from acidtest.errors import TraceFormatError, UnknownName
from acidtest.text.surrogates import without_halves
from acidtest.tracing.files.bare import BARE
from acidtest.tracing.files.deepeval import DEEPEVAL
from acidtest.tracing.files.format import Refused, TraceFormat
from acidtest.tracing.files.langfuse import LANGFUSE
from acidtest.tracing.files.langsmith import LANGSMITH
from acidtest.tracing.files.otel import OTEL
from acidtest.tracing.files.phoenix import PHOENIX
from acidtest.tracing.files.source import Item, is_protobuf, items, messages
from acidtest.tracing.files.trulens import TRULENS
from acidtest.tracing.files.vercel import VERCEL
from acidtest.tracing.otlp.open import gathered
from acidtest.tracing.otlp.receive import read_json, read_protobuf

OTLP = "otlp"
_OURS = (LANGFUSE, LANGSMITH, TRULENS, DEEPEVAL, VERCEL, PHOENIX, OTEL, BARE)
_BY_NAME = {each.name: each for each in _OURS}

FORMATS: dict[str, str] = {
    OTLP: "OTLP: export requests as JSON, JSONL (the collector's file exporter) or protobuf (.pb)",
    **{each.name: each.title for each in _OURS},
}
"""Name -> what it is."""

_BATCH = 500
_BATCH_SIZE = 4 * 2**20
"""Characters of lines that are held at a time, as far as whole lines allow."""

_ID = 64


def read_traces(path: str | os.PathLike[str], format: str | None = None) -> Iterator[Arrivals]:  # noqa: A002 - what the user calls it
    """Read the spans of a trace file, some hundreds at a time.

    What is no span is counted in the `Arrivals` with the place and the reason of the first; the others
    are read. JSONL, CSV and TSV are read line by line, any other file whole (up to 512 MB).

    Args:
        path: The file; text may be gzipped. Its name's ending tells JSON from JSONL, tables and protobuf.
        format: A name of `FORMATS`; None tells it from the first item.

    Raises:
        TraceFormatError: The file is missing or damaged, of no known format, or nothing in it is a span.
        UnknownName: There is no format of that name.
        MissingExtra: Protobuf without opentelemetry-proto, or Parquet without Polars.
    """
    if format is not None and format not in FORMATS:
        raise UnknownName("format of traces", format, FORMATS)
    found = _protobuf(path) if is_protobuf(path) else _items(path, format)
    taken = refused = 0
    why = ""
    for arrivals in found:
        taken += len(arrivals.spans)
        refused += arrivals.refused
        why = why or arrivals.why
        yield arrivals
    if not taken:
        raise TraceFormatError(
            f"nothing in it is a span; {_after(why, path)}" if refused else "it holds no span",
            where=os.fspath(path),
            fix="Check that it is the export of whole traces, with their ids.",
        )


def _after(why: str, path: str | os.PathLike[str]) -> str:
    """Return a place and reason without the file's name, which the message has already."""
    rest = why.removeprefix(os.fspath(path))
    return f"line {rest[1:]}" if rest[1:2].isdigit() else rest.removeprefix(": ")


def _protobuf(path: str | os.PathLike[str]) -> Iterator[Arrivals]:
    for where, body in messages(path):
        yield _placed(read_protobuf, body, where)


def _items(path: str | os.PathLike[str], name: str | None) -> Iterator[Arrivals]:
    source = items(path)
    first = next(source, None)
    if first is None:
        raise TraceFormatError("the file is empty", where=os.fspath(path))
    name = name or _told(first)
    source = chain((first,), source)
    if name == OTLP:
        for item in source:
            yield _request(item)
    else:
        yield from _batches(source, _BY_NAME[name])


def _told(item: Item) -> str:
    """Return the name of the format that an item looks like.

    Raises:
        TraceFormatError: It looks like none.
    """
    if isinstance(item.value, dict):
        if "resourceSpans" in item.value or "resource_spans" in item.value:
            return OTLP
        for each in _OURS:
            if each.fits(item.value):
                return each.name
        names = [repr(str(key)[:40]) for key in list(item.value)[:6]]
        what = f"a mapping with {', '.join(names) or 'nothing'}"
    else:
        what = kind(item.value)
    raise TraceFormatError(
        f"this is no trace of a known format: {what}",
        where=item.where,
        fix=f"Known: {', '.join(FORMATS)}. If it is one of them all the same, name it (--from).",
    )


def _request(item: Item) -> Arrivals:
    if not isinstance(item.value, dict):
        return Arrivals([], {}, 1, f"{item.where}: it is {kind(item.value)}, not an export request")
    body = (item.raw or json.dumps(item.value)).encode()
    return _placed(read_json, body, item.where)


def _placed(read: Any, body: bytes, where: str) -> Arrivals:
    """Read a request, with the file's place before what is refused."""
    try:
        arrivals: Arrivals = read(body)
    except TraceFormatError as fault:
        raise TraceFormatError(fault.what, where=where, fix=fault.fix) from fault
    return arrivals._replace(why=f"{where}: {arrivals.why}") if arrivals.why else arrivals


def _batches(source: Iterator[Item], form: TraceFormat) -> Iterator[Arrivals]:
    spans, refused, why, size = list[Span](), 0, "", 0
    broken: TraceFormatError | None = None
    for item in _until_broken(source):
        if isinstance(item, TraceFormatError):
            broken = item
            break
        size += len(item.raw)
        for found in _read(item, form):
            fault = found.why if isinstance(found, Refused) else _fault(found)
            if isinstance(found, Span) and fault is None:
                spans.append(found)
            else:
                refused += 1
                why = why or f"{item.where}: {fault}"
        if len(spans) + refused >= _BATCH or size >= _BATCH_SIZE:
            yield gathered(spans, refused, why)
            spans, refused, why, size = [], 0, "", 0
    if spans or refused:
        yield gathered(spans, refused, why)
    if broken is not None:
        raise broken


def _until_broken(source: Iterator[Item]) -> Iterator[Item | TraceFormatError]:
    """Yield what a file holds, and at last why it breaks off, if it does: what came before is kept."""
    try:
        yield from source
    except TraceFormatError as fault:
        yield fault


def _read(item: Item, form: TraceFormat) -> Iterator[Span | Refused]:
    if not isinstance(item.value, dict):
        yield Refused(f"it is {kind(item.value)}, not a mapping")
    elif not form.fits(item.value):
        yield Refused(f"it does not look like {form.name}")
    else:
        yield from form.spans(item.value)


def _fault(span: Span) -> str | None:
    """Say what is wrong with a span's ids: the store looks them up, and holds 64 characters."""
    for name, given in (("trace id", span.trace_id), ("span id", span.span_id)):
        if not given or len(given) > _ID:
            return f"it has a {name} of {len(given)} characters; from 1 to {_ID} can be kept"
    for given in (span.trace_id, span.span_id, span.parent_id or ""):
        if "\0" in given or without_halves(given) != given:
            return "it has an id with characters that cannot be kept"
    return "it has a parent id that is too long" if len(span.parent_id or "") > _ID else None
