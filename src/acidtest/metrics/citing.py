"""Citing: which statement of an answer cites which chunks, and whether their text can bear it.

What the three citation metrics share. A citation is a marker in the text (`[1]` by rank, `[id]` by chunk
id, document id or source) or, where the text has none, an entry of the pipeline's own list, which then
stands for the whole answer.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from acidtest.data.answers import Answer, Chunk
from acidtest.text.citations import blanked, markers, parts, rank_of
from acidtest.text.numbers import Index, Number, index, lacking, numbers
from acidtest.text.placeholders import without_placeholders
from acidtest.text.quotations import comparable, held_in, quotations
from acidtest.text.refusal import declined
from acidtest.text.sentences import spans
from acidtest.text.words import content_words, words

WORDING = 0.5
"""Share of a statement's content words that its sources must hold to bear it. Below that a statement is
unsupported nine times in ten; above, wording proves nothing, so this is a lenient test."""

_LEAST_WORDS = 3
_GAP = re.compile(r" ([.,;:!?])(?!\w)")  # left where a marker stood


@dataclass(frozen=True)
class Statement:
    """A sentence of the answer and the labels it cites.

    `states` is False for a question, a heading, a scrap or a refusal: such a sentence is here because it
    cites.
    """

    text: str
    labels: tuple[str, ...]
    states: bool

    @cached_property
    def words(self) -> frozenset[str]:
        """Its content words, or all its words when it has no others."""
        return frozenset(content_words(self.text)) or frozenset(words(self.text))

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Its numbers; `[PERSON_1]`, which stands for something taken out, holds none."""
        return tuple(numbers(without_placeholders(self.text)))

    @cached_property
    def quotations(self) -> tuple[str, ...]:
        """What it puts in quotation marks."""
        return tuple(quotations(self.text))


@dataclass(frozen=True)
class Source:
    """The text of a cited chunk, read once."""

    text: str

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words."""
        return frozenset(words(self.text))

    @cached_property
    def numbers(self) -> Index:
        """Its numbers by value."""
        return index(numbers(self.text))

    @cached_property
    def comparable(self) -> str:
        """Its text as quotations are compared."""
        return comparable(self.text)


@dataclass(frozen=True)
class Citing:
    """An answer read for its citations.

    Attributes:
        statements: The sentences that state something or cite something, in order.
        labels: Every label that the answer cites, once, in order.
        inline: Whether the labels come from the text; else from the pipeline's list.
        resolve: Label -> the sources it names; empty when it names none that was retrieved.
    """

    statements: tuple[Statement, ...]
    labels: tuple[str, ...]
    inline: bool
    resolve: Callable[[str], tuple[Source, ...]]


def read(answer: Answer, text: str, chunks: Sequence[Chunk]) -> Citing:
    """Read an answer's statements and citations."""
    resolve, known = _resolver(chunks)
    found = markers(text, known)
    listed = tuple(dict.fromkeys(parts(answer.citations or ())))
    bare = blanked(text, found)
    cited = dict.fromkeys(label for marker in found for label in marker.labels)
    pieces: list[tuple[str, tuple[str, ...]]] = []
    at = 0
    for start, end in spans(bare) or [(0, len(bare))]:
        labels: list[str] = []
        while at < len(found) and found[at].start < end:
            labels += found[at].labels
            at += 1
        sentence = _GAP.sub(r"\1", " ".join(bare[start:end].split()))
        pieces.append((sentence, tuple(dict.fromkeys(labels)) if found else listed))
    least = _LEAST_WORDS if any(_states(sentence, _LEAST_WORDS) for sentence, _ in pieces) else 1
    read_as = (Statement(piece, labels, _states(piece, least)) for piece, labels in pieces)
    statements = tuple(s for s in read_as if s.states or (found and s.labels))
    return Citing(statements, tuple({**cited, **dict.fromkeys(listed)}), bool(found), resolve)


def unheld(statement: Statement, sources: Sequence[Source]) -> list[str]:
    """Return the quotations and numbers of a statement that its sources do not hold."""
    return [
        quotation
        for quotation in statement.quotations
        if not any(held_in(quotation, source.comparable) for source in sources)
    ] + [
        number.raw for number in lacking(statement.numbers, (source.numbers for source in sources))
    ]


def bears(statement: Statement, sources: Sequence[Source]) -> bool:
    """Say whether sources together can bear a statement: quotations, numbers and wording."""
    if not sources or unheld(statement, sources):
        return False
    held = sum(any(word in source.words for source in sources) for word in statement.words)
    return held >= WORDING * len(statement.words)


def _states(sentence: str, least: int) -> bool:
    """Say whether a sentence states something: no question, heading, scrap or refusal."""
    if sentence.endswith(("?", "？", "؟", ":", "：")) or len(words(sentence)) < least:
        return False
    return not declined(sentence).declined


def _resolver(
    chunks: Sequence[Chunk],
) -> tuple[Callable[[str], tuple[Source, ...]], frozenset[str]]:
    sources = [_source(chunk.text or "") for chunk in chunks]
    by_label: dict[str, list[int]] = {}
    for names in (
        [chunk.id for chunk in chunks],
        [chunk.doc_id for chunk in chunks],
        [chunk.source for chunk in chunks],
        [_base(chunk.source) for chunk in chunks],
        [_base(chunk.doc_id) for chunk in chunks],
    ):
        level: dict[str, list[int]] = {}
        for place, name in enumerate(names):
            if name:
                level.setdefault(name.casefold(), []).append(place)
        by_label = level | by_label  # an id wins over a document of the same name

    def resolve(label: str) -> tuple[Source, ...]:
        places = by_label.get(label.casefold())
        if places is None:
            rank = rank_of(label)
            places = [rank - 1] if rank is not None and 1 <= rank <= len(sources) else []
        return tuple(sources[place] for place in places)

    return resolve, frozenset(by_label)


@lru_cache(maxsize=64)
def _source(text: str) -> Source:
    """Read a chunk once for all three metrics."""
    return Source(text)


def _base(path: str | None) -> str | None:
    return path.rstrip("/").rsplit("/", 1)[-1] if path and "/" in path else None
