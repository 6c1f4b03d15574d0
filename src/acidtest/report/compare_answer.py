"""Both answers of a case with what is gone and what is new, and each sentence's claims at its end."""

import itertools
from collections.abc import Sequence

from acidtest.report.answer_view import ClaimView, Piece, shown_answer
from acidtest.report.word_diff import Range, differences
from acidtest.text.sentences import spans

GONE = "gone"
NEW = "new"

Pieces = tuple[Piece, ...]


def both_answers(
    before: str | None,
    after: str | None,
    claims: tuple[Sequence[ClaimView], Sequence[ClaimView]],
) -> tuple[Pieces | None, Pieces | None]:
    """Return both answers in pieces marked `gone` and `new`; None where there is no answer.

    Nothing is marked where one of them is missing.
    """
    old = None if before is None else shown_answer(before)
    new = None if after is None else shown_answer(after)
    gone: tuple[Range, ...] = ()
    added: tuple[Range, ...] = ()
    if old is not None and new is not None:
        gone, added = differences(old, new)
    return (
        None if old is None else _pieces(old, gone, GONE, claims[0]),
        None if new is None else _pieces(new, added, NEW, claims[1]),
    )


def _pieces(text: str, ranges: Sequence[Range], mark: str, claims: Sequence[ClaimView]) -> Pieces:
    """Cut a text at its changes and at the ends of sentences that claims speak of."""
    said = _sentence_ends(text, claims)
    starts, ends = {start for start, _ in ranges}, {end for _, end in ranges}
    cuts = sorted({0, len(text), *starts, *ends, *said})
    pieces = []
    changed = False
    for start, end in itertools.pairwise(cuts):
        changed = start in starts or (changed and start not in ends)
        pieces.append(Piece(text[start:end], mark if changed else "", tuple(said.get(end, ()))))
    return tuple(pieces)


def _sentence_ends(text: str, claims: Sequence[ClaimView]) -> dict[int, list[ClaimView]]:
    by_sentence: dict[int, list[ClaimView]] = {}
    for claim in claims:
        if claim.sentence is not None:
            by_sentence.setdefault(claim.sentence, []).append(claim)
    if not by_sentence:
        return {}
    return {
        start + len(text[start:end].rstrip()): by_sentence[number]
        for number, (start, end) in enumerate(spans(text), 1)
        if number in by_sentence
    }
