"""Holding a golden set against a corpus and against what users ask."""

from collections.abc import Iterator, Sequence

import msgspec

from acidtest.codec.lossy import encoded
from acidtest.data.corpus import Corpus
from acidtest.data.golden import Case, GoldenSet
from acidtest.golden.cover.reach import place_of
from acidtest.golden.cover.record import Asked, Coverage
from acidtest.golden.cover.suggest import suggestions
from acidtest.golden.cover.tally import (
    documents_of,
    kinds_of,
    spots_of_cases,
    spots_of_questions,
    topics_of,
)
from acidtest.golden.cover.topics import LEAST_CHUNKS, Topics

FORMAT = "acidtest/golden-cover"


def coverage(
    golden: GoldenSet, corpus: Corpus, asked: Sequence[Asked] = (), *, topics: int | None = None
) -> Coverage:
    """Say what of a corpus, and of what users ask, a golden set reaches.

    Args:
        golden: The set.
        corpus: Today's chunks.
        asked: Questions that users asked, with what was retrieved for them where it is known.
        topics: Into how many topics the chunks are grouped; by default as many as fit their number.
    """
    cases = [case for case in golden if case.answerable]
    places = {case.id: place_of(case, corpus) for case in cases}
    found = {name: place for name, place in places.items() if place.chunks or place.documents}
    documents = documents_of(
        corpus, spots_of_cases(found.values(), corpus), spots_of_questions(asked, corpus)
    )
    grouped = Topics(corpus, topics)
    groups = topics_of(corpus, grouped, places, cases, asked)
    kinds = kinds_of(golden, asked)
    return Coverage(
        golden_version=golden.version,
        cases=len(golden),
        cases_placed=len(found),
        documents_only=sum(1 for place in found.values() if not place.chunks),
        unplaced=tuple(case.id for case in cases if case.id not in found),
        chunks=len(corpus),
        chunks_without_topic=len(corpus) - len(grouped.of),
        chunks_reached=len({name for place in found.values() for name in place.chunks}),
        asked=len(asked),
        asked_placed=sum(1 for q in asked if any(name in corpus.by_id for name in q.retrieved)),
        documents=documents,
        topics=groups,
        kinds=kinds,
        suggestions=suggestions(
            documents, groups, kinds, cases=len(golden), placed=len(found), asked=len(asked)
        ),
        notes=tuple(_notes(golden, corpus, asked, cases, len(found))),
    )


def coverage_json(found: Coverage) -> bytes:
    """Return the cover as JSON (`"format": "acidtest/golden-cover"`)."""
    document = {"format": FORMAT, "version": 1, **msgspec.structs.asdict(found)}
    return msgspec.json.format(encoded(document), indent=1)


def _notes(
    golden: GoldenSet, corpus: Corpus, asked: Sequence[Asked], cases: Sequence[Case], placed: int
) -> Iterator[str]:
    if cases and not placed:
        yield (
            "no case names a chunk or document of this corpus: label the set, or if the corpus was cut "
            "anew carry its labels over with acidtest golden remap"
        )
    if not corpus.by_doc:
        yield "the chunks name no documents: only topics can be told"
    if len(corpus) < LEAST_CHUNKS:
        yield f"under {LEAST_CHUNKS} chunks are too few for topics"
    own = {_squeezed(case.question) for case in golden}
    known = sum(1 for question in asked if _squeezed(question.question) in own)
    if asked and known == len(asked):
        yield "every recorded question is one of the set's own: they say nothing of what users ask"


def _squeezed(question: str) -> str:
    return " ".join(question.casefold().split())
