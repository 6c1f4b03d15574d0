"""Deleting live traces, those too that were not understood yet."""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from acidtest.errors import UnknownName
from acidtest.online.pending import pending_of
from acidtest.online.rooms import open_rooms
from acidtest.project.config import Config
from acidtest.project.traces import NO_SUCH, opened_traces
from acidtest.store.trace_lookup import Held, TraceLookup, Which
from acidtest.store.traces import TraceStore

_ALIKE = 4
"""Characters in which ids are alike enough to be suggested."""


class Doomed(Struct, frozen=True, kw_only=True):
    """What is to be deleted: `held` is how much; `pending` are ids that nothing else in `which` reaches."""

    which: Which
    held: Held
    pending: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Say whether there is anything."""
        return self.held != Held()


def doomed(config: Config, which: Which, store: str | None = None) -> Doomed:
    """Return what would go with some traces.

    Of users and sessions the traces that wait to be understood are looked into.

    Raises:
        UsageError: There is no store yet.
        UnknownName: A trace is named that is not there.
        MissingExtra: Spans are protobuf, and the package that reads them is not installed.
    """
    with _opened(config, store) as (traces, lookup):
        for trace_id in which.trace_ids:
            if lookup.held(Which(trace_ids=(trace_id,))) == Held():
                alike = lookup.beginning(trace_id[:_ALIKE])
                raise UnknownName("trace", trace_id, alike, fix=NO_SUCH)
        held = lookup.held(which)
        if not (which.sessions or which.users):
            return Doomed(which=which, held=held)
        with open_rooms(traces.url) as rooms:
            found = list(pending_of(rooms, sessions=which.sessions, users=which.users))
        pending = tuple(lookup.others(which, found))
        if pending:
            more = lookup.held(Which(trace_ids=pending))
            names = Held.__struct_fields__
            held = Held(**{name: getattr(held, name) + getattr(more, name) for name in names})
        return Doomed(which=which, held=held, pending=pending)


def delete_traces(config: Config, given: Doomed, store: str | None = None) -> int:
    """Delete traces with everything that was derived from them; return how many had been understood.

    Raises:
        UsageError: There is no store yet.
    """
    which = given.which
    with opened_traces(config, store) as traces:
        gone = traces.delete(given.pending) if given.pending else 0
        if which.before_ms is not None:
            return gone + traces.delete_older(which.before_ms)
        if which.trace_ids:
            return gone + traces.delete(which.trace_ids)
        gone += sum(traces.delete_session(name) for name in which.sessions)
        return gone + sum(traces.delete_user(name) for name in which.users)


@contextmanager
def _opened(config: Config, store: str | None) -> Iterator[tuple[TraceStore, TraceLookup]]:
    with opened_traces(config, store) as traces, TraceLookup(traces.url) as lookup:
        yield traces, lookup
