"""The server's token: when one is needed, and what it may look like."""

from acidtest.errors import UsageError
from acidtest.server.settings import loopback


def checked(token: str | None, host: str) -> str | None:
    """Return the token that a server on a host is started with.

    Raises:
        UsageError: The host is reached from other machines, and there is no token; or it cannot be sent.
    """
    if token is None:
        if loopback(host):
            return None
        raise UsageError(
            "other machines reach this address, and nothing keeps them out",
            where=f"--host {host}",
            fix="Set a token with ACIDTEST_TOKEN (or --token), or leave --host out.",
        )
    if not (token.isascii() and token.isprintable() and " " not in token):
        raise UsageError(
            "a token holds letters, digits and signs only, no spaces",
            where="--token",
            fix='Make one: python -c "import secrets; print(secrets.token_urlsafe(32))"',
        )
    return token
