"""What the head of a request may not say, as it would be read in two ways, or not be kept to."""

from typing import Any

from acidtest.server.asgi import Receive, Scope, Send

_ONCE = frozenset(
    (
        b"host", b"authorization", b"content-type", b"content-encoding", b"content-length",
        b"transfer-encoding", b"origin", b"sec-fetch-site", b"x-form-token",
    )
)  # fmt: skip
"""Who reads the first of two, and who the last, do not mean the same request."""


def malformed(scope: Scope) -> tuple[int, bytes] | None:
    """Return the status and the words for a head that cannot be answered; None for a good one."""
    seen = set()
    for name, value in scope["headers"]:
        if name not in _ONCE:
            continue
        if name in seen:
            return 400, b"The header %s is given twice.\n" % name
        seen.add(name)
        if name == b"transfer-encoding" and value.strip().lower() != b"chunked":
            return (
                501,
                b"Transfer-Encoding can be chunked only; compress with Content-Encoding: gzip.\n",
            )
    return None


def closing_unread(receive: Receive, send: Send) -> tuple[Receive, Send]:
    """Close the connection after an answer that nobody read the body for.

    Who waits for `100 Continue` does not send it then, and the next request would be taken for it.
    """
    read = False

    async def received() -> Any:
        nonlocal read
        read = True
        return await receive()

    async def sent(message: Scope) -> None:
        if message["type"] == "http.response.start" and not read:
            message = {**message, "headers": [*message["headers"], (b"connection", b"close")]}
        await send(message)

    return received, sent
