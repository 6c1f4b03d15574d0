"""Which text stands for which label.

Evidence that names a label's chunk stands for that label. Evidence that names no chunk stands for the
labels that no other evidence names: for all of them together, or, where their grades differ and there
are as many texts, one for each in order (lists of ids and texts are written side by side). One text may go on in
the next chunk: fewer texts than labels are enough where ids with running numbers say that the chunks
were neighbours. Labels of grade 0 have only the evidence that names them. A label without any text is
looked up in the old chunks, where they are given.
"""

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct

from acidtest.data.corpus import CorpusChunk
from acidtest.data.golden import Case

FEWER = "labels share fewer texts, which do not name their chunk"
NEIGHBOUR = "no text names it; that of its neighbour may go on in it"

_NUMBER = re.compile(r"[0-9]{1,15}")
_LONGEST = 1_000  # characters of an id in which a number is looked for


class Piece(Struct, frozen=True, kw_only=True):
    """A text to look for; `number` is its place in the case's evidence, None for an old chunk's text."""

    text: str
    number: int | None = None
    doc_id: str | None = None
    start: int | None = None
    chunk_id: str | None = None


class Claim(Struct, frozen=True, kw_only=True):
    """Labels and the texts that stand for them together.

    Args:
        labels: Chunk id -> grade; nearly always one.
        pieces: The texts; none when nothing is known.
        why: What leaves open which text is whose.
    """

    labels: Mapping[str, int]
    pieces: tuple[Piece, ...] = ()
    why: str | None = None


def claims(case: Case, old: Mapping[str, CorpusChunk]) -> list[Claim]:
    """Return the claims of a case's chunk labels; together they have every label once."""
    labels = case.relevant or {}
    named: dict[str, list[Piece]] = {label: [] for label in labels}
    loose: list[Piece] = []
    for number, evidence in enumerate(case.evidence):
        piece = Piece(
            text=evidence.text,
            number=number,
            doc_id=evidence.doc_id,
            start=evidence.start,
            chunk_id=evidence.chunk_id,
        )
        if evidence.chunk_id in named:
            named[evidence.chunk_id].append(piece)
        elif evidence.chunk_id is None:
            loose.append(piece)
    open_labels = {label: grade for label, grade in labels.items() if not named[label]}
    if len(labels) == 1 and not open_labels:
        named[next(iter(labels))] += loose
        loose = []
    relevant = {label: grade for label, grade in open_labels.items() if grade}
    other = {label: 0 for label, grade in open_labels.items() if not grade}
    found = [
        Claim(labels={label: labels[label]}, pieces=tuple(pieces))
        for label, pieces in named.items()
        if pieces
    ]
    return [*found, *_open(relevant, loose, old, named), *_open(other, [], old, {})]


def _open(
    labels: Mapping[str, int],
    loose: list[Piece],
    old: Mapping[str, CorpusChunk],
    named: Mapping[str, list[Piece]],
) -> list[Claim]:
    """Return the claims of labels that no evidence names."""
    if not labels:
        return []
    if len(loose) == len(labels) and len(set(labels.values())) > 1:
        return [
            Claim(labels={label: grade}, pieces=(_as(piece, label),))
            for (label, grade), piece in zip(labels.items(), loose, strict=True)
        ]
    if len(loose) >= len(labels):
        only = next(iter(labels)) if len(labels) == 1 else None
        return [Claim(labels=labels, pieces=tuple(_as(piece, only) for piece in loose))]
    known = {label: grade for label, grade in labels.items() if label in old}
    rest = {label: grade for label, grade in labels.items() if label not in old}
    found = [
        Claim(labels={label: grade}, pieces=(_from_chunk(old[label]),))
        for label, grade in known.items()
    ]
    if rest and loose and not known:
        why = None if len(runs(rest)) <= len(loose) else f"{len(rest)} {FEWER}"
        return [Claim(labels=rest, pieces=tuple(loose), why=why)]
    return found + [_beside(label, grade, named) for label, grade in rest.items()]


def _beside(label: str, grade: int, named: Mapping[str, list[Piece]]) -> Claim:
    """Return the claim of a label without text: that of a neighbouring chunk may go on in it."""
    for other, pieces in named.items():
        if pieces and len(runs([label, other])) == 1:
            return Claim(
                labels={label: grade},
                pieces=tuple(_as(each, None) for each in pieces),
                why=NEIGHBOUR,
            )
    return Claim(labels={label: grade})


def runs(labels: Iterable[str]) -> list[list[str]]:
    """Return labels in groups of neighbours: ids that are alike but for a number that counts up."""
    found: list[list[str]] = []
    before: tuple[str, str, int] | None = None
    for head, tail, number, label in sorted(map(_parts, labels)):
        if before is not None and before == (head, tail, number - 1):
            found[-1].append(label)
        else:
            found.append([label])
        before = (head, tail, number)
    return found


def _parts(label: str) -> tuple[str, str, int, str]:
    """Return what stands before and after the last number of an id, and the number."""
    numbers = list(_NUMBER.finditer(label)) if len(label) <= _LONGEST else []
    if not numbers:
        return label, "", 0, label
    last = numbers[-1]
    return label[: last.start()], label[last.end() :], int(last[0]), label


def _as(piece: Piece, label: str | None) -> Piece:
    return Piece(
        text=piece.text,
        number=piece.number,
        doc_id=piece.doc_id,
        start=piece.start,
        chunk_id=label,
    )


def _from_chunk(chunk: CorpusChunk) -> Piece:
    return Piece(text=chunk.text, doc_id=chunk.doc_id, start=chunk.start, chunk_id=chunk.id)
