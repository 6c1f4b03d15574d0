"""Which chunks and documents of a corpus the cases of a golden set are about.

A label of grade 1 or more, or evidence, names a chunk that the corpus has; or evidence stands word for word
in a chunk of the document that it names; or only the document is known.
"""

from collections.abc import Iterator

from msgspec import Struct

from acidtest.data.corpus import Corpus
from acidtest.data.golden import Case, Evidence


class Place(Struct, frozen=True):
    """What a case is about: ids of chunks, and of documents of which no chunk is known."""

    chunks: frozenset[str]
    documents: frozenset[str]


def place_of(case: Case, corpus: Corpus) -> Place:
    """Return where in the corpus a case has its answer, as far as its labels and evidence say."""
    chunks = {
        name for name, grade in (case.relevant or {}).items() if grade >= 1 and name in corpus.by_id
    }
    documents = {
        name
        for name, grade in (case.relevant_docs or {}).items()
        if grade >= 1 and name in corpus.by_doc
    }
    for piece in case.evidence:
        held = set(_holding(piece, corpus))
        chunks |= held
        if not held and piece.doc_id is not None and piece.doc_id in corpus.by_doc:
            documents.add(piece.doc_id)
    known = {corpus.by_id[name].doc_id for name in chunks}
    return Place(frozenset(chunks), frozenset(doc for doc in documents if doc not in known))


def reached_chunks(cases: Iterator[Case], corpus: Corpus) -> frozenset[str]:
    """Return the ids of all chunks that any of the cases is about."""
    return frozenset().union(*(place_of(case, corpus).chunks for case in cases))


def _holding(piece: Evidence, corpus: Corpus) -> Iterator[str]:
    if piece.chunk_id is not None and piece.chunk_id in corpus.by_id:
        yield piece.chunk_id
        return
    text = _folded(piece.text)
    for chunk in corpus.by_doc.get(piece.doc_id, ()) if piece.doc_id is not None else ():
        if text in _folded(chunk.text):
            yield chunk.id


def _folded(text: str) -> str:
    return " ".join(text.split())
