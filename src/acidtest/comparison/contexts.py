"""What the contexts of one case held of what its question needs.

Known from the best evidence that the case has, in this order: labels (chunk or document ids), the
text of the evidence (which outlives ids: chunks that were cut anew still count), the judged recall of
the reference in the contexts, the judged usefulness of the contexts.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from acidtest.comparison.evidence_text import holds
from acidtest.comparison.scores import value_of
from acidtest.data.answers import Chunk
from acidtest.data.runs import CaseResult

PARTS = 5
"""Up to so many relevant pieces are parts that are all needed; more are alternatives, as in TREC."""

JUDGED_WHOLE = 0.8
"""From this judged share contexts count as holding all that is needed: judges miss a claim or two."""


class Contexts(Struct, frozen=True, kw_only=True):
    """Where the needed pieces stand among the retrieved chunks.

    `share` is the share of what the question needs that the contexts hold, None where nothing tells;
    `basis` says what told. `ranks` are the ranks of the chunks known to be relevant, ascending.
    `found` and `missing` name the pieces; `demoted` maps a missing piece to its rank among the
    first-stage candidates. `by_text` is true when ids alone would have found less.
    """

    count: int
    basis: str = ""
    share: float | None = None
    ranks: tuple[int, ...] = ()
    found: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    demoted: dict[str, int] = {}
    by_text: bool = False

    @property
    def first(self) -> int | None:
        """The rank of the first relevant chunk."""
        return self.ranks[0] if self.ranks else None

    @property
    def reach(self) -> float | None:
        """The share found of what so many chunks could have held: found / min(needed, retrieved)."""
        needed = len(self.found) + len(self.missing)
        if self.share is None or not needed:
            return self.share
        return len(self.found) / max(1, min(needed, self.count))

    @property
    def whole(self) -> bool:
        """Whether nothing that is needed is known to be missing."""
        needed = len(self.found) + len(self.missing)
        if self.share is None:
            return True
        if not needed:
            return self.share >= JUDGED_WHOLE
        return not self.missing or (needed > PARTS and (self.reach or 0.0) >= JUDGED_WHOLE)


def read_contexts(case: CaseResult, *, texts: bool = True) -> Contexts:
    """Say what the retrieved chunks of a case hold of what it needs.

    Args:
        case: The case.
        texts: Whether to look for the text of evidence whose id was not found, which takes longer.
    """
    chunks = case.retrieved or ()
    pieces = _pieces(case)
    if case.retrieved is None or (not pieces and not _labelled(case)):
        return _judged(case, len(chunks))
    found: dict[str, list[int]] = {}
    by_text = False
    for name, chunk_id, doc_id, told in pieces:
        ranks = _by_id(chunks, chunk_id, doc_id)
        if not ranks and texts:
            ranks = [rank for rank, c in enumerate(chunks, 1) if _holds_any(c.text, told)]
            by_text = by_text or bool(ranks)
        if ranks:
            found[name] = ranks
    missing = tuple(name for name, *_ in pieces if name not in found)
    if not found and not _checkable(chunks, pieces):
        return _judged(case, len(chunks))
    return Contexts(
        count=len(chunks),
        basis="labels" if _labelled(case) else "evidence",
        share=len(found) / len(pieces) if pieces else None,
        ranks=tuple(sorted({rank for ranks in found.values() for rank in ranks})),
        found=tuple(found),
        missing=missing,
        demoted=_demoted(case, pieces, missing),
        by_text=by_text,
    )


_Piece = tuple[str, str | None, str | None, tuple[str, ...]]
"""One thing that must be found: its name, chunk id, document id, and texts that stand for it."""


def _pieces(case: CaseResult) -> list[_Piece]:
    if case.relevant is not None:
        wanted = [key for key, grade in case.relevant.items() if grade > 0]
        texts = {key: tuple(e.text for e in case.evidence if e.chunk_id == key) for key in wanted}
        if len(wanted) == len(case.evidence) == 1:
            texts = {wanted[0]: (case.evidence[0].text,)}
        return [(key, key, None, texts[key]) for key in wanted]
    if case.relevant_docs is not None:
        return [(key, None, key, ()) for key, grade in case.relevant_docs.items() if grade > 0]
    return [
        (e.chunk_id or e.doc_id or f"evidence {n}", e.chunk_id, None, (e.text,))
        for n, e in enumerate(case.evidence, 1)
    ]


def _labelled(case: CaseResult) -> bool:
    return case.relevant is not None or case.relevant_docs is not None


def _by_id(chunks: Sequence[Chunk], chunk_id: str | None, doc_id: str | None) -> list[int]:
    return [
        rank
        for rank, chunk in enumerate(chunks, 1)
        if (chunk_id is not None and chunk.id == chunk_id)
        or (doc_id is not None and chunk.doc_id == doc_id)
    ]


def _checkable(chunks: Sequence[Chunk], pieces: Iterable[_Piece]) -> bool:
    """Whether finding nothing means that nothing is there (and not that ids or texts are absent)."""
    if not chunks:
        return True
    for _, chunk_id, doc_id, texts in pieces:
        if chunk_id is not None and any(c.id is not None for c in chunks):
            return True
        if doc_id is not None and any(c.doc_id is not None for c in chunks):
            return True
        if texts and any(c.text for c in chunks):
            return True
    return False


def _holds_any(text: str | None, pieces: Iterable[str]) -> bool:
    return text is not None and any(holds(text, piece) for piece in pieces)


def _demoted(case: CaseResult, pieces: Iterable[_Piece], missing: Sequence[str]) -> dict[str, int]:
    candidates = case.candidates or ()
    ranks: dict[str, int] = {}
    if not candidates:
        return ranks
    lost = frozenset(missing)
    for name, chunk_id, doc_id, texts in pieces:
        if name in lost:
            at = _by_id(candidates, chunk_id, doc_id) or [
                rank for rank, c in enumerate(candidates, 1) if _holds_any(c.text, texts)
            ]
            if at:
                ranks[name] = at[0]
    return ranks


def _judged(case: CaseResult, count: int) -> Contexts:
    """Without labels or evidence: what the judge or the words say of the contexts."""
    share = value_of(case, "context_recall")
    if share is not None:
        return Contexts(count=count, basis="context_recall", share=share)
    useful = value_of(case, "context_usefulness")
    if useful is not None:
        # One useful context may be all that is needed: any counts as there, none as not.
        return Contexts(count=count, basis="context_usefulness", share=1.0 if useful > 0 else 0.0)
    if case.retrieved == ():
        return Contexts(count=0, basis="nothing was retrieved", share=0.0)
    return Contexts(count=count)
