"""Who asks and how: personas and styles, dealt out over the questions."""

import hashlib
from collections.abc import Sequence

PERSONAS = (
    "a newcomer who does not know the proper terms yet",
    "an experienced user in a hurry",
    "somebody with a problem that has to be solved today",
)
STYLES = (
    "one complete, polite sentence",
    "short and colloquial",
    "a few words, as typed into a search box",
)


def order_of(*parts: object) -> bytes:
    """Return what to sort by, so that an order looks random and is the same each time."""
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        text = str(part).encode(errors="surrogatepass")
        digest.update(b"%d:" % len(text) + text)
    return digest.digest()


def one_of(choices: Sequence[str], *parts: object) -> str:
    """Return the choice that falls to something; "" when there is none to choose."""
    if not choices:
        return ""
    return choices[int.from_bytes(order_of(*parts), "big") % len(choices)]
