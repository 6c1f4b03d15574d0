"""`POST /v1/traces`: OTLP over HTTP, protobuf or JSON, stored before it is acknowledged.

The specification of OTLP says which answers a client may try again after: 429, 502, 503 and 504. So what
may pass (no room, a full disk, a locked store) is 503 with Retry-After, and what would fail again is not.
"""

import asyncio
import time
from collections.abc import Callable

from acidtest.data.spans import Arrivals
from acidtest.errors import StoreError, TraceFormatError
from acidtest.server.asgi import Receive, Scope, Send, header, respond
from acidtest.server.bodies import Gone, read_body
from acidtest.server.counters import Counters
from acidtest.server.held import Held
from acidtest.server.ingest import Ingest
from acidtest.server.refusal import INTERNAL, INVALID_ARGUMENT, UNAVAILABLE, Refused
from acidtest.server.replies import CONTENT_TYPES, Encoding, status, taken
from acidtest.server.room import Room
from acidtest.server.settings import Settings
from acidtest.tracing.otlp.receive import read_json, read_protobuf

PATH = "/v1/traces"

_LARGE = 1 << 20
"""A body from here on is decoded in a thread, so that others have their turns meanwhile."""

_RETRY_S = 5
"""When to come back after a fault of the store."""

Redact = Callable[[Arrivals], Arrivals]
"""Takes out what must not be stored, or refuses spans in which it cannot."""

_READERS: dict[Encoding, Callable[[bytes], Arrivals]] = {
    "protobuf": read_protobuf,
    "json": read_json,
}


class Receiver:
    """Takes export requests.

    Args:
        settings: The server's limits.
        room: The memory that all requests share.
        ingest: Where spans go.
        counters: Where requests and spans are counted.
        redact: Applied to spans before they are stored; None stores them as they came.
    """

    def __init__(
        self,
        settings: Settings,
        room: Room,
        ingest: Ingest,
        counters: Counters,
        redact: Redact | None = None,
    ) -> None:
        self._settings = settings
        self._room = room
        self._ingest = ingest
        self._counters = counters
        self._redact = redact

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        began = time.perf_counter()
        encoding: Encoding = "json"
        headers: list[tuple[bytes, bytes]] = []
        self._counters.in_flight += 1
        try:
            encoding = _encoding(scope)
            with Held(self._room, self._settings.patience_s) as held:
                arrivals = await self._take(scope, receive, encoding, held)
            code, body = 200, taken(encoding, arrivals.refused, arrivals.why)
        except Refused as refused:
            code, body = refused.status, status(encoding, refused.code, refused.message)
            if refused.retry_s is not None:
                headers.append((b"retry-after", str(refused.retry_s).encode()))
            headers.extend(_HINTS.get(code, ()))
        except Gone:
            return
        finally:
            self._counters.in_flight -= 1
        self._counters.exported(code, time.perf_counter() - began)
        await respond(send, code, body, CONTENT_TYPES[encoding], headers)

    async def _take(
        self, scope: Scope, receive: Receive, encoding: Encoding, held: Held
    ) -> Arrivals:
        body = await read_body(
            receive,
            length=_length(scope),
            packed=_packed(scope),
            settings=self._settings,
            held=held,
        )
        arrivals = await _decoded(body, encoding)
        del body  # the spans hold what is needed of it
        if self._redact is not None:
            arrivals = await asyncio.to_thread(self._redact, arrivals)
        if arrivals.spans:
            try:
                await self._ingest.put(arrivals)
            except StoreError as error:
                raise _not_stored(error) from error
        self._counters.took(len(arrivals.spans), arrivals.refused)
        return arrivals


_HINTS: dict[int, list[tuple[bytes, bytes]]] = {
    405: [(b"allow", b"POST")],
    415: [(b"accept-encoding", b"gzip"), (b"accept", b", ".join(CONTENT_TYPES.values()))],
}


def _encoding(scope: Scope) -> Encoding:
    if scope["method"] != "POST":
        raise Refused(405, INVALID_ARGUMENT, "send traces with POST")
    told = (header(scope, b"content-type") or b"").partition(b";")[0].strip().lower()
    for encoding, content_type in CONTENT_TYPES.items():
        if told == content_type:
            return encoding
    raise Refused(
        415, INVALID_ARGUMENT, "Content-Type must be application/x-protobuf or application/json"
    )


def _packed(scope: Scope) -> bool:
    told = (header(scope, b"content-encoding") or b"identity").strip().lower()
    if told not in (b"gzip", b"identity"):
        raise Refused(415, INVALID_ARGUMENT, "Content-Encoding must be gzip, or not there")
    return told == b"gzip"


def _length(scope: Scope) -> int | None:
    told = header(scope, b"content-length")
    return int(told) if told is not None and told.isdigit() else None


async def _decoded(body: bytes, encoding: Encoding) -> Arrivals:
    read = _READERS[encoding]
    try:
        return await asyncio.to_thread(read, body) if len(body) >= _LARGE else read(body)
    except TraceFormatError as error:
        raise Refused(400, INVALID_ARGUMENT, error.what) from error


def _not_stored(error: StoreError) -> Refused:
    # What the database says stays here: it may name files and hosts.
    if error.passing:
        return Refused(503, UNAVAILABLE, "the store cannot take spans now; try again", _RETRY_S)
    return Refused(500, INTERNAL, "the store is broken; see the server's log")
