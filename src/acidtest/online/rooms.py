"""The rooms of one store that live traces go through: spans, traces, queue, spending, verdicts."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from acidtest.store.single_verdicts import SingleVerdicts
from acidtest.store.spans import SpanStore
from acidtest.store.spending import Spending
from acidtest.store.trace_jobs import TraceJobs
from acidtest.store.traces import TraceStore


@dataclass(frozen=True, kw_only=True)
class Rooms:
    """All of them, open."""

    spans: SpanStore
    traces: TraceStore
    jobs: TraceJobs
    spending: Spending
    verdicts: SingleVerdicts


@contextmanager
def open_rooms(url: str) -> Iterator[Rooms]:
    """Open the rooms of a store, making it where it is not there yet.

    Raises:
        StoreError: It cannot be opened.
    """
    with ExitStack() as stack:
        yield Rooms(
            spans=stack.enter_context(SpanStore(url)),
            traces=stack.enter_context(TraceStore(url)),
            jobs=stack.enter_context(TraceJobs(url)),
            spending=stack.enter_context(Spending(url)),
            verdicts=stack.enter_context(SingleVerdicts(url)),
        )
