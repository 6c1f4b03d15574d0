"""Carrying the labels of a golden set over to new chunks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.data.golden import Case, Evidence, GoldenSet
from acidtest.golden.locate.around import Surroundings
from acidtest.golden.locate.choose import Hints
from acidtest.golden.locate.find import Finder, Found
from acidtest.golden.locate.found import Part
from acidtest.golden.locate.renamed import renames
from acidtest.golden.locate.stretches import stretches_of
from acidtest.golden.remap.claims import Claim, Piece, claims
from acidtest.golden.remap.cover import LEAST_SHARE
from acidtest.golden.remap.decisions import Decision
from acidtest.golden.remap.documents import document_label, numbers_for
from acidtest.golden.remap.evidence import decided as decided_evidence
from acidtest.golden.remap.place import Placement, hints_for, place
from acidtest.golden.remap.record import Label, Remapping, State
from acidtest.golden.remap.resolve import resolved
from acidtest.golden.remap.settle import decided, kept_together, settled
from acidtest.golden.remap.write import marks, new_case, worst
from acidtest.golden.version import version_of

LEAST_CONFIDENCE = 0.8
"""Below this confidence a label is doubtful."""

_SAMPLE = 30  # old chunks of a document that say where it went

Decisions = Mapping[tuple[str, str, str], Decision]


class _Ask(Struct, frozen=True, kw_only=True):
    """A case with its claims, and what is known of where each text came from."""

    case: Case
    claims: tuple[Claim, ...]
    pieces: tuple[tuple[Piece, Hints], ...]


def carry(
    golden: GoldenSet,
    corpus: Corpus,
    *,
    old: Corpus | None = None,
    decisions: Decisions | None = None,
    least_confidence: float = LEAST_CONFIDENCE,
    least_share: float = LEAST_SHARE,
) -> Remapping:
    """Return a golden set whose labels name the chunks that hold their evidence now.

    Args:
        golden: The set.
        corpus: The new chunks.
        old: The chunks that the labels name: the texts of labels without evidence, and what stood
            around those that occur more than once.
        decisions: What people decided, by case, kind and label.
        least_confidence: Below it a label is doubtful.
        least_share: See `cover`.

    Raises:
        BadData: A decision is about a label that the set does not have, or names an unknown chunk.
    """
    decisions = resolved(decisions or {}, golden, corpus)
    chunks = old.by_id if old is not None else {}
    around = Surroundings(stretches_of(old)) if old is not None else None
    asks = [_ask(case, chunks, around) for case in golden]
    found = _find(asks, old, corpus)
    renamed = renames(
        ((text, doc_id, places) for (text, doc_id), places in found.items()), corpus.by_doc
    )
    cases: list[Case] = []
    labels: list[Label] = []
    states: dict[str, State] = {}
    merged: list[str] = []
    for ask in asks:
        placements = _placed(ask, found, renamed, least_share)
        case, its = _case(ask, placements, corpus, renamed, decisions, least_confidence)
        cases.append(case)
        labels += its
        if its:
            states[case.id] = worst(its)
            if states[case.id] != "kept" and _merges(ask.claims, its):
                merged.append(case.id)
    return Remapping(
        golden=GoldenSet(
            cases, version=version_of(cases), path=golden.path, recorded=golden.recorded
        ),
        labels=tuple(labels),
        states=states,
        merged=tuple(merged),
        unlabelled=tuple(case.id for case in golden if case.id not in states),
        renamed=renamed,
    )


def _ask(case: Case, old: Mapping[str, CorpusChunk], around: Surroundings | None) -> _Ask:
    its = claims(case, old) if case.relevant else []
    pieces = [piece for claim in its for piece in claim.pieces]
    if its or case.relevant_docs:
        known = {piece.number for piece in pieces}
        pieces += [
            Piece(
                text=each.text,
                number=number,
                doc_id=each.doc_id,
                start=each.start,
                chunk_id=each.chunk_id,
            )
            for number, each in enumerate(case.evidence)
            if number not in known
        ]
    return _Ask(
        case=case,
        claims=tuple(its),
        pieces=tuple((piece, hints_for(piece, old, around)) for piece in pieces),
    )


def _find(
    asks: Iterable[_Ask], old: Corpus | None, corpus: Corpus
) -> dict[tuple[str, str | None], Found]:
    """Look all texts up, those of one document in a row."""
    wanted = {(piece.text, hints.doc_id) for ask in asks for piece, hints in ask.pieces}
    wanted.update(_samples({doc_id for _, doc_id in wanted}, old, corpus))
    finder = Finder(stretches_of(corpus), {text for text, _ in wanted})
    ordered = sorted(wanted, key=lambda each: (each[1] or "", each[0]))
    return {(text, doc_id): finder.find(text, doc_id) for text, doc_id in ordered}


def _samples(
    documents: set[str | None], old: Corpus | None, corpus: Corpus
) -> Iterator[tuple[str, str]]:
    """Yield old chunks of documents that are gone: they say where a document went."""
    for doc_id in documents:
        if doc_id is None or old is None or doc_id in corpus.by_doc:
            continue
        chunks = old.by_doc.get(doc_id, ())
        for chunk in chunks[:: len(chunks) // _SAMPLE + 1]:
            if chunk.text.strip():
                yield chunk.text, doc_id


def _placed(
    ask: _Ask,
    found: Mapping[tuple[str, str | None], Found],
    renamed: Mapping[str, str],
    least_share: float,
) -> dict[int, Placement]:
    """Place the pieces of a case: those first that stand in one place, then the others beside them."""
    placements: dict[int, Placement] = {}
    near: list[Part] = []
    for piece, hints in sorted(
        ask.pieces, key=lambda each: len(found[each[0].text, each[1].doc_id].occurrences) > 1
    ):
        placement = place(
            piece,
            replace(hints, near=tuple(near)),
            found[piece.text, hints.doc_id],
            renamed,
            prefer=_preferred(ask.case, piece),
            least_share=least_share,
        )
        placements[id(piece)] = placement
        if placement.occurrence is not None and not placement.others:
            near += placement.occurrence.parts
    return placements


def _preferred(case: Case, piece: Piece) -> frozenset[str]:
    return frozenset(case.relevant or {}) if piece.chunk_id is None else frozenset({piece.chunk_id})


def _case(
    ask: _Ask,
    placements: Mapping[int, Placement],
    corpus: Corpus,
    renamed: Mapping[str, str],
    decisions: Decisions,
    least_confidence: float,
) -> tuple[Case, list[Label]]:
    case = ask.case
    labels: list[Label] = []
    grades: dict[tuple[str, str], Mapping[str, int]] = {}
    written: dict[int, tuple[Evidence, ...]] = {}
    by_number = {
        piece.number: placements[id(piece)] for piece, _ in ask.pieces if piece.number is not None
    }
    for claim in ask.claims:
        its = [placements[id(piece)] for piece in claim.pieces]
        for label in settled(
            case.id,
            claim,
            its,
            corpus,
            least_confidence=least_confidence,
            open_labels=marks(case),
        ):
            decision = decisions.get((case.id, "chunk", label.label))
            if decision is None:
                labels.append(label)
                continue
            new, given = decided(label, decision)
            labels.append(new)
            grades["chunk", label.label] = given
            written.update(_written(case, its, new, decision, corpus))
    order = {label: number for number, label in enumerate(case.relevant or {})}
    labels = kept_together(sorted(labels, key=lambda each: order[each.label]))
    for doc_id, grade in (case.relevant_docs or {}).items():
        its = [by_number[number] for number in numbers_for(case, doc_id)]
        label = document_label(
            case.id, doc_id, grade, its, corpus, renamed, least_confidence=least_confidence
        )
        decision = decisions.get((case.id, "document", doc_id))
        if decision is not None:
            label, grades["document", doc_id] = decided(label, decision)
        labels.append(label)
    if not labels:
        return case, []
    sure = {
        number: placement
        for number, placement in by_number.items()
        if placement.confidence >= least_confidence or _claimed(ask, number)
    }
    return new_case(case, labels, sure, grades, written), labels


def _claimed(ask: _Ask, number: int) -> bool:
    return any(piece.number == number for claim in ask.claims for piece in claim.pieces)


def _written(
    case: Case,
    placements: Sequence[Placement],
    label: Label,
    decision: Decision,
    corpus: Corpus,
) -> Iterator[tuple[int, tuple[Evidence, ...]]]:
    """Yield the evidence of a label as it follows from a decision."""
    if decision.verb == "accept":
        return
    chunks = [corpus.by_id[id_] for id_ in label.to if id_ in corpus.by_id]
    for placement in placements:
        number = placement.piece.number
        if number is not None:
            old = case.evidence[number]
            kept = decision.verb == "keep"
            yield number, (old,) if kept else decided_evidence(old, placement, chunks)


def _merges(claims_: Sequence[Claim], labels: Sequence[Label]) -> bool:
    """Say whether one chunk stands for several labels that had a chunk each."""
    to = {each.label: each.to for each in labels if each.kind == "chunk"}
    seen = set[str]()
    for claim in claims_:
        now = {each for label in claim.labels for each in to[label]}
        if seen & now or (now and len(now) < len(claim.labels)):
            return True
        seen |= now
    return False
