"""An HTTP endpoint as a pipeline: one POST a question, over one pooled session.

Obeyed: Retry-After on 429 and 503, within the retries. Followed: redirects that keep the method, on
the same origin (a header with a secret goes nowhere else). Bounded: the size of a reply.
"""

import asyncio
import os
import re
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

import msgspec

from acidtest.codec.json import content_hash
from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.data.terms import Mode
from acidtest.errors import BadConfig, PipelineError
from acidtest.pipelines.attempt import DEFAULTS, Busy, Hopeless, attempt, checked
from acidtest.pipelines.secrets import filled, hidden
from acidtest.pipelines.trace import one_line
from acidtest.pipelines.wire import Generated, answer_of, parse, question_of
from acidtest.ports import PipelineOptions

if TYPE_CHECKING:
    import aiohttp

MAX_REPLY = 32 * 1024**2
MAX_REDIRECTS = 5
KEEP_ALIVE_S = 4.0
"""Under the five seconds after which common servers close an idle connection."""

_REPEATABLE = frozenset({408, 425, 500, 502, 504})


class HttpPipeline:
    """An endpoint that answers questions.

    Args:
        url: Where questions are posted; may hold `${NAME}` of the environment.
        name: What the run is called after; by default the host.
        headers: Sent with every question; values may hold `$NAME` or `${NAME}`.
        options: Concurrency, time-out, retries, k.
        environ: The environment, by default the process's.

    Raises:
        BadConfig: The address or a header is malformed, or a variable is not set.
    """

    def __init__(
        self,
        url: str,
        *,
        name: str | None = None,
        headers: Mapping[str, str] | None = None,
        options: PipelineOptions = DEFAULTS,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        env = os.environ if environ is None else environ
        self._shown = _without_login(url)
        self.name = name or self._shown.partition("://")[2].partition("/")[0] or url
        self._where = f"pipeline {self.name!r}"
        self.options = checked(options, where=self._where)
        self._secrets: set[str] = set()
        self._url = filled(url, env, where=f"{self._where}: http", used=self._secrets)
        _check_url(self._url, self._shown, self._where)
        self._headers = {
            key: filled(value, env, where=f"{self._where}: header {key}", used=self._secrets)
            for key, value in (headers or {}).items()
        }
        _check_headers(self._headers, self._where)
        self._fingerprint = content_hash(
            {
                "kind": "http",
                "name": self.name,
                "url": self._shown,
                "headers": dict(headers or {}),
                "k": options.k,
            }
        )
        self._session: aiohttp.ClientSession | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._generates = False

    @property
    def fingerprint(self) -> str:
        """A hash of the name, the address, the headers as configured (no secrets), and k."""
        return self._fingerprint

    def refuses(self, mode: Mode) -> str | None:  # noqa: ARG002 - the protocol's parameter
        """Refuse nothing beforehand: what an endpoint can, its replies show."""
        return None

    async def ask(
        self, case: Case, *, mode: Mode = "live", contexts: Sequence[Chunk] | None = None
    ) -> Answer:
        """Answer one case; see `ports.Pipeline`.

        Raises:
            PipelineError: It could not be reached, refused, or its reply is no answer.
        """
        if mode == "retrieval-only" and self._generates:
            raise Generated(where=self._where)
        asked = question_of(case, mode=mode, contexts=contexts, k=self.options.k)
        body = msgspec.json.encode(asked)

        async def once() -> Answer:
            start = time.perf_counter()
            raw = await self._post(body)
            ms = (time.perf_counter() - start) * 1000
            row = parse(raw, where=self._where)
            return answer_of(row, case, mode=mode, contexts=contexts, ms=ms, where=self._where)

        try:
            return await attempt(once, self.options, key=case.id, where=self._where)
        except PipelineError as error:
            self._generates |= isinstance(error, Generated)
            error.what = hidden(error.what, self._secrets)
            error.detail = error.detail and hidden(error.detail, self._secrets)
            raise

    async def aclose(self) -> None:
        """Close the session; a later question opens a new one."""
        session, self._session = self._session, None
        if session is not None and self._loop is asyncio.get_running_loop():
            await session.close()

    async def _post(self, body: bytes) -> bytes:
        import aiohttp

        url = self._url
        try:
            for _ in range(MAX_REDIRECTS + 1):
                async with self._opened().post(url, data=body, allow_redirects=False) as response:
                    if not 300 <= response.status < 400:
                        return await self._read(response)
                    url = self._redirected(url, response)
        except aiohttp.ClientConnectorCertificateError as error:
            raise self._error(f"its certificate is not trusted: {one_line(error)}") from None
        except aiohttp.ClientConnectorDNSError as error:
            raise self._error(
                f"the host {error.host} is not known", fix="Check the address."
            ) from None
        except aiohttp.ClientConnectorError as error:
            raise self._error(
                f"no connection to {error.host}:{error.port} ({_reason(error)})",
                fix="Start the server, or check the address and the port.",
            ) from None
        except (aiohttp.ClientError, OSError) as error:
            kind = type(error).__name__
            raise self._error(f"the connection broke: {kind}: {one_line(error)}") from None
        raise Hopeless(f"more than {MAX_REDIRECTS} redirects", where=self._at)

    async def _read(self, response: "aiohttp.ClientResponse") -> bytes:
        raw = bytearray()
        async for chunk in response.content.iter_chunked(65_536):
            raw += chunk
            if len(raw) > MAX_REPLY:
                raise self._error(f"its reply is over {MAX_REPLY:,} bytes")
        status = response.status
        if status < 400:
            return bytes(raw)
        begins = " ".join(raw[:1000].decode("utf-8", "replace").split())[:200]
        what = f"it replied {status} {response.reason or ''}".rstrip()
        what = f"{what}: {begins}" if begins else what
        detail = raw[:4000].decode("utf-8", "replace")
        if status in (429, 503):
            busy = Busy(what, where=self._at, detail=detail)
            busy.after_s = _seconds(response.headers.get("Retry-After"))
            raise busy
        if status in _REPEATABLE or status > 504:
            raise PipelineError(what, where=self._at, detail=detail)
        raise Hopeless(what, where=self._at, detail=detail, fix=_FIXES.get(status))

    def _redirected(self, url: str, response: "aiohttp.ClientResponse") -> str:
        target = urljoin(url, response.headers.get("Location", ""))
        same = urlsplit(target)[:2] == urlsplit(url)[:2]
        if response.status not in (307, 308) or not same:
            raise Hopeless(
                f"it redirects ({response.status}) to {_without_login(target)}",
                where=self._at,
                fix="Configure the address that answers.",
            )
        return target

    def _opened(self) -> "aiohttp.ClientSession":
        import aiohttp

        loop = asyncio.get_running_loop()
        if self._session is None or self._session.closed or self._loop is not loop:
            self._loop = loop
            self._session = aiohttp.ClientSession(
                headers={"Content-Type": "application/json", **self._headers},
                connector=aiohttp.TCPConnector(
                    limit=self.options.concurrency, keepalive_timeout=KEEP_ALIVE_S
                ),
                # The attempt has its own time-out, which covers everything.
                timeout=aiohttp.ClientTimeout(total=None),
            )
        return self._session

    @property
    def _at(self) -> str:
        return f"{self._where}: {self._shown}"

    def _error(self, what: str, *, fix: str | None = None) -> PipelineError:
        return PipelineError(what, where=self._at, fix=fix)


_FIXES = {
    401: "Check the headers in the configuration and the variables that they name.",
    403: "Check the headers in the configuration and the variables that they name.",
    404: "Check the path of the address.",
    405: "The endpoint must take POST.",
    415: "The endpoint must take a JSON body.",
    422: "The endpoint refuses the question's form: "
    '{"id", "question", "history"}, with "contexts" in golden-context mode.',
}


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else one_line(error)


def _seconds(value: str | None) -> float | None:
    if value is None:
        return None
    try:
        return max(0.0, float(value)) if float(value) < 1e9 else None
    except ValueError:
        pass
    from email.utils import parsedate_to_datetime

    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())


def _without_login(url: str) -> str:
    return re.sub(r"(?<=://)[^/?#]*@", "", url)


def _check_url(url: str, shown: str, where: str) -> None:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port != 0)
    except ValueError:
        good = False
    if not good:
        raise BadConfig(
            f"{shown!r} is no HTTP address",
            where=where,
            fix="Write it like http://127.0.0.1:8000/ask.",
        )


def _check_headers(headers: Mapping[str, Any], where: str) -> None:
    for key, value in headers.items():
        if not key.isascii() or not key or any(c in "\r\n\0: " for c in key):
            raise BadConfig(
                f"{key!r} is no name of a header",
                where=where,
                fix="Use letters, digits and hyphens.",
            )
        if any(c in "\r\n\0" for c in value):
            raise BadConfig(
                f"the header {key} holds a line break", where=where, fix="Take the line break out."
            )
