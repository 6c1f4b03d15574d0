"""From where the evidence is, and what people decided, to what becomes of a label."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.golden.remap.claims import Claim
from acidtest.golden.remap.decisions import Decision
from acidtest.golden.remap.place import Placement
from acidtest.golden.remap.record import Label, Shown, State

LONGEST_SHOWN = 4_000
"""Characters of a chunk that a person is shown."""

_UNVERIFIED = "its id is there, but no text is known to check it by"


def settled(
    case: str,
    claim: Claim,
    placements: Sequence[Placement],
    corpus: Corpus,
    *,
    least_confidence: float,
    open_labels: frozenset[str],
) -> list[Label]:
    """Return what becomes of the labels of one claim.

    Args:
        case: The case's id.
        claim: The labels and their texts.
        placements: Where each text is.
        corpus: The new chunks.
        least_confidence: Below it a label is doubtful.
        open_labels: Labels that a person has yet to decide on from an earlier time.
    """
    if not placements:
        return [_by_id(case, label, grade, corpus) for label, grade in claim.labels.items()]
    there = [each for each in placements if each.spots]
    texts = tuple(each.piece.text for each in placements)
    to = _ids(there)
    why = next((each.why for each in placements if each.why and not each.spots), None)
    if not there:
        return [
            _label(case, label, grade, "lost", texts, why=_of_lost(label, why, corpus))
            for label, grade in claim.labels.items()
        ]
    confidence = min(each.confidence for each in there)
    doubt = claim.why if claim.why is not None and not set(claim.labels) <= set(to) else None
    if doubt is not None:
        to = tuple(
            dict.fromkeys([*to, *(label for label in claim.labels if label in corpus.by_id)])
        )
    if len(there) < len(placements):
        why = f"{len(placements) - len(there)} of {len(placements)} texts of it stand nowhere"
    elif confidence < least_confidence:
        why = min(there, key=lambda each: each.confidence).why or "it is not alike enough"
    doubt = doubt or why
    labels = []
    for label, grade in claim.labels.items():
        open_one = bool(open_labels.intersection({label}))
        reason = doubt or (
            "it was doubtful before, and nobody has decided on it" if open_one else None
        )
        state: State = "doubtful" if reason else state_of(label, to, among=len(claim.labels))
        labels.append(
            _label(
                case,
                label,
                grade,
                state,
                texts,
                why=reason,
                to=to,
                confidence=confidence,
                how=_worst(there),
                alternatives=tuple(dict.fromkeys(a for each in there for a in each.alternatives)),
                proposed=shown(corpus.by_id[id_] for id_ in to) if reason else (),
                others=shown(o.chunk for each in there for o in each.others) if reason else (),
            )
        )
    return labels


def decided(label: Label, decision: Decision) -> tuple[Label, Mapping[str, int]]:
    """Return a label as a person decided on it, and the grades of its chunks now."""
    if decision.verb == "drop":
        grades: dict[str, int] = {}
    elif decision.verb == "keep":
        grades = {label.label: label.grade}
    elif decision.verb == "accept":
        grades = dict.fromkeys(label.to, label.grade)
    else:
        grades = {
            each: label.grade if grade is None else grade for each, grade in decision.chunks.items()
        }
    to = tuple(grades)
    return (
        _label(
            label.case,
            label.label,
            label.grade,
            state_of(label.label, to) if to else "dropped",
            label.evidence,
            kind=label.kind,
            to=to,
            confidence=1.0,
            how="reviewed",
        ),
        grades,
    )


def kept_together(labels: Sequence[Label]) -> list[Label]:
    """Return the labels of a case, those kept that share their chunks with each other as before."""
    old = {each.label for each in labels if each.kind == "chunk"}
    return [
        replace(each, state="kept")
        if each.kind == "chunk"
        and each.state == "split"
        and each.label in each.to
        and old.issuperset(each.to)
        else each
        for each in labels
    ]


def state_of(label: str, to: Sequence[str], *, among: int = 1) -> State:
    """Return what became of a label whose chunks are sure.

    Args:
        label: The old id.
        to: The chunks.
        among: How many labels have these chunks together.
    """
    if len(to) > among:
        return "split"
    return "kept" if label in to else "moved"


def shown(chunks: Iterable[CorpusChunk]) -> tuple[Shown, ...]:
    """Return chunks as a person is shown them."""
    found: dict[str, Shown] = {}
    for chunk in chunks:
        text = chunk.text
        if len(text) > LONGEST_SHOWN:
            text = f"{text[:LONGEST_SHOWN]}… ({len(text):,} characters)"
        found.setdefault(chunk.id, Shown(id=chunk.id, doc_id=chunk.doc_id, text=text))
    return tuple(found.values())


def _by_id(case: str, label: str, grade: int, corpus: Corpus) -> Label:
    if label not in corpus.by_id:
        why = "its id is gone, and no text is known to find it by"
        return _label(case, label, grade, "lost", (), why=why)
    return _label(
        case,
        label,
        grade,
        "doubtful",
        (),
        why=_UNVERIFIED,
        to=(label,),
        proposed=shown([corpus.by_id[label]]),
    )


def _of_lost(label: str, why: str | None, corpus: Corpus) -> str | None:
    if label in corpus.by_id:
        return f"{why}; its id names another chunk now"
    return why


def _ids(placements: Iterable[Placement]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(spot.held.id for each in placements for spot in each.spots))


def _worst(placements: Sequence[Placement]) -> str:
    found = [each.occurrence for each in placements if each.occurrence is not None]
    return min(found, key=lambda each: (each.how != "fuzzy", each.similarity)).how


def _label(
    case: str, label: str, grade: int, state: State, texts: tuple[str, ...], **more: object
) -> Label:
    return Label(case=case, label=label, grade=grade, state=state, evidence=texts, **more)  # type: ignore[arg-type]
