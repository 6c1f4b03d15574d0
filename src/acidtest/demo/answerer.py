"""The demo's generator: it quotes the best sentences of its contexts, cites them, or declines.

It has no language model. A question is cut into its parts; for each part the sentence that covers most
of what was asked is quoted with the id of its chunk. When no sentence covers enough, it declines.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from acidtest.demo.corpus import Passage
from acidtest.demo.rerank import share
from acidtest.demo.words import stems

DECLINE = "NOT_IN_CORPUS: the handbook does not say."
ENOUGH = 0.55
"""The share of a question's weight that a sentence and its heading must cover."""

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
    for passage in contexts:
        head = set(stems(f"{passage.title} {passage.heading}"))
        for sentence in _sentences(passage.text):
            found = set(stems(sentence))
            if len(found) < 3:  # a heading-like scrap says nothing
                continue
            own = share(asked, found, weigh)
            cover = 0.7 * own + 0.3 * share(asked, found | head, weigh)
            if best is None or cover > best.cover:
                best = Quote(_unbracketed(sentence), passage.id, cover)
    return best


def _sentences(text: str) -> list[str]:
    return [s for line in text.splitlines() for s in _END.split(line.strip()) if s]


def _unbracketed(sentence: str) -> str:
    # Brackets in a quoted sentence would read as citations.
    return sentence.replace("[", "(").replace("]", ")")
