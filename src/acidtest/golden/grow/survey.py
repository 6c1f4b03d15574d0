"""What a corpus offers to ask about: chunks with enough text, spread over documents and sections."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.golden.grow.voices import order_of
from acidtest.text.words import words

LEAST_WORDS = 8
"""A chunk with fewer says too little to ask about. In scripts without spaces pairs of letters count."""

_LOOK = 2_000
"""Characters in which so many words are looked for."""


class Survey(Struct, frozen=True, kw_only=True):
    """The chunks that can be asked about, the best spread first, and why others cannot.

    Attributes:
        chunks: In such an order that any beginning of it is spread over documents, and within each
            over its sections; chunks that the set reaches already come last.
        short: How many have under `LEAST_WORDS` words.
        doubled: How many have the text of another.
    """

    chunks: tuple[CorpusChunk, ...]
    short: int = 0
    doubled: int = 0

    def why(self) -> str:
        """Say what was left out."""
        left_out = [
            f"{self.short:,} with under {LEAST_WORDS} words" if self.short else "",
            f"{self.doubled:,} with the text of another" if self.doubled else "",
        ]
        told = " and ".join(part for part in left_out if part)
        return f"{len(self.chunks):,} chunks can be asked about" + (
            f" ({told} left out)" if told else ""
        )


def survey(corpus: Corpus, *, seed: int = 0, covered: Iterable[str] = ()) -> Survey:
    """Look a corpus over.

    Args:
        corpus: The chunks.
        seed: Another seed gives another order.
        covered: Ids of chunks that the set reaches already.
    """
    known = frozenset(covered)
    seen: set[str] = set()
    usable: list[CorpusChunk] = []
    short = doubled = 0
    for chunk in corpus:
        text = chunk.text.strip()
        if text in seen:
            doubled += 1
        elif not _enough(text):
            short += 1
        else:
            seen.add(text)
            usable.append(chunk)
    fresh = [chunk for chunk in usable if chunk.id not in known]
    rest = [chunk for chunk in usable if chunk.id in known]
    return Survey(
        chunks=(*_spread(fresh, seed), *_spread(rest, seed)), short=short, doubled=doubled
    )


def topic(chunk: CorpusChunk) -> str:
    """Return what a chunk is about, as far as its corpus says."""
    return chunk.section or chunk.title or chunk.doc_id or ""


def place(chunk: CorpusChunk) -> tuple[str, str]:
    """Return where a chunk stands: document and section."""
    return chunk.doc_id or "", chunk.section or ""


def _enough(text: str) -> bool:
    if len(text) < LEAST_WORDS:
        return False
    # A hundred thousand chunks are looked at: most are told by their spaces.
    plain = sum(part.isalpha() for part in text[:200].split()) >= LEAST_WORDS
    return plain or len(words(text[:_LOOK])) >= LEAST_WORDS


def _spread(chunks: Sequence[CorpusChunk], seed: int) -> Iterator[CorpusChunk]:
    """Take turns: a chunk of each document, from another of its sections each time."""
    documents: dict[str, dict[str, list[CorpusChunk]]] = {}
    for chunk in chunks:
        document, section = place(chunk)
        documents.setdefault(document, {}).setdefault(section, []).append(chunk)
    turns = [
        _in_turn(
            [
                sorted(some, key=lambda chunk: order_of(seed, chunk.id))
                for _, some in sorted(sections.items(), key=lambda each: order_of(seed, each[0]))
            ]
        )
        for _, sections in sorted(documents.items(), key=lambda each: order_of(seed, each[0]))
    ]
    yield from _in_turn(turns)


def _in_turn(lists: Sequence[list[CorpusChunk]]) -> list[CorpusChunk]:
    """Take the first of each, then the second of each, and so on."""
    taken: list[CorpusChunk] = []
    left = [(some, 0) for some in lists if some]
    while left:
        taken += [some[at] for some, at in left]
        left = [(some, at + 1) for some, at in left if at + 1 < len(some)]
    return taken
