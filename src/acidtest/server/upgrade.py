"""Requests that offer to go on in another protocol: they are answered in this one."""

from collections.abc import Iterable
from typing import Any

_OFFERS = (b"upgrade", b"http2-settings")


def without_upgrade(parser: Any, url: bytes, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return the head of a request without its offer.

    Args:
        parser: httptools', which has read it.
        url: What is asked for.
        headers: As they came, with names in lower case.
    """
    version = parser.get_http_version().encode()
    lines = [b"%s %s HTTP/%s" % (parser.get_method(), url, version)]
    for name, value in headers:
        if name == b"connection":
            words = [word.strip() for word in value.split(b",")]
            kept = b", ".join(word for word in words if word.lower() not in _OFFERS)
            lines.append(b"%s: %s" % (name, kept))
        elif name not in _OFFERS:
            lines.append(b"%s: %s" % (name, value))
    return b"\r\n".join([*lines, b"", b""])
