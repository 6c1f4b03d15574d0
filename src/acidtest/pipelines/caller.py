"""One call of a pipeline's function, whatever its kind: run, awaited, drained, read, timed.

Sync code runs in a daemon thread and its result is read there too, since reading can run code of the
pipeline (lazy contexts, properties). Async code runs in the event loop. Both see the caller's context
variables.
"""

import asyncio
import inspect
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from acidtest.aside import Raised
from acidtest.data.answers import Answer
from acidtest.data.golden import Case
from acidtest.errors import PipelineError
from acidtest.pipelines.calls import Call
from acidtest.pipelines.lookup import MISSING
from acidtest.pipelines.normalise import native_contexts, to_answer, to_ranking
from acidtest.pipelines.passage import Passage
from acidtest.pipelines.streams import Stream, drain, drain_async, is_async_stream, is_stream
from acidtest.pipelines.threads import Threads
from acidtest.pipelines.trace import raised


@dataclass(frozen=True)
class Given:
    """What one call gave.

    `native` are a retriever's contexts as it returned them, for its own generator; `ms` is the time
    of the call alone, without the reading.
    """

    call: Call
    native: Any
    answer: Answer
    ms: float


@dataclass(frozen=True)
class _Pending:
    """A sync function returned something that only the event loop can finish."""

    value: Any
    ms: float


class Caller:
    """Calls the functions of one pipeline.

    Args:
        where: The pipeline, for messages.
        k: Handed to those that take it, when it is set.
    """

    def __init__(self, where: str, k: int | None) -> None:
        self._where = where
        self._k = k
        self._threads: Threads[Given | _Pending] = Threads(where)

    async def answer(self, call: Call, case: Case, *, contexts: Any = None) -> Given:
        """Ask for an answer.

        Raises:
            PipelineError: It raised, or what it returned is no answer.
        """
        return await self._run(call, case, contexts, ranking=False)

    async def ranking(self, call: Call, case: Case) -> Given:
        """Ask for contexts.

        Raises:
            PipelineError: It raised, or what it returned are no contexts.
        """
        return await self._run(call, case, None, ranking=True)

    async def _run(self, call: Call, case: Case, contexts: Any, *, ranking: bool) -> Given:
        args, named = call.arguments(case, contexts=contexts, k=self._k)

        def read(value: Any, ms: float) -> Given:
            return self._read(call, case, value, ms, ranking=ranking)

        def work() -> Given | _Pending:
            start = time.perf_counter()
            value = call.fn(*args, **named)
            if inspect.isawaitable(value) or is_async_stream(value):
                return _Pending(value, _since(start))
            if is_stream(value):
                value = drain(value, contexts=ranking)
            return read(value, _since(start))

        if call.is_async:
            return await self._in_loop(call, read, lambda: call.fn(*args, **named), ranking=ranking)
        got = await self._threads.call(work)
        if isinstance(got, _Pending):
            value, ms = got.value, got.ms
            return await self._in_loop(call, read, lambda: value, spent=ms, ranking=ranking)
        if isinstance(got, Raised):
            raise self._failed(call, got.error)
        return got

    async def _in_loop(
        self,
        call: Call,
        read: Callable[[Any, float], Given],
        begin: Callable[[], Any],
        *,
        ranking: bool,
        spent: float = 0.0,
    ) -> Given:
        start = time.perf_counter()
        try:
            value = begin()
            if inspect.isawaitable(value):
                value = await value
            if is_async_stream(value):
                value = await drain_async(value, contexts=ranking)
            elif is_stream(value):
                value = drain(value, contexts=ranking)
            return read(value, spent + _since(start))
        except (asyncio.CancelledError, GeneratorExit):
            raise
        except BaseException as error:  # noqa: BLE001 - whatever it raises fails its case
            failed = self._failed(call, error)
        raise failed

    def _read(self, call: Call, case: Case, value: Any, ms: float, *, ranking: bool) -> Given:
        where = f"{self._where}: {call.label}"
        if ranking:
            items = value.items if isinstance(value, Stream) else value
            answer = to_ranking(items, where=where)
            native = native_contexts(items)
            if is_stream(native):  # reading it has used it up
                native = [Passage(chunk) for chunk in answer.retrieved or ()]
            return Given(call, native, answer, ms)
        spoken = None
        if isinstance(value, Stream):
            value, spoken = _joined(value)
        return Given(call, None, to_answer(value, case.id, where=where, spoken=spoken), ms)

    def _failed(self, call: Call, error: BaseException) -> BaseException:
        if isinstance(error, KeyboardInterrupt):
            return error
        if isinstance(error, PipelineError):
            error.where = error.where or f"{self._where}: {call.label}"
            return error
        return raised(error, call.label, where=self._where)


def _joined(stream: Stream) -> tuple[Any, str | None]:
    if stream.last is MISSING:
        return stream.text, None
    if isinstance(stream.last, list):
        return (stream.text, stream.last), None
    return stream.last, stream.text if stream.pieces else None


def _since(start: float) -> float:
    return (time.perf_counter() - start) * 1000
