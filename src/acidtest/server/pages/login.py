"""Signing in: the token for a session."""

import asyncio
import time
from urllib.parse import parse_qsl

from litestar import Response, get, post
from litestar.response import Redirect

from acidtest.server.guard import SESSION, begin_session
from acidtest.server.query import OWN
from acidtest.server.render import AnyRequest, page, site_of
from acidtest.server.signing import same_token

_MOST = 20
"""Wrong tokens a minute, from all together: guessing leads nowhere, and nobody is kept out for long."""

_PAUSE_S = 0.3


class _Tries:
    """When wrong tokens were shown lately."""

    def __init__(self) -> None:
        self._times: list[float] = []

    def too_many(self) -> bool:
        since = time.monotonic() - 60
        self._times = [at for at in self._times if at > since]
        return len(self._times) >= _MOST

    def add(self) -> None:
        self._times.append(time.monotonic())


@get("/login", opt=OWN)
async def login(request: AnyRequest) -> Response[str]:
    """Ask for the token."""
    return page(request, "login.html.j2", title="Sign in", wrong="", there=_there(request))


@post("/login", status_code=200)
async def sign_in(request: AnyRequest) -> Response[str] | Redirect:
    """Begin a session for who shows the token."""
    site, tries = site_of(request), _tries(request)
    token = site.settings.token
    there = _there(request)
    if token is None:
        return Redirect(there, status_code=303)
    if tries.too_many():
        return page(
            request,
            "login.html.j2",
            status=429,
            title="Sign in",
            wrong="Too many wrong tokens. Wait a minute.",
            there=there,
        )
    told = str((await request.form()).get("token", ""))
    if not same_token(told, token):
        tries.add()
        await asyncio.sleep(_PAUSE_S)
        wrong = "That is not the token."
        return page(request, "login.html.j2", status=403, title="Sign in", wrong=wrong, there=there)
    begin_session(request.scope, site.signer.new(signed_in=True))
    return Redirect(there, status_code=303)


@post("/logout", status_code=200)
async def sign_out(request: AnyRequest) -> Redirect:
    """End the session."""
    session = site_of(request).signer.new(signed_in=False)
    begin_session(request.scope, session)
    request.scope[SESSION] = session  # type: ignore[literal-required]
    return Redirect("/login", status_code=303)


def _there(request: AnyRequest) -> str:
    """Return where to go after signing in: a page of ours, whatever the address says."""
    query = dict(parse_qsl(request.scope["query_string"].decode("latin-1")))
    there = query.get("next", "/")
    plain = there.isascii() and there.isprintable() and "\\" not in there
    return there if plain and there.startswith("/") and not there.startswith("//") else "/"


def _tries(request: AnyRequest) -> _Tries:
    state = request.app.state
    if not hasattr(state, "tries"):
        state.tries = _Tries()
    tries: _Tries = state.tries
    return tries


routes = [login, sign_in, sign_out]
