"""How much waits in a store: counted, for whoever watches it."""

from typing import NamedTuple

from sqlalchemy import func, select

from acidtest.store.database import Database
from acidtest.store.trace_tables import pending_traces, trace_jobs


class Depth(NamedTuple):
    """What waits: traces to be assembled, those of them that are due, and jobs by their state."""

    pending: int
    due: int
    jobs: dict[str, int]


class Depths(Database):
    """The queues of one store. Methods raise `StoreError` when it fails."""

    def read(self, *, now_ms: int) -> Depth:
        """Count what waits.

        Args:
            now_ms: The time in milliseconds since 1970.
        """
        due = func.count().filter(pending_traces.c.due <= now_ms)
        counted = select(func.count().label("all"), due.label("due")).select_from(pending_traces)
        row = self._rows(counted)[0]
        states = select(trace_jobs.c.state, func.count().label("n")).group_by(trace_jobs.c.state)
        jobs = {each["state"]: int(each["n"]) for each in self._rows(states)}
        return Depth(int(row["all"]), int(row["due"]), jobs)

    def ping(self) -> None:
        """Read one thing: it raises when the store is not there."""
        self._rows(select(func.count()).select_from(select(trace_jobs.c.state).limit(1).subquery()))
        self._place.check()
