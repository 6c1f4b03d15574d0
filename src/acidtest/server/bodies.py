"""Reading a request's body in bounded memory, whatever its headers say and however it unpacks."""

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from acidtest.server.held import Held
from acidtest.server.refusal import DEADLINE, INVALID_ARGUMENT, RESOURCES, Refused
from acidtest.server.settings import Settings

Receive = Callable[[], Awaitable[Any]]

_STEP = 1 << 18
"""Bytes that are unpacked at a time."""

_MOST_MEMBERS = 1_000
"""Pieces that a gzip may be made of: millions of empty ones unpack to nothing, and take long to do so."""

_GZIP = 31  # zlib's word for gzip with its header


class Gone(Exception):  # noqa: N818 - not an error of ours
    """The client went away."""


async def read_body(
    receive: Receive, *, length: int | None, packed: bool, settings: Settings, held: Held
) -> bytes:
    """Read a body and unpack it.

    Args:
        receive: ASGI's.
        length: What Content-Length says; None where it says nothing.
        packed: It is compressed with gzip.
        settings: The server's limits.
        held: The room that this request takes.

    Raises:
        Refused: It is too large, too slow, no gzip, or there is no room for it.
        Gone: The client went away.
    """
    if length is not None and length > settings.body_bytes:
        raise _too_large(settings)
    try:
        async with asyncio.timeout(settings.body_s) as limit:
            held.begin(length or 0, limit)
            try:
                return await _read(receive, settings, held, _Unpacker() if packed else None)
            finally:
                held.end()
    except TimeoutError:
        late = Refused(408, DEADLINE, "the body did not come in time")
        raise (held.too_slow() or late) from None


async def _read(
    receive: Receive, settings: Settings, held: Held, unpacker: "_Unpacker | None"
) -> bytes:
    parts: list[bytes] = []
    came = size = 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise Gone
        chunk: bytes = event.get("body", b"")
        came += len(chunk)
        if came > settings.body_bytes:
            raise _too_large(settings)
        if unpacker is None:
            await held.grow_to(came)
            parts.append(chunk)
        else:
            for part in unpacker.unpack(chunk):
                size += len(part)
                if size > settings.body_bytes:
                    raise _too_large(settings)
                await held.grow_to(size)
                parts.append(part)
        if not event.get("more_body", False):
            break
    if unpacker is not None:
        unpacker.end()
    return parts[0] if len(parts) == 1 else b"".join(parts)


class _Unpacker:
    """Gzip of one member or several, unpacked in steps: a bomb is seen while it is small."""

    def __init__(self) -> None:
        self._unzip = zlib.decompressobj(wbits=_GZIP)
        self._begun = False
        self._members = 1

    def unpack(self, chunk: bytes) -> Iterator[bytes]:
        while chunk:
            if self._unzip.eof:
                self._members += 1
                if self._members > _MOST_MEMBERS:
                    raise _no_gzip()
                self._unzip = zlib.decompressobj(wbits=_GZIP)
            self._begun = True
            try:
                part = self._unzip.decompress(chunk, _STEP)
            except zlib.error as error:
                raise _no_gzip() from error
            chunk = self._unzip.unconsumed_tail or self._unzip.unused_data
            yield part

    def end(self) -> None:
        if self._begun and not self._unzip.eof:
            raise _no_gzip()


def _no_gzip() -> Refused:
    return Refused(400, INVALID_ARGUMENT, "the body is not what Content-Encoding: gzip says")


def _too_large(settings: Settings) -> Refused:
    most = settings.body_bytes >> 20
    return Refused(413, RESOURCES, f"the body is larger than {most} MiB; send smaller batches")
