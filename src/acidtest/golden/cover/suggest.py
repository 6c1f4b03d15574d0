"""What to write next, from the largest gap down.

A document's weight is its share of the corpus's characters, and where it is known what users ask, the mean
of that and of its share of their questions. Its fair number of cases is its weight times the cases that
have a place. A document without a case, or far below its fair number, is suggested by its largest section
that no case reaches; so are topics, sections that users ask about, and kinds that users ask more often than
the set does.
"""

from collections.abc import Iterator, Sequence

from acidtest.golden.cover.record import Document, KindCount, Section, Suggestion, Topic

MOST = 200
_AT_ONCE = 5  # questions that one suggestion asks for at most
_FAR = 2.0  # cases below the fair number
_LEAST = 80  # characters of what can be asked about, unless users did
_KIND_GAP = 0.10  # of the questions
_RARE = 0.02
_ENOUGH = 20
"""Recorded questions below which nothing is said of kinds."""


def suggestions(
    documents: Sequence[Document],
    topics: Sequence[Topic],
    kinds: Sequence[KindCount],
    *,
    cases: int,
    placed: int,
    asked: int,
) -> tuple[Suggestion, ...]:
    """Return what to write next, the largest gap first.

    Args:
        documents: The corpus's documents.
        topics: Its topics.
        kinds: The kinds of questions.
        cases: The cases of the set.
        placed: Those whose place in the corpus is known.
        asked: The recorded questions.
    """
    found = [
        *_of_documents(documents, placed),
        *_of_topics(topics),
        *_of_kinds(kinds, cases, asked),
    ]
    return tuple(sorted(found, key=lambda each: (-each.weight, each.about, each.name))[:MOST])


def _of_documents(documents: Sequence[Document], placed: int) -> Iterator[Suggestion]:
    characters = sum(document.characters for document in documents) or 1
    asked = sum(document.asked for document in documents)
    for document in documents:
        weight = _weight(document.characters / characters, document.asked, asked)
        fair = weight * placed
        low = document.cases == 0 or fair - document.cases >= _FAR
        section = _open(document)
        if low and _worth(document):
            gap = weight - (document.cases / placed if placed else 0)
            yield _suggestion("document", document, section, fair - document.cases, gap)
        elif section is not None and section.asked:
            share = section.asked / asked
            yield _suggestion("section", document, section, share * placed, share / 2)


def _suggestion(
    about: str, document: Document, section: Section | None, wanted: float, gap: float
) -> Suggestion:
    number = _number(wanted)
    under = f" > {section.name}" if section is not None and section.name is not None else ""
    name = f"{document.id}{under}"
    title = document.title if not under and document.title else ""
    shown = f'{document.id} "{title}"' if title and title not in document.id else name
    spot = section or document
    said = [f"{_count(spot.characters, 'character')} in {_count(spot.chunks, 'chunk')}"]
    if spot.asked:
        said.append(f"asked {_count(spot.asked, 'time')}")
    said.append("no case" if spot.cases == 0 else _count(spot.cases, "case"))
    return Suggestion(
        about=about,
        name=name,
        questions=number,
        weight=gap,
        text=f"Write {_count(number, 'question')} about {shown} ({', '.join(said)}).",
    )


def _worth(spot: Document | Section) -> bool:
    return spot.characters >= _LEAST or spot.asked > 0


def _open(document: Document) -> Section | None:
    # The section that no case reaches and that is asked about most, then the largest.
    left = [s for s in document.sections if not s.cases and _worth(s)]
    if not left or (len(document.sections) == 1 and document.sections[0].name is None):
        return None
    return max(left, key=lambda section: (section.asked, section.characters))


def _of_topics(topics: Sequence[Topic]) -> Iterator[Suggestion]:
    cases = sum(topic.cases for topic in topics)
    asked = sum(topic.asked for topic in topics)
    for topic in topics:
        weight = _weight(topic.share, topic.asked, asked)
        if topic.cases and weight * cases - topic.cases < _FAR:
            continue
        number = _number(weight * cases - topic.cases)
        name = ", ".join(topic.words)
        said = [f"{topic.share:.0%} of the chunks"]
        if asked:
            said.append(f"{topic.asked / asked:.0%} of what is asked")
        said.append("no case" if not topic.cases else _count(topic.cases, "case"))
        at = f", for example from {topic.documents[0]}" if topic.documents else ""
        yield Suggestion(
            about="topic",
            name=name,
            questions=number,
            weight=weight - (topic.cases / cases if cases else 0),
            text=f"Write {_count(number, 'question')} on the topic: {name} ({', '.join(said)}){at}.",
        )


def _of_kinds(kinds: Sequence[KindCount], cases: int, asked: int) -> Iterator[Suggestion]:
    if asked < _ENOUGH or not cases:
        return
    for kind in kinds:
        there, here = kind.asked / asked, kind.cases / cases
        if there - here >= _KIND_GAP or (not kind.cases and there >= _RARE):
            number = _number((there - here) * cases)
            yield Suggestion(
                about="kind",
                name=kind.kind,
                questions=number,
                weight=there - here,
                text=f"Write {_count(number, 'question')} of the kind {kind.kind}: {there:.0%} of what "
                f"is asked, {here:.0%} of the set.",
            )


def _weight(size: float, asked: int, of: int) -> float:
    return (size + asked / of) / 2 if of else size


def _number(wanted: float) -> int:
    return max(1, min(_AT_ONCE, round(wanted)))


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"
