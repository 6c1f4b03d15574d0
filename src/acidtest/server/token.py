"""The server's token: when one is needed, and what it may look like."""

from itertools import pairwise

from acidtest.errors import UsageError
from acidtest.server.settings import loopback

SHORTEST = 12
"""Characters: with 62 that each may be, 71 bits, where a program can try some thousands a second."""

_DIFFERENT = 6
_STEPS = 4

_MAKE = 'Make one: python -c "import secrets; print(secrets.token_urlsafe(32))"'


def checked(token: str | None, host: str) -> str | None:
    """Return the token that a server on a host is started with.

    Raises:
        UsageError: The host is reached from other machines, and there is no token; or it cannot be sent, or
            is soon guessed.
    """
    if token is None:
        if loopback(host):
            return None
        raise UsageError(
            "other machines reach this address, and nothing keeps them out",
            where=f"--host {host}",
            fix="Set a token with ACIDTEST_TOKEN (or --token), or leave --host out.",
        )
    wrong = _wrong(token)
    if wrong:
        raise UsageError(wrong, where="--token or ACIDTEST_TOKEN", fix=_MAKE)
    return token


def _wrong(token: str) -> str:
    if not (token.isascii() and token.isprintable() and " " not in token):
        return "a token holds letters, digits and signs only, no spaces"
    if len(token) < SHORTEST:
        return f"a token of {len(token)} characters is soon guessed: {SHORTEST} at least"
    # What is long, and yet soon tried: aaaa..., abcabc..., 123456...
    repeats = token in (token + token)[1:-1]
    steps = {ord(b) - ord(a) for a, b in pairwise(token)}
    if repeats or len(set(token)) < _DIFFERENT or len(steps) < _STEPS:
        return "this token is soon guessed: it repeats itself, or counts"
    return ""
