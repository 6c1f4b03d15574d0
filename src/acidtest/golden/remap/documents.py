"""Labels of documents: kept where the document is, moved where it has another name."""

from collections.abc import Mapping, Sequence

from acidtest.data.corpus import Corpus
from acidtest.data.golden import Case
from acidtest.golden.remap.place import Placement
from acidtest.golden.remap.record import Label, State
from acidtest.golden.remap.settle import state_of


def numbers_for(case: Case, doc_id: str) -> tuple[int, ...]:
    """Return which pieces of a case's evidence stand for a document."""
    only = len(case.relevant_docs or {}) == 1
    return tuple(
        number
        for number, each in enumerate(case.evidence)
        if each.doc_id == doc_id or (only and each.doc_id is None)
    )


def document_label(
    case: str,
    doc_id: str,
    grade: int,
    placements: Sequence[Placement],
    corpus: Corpus,
    renamed: Mapping[str, str],
    *,
    least_confidence: float,
) -> Label:
    """Return what becomes of the label of a document.

    Args:
        case: The case's id.
        doc_id: The document's old id.
        grade: Its grade.
        placements: Where the evidence taken from it is.
        corpus: The new chunks.
        renamed: Documents that have another name now.
        least_confidence: Below it a label is doubtful.
    """
    texts = tuple(each.piece.text for each in placements)
    there = [each for each in placements if each.occurrence is not None]
    to = _documents(there)
    confidence = min((each.confidence for each in there), default=None)
    how = next((each.occurrence.how for each in there if each.occurrence is not None), None)
    why: str | None = None
    if not corpus.by_doc:
        to, confidence, why = (doc_id,), None, "the new chunks name no documents"
    elif doc_id in corpus.by_doc:
        if texts and not there:
            why = "the document is there, the text that was taken from it is not"
        if not to or doc_id in to:
            to = (doc_id,)
            confidence = confidence if there else None
    elif doc_id in renamed:
        to = (renamed[doc_id],)
    elif not to:
        gone = "its document is gone, and its text is nowhere else"
        return Label(
            case=case,
            label=doc_id,
            kind="document",
            grade=grade,
            state="lost",
            why=gone if texts else "its document is gone, and no text of it is known",
            evidence=texts,
        )
    if why is None and confidence is not None and confidence < least_confidence:
        why = next((each.why for each in there if each.why), "it is not alike enough")
    state: State = "doubtful" if why else state_of(doc_id, to)
    return Label(
        case=case,
        label=doc_id,
        kind="document",
        grade=grade,
        state=state,
        to=to,
        confidence=confidence,
        how=how,
        why=why,
        evidence=texts,
    )


def _documents(placements: Sequence[Placement]) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            part.stretch.doc_id
            for each in placements
            if each.occurrence is not None
            for part in each.occurrence.parts
            if part.stretch.doc_id is not None
        )
    )
