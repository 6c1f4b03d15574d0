"""One pooled HTTP session for all the models of a run: JSON out, bounded bytes in.

Redirects are not followed (a header with a key goes nowhere else). Every failure to get an answer is
`Unreachable`; what an answer means is the backend's business.
"""

import asyncio
import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass
from weakref import WeakSet

from msgspec import Struct

from acidtest.errors import JudgeError
from acidtest.judges.backend import Unreachable

if TYPE_CHECKING:
    import aiohttp

MAX_REPLY = 16 * 1024**2
"""Bytes of a reply; a verdict has some thousands, a batch of embeddings some millions."""

CONNECT_S = 10.0
"""For finding the host and connecting, together: a network without DNS must not stall a run."""

KEEP_ALIVE_S = 4.0
"""Under the five seconds after which common servers close an idle connection."""

MAX_SHOWN = 300
_NO_TLS = frozenset({"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST"})
"""What OpenSSL calls an answer that is none of TLS."""

_CERTIFICATES = "Name a file with your organisation's certificates in SSL_CERT_FILE."
_NO_MATTER_OF_TRUST = {
    # by OpenSSL's verification codes
    9: "Check this machine's clock.",
    10: "Renew it at the server, or check this machine's clock.",
    62: "Check the address: the certificate is another host's.",
    64: "Check the address: the certificate is another host's.",
}
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


_OPEN: "WeakSet[Session]" = WeakSet()
"""The sessions that hold connections."""


class Answer(Struct, frozen=True):
    """What an endpoint answered, whatever the status."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def begins(self) -> str:
        """Return how the body begins, on one line, for messages."""
        line = " ".join(self.body[: 4 * MAX_SHOWN].decode("utf-8", "replace").split())
        return line if len(line) <= MAX_SHOWN else f"{line[:MAX_SHOWN]}..."


class Session:
    """A pool of connections, opened at the first call and bound to that call's event loop.

    Proxies are those of the environment (`HTTPS_PROXY`, `NO_PROXY`), never for this machine itself.

    Args:
        timeout_s: For one call, from connecting to the last byte.
    """

    def __init__(self, *, timeout_s: float = 120.0) -> None:
        self.timeout_s = timeout_s
        self._session: aiohttp.ClientSession | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._proxies: dict[str, str | None] = {}

    async def send(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        body: bytes | None = None,
        timeout_s: float | None = None,
    ) -> Answer:
        """Send one request and read the whole answer.

        Args:
            method: GET or POST.
            url: Where to, without login.
            headers: With the key, if there is one.
            body: JSON.
            timeout_s: If another than the session's.

        Raises:
            Unreachable: No connection, a cut one, a time-out, or an answer that never ends.
            JudgeError: The certificate is not trusted, or there is no TLS behind `https://`.
        """
        import aiohttp

        where = origin(url)
        seconds = self.timeout_s if timeout_s is None else timeout_s
        try:
            async with (
                asyncio.timeout(seconds),
                self._opened().request(
                    method,
                    url,
                    data=body,
                    headers=headers,
                    allow_redirects=False,
                    proxy=self._proxy(url, where),
                ) as response,
            ):
                raw = await _read(response, where)
                return Answer(response.status, response.headers, raw)
        except aiohttp.ClientConnectorCertificateError as error:
            raise _distrusted(error.certificate_error, where) from None
        except aiohttp.ClientConnectorSSLError as error:
            if getattr(error.os_error, "reason", None) in _NO_TLS:
                raise JudgeError(
                    "it does not speak TLS",
                    where=where,
                    fix=f"Write {where.replace('https:', 'http:')} if it is meant to be so.",
                ) from None
            raise Unreachable(f"no TLS with it: {_line(error)}", where=where) from None
        except aiohttp.ClientConnectorDNSError as error:
            raise Unreachable(
                f"the host {error.host} is not known",
                where=where,
                fix="Check the address and the network.",
            ) from None
        except aiohttp.ClientConnectorError as error:
            why = os.strerror(error.errno) if error.errno else _line(error)
            raise Unreachable(
                f"no connection to {error.host}:{error.port} ({why})",
                where=where,
                fix="Start the server, or check the address and the port.",
            ) from None
        except aiohttp.ConnectionTimeoutError:
            raise Unreachable(
                f"no connection within {CONNECT_S:g} s",
                where=where,
                fix="Check the address and the network.",
            ) from None
        except TimeoutError:
            raise Unreachable(
                f"no answer within {seconds:g} s",
                where=where,
                fix="Give it longer with timeout_s, or see what keeps the server busy."
                if timeout_s is None
                else "See what keeps the server busy.",
            ) from None
        except (aiohttp.ClientError, OSError) as error:
            kind = type(error).__name__
            raise Unreachable(
                f"the connection broke: {kind}: {_line(error)}",
                where=where,
                fix="The log of the server, or of the proxy before it, says why.",
            ) from None

    async def aclose(self) -> None:
        """Close all connections; a later call opens a new one."""
        session, self._session = self._session, None
        _OPEN.discard(self)
        if session is not None and self._loop is asyncio.get_running_loop():
            await session.close()

    def within(self, loop: asyncio.AbstractEventLoop) -> bool:
        """Say whether its connections belong to an event loop."""
        return self._loop is loop

    def _opened(self) -> "aiohttp.ClientSession":
        import aiohttp

        loop = asyncio.get_running_loop()
        if self._session is None or self._session.closed or self._loop is not loop:
            self._loop = loop
            _OPEN.add(self)
            self._session = aiohttp.ClientSession(
                # How many calls are in flight is the limiter's business: no second queue here.
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_ALIVE_S),
                timeout=aiohttp.ClientTimeout(total=None, connect=CONNECT_S),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session

    def _proxy(self, url: str, where: str) -> str | None:
        if where not in self._proxies:
            parts = urlsplit(url)
            host = parts.hostname or ""
            direct = host in _LOOPBACK or bool(proxy_bypass(host))
            self._proxies[where] = None if direct else getproxies().get(parts.scheme)
        return self._proxies[where]


async def close_all() -> None:
    """Close the sessions that the running loop has opened: what ends a loop of its own ends them first.

    A judge or an embedder of the caller's outlives such a loop, its connections do not; at its next call
    it opens new ones.
    """
    loop = asyncio.get_running_loop()
    for session in [each for each in list(_OPEN) if each.within(loop)]:
        await session.aclose()


@lru_cache(maxsize=256)
def origin(url: str) -> str:
    """Return an address's scheme, host and port, without login, path and query."""
    return re.sub(r"(?<=://)[^/?#]*@", "", re.match(r"[^:]*://[^/?#]*", url)[0])  # type: ignore[index]


async def _read(response: "aiohttp.ClientResponse", where: str) -> bytes:
    parts, size = [], 0
    async for part in response.content.iter_any():
        parts.append(part)
        size += len(part)
        if size > MAX_REPLY:
            response.close()
            raise Unreachable(f"its reply is over {MAX_REPLY:,} bytes", where=where)
    return b"".join(parts)


def _distrusted(error: Exception, where: str) -> JudgeError:
    code: int = getattr(error, "verify_code", 0)
    why = getattr(error, "verify_message", "") or _line(error)
    return JudgeError(
        f"its certificate is not trusted: {why.rstrip('.')}",
        where=where,
        fix=_NO_MATTER_OF_TRUST.get(code, _CERTIFICATES),
    )


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:MAX_SHOWN]
