"""Trace files into the store: read, redacted, stored, and understood at once."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from acidtest.data.spans import Arrivals
from acidtest.errors import AcidtestError, UnknownName, UsageError
from acidtest.online.assemble import assemble_due
from acidtest.online.redact import Redaction
from acidtest.online.rooms import Rooms, open_rooms
from acidtest.project.config import Config
from acidtest.project.redaction import redaction_of
from acidtest.project.stores import store_url
from acidtest.store.trace_lookup import TraceLookup
from acidtest.tracing.files.registry import FORMATS, read_traces
from acidtest.tracing.files.source import PROTOBUF

_ENDINGS = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".pq", *PROTOBUF)
_LONGEST = 500


class ImportedFile(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What came of one file.

    Attributes:
        path: The file.
        spans: Spans that were read.
        new: Those of them that the store had not.
        refused: What could not be taken as a span.
        why: Place and reason of the first that was refused.
        error: Why the file could not be read, or not to its end.
    """

    path: str
    spans: int = 0
    new: int = 0
    refused: int = 0
    why: str = ""
    error: str = ""


class Imported(Struct, frozen=True, kw_only=True):
    """What came of an import; `traces` is how many were understood, new ones and those that got spans."""

    format: str = "acidtest/traces-import"
    version: int = 1
    traces: int
    files: tuple[ImportedFile, ...]


def import_traces(
    config: Config,
    files: Sequence[str],
    *,
    form: str | None = None,
    store: str | None = None,
    told: Callable[[ImportedFile], None] | None = None,
    under_way: Callable[[str], None] | None = None,
) -> Imported:
    """Put the spans of trace files into the store, and understand their traces at once.

    A file that cannot be read does not keep the others from being read. What the store has already is
    left alone: the same file twice changes nothing.

    Args:
        config: The configuration; `[online]` says what is redacted and which traces will be scored.
        files: Files and folders of these.
        form: The format of all of them; None tells it from each file.
        store: The store's URL.
        told: Called with what came of each file, once it is read.
        under_way: Called with how far it is, some hundred spans or some traces apart.

    Raises:
        UnknownName: There is no format of that name, or no such redaction.
        UsageError: A folder holds no trace file.
        StoreError: The store cannot be opened or written.
    """
    if form is not None and form not in FORMATS:
        raise UnknownName("format of traces", form, FORMATS)
    redaction = redaction_of(config)
    paths = [path for name in files for path in _files(name)]
    url = store_url(config, store)
    done: list[ImportedFile] = []
    with open_rooms(url) as rooms, TraceLookup(url) as lookup:
        for path in paths:
            done.append(_imported(path, form, redaction, rooms, lookup, under_way or _nobody))
            if told is not None:
                told(done[-1])
        # At the end, as a trace may stand in several files.
        understood = _understood(rooms, config, under_way or _nobody)
    return Imported(traces=understood, files=tuple(done))


def _imported(
    path: str,
    form: str | None,
    redaction: Redaction | None,
    rooms: Rooms,
    lookup: TraceLookup,
    under_way: Callable[[str], None],
) -> ImportedFile:
    spans = new = refused = 0
    why = error = ""
    for arrivals in _read(path, form):
        if isinstance(arrivals, AcidtestError):
            # It may quote what the file holds.
            error = _told(arrivals, redaction)
            break
        clean = redaction(arrivals) if redaction is not None else arrivals
        fresh = _fresh(clean, lookup)
        rooms.spans.add([fresh], now_ms=_now_ms(), quiet_ms=0, ended_ms=0)
        spans += len(clean.spans)
        new += len({(span.trace_id, span.span_id) for span in fresh.spans})
        refused += clean.refused
        why = why or clean.why[:_LONGEST]
        under_way(f"{path}: {spans:,} spans so far")
    if not spans and not error:
        error = f"{path}: none of its spans could be redacted"
    return ImportedFile(path=path, spans=spans, new=new, refused=refused, why=why, error=error)


def _read(path: str, form: str | None) -> Iterator[Arrivals | AcidtestError]:
    """Yield what a file brings, and at its end what is wrong with it; never the store's own errors."""
    try:
        yield from read_traces(path, form)
    except UsageError:
        raise  # no such format, or a package is missing: the same for every file
    except AcidtestError as error:
        yield error


def _told(error: AcidtestError, redaction: Redaction | None) -> str:
    if redaction is None:
        return str(error)
    try:
        return redaction.text(str(error))
    except Exception:  # noqa: BLE001 - whatever the user's function raises
        return f"{error.where}: it cannot be read" if error.where else "it cannot be read"


def _fresh(arrivals: Arrivals, lookup: TraceLookup) -> Arrivals:
    """Return what the store has not, or has from before it ended."""
    ends = lookup.ends(list({span.trace_id for span in arrivals.spans}))
    spans = [
        span
        for span in arrivals.spans
        if ends.get((span.trace_id, span.span_id), -1) < max(span.end_ns, 0)
    ]
    used = {span.origin for span in spans}
    origins = {key: body for key, body in arrivals.origins.items() if key in used}
    return arrivals._replace(spans=spans, origins=origins)


def _understood(rooms: Rooms, config: Config, under_way: Callable[[str], None]) -> int:
    done = 0
    while some := assemble_due(rooms, config.online, _now_ms()):
        done += some
        under_way(f"{done:,} traces understood so far")
    return done


def _nobody(line: str) -> None:
    """Tell nobody."""


def _files(name: str) -> Iterator[str]:
    path = Path(name)
    if not path.is_dir():
        yield name
        return
    found = sorted(
        os.fspath(each)
        for each in path.rglob("*")
        if each.is_file()
        and each.name.lower().removesuffix(".gz").endswith(_ENDINGS)
        and not any(part.startswith(".") for part in each.relative_to(path).parts)
    )
    if not found:
        raise UsageError(
            "the folder holds no trace file",
            where=name,
            fix=f"Trace files end in {', '.join(_ENDINGS)}, or in one of these and .gz.",
        )
    yield from found


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
