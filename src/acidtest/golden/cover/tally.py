"""Counting cases and recorded questions by document, section, topic and kind."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.data.golden import Case
from acidtest.golden.cover.reach import Place
from acidtest.golden.cover.record import Asked, Document, KindCount, Section, Topic
from acidtest.golden.cover.topics import Topics
from acidtest.text.question_kind import KINDS, question_kinds

_DOCUMENTS = 3  # that a topic names
_TITLE = 200


class Spots(Struct, frozen=True):
    """Where cases and questions lie: documents, and sections as pairs of document and heading."""

    documents: Counter[str]
    sections: Counter[tuple[str, str | None]]


def spots_of_cases(places: Iterable[Place], corpus: Corpus) -> Spots:
    """Count cases; one that lies in two sections counts in both."""
    found = Spots(Counter(), Counter())
    for place in places:
        chunks = [corpus.by_id[name] for name in place.chunks]
        _count(found, chunks, place.documents)
    return found


def spots_of_questions(asked: Iterable[Asked], corpus: Corpus) -> Spots:
    """Count recorded questions by the best chunk that was retrieved for each and is in the corpus."""
    found = Spots(Counter(), Counter())
    for question in asked:
        best = next((name for name in question.retrieved if name in corpus.by_id), None)
        if best is not None:
            _count(found, [corpus.by_id[best]], ())
    return found


def _count(spots: Spots, chunks: Iterable[CorpusChunk], documents: Iterable[str]) -> None:
    sections = {(chunk.doc_id, chunk.section) for chunk in chunks if chunk.doc_id is not None}
    spots.sections.update(sections)
    spots.documents.update({doc for doc, _ in sections} | set(documents))


def documents_of(corpus: Corpus, cases: Spots, asked: Spots) -> tuple[Document, ...]:
    """Return the corpus's documents with their sections, in the order of the corpus."""
    return tuple(_document(name, chunks, cases, asked) for name, chunks in corpus.by_doc.items())


def _document(name: str, chunks: Sequence[CorpusChunk], cases: Spots, asked: Spots) -> Document:
    held: dict[str | None, list[CorpusChunk]] = {}
    for chunk in chunks:
        held.setdefault(chunk.section, []).append(chunk)
    sections = tuple(
        Section(
            name=section,
            chunks=len(inside),
            characters=_characters(inside),
            cases=cases.sections[name, section],
            asked=asked.sections[name, section],
        )
        for section, inside in held.items()
    )
    title = next((chunk.title for chunk in chunks if chunk.title), None)
    return Document(
        id=name,
        title=title[:_TITLE] if title else None,
        chunks=len(chunks),
        characters=_characters(chunks),
        cases=cases.documents[name],
        asked=asked.documents[name],
        sections=sections,
    )


def _characters(chunks: Iterable[CorpusChunk]) -> int:
    return sum(len(chunk.text) for chunk in chunks)


def topics_of(
    corpus: Corpus,
    topics: Topics,
    placed: Mapping[str, Place],
    cases: Sequence[Case],
    asked: Sequence[Asked],
) -> tuple[Topic, ...]:
    """Return the topics, the largest first.

    A case or question is of the topic of its chunks where they are known, else of the one whose words it
    shares most.
    """
    chunks: list[list[CorpusChunk]] = [[] for _ in range(len(topics))]
    for chunk in corpus:
        if (topic := topics.of.get(chunk.id)) is not None:
            chunks[topic].append(chunk)
    of_cases = Counter(_topic_of_case(topics, placed[case.id], case, corpus) for case in cases)
    of_asked = Counter(
        topics.of_chunks(q.retrieved[:1]) if q.retrieved[:1] and q.retrieved[0] in topics.of
        else topics.of_text(q.question)
        for q in asked
    )  # fmt: skip
    found = [
        Topic(
            words=topics.names[number],
            chunks=len(inside),
            share=len(inside) / len(corpus),
            likeness=topics.likeness[number],
            documents=_most(inside),
            cases=of_cases[number],
            asked=of_asked[number],
        )
        for number, inside in enumerate(chunks)
        if inside
    ]
    return tuple(sorted(found, key=lambda topic: (-topic.chunks, topic.words)))


def _topic_of_case(topics: Topics, place: Place, case: Case, corpus: Corpus) -> int | None:
    chunks = sorted(place.chunks) or [
        chunk.id for doc in sorted(place.documents) for chunk in corpus.by_doc[doc]
    ]
    known = topics.of_chunks(chunks)
    if known is not None:
        return known
    return topics.of_text(f"{case.question}\n{case.reference or ''}")


def _most(chunks: Iterable[CorpusChunk]) -> tuple[str, ...]:
    often = Counter(chunk.doc_id for chunk in chunks if chunk.doc_id is not None)
    return tuple(name for name, _ in often.most_common(_DOCUMENTS))


def kinds_of(cases: Iterable[Case], asked: Iterable[Asked]) -> tuple[KindCount, ...]:
    """Count the kinds of questions, by their words; one question can be of several."""
    of_cases = Counter(
        kind for c in cases for kind in question_kinds(c.question, follows=bool(c.history))
    )
    of_asked = Counter(
        kind for q in asked for kind in question_kinds(q.question, follows=q.follows)
    )
    return tuple(KindCount(kind=k, cases=of_cases[k], asked=of_asked[k]) for k in KINDS)
