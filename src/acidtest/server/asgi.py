"""The little of ASGI that is written by hand here."""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Header = tuple[bytes, bytes]


def header(scope: Scope, name: bytes) -> bytes | None:
    """Return the first header of a lower-case name."""
    for key, value in scope["headers"]:
        if key == name:
            return bytes(value)
    return None


async def respond(
    send: Send,
    status: int,
    body: bytes = b"",
    content_type: bytes = b"text/plain; charset=utf-8",
    headers: Iterable[Header] = (),
) -> None:
    """Send a whole answer."""
    told = [
        (b"content-type", content_type),
        (b"content-length", str(len(body)).encode()),
        *headers,
    ]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": body})
