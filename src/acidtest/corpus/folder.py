"""A folder as a corpus: of documents, which are cut into chunks here, or of chunk files.

A document's id is its path in the folder, with `/`; a chunk's is that, `#`, the heading that it is under as
in a link to it, and its number under that heading from 1: `guide/refunds.md#late-refunds-2`.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from acidtest.codec.rows.read import read_rows
from acidtest.codec.rows.row import Row
from acidtest.corpus.cut import SIZE, cut
from acidtest.corpus.documents.page import Page
from acidtest.corpus.documents.read import SUFFIXES, read_document
from acidtest.corpus.load import corpus_of_rows
from acidtest.corpus.version import document_version
from acidtest.corpus.walk import files_in
from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.errors import BadData, MissingExtra

MAX_TEXT = 2 * 1024**3
"""Characters of all documents together."""
_SHOWN = 5
_SLUG = 60
_NOT_SLUG = re.compile(r"[^\w\- ]")


def read_folder(
    folder: Path, *, size: int = SIZE, overlap: int = 0, exclude: Sequence[str] = ()
) -> Corpus:
    """Read the documents of a folder; one without documents may hold chunk files.

    Args:
        folder: The folder; its folders are read too.
        size: The most characters that a chunk of a document has.
        overlap: The most characters that a chunk shares with the one before it.
        exclude: Patterns of files to leave out, see `acidtest.corpus.walk`.

    Returns:
        The chunks, with the whole text of every document, and notes on what was left out.

    Raises:
        BadData: Documents cannot be read (the message names them), or there are none.
        MissingExtra: A package that reads a form is not installed.
    """
    found = files_in(folder, exclude=exclude)
    if not found.documents and found.chunk_files:
        held = corpus_of_rows(_rows(folder, found.chunk_files), path=str(folder))
        return Corpus(held, path=held.path, notes=(*found.notes, *held.notes))
    pages = dict(_pages(folder, found.documents))
    chunks = [chunk for name, page in pages.items() for chunk in chunked(name, page, size, overlap)]
    if not chunks:
        raise BadData(
            "the folder holds no document with text" if pages else "the folder holds no document",
            where=str(folder),
            fix=f"Documents end with: {', '.join(SUFFIXES)}. Chunk files are read too.",
        )
    return Corpus(
        chunks,
        path=str(folder),
        documents={name: page.text for name, page in pages.items()},
        notes=(*found.notes, *_blank(pages)),
    )


def chunked(name: str, page: Page, size: int = SIZE, overlap: int = 0) -> Iterator[CorpusChunk]:
    """Cut one document into chunks with ids, places and the document's version."""
    version = document_version(page.text)
    seen: dict[str, int] = {}
    for piece in cut(page, size=size, overlap=overlap):
        slug = _slug(piece.section or "")
        seen[slug] = seen.get(slug, 0) + 1
        yield CorpusChunk(
            id=f"{name}#{slug}-{seen[slug]}" if slug else f"{name}#{seen[slug]}",
            text=page.text[piece.start : piece.end],
            doc_id=name,
            doc_version=version,
            start=piece.start,
            end=piece.end,
            title=page.title,
            section=piece.section,
        )


def _pages(folder: Path, names: Sequence[str]) -> Iterator[tuple[str, Page]]:
    # All that cannot be read are told at once: a document that is left out would seem to have vanished.
    faults: list[BadData] = []
    total = 0
    for name in names:
        try:
            page = read_document(folder / name)
        except BadData as fault:
            faults.append(fault)
            continue
        except MissingExtra as fault:
            raise MissingExtra(fault.what, where=str(folder / name), fix=fault.fix) from fault
        total += len(page.text)
        if total > MAX_TEXT:
            raise BadData(
                f"the documents hold over {MAX_TEXT:,} characters",
                where=str(folder),
                fix="Name a folder in it, or leave some out with exclude.",
            )
        yield name, page
    if len(faults) == 1:
        raise faults[0]
    if faults:
        told = "; ".join(f"{fault.where}: {fault.what}" for fault in faults[:_SHOWN])
        more = f"; and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
        raise BadData(
            f"{len(faults)} documents cannot be read: {told}{more}",
            where=str(folder),
            fix="Mend them, or leave them out with exclude.",
        )


def _rows(folder: Path, names: Sequence[str]) -> Iterator[Row]:
    for name in names:
        yield from read_rows(folder / name, error=BadData)


def _blank(pages: dict[str, Page]) -> Iterator[str]:
    blank = [name for name, page in pages.items() if not page.text.strip()]
    if blank:
        told = ", ".join(blank[:_SHOWN])
        more = f" and {len(blank) - _SHOWN} more" if len(blank) > _SHOWN else ""
        yield f"without any text (a PDF may hold pictures of it): {told}{more}"


def _slug(heading: str) -> str:
    return _NOT_SLUG.sub("", heading.casefold())[:_SLUG].strip().replace(" ", "-")
