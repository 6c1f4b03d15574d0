"""The chunks that a person judges for a case: what several retrievers found, in an order that favours none."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from acidtest.data.answers import Chunk
from acidtest.data.corpus import Corpus
from acidtest.data.golden import Case
from acidtest.golden.labelling.judgement import Prelabel

Order = Literal["shuffled", "rank", "prelabel"]


class Item(Struct, frozen=True, kw_only=True):
    """A chunk to judge.

    Attributes:
        chunk: Its id.
        text: What it says.
        doc_id: Its document.
        doc_version: The document's version.
        found_by: Retriever -> rank.
        prelabel: What a judge says of it.
    """

    chunk: str
    text: str
    doc_id: str | None = None
    doc_version: str | None = None
    found_by: dict[str, int] = {}
    prelabel: Prelabel | None = None

    @property
    def rank(self) -> int:
        """The best rank that a retriever gave it."""
        return min(self.found_by.values(), default=0)


class Task(Struct, frozen=True, kw_only=True):
    """A case and the chunks to judge for it, in the order in which they are shown."""

    case: Case
    items: tuple[Item, ...]


class Pool(Struct, frozen=True, kw_only=True):
    """The chunks that retrievers found for a case, the best ranks first.

    Attributes:
        items: Each chunk once.
        without_id: How many had no id, so that no label can name them.
        without_text: How many had no text, here or in the corpus.
    """

    items: tuple[Item, ...]
    without_id: int = 0
    without_text: int = 0


def pooled(
    rankings: Mapping[str, Sequence[Chunk]], *, top: int, corpus: Corpus | None = None
) -> Pool:
    """Return the union of the top of several rankings.

    Args:
        rankings: Retriever -> what it found, best first.
        top: How many of each are taken.
        corpus: Where texts, documents and versions are looked up.
    """
    found: dict[str, dict[str, int]] = {}
    chunks: dict[str, Chunk] = {}
    without_id = 0
    for name, ranking in rankings.items():
        for rank, chunk in enumerate(ranking[:top], start=1):
            if chunk.id is None:
                without_id += 1
                continue
            found.setdefault(chunk.id, {}).setdefault(name, rank)
            if chunk.id not in chunks or not chunks[chunk.id].text:
                chunks[chunk.id] = chunk
    items = [_item(chunks[name], ranks, corpus) for name, ranks in found.items()]
    told = sorted((item for item in items if item.text.strip()), key=lambda item: item.rank)
    return Pool(items=tuple(told), without_id=without_id, without_text=len(items) - len(told))


def ordered(
    items: Sequence[Item], order: Order, *, case: str, annotator: str, seed: int
) -> tuple[Item, ...]:
    """Return chunks in the order in which one person sees them.

    Args:
        items: The best ranks first.
        order: `shuffled`, which is another order for each person and case, and the same each time; `rank`;
            or `prelabel`, what a judge thinks most of first.
        case: The case.
        annotator: The person.
        seed: Another seed is another shuffle.
    """
    if order == "rank":
        return tuple(items)
    if order == "prelabel":
        return tuple(sorted(items, key=_promise, reverse=True))

    def draw(item: Item) -> bytes:
        told = "\0".join((str(seed), annotator, case, item.chunk))
        return hashlib.sha256(told.encode(errors="replace")).digest()

    return tuple(sorted(items, key=draw))


def _promise(item: Item) -> tuple[float, float]:
    said = item.prelabel
    if said is None:
        return -1.0, -1.0
    grade = 0.5 if said.grade is None else float(said.grade)
    score = grade / 3 if said.score is None else said.score
    return score, grade


def _item(chunk: Chunk, ranks: dict[str, int], corpus: Corpus | None) -> Item:
    indexed = corpus.by_id.get(str(chunk.id)) if corpus is not None else None
    version = chunk.metadata.get("doc_version")
    return Item(
        chunk=str(chunk.id),
        text=chunk.text or (indexed.text if indexed else ""),
        doc_id=chunk.doc_id or (indexed.doc_id if indexed else None),
        doc_version=(indexed.doc_version if indexed else None)
        or (version if isinstance(version, str) else None),
        found_by=ranks,
    )
