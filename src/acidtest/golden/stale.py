"""Is a golden set still true to its corpus? Every piece of evidence against what its document says today."""

import re
from collections.abc import Iterable, Mapping, Sequence

from acidtest.data.corpus import Corpus
from acidtest.data.golden import Case, Evidence, GoldenSet
from acidtest.golden.locate.find import Finder, Found
from acidtest.golden.locate.fold import fold
from acidtest.golden.locate.found import Occurrence
from acidtest.golden.locate.renamed import renames
from acidtest.golden.locate.stretches import documents_of
from acidtest.golden.locate.whole import whole_sentences
from acidtest.golden.stale_record import ORDER, Aged, Freshness, Staleness, Today

LIKE = 0.8
"""A text in another document that is at least this much alike is the evidence, edited."""

OWN = 0.9
"""So much alike in its own document, the text was edited there, whatever stands elsewhere."""

_SLIGHT = 12  # folded letters under which a text in another document is there by chance

Places = Mapping[tuple[str, str | None], Found]


def staleness(golden: GoldenSet, corpus: Corpus) -> Staleness:
    """Return what became of the sources of each case.

    Args:
        golden: The set; evidence with `doc_id` and `doc_version` tells most.
        corpus: Today's corpus.
    """
    versions = _versions(corpus)
    wanted = {
        (each.text, each.doc_id)
        for case in golden
        for each in case.evidence
        if not _same_version(each, versions)
    }
    finder = Finder(documents_of(corpus), {text for text, _ in wanted})
    ordered = sorted(wanted, key=lambda each: (each[1] or "", each[0]))
    places = {key: finder.find(*key) for key in ordered}
    renamed = renames(((*key, found) for key, found in places.items()), versions)
    states: dict[str, Freshness] = {}
    unknown: dict[str, str] = {}
    evidence: list[Aged] = []
    for case in golden:
        if not case.answerable:
            continue
        its = list(_aged(case, places, versions, renamed))
        evidence += its
        if its:
            states[case.id] = max((each.state for each in its), key=ORDER.index)
        else:
            unknown[case.id] = _why_unknown(case)
    return Staleness(
        states=states,
        unknown=unknown,
        unanswerable=tuple(case.id for case in golden if not case.answerable),
        evidence=tuple(evidence),
        renamed=renamed,
    )


def _versions(corpus: Corpus) -> dict[str, frozenset[str]]:
    """Return the versions that the chunks of each document name."""
    found = {
        doc_id: frozenset(each.doc_version for each in chunks if each.doc_version is not None)
        for doc_id, chunks in corpus.by_doc.items()
    }
    return found | {doc_id: frozenset() for doc_id in corpus.documents if doc_id not in found}


def _same_version(evidence: Evidence, versions: Mapping[str, frozenset[str]]) -> bool:
    return (
        evidence.doc_id is not None
        and evidence.doc_version is not None
        and versions.get(evidence.doc_id, frozenset()) == {evidence.doc_version}
    )


def _aged(
    case: Case,
    places: Places,
    versions: Mapping[str, frozenset[str]],
    renamed: Mapping[str, str],
) -> Iterable[Aged]:
    for number, each in enumerate(case.evidence):
        state, today, why = _held(each, places, versions, renamed)
        yield Aged(
            case=case.id,
            number=number,
            state=state,
            text=each.text,
            doc_id=each.doc_id,
            today=today,
            why=why,
        )
    taken = {each.doc_id for each in case.evidence}
    for doc_id, grade in (case.relevant_docs or {}).items():
        if grade and doc_id not in taken and versions and doc_id not in versions:
            new = renamed.get(doc_id)
            yield Aged(
                case=case.id,
                number=None,
                state="renamed" if new is not None else "vanished",
                doc_id=doc_id,
                why=f"its document is called {new} today"
                if new is not None
                else "its document is gone, and no text of it is known to find it by",
            )


def _held(
    evidence: Evidence,
    places: Places,
    versions: Mapping[str, frozenset[str]],
    renamed: Mapping[str, str],
) -> tuple[Freshness, Today | None, str]:
    if _same_version(evidence, versions):
        return "still_good", None, "its document has the same version"
    found = places[evidence.text, evidence.doc_id].occurrences
    if evidence.doc_id is None:
        return _anywhere(evidence.text, found, versions)
    own = [each for each in found if each.doc_id == evidence.doc_id]
    slight = len(fold(evidence.text)) < _SLIGHT
    others = [each for each in found if each.doc_id != evidence.doc_id and not slight]
    if evidence.doc_id in versions:
        return _at_home(evidence, own, others, versions)
    return _homeless(evidence, others, versions, renamed)


def _at_home(
    evidence: Evidence,
    own: Sequence[Occurrence],
    others: Sequence[Occurrence],
    versions: Mapping[str, frozenset[str]],
) -> tuple[Freshness, Today | None, str]:
    """Return what became of evidence whose document is there."""
    if own and own[0].how != "fuzzy":
        other = evidence.doc_version is not None and versions[str(evidence.doc_id)]
        why = "its document changed, the text is unchanged" if other else "the text is unchanged"
        return "still_good", _today(own[0], versions), why
    exact = [each for each in others if each.how != "fuzzy"]
    if exact and not (own and own[0].similarity >= OWN):
        why = f"the text is not in its document any more; it is in {_place(exact[0], exact)}"
        return "moved", _today(exact[0], versions), why
    if own:
        return "changed", _today(own[0], versions, evidence.text), _edited(own[0], "its document")
    return "changed", None, "its document has no text like it any more"


def _homeless(
    evidence: Evidence,
    others: Sequence[Occurrence],
    versions: Mapping[str, frozenset[str]],
    renamed: Mapping[str, str],
) -> tuple[Freshness, Today | None, str]:
    """Return what became of evidence whose document is gone."""
    new = renamed.get(str(evidence.doc_id))
    if not others or others[0].similarity < LIKE:
        return "vanished", None, "its document is gone, and the text is nowhere else"
    exact = [each for each in others if each.how != "fuzzy"]
    best = _named(exact or others, new)
    if not exact:
        place = _place(best, [best])
        if best.doc_id != new and _numbers(evidence.text) - _numbers(
            whole_sentences(best, evidence.text)
        ):
            # One form filled in for each product: another document's figures were never the evidence.
            why = f"its document is gone; the most like it, in {place}, has other numbers"
            return "vanished", _today(best, versions, evidence.text), why
        why = f"its document is gone; {_edited(best, place)}"
        return "changed", _today(best, versions, evidence.text), why
    if new is not None and best.doc_id == new:
        return "renamed", _today(best, versions), f"its document is called {new} today"
    why = f"its document is gone; the text is in {_place(best, exact)}"
    return "moved", _today(best, versions), why


def _anywhere(
    was: str, found: Sequence[Occurrence], versions: Mapping[str, frozenset[str]]
) -> tuple[Freshness, Today | None, str]:
    """Return what became of evidence that names no document."""
    if not found:
        return "vanished", None, "the text is nowhere, and it names no document"
    if found[0].how != "fuzzy":
        return "still_good", _today(found[0], versions), "the text is unchanged"
    return "changed", _today(found[0], versions, was), _edited(found[0], "the corpus")


def _place(best: Occurrence, found: Sequence[Occurrence]) -> str:
    named = best.doc_id if best.doc_id is not None else "a chunk without a document"
    more = len(found) - 1
    return f"{named} (and in {more} places more)" if more else named


def _named(found: Sequence[Occurrence], doc_id: str | None) -> Occurrence:
    return next((each for each in found if doc_id is not None and each.doc_id == doc_id), found[0])


def _numbers(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\d+", text))


def _edited(found: Occurrence, where: str) -> str:
    return f"{where} says it otherwise ({found.similarity:.0%} alike)"


def _today(
    found: Occurrence, versions: Mapping[str, frozenset[str]], was: str | None = None
) -> Today:
    """Return what stands there; beside evidence that is whole sentences, whole sentences."""
    named = versions.get(found.doc_id, frozenset()) if found.doc_id is not None else frozenset()
    return Today(
        text=found.text if was is None else whole_sentences(found, was),
        similarity=found.similarity,
        doc_id=found.doc_id,
        doc_version=next(iter(named)) if len(named) == 1 else None,
    )


def _why_unknown(case: Case) -> str:
    if case.labels is None:
        return "it is not labelled, and has no evidence"
    return "it has no evidence text"
