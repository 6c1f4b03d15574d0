"""One live trace as its page shows it: answer and passages with their marks, rank moves, steps, scores."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from acidtest.data.answers import Chunk
from acidtest.data.runs import CaseResult
from acidtest.data.traces import Feedback, Generation, Step, Trace
from acidtest.report.answer_view import ClaimView, Piece, claims_of, marked_answer
from acidtest.report.case_view import (
    MOST_CHUNKS,
    ChunkView,
    ScoreView,
    chunk_view,
    facts_of,
    score_view,
)
from acidtest.report.clean import clip, one_line
from acidtest.report.figures import milliseconds, money
from acidtest.report.online_dashboard import moment
from acidtest.report.online_traces import feedback_word, marks_of
from acidtest.store.trace_rows import StoredTrace

LONGEST_QUESTION = 8_000
_WHY = 1_000
_NAME = 200
_MOST_MOVES = 50
_MOST_STEPS = 40
_MOST_SAID = 50
_MOST_TURNS = 20


class Move(Struct, frozen=True, kw_only=True):
    """A chunk before and after reranking; None: not in that list. `tone` and `word` say how it moved."""

    name: str
    before: int | None
    after: int | None
    word: str
    tone: str


class StepView(Struct, frozen=True, kw_only=True):
    """A retriever, reranker or call of a model: what it is, and what is told of it."""

    kind: str
    name: str
    told: tuple[str, ...]
    fed: bool = False
    query: str = ""


class Said(Struct, frozen=True, kw_only=True):
    """A piece of feedback."""

    word: str
    tone: str
    by: str
    name: str
    comment: str


class TraceView(Struct, frozen=True, kw_only=True):
    """All that is shown of a trace, apart from its spans; `key` begins the page's anchors."""

    key: str
    id: str
    when: str
    question: str
    asked_why: str
    history: tuple[tuple[str, str], ...]
    answer: tuple[Piece, ...] | None
    answer_why: str
    error: str
    marks: tuple[tuple[str, str], ...]
    claims: tuple[ClaimView, ...]
    chunks: tuple[ChunkView, ...]
    chunk_ids: tuple[str | None, ...]
    more_chunks: int
    retrieved_why: str
    moves: tuple[Move, ...]
    steps: tuple[StepView, ...]
    scores: tuple[ScoreView, ...]
    facts: tuple[tuple[str, str], ...]
    tags: tuple[str, ...]
    missing: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    feedback: tuple[Said, ...]


def trace_view(stored: StoredTrace, more: Sequence[Feedback] = ()) -> TraceView:
    """Return what is shown of a trace.

    Args:
        stored: The trace with its scores.
        more: Feedback that came beside its spans.
    """
    trace = stored.trace
    case = as_result(stored)
    claims = claims_of(case)
    chunks = (trace.retrieved or ())[:MOST_CHUNKS]
    said = [*trace.feedback, *(each for each in more if each not in trace.feedback)]
    return TraceView(
        key="t",
        id=trace.id,
        when=moment(stored.started),
        question=clip(trace.question or "", LONGEST_QUESTION),
        asked_why=_missing(trace, "question"),
        history=tuple((t.role, clip(t.text, 2_000)) for t in trace.history[-_MOST_TURNS:]),
        answer=None if trace.answer is None else marked_answer(trace.answer, claims),
        answer_why=_missing(trace, "answer"),
        error=clip(trace.error or "", 4_000),
        marks=tuple(marks_of(trace)),
        claims=claims,
        chunks=tuple(chunk_view(case, n, c, claims) for n, c in enumerate(chunks, 1)),
        chunk_ids=tuple(chunk.id for chunk in chunks),
        more_chunks=max(0, len(trace.retrieved or ()) - MOST_CHUNKS),
        retrieved_why=_missing(trace, "retrieved"),
        moves=tuple(moves(trace)),
        steps=tuple(_steps(trace))[:_MOST_STEPS],
        scores=tuple(score_view(name, s.outcome) for name, s in sorted(stored.scores.items())),
        facts=tuple(_facts(case, trace)),
        tags=tuple(clip(one_line(tag[:800]), _NAME) for tag in trace.tags[:30]),
        missing=tuple((part, clip(why, _WHY)) for part, why in list(trace.missing.items())[:20]),
        notes=tuple(clip(note, _WHY) for note in trace.notes[:20]),
        feedback=tuple(_said(each) for each in said[:_MOST_SAID]),
    )


def as_result(stored: StoredTrace) -> CaseResult:
    """Return a trace as a case of a run, which knows no labels."""
    trace = stored.trace
    return CaseResult(
        id=trace.id,
        question=trace.question or "",
        answer=trace.answer,
        retrieved=trace.retrieved,
        candidates=trace.candidates,
        citations=trace.citations,
        latency_ms=trace.latency_ms,
        usage=trace.usage,
        scores={name: each.outcome for name, each in stored.scores.items()},
    )


def moves(trace: Trace) -> Iterable[Move]:
    """Yield how chunks moved by reranking: the kept ones in their new order, then those that were dropped."""
    if not trace.candidates or trace.retrieved is None:
        return
    before: dict[str, int] = {}
    for rank, chunk in enumerate(trace.candidates, 1):
        before.setdefault(_name(chunk, rank), rank)
    after: dict[str, int] = {}
    for rank, chunk in enumerate(trace.retrieved, 1):
        after.setdefault(_name(chunk, rank), rank)
    for name in list(after)[:_MOST_MOVES]:
        yield _move(name, before.get(name), after[name])
    dropped = [name for name in before if name not in after]
    for name in dropped[:_MOST_MOVES]:
        yield Move(name=name, before=before[name], after=None, word="dropped", tone="mute")


def _move(name: str, before: int | None, after: int) -> Move:
    if before is None:
        word, tone = "new", "mute"
    elif before == after:
        word, tone = "stays", "mute"
    else:
        up = before > after
        word = f"{'up' if up else 'down'} {abs(before - after)}"
        tone = "good" if up else "warn"
    return Move(name=name, before=before, after=after, word=word, tone=tone)


def _name(chunk: Chunk, rank: int) -> str:
    name = chunk.id or chunk.source or (chunk.text or "")[:80] or chunk.doc_id or f"chunk {rank}"
    return clip(one_line(name[: _NAME * 4]), _NAME)


def _steps(trace: Trace) -> Iterable[StepView]:
    for step in trace.steps:
        yield _step(step)
    for call in trace.generations:
        yield _generation(call)


def _step(step: Step) -> StepView:
    told = [f"{len(step.chunks)} chunks"]
    if step.given is not None:
        told = [f"{len(step.given)} chunks in, {len(step.chunks)} out"]
    if step.latency_ms is not None:
        told.append(milliseconds(step.latency_ms))
    return StepView(
        kind=step.kind,
        name=clip(one_line(step.name[:800]), _NAME),
        told=tuple(told),
        fed=step.fed,
        query=clip(one_line((step.query or "")[:4_000]), 400),
    )


def _generation(call: Generation) -> StepView:
    told = []
    if call.input_tokens is not None or call.output_tokens is not None:
        told.append(f"{call.input_tokens or 0:,} tokens in, {call.output_tokens or 0:,} out")
    if call.cost_usd is not None:
        told.append(money(call.cost_usd))
    if call.latency_ms is not None:
        told.append(milliseconds(call.latency_ms))
    if call.prompt_version:
        told.append(f"prompt {clip(one_line(call.prompt_version[:400]), 80)}")
    return StepView(
        kind="generation",
        name=clip(one_line((call.model or call.provider or "")[:800]), _NAME),
        told=tuple(told),
    )


def _facts(case: CaseResult, trace: Trace) -> Iterable[tuple[str, str]]:
    named = {
        "Service": trace.service,
        "Environment": trace.environment,
        "Prompt version": trace.prompt_version,
        "Conventions": ", ".join(trace.conventions) or None,
    }
    rows = facts_of(case)
    if trace.model and not any(label == "Model" for label, _ in rows):
        rows.append(("Model", trace.model))
    for label, text in [*rows, *named.items()]:
        if text:
            yield label, clip(one_line(text[:800]), _NAME)


def _said(given: Feedback) -> Said:
    tone = "mute" if given.good is None else "good" if given.good else "bad"
    return Said(
        word=feedback_word(given),
        tone=tone,
        by=given.by,
        name="" if given.name == "feedback" else clip(one_line(given.name[:800]), 80),
        comment=clip(given.comment or "", 2_000),
    )


def _missing(trace: Trace, part: str) -> str:
    return clip(trace.missing.get(part, "the trace does not say"), _WHY)
