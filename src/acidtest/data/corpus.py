"""The corpus: the chunks that a retriever can find today, and the documents that they were cut from."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, overload

from msgspec import Struct


class CorpusChunk(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One chunk as it is indexed.

    `doc_version` is the content hash of the document that it was cut from (`sha256:...`), or whatever
    the index names versions by. `start` and `end` are its place in the document, in characters, where
    that is known. `title` is the document's; `section` is the nearest heading above the chunk.
    """

    id: str
    text: str
    doc_id: str | None = None
    doc_version: str | None = None
    start: int | None = None
    end: int | None = None
    title: str | None = None
    section: str | None = None
    metadata: dict[str, Any] = {}


class Corpus(Sequence[CorpusChunk]):
    """Chunks in the order in which they were read, with unique ids.

    Args:
        chunks: The chunks; those of one document in the document's order.
        path: Where they were read from.
        documents: The whole text of documents by id, where it is known (a folder was read); else what
            the chunks hold is all that is known of a document.
    """

    def __init__(
        self,
        chunks: Sequence[CorpusChunk],
        *,
        path: str | None = None,
        documents: Mapping[str, str] | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self._chunks = tuple(chunks)
        self.path = path
        self.documents: Mapping[str, str] = MappingProxyType(dict(documents or {}))
        self.notes = tuple(notes)

    @overload
    def __getitem__(self, index: int) -> CorpusChunk: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[CorpusChunk, ...]: ...
    def __getitem__(self, index: int | slice) -> CorpusChunk | tuple[CorpusChunk, ...]:
        return self._chunks[index]

    def __len__(self) -> int:
        return len(self._chunks)

    def __iter__(self) -> Iterator[CorpusChunk]:
        return iter(self._chunks)

    def __repr__(self) -> str:
        return f"Corpus({len(self)} chunks, {len(self.by_doc)} documents, path={self.path!r})"

    @cached_property
    def by_id(self) -> Mapping[str, CorpusChunk]:
        """Chunk id -> chunk."""
        return MappingProxyType({chunk.id: chunk for chunk in self._chunks})

    @cached_property
    def by_doc(self) -> Mapping[str, tuple[CorpusChunk, ...]]:
        """Document id -> its chunks in order; chunks that name no document are left out."""
        found: dict[str, list[CorpusChunk]] = {}
        for chunk in self._chunks:
            if chunk.doc_id is not None:
                found.setdefault(chunk.doc_id, []).append(chunk)
        return MappingProxyType({name: tuple(chunks) for name, chunks in found.items()})
