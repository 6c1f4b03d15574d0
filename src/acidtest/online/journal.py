"""Verdicts on live traces: kept like those of runs, and noted by the traces that they quote.

So what a judge said of a trace goes when the trace is deleted, also if the worker died before the trace's
scores were stored.
"""

from datetime import UTC, datetime

from acidtest.online.rooms import Rooms
from acidtest.online.spend import Clock
from acidtest.store.verdict_groups import VerdictGroups

_Row = tuple[str, str, str, bytes]


class Journals(VerdictGroups[_Row]):
    """The journals of the traces of one store; use it as an async context.

    Args:
        rooms: The store's.
        clock: Tells the time.
    """

    def __init__(self, rooms: Rooms, clock: Clock) -> None:
        super().__init__(rooms.verdicts.verdicts, self._commit)
        self._rooms = rooms
        self._clock = clock

    def of(self, trace_id: str) -> "TraceJournal":
        """Return the journal of one trace."""
        return TraceJournal(self, trace_id)

    def _commit(self, rows: list[_Row]) -> None:
        moment = datetime.fromtimestamp(self._clock() / 1000, UTC)
        self._rooms.jobs.keep_verdicts(rows, created=moment.isoformat(timespec="seconds"))


class TraceJournal:
    """The journal of one trace (`ports.Journal`); `used` are the keys of the verdicts that it gave out."""

    def __init__(self, journals: Journals, trace_id: str) -> None:
        self._journals = journals
        self._trace_id = trace_id
        self.used: set[str] = set()

    async def get(self, key: str) -> bytes | None:
        """Return the verdict that is kept under a key."""
        body = await self._journals.get(key)
        if body is not None:
            self.used.add(key)
        return body

    async def put(self, key: str, model: str, body: bytes) -> None:
        """Keep a verdict; it is on disk when this returns, unless the trace was deleted.

        Raises:
            StoreError: The database could not take it.
        """
        await self._journals.keep((self._trace_id, key, model, body))
        self.used.add(key)
