"""A case as the HTML report shows it: answer, passages with their marks, what is missing, scores."""

from typing import Any

from msgspec import Struct

from acidtest.data.answers import Chunk
from acidtest.data.golden import Evidence
from acidtest.data.outcomes import Failure, Score, Skip
from acidtest.data.runs import CaseResult, Run
from acidtest.report.answer_view import (
    ClaimView,
    Piece,
    claims_of,
    marked_answer,
    marked_passage,
)
from acidtest.report.clean import clip
from acidtest.report.figures import milliseconds, money, score
from acidtest.report.view import STAGE_TITLES, UNKNOWN
from acidtest.report.words import Tone, verdict_tone

MOST_CHUNKS = 20
"""So many retrieved chunks are shown in full; ids of the rest follow."""

LONGEST_REASON = 1_000


class ChunkView(Struct, frozen=True, kw_only=True):
    """A retrieved chunk; `mark` is relevant, irrelevant or unlabelled, and `grade` its label."""

    rank: int
    name: str
    mark: str
    grade: int | None = None
    doc: str = ""
    score: str = ""
    cited: bool = False
    useful: str = ""
    pieces: tuple[Piece, ...] = ()


class MissingView(Struct, frozen=True, kw_only=True):
    """A relevant chunk that was not retrieved; `candidate` is its rank before reranking."""

    name: str
    grade: int
    text: str = ""
    candidate: int | None = None


class ScoreView(Struct, frozen=True, kw_only=True):
    """One outcome: its figure or `skipped`, `failed`; and why."""

    metric: str
    stage: str
    figure: str
    kind: str
    why: str = ""
    detail: str = ""


class CaseView(Struct, frozen=True, kw_only=True):
    """All that is shown of a case; `key` is unique in the page."""

    key: str
    case: CaseResult
    question: str
    verdict: str
    tone: Tone
    blamed: str
    why: str
    claims: tuple[ClaimView, ...]
    answer: tuple[Piece, ...] | None
    chunks: tuple[ChunkView, ...]
    more_chunks: int
    missing: tuple[MissingView, ...]
    scores: tuple[ScoreView, ...]
    facts: tuple[tuple[str, str], ...]
    brief: tuple[tuple[str, str], ...]
    search: str


def view_case(run: Run, case: CaseResult, key: str) -> CaseView:
    """Return what is shown of one case.

    Args:
        run: The run, for the stages of its metrics.
        case: The case.
        key: A prefix for the page's anchors, made by us and not from outside.
    """
    claims = claims_of(case)
    chunks = case.retrieved or ()
    diagnosis = case.diagnosis
    scores = tuple(
        score_view(name, outcome, _stage(run, name)) for name, outcome in case.scores.items()
    )
    return CaseView(
        key=key,
        case=case,
        question=clip(case.question, 4_000),
        verdict=diagnosis.verdict if diagnosis else UNKNOWN,
        tone=verdict_tone(diagnosis),
        blamed=STAGE_TITLES[diagnosis.stage] if diagnosis and diagnosis.stage else "",
        why=clip(diagnosis.why, LONGEST_REASON) if diagnosis else "",
        claims=claims,
        answer=None if case.answer is None else marked_answer(case.answer, claims),
        chunks=tuple(chunk_view(case, n, c, claims) for n, c in enumerate(chunks[:MOST_CHUNKS], 1)),
        more_chunks=max(0, len(chunks) - MOST_CHUNKS),
        missing=_missing(case),
        scores=scores,
        facts=tuple(facts_of(case)),
        brief=_brief(scores),
        search=" ".join((case.id, case.question, *case.tags)).casefold()[:2_000],
    )


def _brief(scores: tuple[ScoreView, ...]) -> tuple[tuple[str, str], ...]:
    """Return the first score of each stage: what tells most in a closed case."""
    leading: dict[str, tuple[str, str]] = {}
    for item in scores:
        if item.kind == "score":
            leading.setdefault(item.stage, (item.metric, item.figure))
    return tuple(leading.values())


def grade_of(case: CaseResult, chunk: Chunk) -> int | None:
    """Return the grade of a chunk by the case's labels: 0 is irrelevant, None not labelled."""
    if case.relevant is not None:
        return case.relevant.get(chunk.id, 0) if chunk.id is not None else None
    if case.relevant_docs is not None:
        return case.relevant_docs.get(chunk.doc_id, 0) if chunk.doc_id is not None else None
    return None


def chunk_view(
    case: CaseResult, rank: int, chunk: Chunk, claims: tuple[ClaimView, ...]
) -> ChunkView:
    """Return what is shown of a retrieved chunk, with the quotes marked that claims rest on."""
    grade = grade_of(case, chunk)
    mark = "unlabelled" if grade is None else "relevant" if grade > 0 else "irrelevant"
    name = chunk.id or chunk.source or chunk.doc_id or f"chunk {rank}"
    citations = case.citations or ()
    return ChunkView(
        rank=rank,
        name=clip(name, 200),
        mark=mark,
        grade=grade or None,
        # Most ids begin with their document's: once is enough.
        doc=clip(chunk.doc_id, 200) if chunk.doc_id and not name.startswith(chunk.doc_id) else "",
        score="" if chunk.score is None else f"{chunk.score:.4g}",
        cited=chunk.id in citations or str(rank) in citations,
        useful=_useful(case, rank),
        pieces=marked_passage(chunk.text or "", (c.quote for c in claims if c.passage == rank)),
    )


def _useful(case: CaseResult, rank: int) -> str:
    outcome = case.scores.get("context_usefulness")
    records: tuple[Any, ...] = outcome.evidence if isinstance(outcome, Score) else ()
    for record in records:
        if isinstance(record, dict) and record.get("passage") == rank:
            return str(record.get("verdict") or "")
    return ""


def _missing(case: CaseResult) -> tuple[MissingView, ...]:
    by_chunk = case.relevant is not None
    labels = case.relevant if case.relevant is not None else case.relevant_docs
    there = {c.id if by_chunk else c.doc_id for c in case.retrieved or ()}
    return tuple(
        MissingView(
            name=clip(name, 200),
            grade=grade,
            text=clip(_evidence(case.evidence, name), 800),
            candidate=_candidate(case, name, by_chunk=by_chunk),
        )
        for name, grade in (labels or {}).items()
        if grade > 0 and name not in there
    )[:MOST_CHUNKS]


def _evidence(evidence: tuple[Evidence, ...], name: str) -> str:
    return next((e.text for e in evidence if name in (e.chunk_id, e.doc_id)), "")


def _candidate(case: CaseResult, name: str, *, by_chunk: bool) -> int | None:
    for rank, chunk in enumerate(case.candidates or (), 1):
        if (chunk.id if by_chunk else chunk.doc_id) == name:
            return rank
    return None


def _stage(run: Run, name: str) -> str:
    summary = run.metrics.get(name)
    return STAGE_TITLES[summary.stage] if summary else ""


def score_view(name: str, outcome: Score | Skip | Failure, stage: str = "") -> ScoreView:
    """Return what is shown of one outcome."""
    if isinstance(outcome, Score):
        why = clip(outcome.reason, LONGEST_REASON)
        return ScoreView(
            metric=name, stage=stage, figure=score(outcome.value), kind="score", why=why
        )
    kind = "skip" if isinstance(outcome, Skip) else "failure"
    return ScoreView(
        metric=name,
        stage=stage,
        figure="skipped" if kind == "skip" else "failed",
        kind=kind,
        why=clip(outcome.why, LONGEST_REASON),
        detail=clip(outcome.detail or "", 4_000) if isinstance(outcome, Failure) else "",
    )


def facts_of(case: CaseResult) -> list[tuple[str, str]]:
    """Return what an answer took and cost, its group and its notes, with their labels."""
    rows = []
    if case.latency_ms is not None:
        parts = ("retrieve", "generate", "total")
        took = [(part, getattr(case.latency_ms, part)) for part in parts]
        told = [f"{part} {milliseconds(ms)}" for part, ms in took if ms is not None]
        rows += [("Latency", ", ".join(told))] if told else []
    if case.usage is not None:
        use = case.usage
        tokens = f"{use.input_tokens or 0:,} in, {use.output_tokens or 0:,} out"
        rows += [("Tokens", tokens)] if use.input_tokens or use.output_tokens else []
        rows += [("Cost", money(use.cost_usd))] if use.cost_usd is not None else []
        rows += [("Model", use.model)] if use.model else []
    if case.group:
        rows.append(("Group", case.group))
    rows += [("Note", clip(note, LONGEST_REASON)) for note in case.notes[:10]]
    return rows
