"""The demo's generator: it quotes the best sentences of its contexts, cites them, or declines.

It has no language model. A question is cut into its parts; for each part the sentence that covers most
of what was asked, by itself and with its chunk, is quoted with the chunk's id. When nothing covers enough,
it declines.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from acidtest.demo.corpus import Passage
from acidtest.demo.rerank import share
from acidtest.demo.words import stems

DECLINE = "NOT_IN_CORPUS: the handbook does not say."
ENOUGH = 0.45
"""The cover below which evidence is too weak to answer; set on fifty questions of another list."""

OWN = 0.5
"""What a sentence covers by itself counts so much, what its whole chunk covers the rest."""

FIRST = 0.1
"""What standing in the first chunk adds when sentences are chosen; in chunk n it is an n-th."""

SCRAP = 3
"""A sentence of fewer words that carry meaning says nothing."""

_CODE = ("$ ", ">>> ", "{", "...")
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(])")
_PART = re.compile(
    r"\?\s+|,?\s+and\s+(?=(?:what|which|how|when|where|who|why|does|is|can)\b)", re.IGNORECASE
)


@dataclass(frozen=True)
class Quote:
    """A sentence with the chunk it stands in and how much of the question it covers."""

    text: str
    chunk: str
    cover: float


def reply(
    question: str, contexts: Sequence[Passage], weigh: Mapping[str, float]
) -> tuple[str, list[str], bool]:
    """Answer from the contexts alone.

    Returns:
        The answer, the ids that it cites, and whether it declined.
    """
    quotes: list[Quote] = []
    for part in filter(None, (p.strip() for p in _PART.split(question))):
        quote = _best(part, contexts, weigh)
        if quote is not None and quote.cover >= ENOUGH and quote not in quotes:
            quotes.append(quote)
    if not quotes:
        return DECLINE, [], True
    text = " ".join(f"{quote.text} [{quote.chunk}]" for quote in quotes)
    return text, list(dict.fromkeys(quote.chunk for quote in quotes)), False


def _best(part: str, contexts: Sequence[Passage], weigh: Mapping[str, float]) -> Quote | None:
    asked = stems(part)
    best: Quote | None = None
    highest = 0.0
    for rank, passage in enumerate(contexts, 1):
        chunk = set(stems(f"{passage.title} {passage.heading} {passage.text}"))
        around = share(asked, chunk, weigh)
        for sentence in _sentences(passage.text):
            found = set(stems(sentence))
            if len(found) < SCRAP:
                continue
            cover = OWN * share(asked, found, weigh) + (1 - OWN) * around
            if cover + FIRST / rank > highest:
                highest = cover + FIRST / rank
                best = Quote(_unbracketed(sentence), passage.id, cover)
    return best


def _sentences(text: str) -> list[str]:
    lines = (line.strip() for line in text.splitlines())
    return [s for line in lines if not line.startswith(_CODE) for s in _END.split(line) if s]


def _unbracketed(sentence: str) -> str:
    # Brackets in a quoted sentence would read as citations.
    return sentence.replace("[", "(").replace("]", ")")
