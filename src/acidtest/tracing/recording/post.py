"""One export request over HTTP, and what its answer means."""

# The thread that sends must import nothing by itself: a process that forks meanwhile would leave the child
# a locked import. Looking a host up needs this codec.
import encodings.idna  # noqa: F401
import http.client
import json
import ssl
from typing import NamedTuple
from urllib.parse import urlsplit

from acidtest.errors import UsageError

PATH = "/v1/traces"

_AGAIN = frozenset((408, 429, 502, 503, 504))
_LONGEST_ANSWER = 64 * 1024
_LONGEST_WAIT_S = 60.0


class Told(NamedTuple):
    """What became of a request.

    Attributes:
        taken: The server has it.
        again: It may be sent again; False where that would be refused again.
        wait_s: How long the server asks to wait before that.
        why: What went wrong; also set where a part was refused.
        refused: Spans of a request that was taken which were not.
    """

    taken: bool
    again: bool = False
    wait_s: float | None = None
    why: str = ""
    refused: int = 0


class Post:
    """A connection to one server, opened when it is needed and kept while it lives.

    Args:
        url: `http://host:port` or `https://...`, with or without `/v1/traces`.
        token: Shown as `Authorization: Bearer TOKEN`.
        timeout_s: Seconds after which a silent server counts as down.

    Raises:
        UsageError: The address is none.
    """

    def __init__(self, url: str, token: str | None, *, timeout_s: float) -> None:
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(
                f"{url[:200]!r} is no address of a server",
                where="ACIDTEST_URL",
                fix="Write http://HOST:PORT, as `acidtest serve` prints it.",
            )
        self._secure, self._host, self._port = parts.scheme == "https", parts.hostname, port
        path = parts.path.rstrip("/")
        self._path = path if path.endswith(PATH) else path + PATH
        self._timeout_s = timeout_s
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._connection: http.client.HTTPConnection | None = None

    def __call__(self, body: bytes) -> Told:
        """Send a request; a server that cannot be reached is told, never raised."""
        kept = self._connection is not None
        told = self._send(body)
        if kept and told.again and told.wait_s is None and self._connection is None:
            told = self._send(body)  # the server had closed the connection between two requests
        return told

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _send(self, body: bytes) -> Told:
        try:
            if self._connection is None:
                self._connection = self._connected()
            self._connection.request("POST", self._path, body, self._headers)
            answer = self._connection.getresponse()
            content = answer.read(_LONGEST_ANSWER)
            if not answer.isclosed():
                self.close()
        except (OSError, http.client.HTTPException, ValueError) as fault:
            self.close()
            return Told(taken=False, again=True, why=f"the server cannot be reached: {fault}")
        return _meant(answer.status, content, answer.getheader("Retry-After"))

    def _connected(self) -> http.client.HTTPConnection:
        if not self._secure:
            return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout_s)
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(
            self._host, self._port, timeout=self._timeout_s, context=context
        )


def _meant(status: int, content: bytes, retry_after: str | None) -> Told:
    if 200 <= status < 300:
        return _partial(content)
    said = content[:200].decode(errors="replace").strip()
    why = f"the server answered {status}{': ' if said else ''}{said}"
    if status in _AGAIN:
        seconds = float(retry_after) if retry_after and retry_after.isdigit() else 1.0
        return Told(taken=False, again=True, wait_s=min(seconds, _LONGEST_WAIT_S), why=why)
    return Told(taken=False, why=why)


def _partial(content: bytes) -> Told:
    try:
        partial = json.loads(content or b"{}").get("partialSuccess") or {}
        refused = int(partial.get("rejectedSpans") or 0)
    except (ValueError, AttributeError, TypeError, RecursionError):
        return Told(taken=True)
    return Told(taken=True, refused=refused, why=str(partial.get("errorMessage") or "")[:200])
