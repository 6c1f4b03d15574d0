"""Sessions of browsers and the tokens of their forms: signed, so that the server keeps none of them."""

import hashlib
import hmac
import secrets
import time
from typing import NamedTuple

_DIGEST = hashlib.sha256


class Session(NamedTuple):
    """One browser. `signed_in` says that it showed the token; `expires` is in seconds since 1970."""

    id: str
    signed_in: bool
    expires: int


class Signer:
    """Signs with a key that is made of the token: another token ends all sessions.

    Args:
        token: The server's; without one the key lasts as long as the process.
        session_s: How long a session lasts.
    """

    def __init__(self, token: str | None, session_s: int) -> None:
        secret = token.encode() if token is not None else secrets.token_bytes(32)
        self._key = hmac.digest(secret, b"acidtest sessions", _DIGEST)
        self._session_s = session_s

    def new(self, *, signed_in: bool) -> Session:
        """Begin a session."""
        return Session(secrets.token_urlsafe(16), signed_in, int(time.time()) + self._session_s)

    def cookie(self, session: Session) -> str:
        """Write a session as a cookie's value."""
        told = f"{session.id}.{int(session.signed_in)}.{session.expires}"
        return f"{told}.{self._sign('session', told)}"

    def session(self, cookie: str) -> Session | None:
        """Read a cookie's value; None for one that is forged, damaged or too old."""
        told, _, signature = cookie.rpartition(".")
        if not _same(signature, self._sign("session", told)):
            return None
        session_id, signed_in, expires = told.split(".")
        if int(expires) < time.time():
            return None
        return Session(session_id, signed_in == "1", int(expires))

    def form_token(self, session: Session) -> str:
        """Return what a form of this session must bring along."""
        return self._sign("form", session.id)

    def is_form_token(self, session: Session, told: str) -> bool:
        """Say whether a form was made for this session."""
        return _same(told, self.form_token(session))

    def _sign(self, what: str, text: str) -> str:
        return hmac.new(self._key, f"{what}:{text}".encode(), _DIGEST).hexdigest()


def same_token(told: str, token: str) -> bool:
    """Compare a token that somebody shows, in a time that tells nothing about it."""
    return _same(told, token)


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
