"""Windows: passages in pieces that a model reads well - a few sentences, overlapping.

Models for inference were trained on single sentences and judge them better than whole documents (SummaC,
Laban et al., TACL 2022). A window has three sentences, so that what one says by "it" stands beside what
it means, and any two neighbours stand in one window together as far as they fit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from acidtest.judges.nli.tokens import Tokens
from acidtest.text.sentences import spans
from acidtest.text.words import words

SENTENCES = 3
MOST = 64
"""Windows that one claim is held against; of more, those that share most words with it."""


@dataclass(frozen=True)
class Window:
    """A piece of a passage.

    Attributes:
        passage: The passage's number, counted from 1.
        text: The piece word for word.
    """

    passage: int
    text: str


def windows(passages: Sequence[str], tokens: Tokens) -> list[Window]:
    """Cut passages; blank ones have no window.

    Args:
        passages: Texts in ranked order.
        tokens: The model's tokenizer; no window has more tokens than `tokens.room`.
    """
    found = []
    for number, text in enumerate(passages, start=1):
        for start, end in _cuts(text, tokens):
            piece = text[start:end].strip()
            if piece:
                found.append(Window(number, piece))
    return found


def nearest(claims: Sequence[str], found: Sequence[Window]) -> list[list[Window]]:
    """Return for each claim the windows to hold it against, in order: all, or those nearest to it.

    Args:
        claims: The claims.
        found: All windows; of more than `MOST` those count that share most words with a claim.
    """
    if len(found) <= MOST:
        return [list(found) for _ in claims]
    held = [frozenset(words(window.text)) for window in found]
    return [_nearest(set(words(claim)), found, held) for claim in claims]


def _nearest(
    said: set[str], found: Sequence[Window], held: Sequence[frozenset[str]]
) -> list[Window]:
    shared = [len(said & each) for each in held]
    best = sorted(range(len(found)), key=lambda i: -shared[i])[:MOST]  # of equals the first
    return [found[i] for i in sorted(best)]


def _cuts(text: str, tokens: Tokens) -> Iterator[tuple[int, int]]:
    """Yield the offsets of windows: runs of sentences, or pieces of a sentence that is too long."""
    pieces = list(_readable(text, tokens))
    sizes = [size for _, _, size in pieces]
    first = 0
    while first < len(pieces):
        last = first + 1
        while (
            last < len(pieces)
            and last - first < SENTENCES
            and sum(sizes[first : last + 1]) <= tokens.room
        ):
            last += 1
        yield pieces[first][0], pieces[last - 1][1]
        if last == len(pieces):
            return
        first = max(first + 1, last - 1)


def _readable(text: str, tokens: Tokens) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and tokens of every sentence; of one that is too long, of its pieces."""
    for start, end in spans(text):
        sentence = text[start:end]
        size = tokens.count(sentence)
        if size <= tokens.room:
            yield start, end, size
            continue
        step = max(1, tokens.room - tokens.room // 4)
        for a, b in tokens.cuts(sentence, tokens.room, step):
            yield start + a, start + b, tokens.room
