"""Who may come in: in front of every route, so that none can forget to ask.

- Without a token only this machine reaches the server. A page of the web could still make a browser on
  it ask, under a name of its own that it points here (DNS rebinding): so only this machine's own names
  are answered to.
- With a token, programs show it as `Authorization: Bearer TOKEN`, and browsers trade it for a session.
- What changes something must not come from another site, whoever is signed in.
"""

from typing import Any
from urllib.parse import quote, urlsplit

from acidtest.server.asgi import App, Header, Receive, Scope, Send, header, respond
from acidtest.server.counters import Counters
from acidtest.server.heads import closing_unread, malformed
from acidtest.server.settings import Settings, loopback
from acidtest.server.signing import Session, Signer, same_token

COOKIE = "acidtest_session"
SESSION = "acidtest.session"
"""Where the session is in the scope; always there for pages."""

BEARER = "acidtest.bearer"
"""In the scope where the token itself was shown: no browser sends that by itself."""

_LONGEST = 500
"""Bytes of a cookie that are looked at; ours are shorter."""

SAFE = ("GET", "HEAD", "OPTIONS")
_OPEN = ("/health", "/login")
_MACHINES = ("/v1/", "/api/", "/metrics")

SECURITY: list[Header] = [
    (
        b"content-security-policy",
        (
            b"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
            b"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),  # with none, browsers hide the origin of forms
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"x-robots-tag", b"noindex"),
]


class Guard:
    """Lets through what may come in.

    Args:
        app: The application behind it.
        settings: The server's.
        signer: Knows sessions.
        counters: Where answers are counted.
    """

    def __init__(self, app: App, settings: Settings, signer: Signer, counters: Counters) -> None:
        self._app = app
        self._token = settings.token
        self._signer = signer
        self._counters = counters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request through, or answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if header(scope, b"expect") is not None:
            receive, send = closing_unread(receive, send)
        if scope["method"] == "HEAD":
            # As GET, wherever that is: only the body stays here.
            scope, send = {**scope, "method": "GET"}, _without_body(send)
        path: str = scope["path"]
        exporting = path == "/v1/traces"
        told = self._counting(send) if exporting else self._telling(scope, send)
        wrong = malformed(scope)
        if wrong is not None:
            await respond(told, *wrong)
        elif self._token is None and not _ours(header(scope, b"host")):
            await respond(told, 403, b"This server answers to this machine's own names only.\n")
        elif scope["method"] not in SAFE and _from_elsewhere(scope):
            await respond(told, 403, b"Requests from other sites change nothing here.\n")
        elif self._token is not None and self._shows_token(scope):
            scope[BEARER] = True
            # Of this request alone: pages are shown to programs, too.
            scope[SESSION] = self._signer.new(signed_in=True)
            await self._app(scope, receive, send if exporting else told)
        elif exporting:
            if self._token is None:
                await self._app(scope, receive, send)
            else:
                await _refuse(told)
        else:
            await self._for_browser(scope, receive, told, path)

    async def _for_browser(self, scope: Scope, receive: Receive, send: Send, path: str) -> None:
        session = self._session(scope)
        known = session is not None and (self._token is None or session.signed_in)
        open_to_all = path in _OPEN or path.startswith("/static/")
        if not (known or open_to_all or self._token is None):
            if path.startswith(_MACHINES):
                await _refuse(send)
            else:
                there = [(b"location", f"/login?next={quote(path)}".encode())]
                await respond(send, 303, b"", headers=there)
            return
        if session is None:
            session = self._signer.new(signed_in=False)
            if not path.startswith((*_MACHINES, "/health", "/static/")):
                scope["acidtest.new_session"] = session
        scope[SESSION] = session
        await self._app(scope, receive, send)

    def _shows_token(self, scope: Scope) -> bool:
        kind, _, told = (header(scope, b"authorization") or b"").decode("latin-1").partition(" ")
        return kind.lower() == "bearer" and same_token(told.strip(), self._token or "")

    def _session(self, scope: Scope) -> Session | None:
        # Not `SimpleCookie`: what it takes to read a quoted value grows with the square of its length.
        for part in (header(scope, b"cookie") or b"").split(b";"):
            name, _, value = part.strip().partition(b"=")
            if name == COOKIE.encode():
                return self._signer.session(value[:_LONGEST].decode("latin-1"))
        return None

    def _counting(self, send: Send) -> Send:
        """Count export requests that are refused here; the others are counted where they are taken."""

        async def told(message: Scope) -> None:
            if message["type"] == "http.response.start":
                self._counters.export_requests[message["status"]] += 1
            await send(message)

        return told

    def _telling(self, scope: Scope, send: Send) -> Send:
        async def told(message: Scope) -> None:
            if message["type"] == "http.response.start":
                self._counters.other_requests[message["status"]] += 1
                headers = [*map(_with_head, message.get("headers", ())), *SECURITY]
                new = scope.get("acidtest.new_session")
                if new is not None:
                    headers.append(session_header(self._signer, new, scope))
                if not scope["path"].startswith("/static/"):
                    headers.append((b"cache-control", b"no-store"))
                message = {**message, "headers": headers}
            await send(message)

        return told


def session_header(signer: Signer, session: Session, scope: Scope) -> Header:
    """Return the header that hands a session to a browser."""
    # A proxy says so; whoever else does only keeps his own cookie from plain HTTP.
    told = (scope.get("scheme") or "").encode(), header(scope, b"x-forwarded-proto")
    secure = "; Secure" if b"https" in told else ""
    value = f"{COOKIE}={signer.cookie(session)}; Path=/; HttpOnly; SameSite=Strict{secure}"
    return b"set-cookie", value.encode()


def begin_session(scope: Any, session: Session) -> None:
    """Have a session handed to the browser with the answer to this request."""
    scope["acidtest.new_session"] = session


def _with_head(told: Header) -> Header:
    name, value = told
    if name.lower() == b"allow" and b"GET" in value and b"HEAD" not in value:
        return name, value.replace(b"GET", b"GET, HEAD")
    return told


def _without_body(send: Send) -> Send:
    async def sent(message: Scope) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    return sent


async def _refuse(send: Send) -> None:
    needs = [(b"www-authenticate", b"Bearer")]
    await respond(send, 401, b"Send the token: Authorization: Bearer TOKEN\n", headers=needs)


def _ours(host: bytes | None) -> bool:
    try:
        text = (host or b"").decode("ascii")
        # A name and a port: nothing before it, such as a user's, and nothing behind.
        name = None if set("@/?#\\") & set(text) else urlsplit(f"//{text}").hostname
    except ValueError:
        return False
    return name is not None and loopback(name)


def _from_elsewhere(scope: Scope) -> bool:
    site = header(scope, b"sec-fetch-site")
    if site is not None:
        return site not in (b"same-origin", b"none")
    origin = header(scope, b"origin")
    if origin is None:
        return False
    return origin.partition(b"://")[2].lower() != (header(scope, b"host") or b"").lower()
