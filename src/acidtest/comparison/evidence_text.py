"""Whether a chunk holds a piece of evidence, told by the text alone: it outlives every chunk id."""

import functools
import re
from collections import Counter

from acidtest.text.words import words

SAME_TEXT = 0.9
"""Share of a piece's words that one chunk must hold to count as holding the piece."""

FEW_WORDS = 8
"""Below so many words a bag of words proves nothing: only the literal text counts."""


def holds(text: str, piece: str) -> bool:
    """Say whether a chunk's text holds a piece of evidence, or is itself a part of it.

    Literally, after folding case and white space; for pieces of eight words or more also when the
    chunk has nine tenths of the piece's words.
    """
    chunk, wanted = _fold(text), _fold(piece)
    if not wanted or not chunk:
        return False
    if wanted in chunk:
        return True
    needed = _bag(piece)
    if needed.total() < FEW_WORDS:
        return False
    present = _bag(text)
    if chunk in wanted:
        return present.total() >= FEW_WORDS
    spare = (1 - SAME_TEXT) * needed.total()
    # Words that are not there at all settle most pairs, at a fraction of the count's price.
    if len(needed.keys() - present.keys()) > spare:
        return False
    return (needed - present).total() <= spare


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())


@functools.lru_cache(maxsize=2_048)
def _bag(text: str) -> Counter[str]:
    """Count the words; cached, since the same chunks come back for many questions."""
    # Plain words need none of the care that other scripts do, and are a tenth of the time.
    return Counter(re.findall(r"[a-z0-9]+", text.lower()) if text.isascii() else words(text))
