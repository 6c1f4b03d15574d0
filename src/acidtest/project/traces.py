"""Live traces in the store: finding, listing, looking into."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from msgspec import Struct

from acidtest.data.spans import Span
from acidtest.errors import UnknownName, UsageError
from acidtest.online.assemble import readable_spans
from acidtest.project.config import Config
from acidtest.project.redaction import redaction_of
from acidtest.project.stores import existing_url, store_url
from acidtest.store.spans import SpanStore
from acidtest.store.trace_filter import TraceFilter
from acidtest.store.trace_lookup import TraceLookup
from acidtest.store.trace_rows import StoredTrace
from acidtest.store.traces import TraceStore

_PAGE = 200
NO_SUCH = "No id begins so. See them with: acidtest traces list"
"""What helps whoever names a trace that is not there."""
_MOST_BYTES = 64 * 2**20
"""Bytes of one trace's spans that are read; what is larger is not understood either."""


class Looked(Struct, frozen=True, kw_only=True):
    """A trace with its spans; `unread` says why not all of them are there."""

    stored: StoredTrace
    spans: tuple[Span, ...]
    unread: str = ""


@contextmanager
def opened_traces(config: Config, given: str | None = None) -> Iterator[TraceStore]:
    """Open the traces of a store that is there.

    Raises:
        UsageError: There is no store yet.
        StoreError: It cannot be opened.
    """
    url = existing_url(config, given)
    if url is None:
        raise UsageError(
            "the store holds no trace yet",
            fix="Import some (acidtest traces import FILE), or take them live (acidtest serve).",
        )
    with TraceStore(url) as store:
        yield store


def each_trace(
    config: Config,
    chosen: TraceFilter,
    *,
    limit: int | None = None,
    store: str | None = None,
) -> Iterator[StoredTrace]:
    """Yield traces with their scores, the newest first; none where there is no store.

    Args:
        config: The configuration.
        chosen: Which.
        limit: How many at most.
        store: The store's URL.
    """
    url = existing_url(config, store)
    if url is None:
        return
    with TraceStore(url) as traces:
        for n, stored in enumerate(traces.each(chosen, at_once=min(limit or _PAGE, _PAGE)), 1):
            yield stored
            if n == limit:
                return


def names_of(config: Config, name: str | None) -> tuple[str, ...]:
    """Return how a user or session may be kept: as named, and hashed where ids are hashed."""
    if name is None:
        return ()
    redaction = redaction_of(config) if config.online.hash_users else None
    return tuple(dict.fromkeys((name, redaction.hashed(name) if redaction else name)))


def kept_as(config: Config, name: str | None) -> str | None:
    """Return how a user or session that comes now would be kept."""
    return names_of(config, name)[-1] if name is not None else None


def find_traces(
    config: Config, names: Sequence[str], store: str | None = None
) -> list[StoredTrace]:
    """Return traces by their ids, or by beginnings that are only theirs; each once, in the order named.

    Raises:
        UnknownName: There is no such trace, or several begin so.
        UsageError: There is no store yet.
    """
    with opened_traces(config, store) as traces, TraceLookup(traces.url) as lookup:
        found = traces.get(list(names))
        known = [name if name in found else _begun(lookup, name) for name in names]
        found |= traces.get([name for name in known if name not in found])
        return [found[name] for name in dict.fromkeys(known)]


def look(config: Config, name: str, store: str | None = None) -> Looked:
    """Return a trace with its spans, as far as they can be held at once.

    Raises:
        UnknownName: There is no such trace.
        UsageError: There is no store yet.
        MissingExtra: Its spans are protobuf, and the package that reads them is not installed.
    """
    (stored,) = find_traces(config, [name], store)
    unread = ""
    with SpanStore(store_url(config, store)) as kept:
        some, left_out = kept.first_of(stored.trace.id, most_bytes=_MOST_BYTES)
        if left_out:
            unread = f"{left_out:,} of its spans are too many, or too large, to be shown"
    spans, refused = readable_spans(some)
    return Looked(stored=stored, spans=tuple(spans), unread=unread or refused)


def _begun(lookup: TraceLookup, name: str) -> str:
    begun = lookup.beginning(name)
    if len(begun) != 1:
        raise UnknownName("trace", name, begun, fix=NO_SUCH)
    return begun[0]
