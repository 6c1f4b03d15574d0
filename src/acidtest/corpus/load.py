"""Reading a corpus whose chunks are cut already: from a file, from rows, chunks or a data frame."""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from acidtest.codec.rows.frames import frame_rows
from acidtest.codec.rows.plain import plain
from acidtest.codec.rows.read import read_rows
from acidtest.codec.rows.row import Row, kind, shown
from acidtest.corpus.row import read_chunk
from acidtest.corpus.version import version_of_chunks
from acidtest.data.answers import Chunk
from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.errors import BadData

_SHOWN = 5
Rows = Iterable[Mapping[str, Any] | CorpusChunk | Chunk]


def read_chunk_file(path: str | os.PathLike[str]) -> Corpus:
    """Read a chunk file: `.jsonl`, `.json`, `.yaml`, `.csv`, `.tsv`, `.parquet`, text forms also `.gz`.

    Raises:
        BadData: What is wrong, with file, line and field, and how to mend it.
        MissingExtra: Parquet, and Polars is not installed.
    """
    return corpus_of_rows(read_rows(path, error=BadData), path=os.fspath(path))


def chunks_in_memory(source: Any) -> Corpus:
    """Return the corpus of rows as mappings, of chunks, or of a data frame that exports Arrow.

    Raises:
        BadData: It is none of these, or one of them cannot be a chunk.
        MissingExtra: A data frame, and Polars is not installed.
    """
    if hasattr(source, "__arrow_c_stream__"):
        return corpus_of_rows(frame_rows(source, BadData))
    if not isinstance(source, Iterable) or isinstance(source, Mapping | str | bytes | bytearray):
        raise BadData(
            f"a corpus cannot be read from {kind(source)}",
            fix="Give a path, a list of mappings or chunks, or a data frame.",
        )
    return corpus_of_rows(_memory(source))


def corpus_of_rows(rows: Iterable[Row], *, path: str | None = None) -> Corpus:
    """Return the corpus that rows hold.

    Raises:
        BadData: A row is no chunk, an id comes twice, or there is no row.
    """
    chunks: list[CorpusChunk] = []
    places: dict[str, str] = {}
    blank: list[str] = []
    for row in rows:
        chunk = read_chunk(row)
        if chunk is None:
            blank.append(row.where)
            continue
        before = places.setdefault(chunk.id, row.where)
        if before is not row.where:
            raise row.fault(
                f"the id {shown(chunk.id)} is already that of {before}",
                fix="Give every chunk an id of its own.",
            )
        chunks.append(chunk)
    if not chunks:
        what = "no chunk of the corpus has text" if blank else "the corpus has no chunk"
        raise BadData(what, where=path, fix="Give at least one chunk with a text.")
    return Corpus(with_versions(chunks), path=path, notes=_blank(blank))


def with_versions(chunks: list[CorpusChunk]) -> list[CorpusChunk]:
    """Return the chunks, those of documents whose version nobody gave with the hash of what they hold."""
    unversioned: dict[str, list[CorpusChunk]] = {}
    versioned: set[str] = set()
    for chunk in chunks:
        if chunk.doc_id is None:
            continue
        if chunk.doc_version is not None:
            versioned.add(chunk.doc_id)
        else:
            unversioned.setdefault(chunk.doc_id, []).append(chunk)
    # A document with a version on some of its chunks: the others' is not known, and not guessed.
    made = {
        doc: version_of_chunks(found) for doc, found in unversioned.items() if doc not in versioned
    }
    if not made:
        return chunks
    return [
        replace(chunk, doc_version=made[chunk.doc_id])
        if chunk.doc_id in made and chunk.doc_version is None
        else chunk
        for chunk in chunks
    ]


def _blank(places: list[str]) -> list[str]:
    if not places:
        return []
    told = ", ".join(places[:_SHOWN])
    more = f" and {len(places) - _SHOWN:,} more" if len(places) > _SHOWN else ""
    return [f"left out, since they have no text: {told}{more}"]


def _memory(source: Rows) -> Iterator[Row]:
    for number, item in enumerate(source, start=1):
        where = f"row {number}"
        values = _values(item) if isinstance(item, CorpusChunk | Chunk) else item
        if not isinstance(values, Mapping):
            raise BadData(
                f"a chunk must be a mapping, a CorpusChunk or a Chunk, not {kind(item)}",
                where=where,
                fix='Give mappings such as {"id": ..., "text": ...}.',
            )
        yield Row(where=where, values=plain(values, where, BadData), error=BadData)


def _values(chunk: CorpusChunk | Chunk) -> dict[str, Any]:
    values = msgspec.structs.asdict(chunk)
    # Where it stood in one ranking says nothing of it in the corpus.
    for name in ("rank", "score"):
        values.pop(name, None)
    return {name: value for name, value in values.items() if value is not None and value != {}}
