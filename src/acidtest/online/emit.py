"""Sending results back to where traces live: `gen_ai.evaluation.result` events over OTLP/HTTP.

For each trace that was scored one span goes out, linked to the trace, with an event a metric. Its ids are
made from the trace's, so that sending it twice makes no second. Whoever scores never waits for it: what
cannot be sent is tried again, then counted and dropped.
"""

import asyncio
import hashlib
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from acidtest.codec.lossy import encoded
from acidtest.data.outcomes import Failure, Outcome, Score
from acidtest.data.traces import Trace
from acidtest.online.assemble import OUR_SCOPE
from acidtest.online.spend import Clock

_MOST = 1_000
"""Traces whose results may wait to be sent."""

_TRIES = 4
_PAUSE_S = 0.5
_TIMEOUT_S = 10.0
_CLOSING_S = 15.0
_REASON = 500
"""Characters of an explanation that are sent."""

_INTERNAL = 1
_HEX = frozenset("0123456789abcdef")


class Emitter:
    """Sends results to one address; use it as an async context.

    Args:
        url: The address; where it has no path, `/v1/traces` is put behind it.
        clock: Tells the time.

    Attributes:
        sent: Traces whose results arrived.
        failed: Traces whose results did not: dropped after some tries, refused, or too many waited.
    """

    def __init__(self, url: str, clock: Clock) -> None:
        bare = urlsplit(url).path in ("", "/")
        self._url = f"{url.rstrip('/')}/v1/traces" if bare else url
        self._clock = clock
        self._waiting: asyncio.Queue[bytes] = asyncio.Queue(_MOST)
        self._task: asyncio.Task[None] | None = None
        self.sent = 0
        self.failed = 0

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._work())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def drained(self) -> None:
        """Wait until all is sent, for some seconds at most; what is left counts as failed."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._waiting.join(), _CLOSING_S)
        while not self._waiting.empty():
            self._waiting.get_nowait()
            self.failed += 1

    def offer(self, trace: Trace, digest: str, scores: Mapping[str, Outcome]) -> None:
        """Send the results of a trace when there is time; never waits, never raises."""
        body = request(trace, digest, scores, self._clock())
        if body is None:
            return  # ids that OTLP does not have: the trace came from a file
        try:
            self._waiting.put_nowait(body)
        except asyncio.QueueFull:
            self.failed += 1

    async def _work(self) -> None:
        import aiohttp

        timeout = aiohttp.ClientTimeout(total=_TIMEOUT_S)
        async with aiohttp.ClientSession(timeout=timeout) as session:
            while True:
                body = await self._waiting.get()
                try:
                    arrived = await self._sent(session, body)
                finally:
                    self._waiting.task_done()
                self.sent += arrived
                self.failed += not arrived

    async def _sent(self, session: Any, body: bytes) -> bool:
        import aiohttp

        headers = {"Content-Type": "application/json"}
        for attempt in range(_TRIES):
            if attempt:
                await asyncio.sleep(_PAUSE_S * 2 ** (attempt - 1))
            try:
                # Results quote answers: where they go is not for whoever answers there to say.
                async with session.post(
                    self._url, data=body, headers=headers, allow_redirects=False
                ) as reply:
                    if reply.status < 300:
                        return True
                    if reply.status not in (408, 429) and reply.status < 500:
                        return False
            except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
                continue
        return False


def request(trace: Trace, digest: str, scores: Mapping[str, Outcome], now_ms: int) -> bytes | None:
    """Return the OTLP JSON of a trace's results; None where the trace's id is not OTLP's.

    Args:
        trace: Which was scored.
        digest: Of what was scored: another one is another result.
        scores: By metric.
        now_ms: The time.
    """
    if not _is_id(trace.id, 32):
        return None
    own = hashlib.sha256(f"{OUR_SCOPE}:{trace.id}:{digest}".encode()).hexdigest()
    link = {"traceId": trace.id}
    linked = [g.span_id for g in reversed(trace.generations)] + [s.span_id for s in trace.steps]
    span_id = next((i for i in linked if _is_id(i, 16)), None)
    link["spanId"] = span_id or own[32:48]
    nanos = str(now_ms * 1_000_000)
    span = {
        "traceId": own[:32],
        "spanId": own[32:48],
        "name": "evaluate",
        "kind": _INTERNAL,
        "startTimeUnixNano": nanos,
        "endTimeUnixNano": nanos,
        "attributes": [_attribute("gen_ai.operation.name", "evaluate")],
        "links": [link],
        "events": [
            {
                "name": "gen_ai.evaluation.result",
                "timeUnixNano": nanos,
                "attributes": _attributes(name, outcome),
            }
            for name, outcome in scores.items()
        ],
    }
    scope = {"scope": {"name": OUR_SCOPE}, "spans": [span]}
    resource = {"attributes": [_attribute("service.name", "acidtest")]}
    return encoded({"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]})


def _attributes(name: str, outcome: Outcome) -> list[dict[str, Any]]:
    found = [_attribute("gen_ai.evaluation.name", name)]
    if isinstance(outcome, Score):
        found.append(_attribute("gen_ai.evaluation.score.value", outcome.value))
        if outcome.reason:
            found.append(_attribute("gen_ai.evaluation.explanation", outcome.reason[:_REASON]))
        return found
    label = "failed" if isinstance(outcome, Failure) else "not applicable"
    found.append(_attribute("gen_ai.evaluation.score.label", label))
    found.append(_attribute("gen_ai.evaluation.explanation", outcome.why[:_REASON]))
    if isinstance(outcome, Failure):
        found.append(_attribute("error.type", "_OTHER"))
    return found


def _attribute(key: str, value: str | float) -> dict[str, Any]:
    kind = "stringValue" if isinstance(value, str) else "doubleValue"
    return {"key": key, "value": {kind: value}}


def _is_id(text: str, digits: int) -> bool:
    return len(text) == digits and _HEX.issuperset(text) and set(text) != {"0"}
