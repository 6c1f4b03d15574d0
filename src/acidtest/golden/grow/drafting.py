"""One slot to one case: a model writes the draft, an independent question checks it, and what is wrong drops it."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from acidtest.data.corpus import CorpusChunk
from acidtest.data.golden import Case, Turn
from acidtest.data.outcomes import Skip
from acidtest.errors import JudgeError, UsageError
from acidtest.golden.grow.answerable import ANSWERABLE, Answerable
from acidtest.golden.grow.draft import PROMPTS, FollowUp, NearMiss
from acidtest.golden.grow.dropped import Dropped, dropped
from acidtest.golden.grow.faults import FAILED, INVALID, reason_in
from acidtest.golden.grow.kinds import PAIRED, Kind
from acidtest.golden.grow.made import SOURCE, case_id
from acidtest.golden.grow.near import Nearest
from acidtest.golden.grow.plan import Slot
from acidtest.golden.grow.quotes import evidence_of
from acidtest.ports import Judge, Prompt, Reply, Verdict
from acidtest.text.reuse import reuse

LONGEST_PASSAGE = 12_000
"""Characters of a chunk that are shown; what stands behind them is not asked about."""

NEAR = 5
"""Chunks of the corpus that are looked at for an answer to a question that is to have none."""


class Writers(Struct, frozen=True, kw_only=True):
    """Who writes and who checks.

    Attributes:
        writer: Writes the questions.
        checker: Says whether chunks answer them; mostly the same model.
        nearest: Searches the corpus.
        plan: What the cases name as the plan that they come from.
    """

    writer: Judge
    checker: Judge
    nearest: Nearest
    plan: str


async def drafted(
    slot: Slot, writers: Writers, *, language: str, asked: Sequence[str]
) -> Case | Dropped:
    """Write and check the question of one slot.

    Args:
        slot: What is wanted.
        writers: Who is asked.
        language: In which language; "" for that of the chunks.
        asked: Questions to the same chunks that are there already.

    Raises:
        OutsideError: One that no other slot would escape: the endpoint is gone, or the budget is spent.
        UsageError: The writer or the checker does not do such a thing.
    """
    prompt, fields = PROMPTS[slot.kind], slot_fields(slot, language, asked)
    try:
        verdict = await _asked(writers.writer, prompt, fields)
    except JudgeError as error:
        return _failed(slot, error, prompt.name)
    draft = verdict.reply
    question = check_fields(slot, draft, writers.nearest)
    try:
        checked = await _asked(writers.checker, ANSWERABLE, question)
    except JudgeError as error:
        return _failed(slot, error, ANSWERABLE.name, draft.question)
    fault = _fault(slot.kind, checked.reply, len(question["passages"]))
    if fault is not None:
        return dropped(slot, fault[0], fault[1], draft.question)
    return _case(slot, verdict, checked, prompt, writers)


def slot_fields(slot: Slot, language: str, asked: Sequence[str]) -> dict[str, Any]:
    """Return the fields of the prompt that asks for a slot's question."""
    fields: dict[str, Any] = {
        "passages": [chunk.text[:LONGEST_PASSAGE] for chunk in slot.chunks],
        "persona": slot.persona,
        "style": slot.style,
        "language": language,
        "asked": list(asked),
    }
    return {**fields, "shared": list(slot.shared)} if slot.kind in PAIRED else fields


def question_fields(
    passages: Sequence[str], question: str, turns: Sequence[Turn]
) -> dict[str, Any]:
    """Return the fields of the prompt that asks whether passages answer a question."""
    return {
        "passages": list(passages),
        "turns": [f"{turn.role}: {turn.text}" for turn in turns],
        "question": question,
    }


def check_fields(slot: Slot, draft: Any, nearest: Nearest) -> dict[str, Any]:
    """Return the fields of the prompt that checks a draft: its own chunks, or all that come near it."""
    chunks = _near(slot, nearest, draft.question) if isinstance(draft, NearMiss) else slot.chunks
    passages = [chunk.text[:LONGEST_PASSAGE] for chunk in chunks]
    return question_fields(passages, draft.question, _turns(draft))


async def _asked(judge: Judge, prompt: Prompt[Reply], fields: Mapping[str, Any]) -> Verdict[Reply]:
    verdict = await judge.ask(prompt, **fields)
    if isinstance(verdict, Skip):
        raise UsageError(
            f"{judge.model} writes and checks no questions: {verdict.why}",
            where="--judge",
            fix="Name a language model, or --judge local for drafts from templates.",
        )
    # Models are asked again with the complaint; others answer once.
    complaint = prompt.check(verdict.reply, fields) if prompt.check else None
    if complaint is not None:
        raise JudgeError(f"the reply to {prompt.name!r} is not valid: {complaint}")
    return verdict


def _failed(slot: Slot, error: JudgeError, prompt: str, question: str = "") -> Dropped:
    if error.ends_run:
        raise error
    invalid = "is not valid: " in error.what
    reason = reason_in(error.what) if invalid else FAILED
    if invalid and prompt == ANSWERABLE.name:
        reason = INVALID
    return dropped(slot, reason, error.what, question)


def _turns(draft: Any) -> tuple[Turn, ...]:
    if not isinstance(draft, FollowUp):
        return ()
    return (
        Turn("user", draft.earlier_question.strip()),
        Turn("assistant", draft.earlier_answer.strip()),
    )


def _near(slot: Slot, nearest: Nearest, question: str) -> Sequence[CorpusChunk]:
    """Return the chunks that may answer a question, those that it was written to among them."""
    own = {chunk.id for chunk in slot.chunks}
    others = [chunk for chunk in nearest.to(question, NEAR) if chunk.id not in own]
    return [*slot.chunks, *others[: NEAR - len(slot.chunks)]]


def _fault(kind: Kind, reply: Answerable, shown: int) -> tuple[str, str] | None:
    """Return the reason to drop a draft, by what was said of it, and the words for it."""
    if kind == "unanswerable":
        if reply.verdict == "not_answered":
            return None
        return "the corpus answers it", f"a chunk near it says: {reply.answer[:200]}"
    if reply.verdict != "answered":
        return "not answered by its chunks", f"the check says {reply.verdict}"
    if kind in PAIRED and set(reply.needed) != set(range(1, shown + 1)):
        needed = ", ".join(map(str, reply.needed)) or "none"
        return "one chunk is enough", f"needed of {shown} chunks: {needed}"
    return None


def _case(
    slot: Slot,
    verdict: Verdict[Any],
    checked: Verdict[Answerable],
    prompt: Prompt[Any],
    writers: Writers,
) -> Case:
    draft = verdict.reply
    question, turns = draft.question.strip(), _turns(draft)
    metadata: dict[str, Any] = {
        "review": "open",
        "generator": "model",
        "model": verdict.model or writers.writer.model,
        "prompt": f"{prompt.name}/{prompt.version}",
        "kind": slot.kind,
        "topic": slot.topic,
        "persona": slot.persona,
        "style": slot.style,
        "chunks": [chunk.id for chunk in slot.chunks],
        "slot": slot.name,
        "plan": writers.plan,
        "copied": round(max(reuse(question, chunk.text) for chunk in slot.chunks), 2),
        "checked_by": checked.model or writers.checker.model,
    }
    case = Case(
        id=case_id(question, turns),
        question=question,
        tags=(slot.kind,),
        history=turns,
        source=SOURCE,
        metadata={name: value for name, value in metadata.items() if value != ""},
    )
    if isinstance(draft, NearMiss):
        return _replaced(case, answerable=False, relevant={}, more={"missing": draft.missing})
    evidence = evidence_of(slot.chunks, [(each.passage, each.quote) for each in draft.quotes])
    grade = 3 if len(slot.chunks) == 1 else 2  # 3 answers the question, 2 holds a part of it
    return _replaced(
        case,
        reference=draft.reference.strip(),
        relevant={each.chunk_id: grade for each in evidence if each.chunk_id is not None},
        evidence=evidence,
        more={"checked_answer": checked.reply.answer},
    )


def _replaced(case: Case, *, more: Mapping[str, Any], **fields: Any) -> Case:
    return replace(case, **fields, metadata={**case.metadata, **more})
