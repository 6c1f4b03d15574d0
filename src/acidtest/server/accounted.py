"""Bodies of forms and of the JSON interface, held in the same room as those of traces."""

import asyncio

from litestar.exceptions import HTTPException

from acidtest.server.asgi import App, Receive, Scope, Send, header, respond
from acidtest.server.held import Held
from acidtest.server.otlp import PATH
from acidtest.server.refusal import Refused
from acidtest.server.room import Room
from acidtest.server.settings import Settings

_READING = ("GET", "HEAD", "OPTIONS")


class Accounted:
    """Hands on requests with an account of what comes with them.

    Args:
        app: What answers; export requests see to their room themselves.
        room: The memory that all requests share.
        settings: The server's limits.
    """

    def __init__(self, app: App, room: Room, settings: Settings) -> None:
        self._app = app
        self._room = room
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["path"] == PATH or scope["method"] in _READING:
            await self._app(scope, receive, send)
            return
        if (header(scope, b"content-encoding") or b"identity").strip().lower() != b"identity":
            await respond(send, 415, b"Send this without Content-Encoding.\n")
            return
        with Held(self._room, self._settings.patience_s) as held:
            try:
                async with asyncio.timeout(None) as limit:
                    held.begin(_announced(scope, self._settings), limit)
                    await self._app(scope, _taking(receive, held), send)
            except TimeoutError:
                slow = held.too_slow()
                if slow is None:
                    raise
                await respond(
                    send, slow.status, slow.message.encode() + b"\n", headers=_retry(slow)
                )


def _announced(scope: Scope, settings: Settings) -> int:
    told = header(scope, b"content-length") or b""
    return min(int(told), settings.body_bytes) if told.isdigit() and len(told) < 20 else 0


def _taking(receive: Receive, held: Held) -> Receive:
    came = 0

    async def taken() -> object:
        nonlocal came
        message = await receive()
        if message["type"] == "http.request":
            came += len(message.get("body", b""))
            try:
                await held.grow_to(came)
            except Refused as full:
                told = {key.decode(): value.decode() for key, value in _retry(full)}
                raise HTTPException(
                    status_code=full.status, detail=full.message, headers=told
                ) from full
            if not message.get("more_body", False):
                held.end()
        return message

    return taken


def _retry(refused: Refused) -> list[tuple[bytes, bytes]]:
    return [(b"retry-after", str(refused.retry_s or 1).encode())]
