"""Who sent a span: its resource and scope, kept once under their hash.

Thousands of spans share them, and so do thousands of requests: the hash is remembered by the bytes that
it was made from.
"""

import hashlib
from collections.abc import Callable

from acidtest.codec.json import canonical
from acidtest.data.spans import Origin

_KEPT = 512
_LARGEST = 64 * 1024


def hashed(origin: Origin) -> tuple[str, bytes]:
    """Return the hash (64 hex digits) of an origin's canonical JSON, and that JSON."""
    body = canonical(origin)
    return hashlib.sha256(body).hexdigest(), body


class Remembered:
    """Hash and JSON of the origins seen last, by the bytes they came as; at most 512 of at most 64 kB.

    Threads may share it: at worst two of them work out the same origin.
    """

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[str, bytes]] = {}

    def of(self, key: bytes, make: Callable[[], Origin]) -> tuple[str, bytes]:
        """Return hash and JSON of the origin that came as these bytes.

        Args:
            key: What it came as; the same bytes must always mean the same origin.
            make: Reads the origin; called only when it is not known.
        """
        found = self._known.get(key)
        if found is None:
            found = hashed(make())
            if len(key) + len(found[1]) <= _LARGEST:
                if len(self._known) >= _KEPT:
                    self._known.clear()  # a sender whose resource never repeats gains nothing anyway
                self._known[key] = found
        return found
