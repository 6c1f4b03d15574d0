"""The passages of one case in two runs: which were retrieved where, and how they moved."""

from collections.abc import Iterable

from msgspec import Struct

from acidtest.data.answers import Chunk
from acidtest.data.runs import CaseResult
from acidtest.report.answer_view import ClaimView, Piece, marked_passage
from acidtest.report.case_view import grade_of
from acidtest.report.clean import clip, one_line
from acidtest.report.words import Tone

MOST_PASSAGES = 20
"""So many of each run are shown; how many follow is said."""

LONGEST_ASIDE = 400
"""Passages that no label and no claim speaks of are cut to this."""

Key = tuple[str, str]


class Passage(Struct, frozen=True, kw_only=True):
    """One passage that either run retrieved, or should have; ranks are None where it did not."""

    number: int
    name: str
    doc: str = ""
    grade: int | None = None
    mark: str = "unlabelled"
    before: int | None = None
    after: int | None = None
    arrow: str = ""
    moved: str = ""
    tone: Tone = "mute"
    cited: tuple[str, ...] = ()
    before_candidate: int | None = None
    after_candidate: int | None = None
    other_text: bool = False
    first_words: str = ""
    pieces: tuple[Piece, ...] = ()


class Passages(Struct, frozen=True, kw_only=True):
    """All passages of a case; `at` are the numbers by rank in each run, for links from claims."""

    rows: tuple[Passage, ...] = ()
    missing: tuple[Passage, ...] = ()
    more: int = 0
    unknown: tuple[bool, bool] = (False, False)
    same: bool = True
    at_before: dict[int, int] = {}
    at_after: dict[int, int] = {}


def passages(
    before: CaseResult,
    after: CaseResult,
    claims: tuple[tuple[ClaimView, ...], tuple[ClaimView, ...]],
    names: tuple[str, str],
) -> Passages:
    """Return the passages of a case, in the candidate's order and then what it no longer has.

    Args:
        before: The case in the baseline.
        after: The case in the candidate; its labels are the ones that count.
        claims: The claims of both answers, whose quotes are marked.
        names: What the runs are called.
    """
    ranks = _ranks(before.retrieved), _ranks(after.retrieved)
    shown = tuple(
        {key: rank for key, rank in one.items() if rank <= MOST_PASSAGES} for one in ranks
    )
    order = [*shown[1], *(key for key in shown[0] if key not in shown[1])]
    rows = []
    for number, key in enumerate(order, 1):
        old, new = ranks[0].get(key), ranks[1].get(key)
        rows.append(_row(number, (before, after), (old, new), claims, names))
    absent = _missing(after, before, len(rows))
    return Passages(
        rows=tuple(rows),
        missing=absent,
        more=len(ranks[0].keys() | ranks[1].keys()) - len(rows),
        unknown=(before.retrieved is None, after.retrieved is None),
        same=list(ranks[0]) == list(ranks[1]),
        at_before=_at(before.retrieved, order),
        at_after=_at(after.retrieved, order),
    )


def key_of(chunk: Chunk) -> Key:
    """Return what tells a passage from others: its id, else its text, else where it comes from."""
    if chunk.id is not None:
        return "id", chunk.id
    if chunk.text:
        return "text", chunk.text
    return "doc", chunk.doc_id or chunk.source or ""


def _ranks(chunks: tuple[Chunk, ...] | None) -> dict[Key, int]:
    ranks: dict[Key, int] = {}
    for rank, chunk in enumerate(chunks or (), 1):
        ranks.setdefault(key_of(chunk), rank)
    return ranks


def _at(chunks: tuple[Chunk, ...] | None, order: list[Key]) -> dict[int, int]:
    numbers = {key: number for number, key in enumerate(order, 1)}
    return {
        rank: numbers[key]
        for rank, chunk in enumerate(chunks or (), 1)
        if (key := key_of(chunk)) in numbers
    }


def _row(
    number: int,
    cases: tuple[CaseResult, CaseResult],
    ranks: tuple[int | None, int | None],
    claims: tuple[tuple[ClaimView, ...], tuple[ClaimView, ...]],
    names: tuple[str, str],
) -> Passage:
    chunks = [
        None if rank is None else (case.retrieved or ())[rank - 1]
        for case, rank in zip(cases, ranks, strict=True)
    ]
    chunk = chunks[1] or chunks[0] or Chunk()
    grade = grade_of(cases[1], chunk)
    quotes = [
        claim.quote
        for rank, some in zip(ranks, claims, strict=True)
        for claim in some
        if rank is not None and claim.passage == rank
    ]
    text = chunk.text or ""
    told = text if grade or quotes else clip(text, LONGEST_ASIDE)
    name = chunk.id or chunk.source or chunk.doc_id or "passage without id"
    arrow, moved, tone = movement(*ranks, relevant=bool(grade))
    candidates = [_candidate(case, chunk) for case in cases]
    return Passage(
        number=number,
        name=clip(name, 200),
        doc=clip(chunk.doc_id, 200) if chunk.doc_id and not name.startswith(chunk.doc_id) else "",
        grade=grade,
        mark="unlabelled" if grade is None else "relevant" if grade > 0 else "irrelevant",
        before=ranks[0],
        after=ranks[1],
        arrow=arrow,
        moved=moved,
        tone=tone,
        cited=tuple(
            who
            for who, case, rank in zip(names, cases, ranks, strict=True)
            if rank is not None and {chunk.id, str(rank)} & set(case.citations or ())
        ),
        before_candidate=candidates[0] if ranks[0] is None else None,
        after_candidate=candidates[1] if ranks[1] is None else None,
        other_text=all(c is not None for c in chunks) and _texts_differ(chunks),
        first_words=clip(one_line(text[:400]), 120),
        pieces=marked_passage(told, quotes),
    )


def _texts_differ(chunks: Iterable[Chunk | None]) -> bool:
    return len({" ".join(c.text.split()) for c in chunks if c is not None and c.text}) > 1


def _candidate(case: CaseResult, chunk: Chunk) -> int | None:
    """Return a passage's rank before reranking."""
    key = key_of(chunk)
    return next((n for n, c in enumerate(case.candidates or (), 1) if key_of(c) == key), None)


def movement(before: int | None, after: int | None, *, relevant: bool) -> tuple[str, str, Tone]:
    """Return an arrow, words and a tone; only what is relevant moves for better or worse."""
    if before is None:
        return "+", "new", "good" if relevant else "mute"
    if after is None:
        return "–", "gone", "bad" if relevant else "mute"
    by = before - after
    if by == 0:
        return "=", "same rank", "mute"
    if by > 0:
        return "↑", f"up {by}", "good" if relevant else "mute"
    return "↓", f"down {-by}", "bad" if relevant else "mute"


def _missing(after: CaseResult, before: CaseResult, first: int) -> tuple[Passage, ...]:
    """Return what is labelled relevant and was retrieved by neither run."""
    by_chunk = after.relevant is not None
    labels = after.relevant if after.relevant is not None else after.relevant_docs or {}
    there = {
        chunk.id if by_chunk else chunk.doc_id
        for case in (before, after)
        for chunk in case.retrieved or ()
    }
    absent = [(name, grade) for name, grade in labels.items() if grade > 0 and name not in there]
    return tuple(
        _absent(first + n, name, grade, before, after)
        for n, (name, grade) in enumerate(absent[:MOST_PASSAGES], 1)
    )


def _absent(number: int, name: str, grade: int, before: CaseResult, after: CaseResult) -> Passage:
    wanted = Chunk(id=name)
    text = next((e.text for e in after.evidence if name in (e.chunk_id, e.doc_id)), "")
    return Passage(
        number=number,
        name=clip(name, 200),
        grade=grade,
        mark="relevant",
        before_candidate=_candidate(before, wanted),
        after_candidate=_candidate(after, wanted),
        first_words=clip(one_line(text[:400]), 120),
        pieces=marked_passage(clip(text, 1_500), ()),
    )
