"""What a pipeline would answer, without asking it: what is known of it, else a guess with two ends.

Recorded outputs are known, as are the answers of an unfinished run of the same plan. Else the newest run
of the pipeline on the golden set says what it answered then. Else it is guessed from the set.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median_low
from typing import Literal

from msgspec.structs import replace

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.data.outcomes import Failure
from acidtest.errors import PipelineError, StoreError
from acidtest.pipelines.recorded import RecordedPipeline
from acidtest.run.engine import settled
from acidtest.run.plan import Plan
from acidtest.store.rows import StoredRun
from acidtest.store.runs import Store
from acidtest.text.refusal import declined

Basis = Literal["recorded", "earlier run", "guess"]
BASES: tuple[Basis, ...] = ("recorded", "earlier run", "guess")

PASSAGES = 5
"""Passages that a retriever returns at the upper end of a guess, unless the pipeline's `k` says it."""

LONG = 2_000
"""Characters of a passage there, at least: some 500 tokens, more than most retrievers cut."""

_SENTENCE = "This is what a sentence of an answer looks like when it is of ordinary length."
_ABSTAINS = "I don't know."


@dataclass(frozen=True)
class Supposed:
    """What one case may be answered with, for the fewest questions and for the most; the same if known."""

    basis: Basis
    least: Answer
    most: Answer


@dataclass(frozen=True)
class Supposition:
    """What is supposed of a plan.

    Attributes:
        cases: Case id -> what it may be answered with.
        done: Case, metric and trial that an unfinished run of the plan has scored already.
        pipeline_calls: How often the pipeline would be asked.
        spent_usd: What the unfinished run has cost already.
        run: The run that answers were taken from, if they were.
        steady: Two runs of the same pipeline gave the same answers, word for word: it may be taken to
            give them again.
    """

    cases: Mapping[str, Supposed]
    done: frozenset[tuple[str, str, int]]
    pipeline_calls: int
    spent_usd: float = 0.0
    run: str | None = None
    steady: bool = False


async def suppose(plan: Plan, store: Store | None, *, fresh: bool = False) -> Supposition:
    """Suppose what a plan's pipeline would answer; it is not asked, and nothing is stored.

    Args:
        plan: The plan.
        store: Where earlier runs are; None where there is no store.
        fresh: Whether a new run is started although an unfinished one could go on.
    """
    unfinished = None if store is None or fresh else store.unfinished(plan.hash)
    known: dict[str, Supposed] = {}
    done: frozenset[tuple[str, str, int]] = frozenset()
    spent = 0.0
    if store is not None and unfinished is not None:
        answers = store.answers(unfinished.info.id)
        known = {i: Supposed("recorded", a, a) for i, a in answers.items()}
        spent = (unfinished.judge_use.cost_usd or 0.0) if unfinished.judge_use else 0.0
        done = frozenset(settled(plan, store.results(unfinished.info.id)))
    left = [case for case in plan.cases if case.id not in known]
    if isinstance(plan.pipeline, RecordedPipeline):
        known |= {case.id: await _recorded(plan, plan.pipeline, case) for case in left}
        return Supposition(known, done, 0, spent)
    if plan.mode == "golden-context":
        asked = [case for case in left if plan.fed(case) is not None]
    else:
        asked = left
    run, steady = None, False
    if store is not None and left:
        run, before, steady = _earlier(plan, store, unfinished)
        known |= {
            case.id: Supposed("earlier run", before[case.id], before[case.id])
            for case in left
            if case.id in before
        }
        if not steady:
            known |= _telling(plan, [case for case in left if case.id in before], before)
    known |= _guesses(plan, [case for case in left if case.id not in known])
    return Supposition(known, done, len(asked), spent, run, steady)


async def _recorded(plan: Plan, pipeline: RecordedPipeline, case: Case) -> Supposed:
    try:
        answer = await pipeline.ask(case, mode=plan.mode)
    except PipelineError as error:
        answer = Answer(case_id=case.id, failure=Failure(str(error)))
    return Supposed("recorded", answer, answer)


def _earlier(
    plan: Plan, store: Store, unfinished: StoredRun | None
) -> tuple[str | None, dict[str, Answer], bool]:
    """Return the newest run of the pipeline on this set, its answers, and whether they are steady."""
    alike = [
        run
        for run in store.all_runs()
        if run.info.pipeline.name == plan.pipeline.name
        and run.info.golden.version == plan.golden_version
        and run.info.mode == plan.mode
        and not (run.info.contexts_from or plan.contexts_from)  # other contexts, other answers
        and (unfinished is None or run.info.id != unfinished.info.id)
    ]
    wanted = {case.id for case in plan.cases}
    for n, run in enumerate(alike):
        answers = {
            case_id: answer
            for case_id, answer in _answers(store, run).items()
            if case_id in wanted and answer.failure is None
        }
        if answers:
            own = plan.pipeline.fingerprint
            others = [r for r in alike[n + 1 :] if r.info.pipeline.fingerprint == own]
            same = run.info.pipeline.fingerprint == own and bool(others)
            return run.info.id, answers, same and _alike(answers, _answers(store, others[0]))
    return None, {}, False


def _answers(store: Store, run: StoredRun) -> dict[str, Answer]:
    try:
        return store.answers(run.info.id)
    except StoreError:
        return {}  # damaged: another run may do, or a guess


def _alike(some: Mapping[str, Answer], others: Mapping[str, Answer]) -> bool:
    shared = some.keys() & others.keys()
    return bool(shared) and all(_said(some[i]) == _said(others[i]) for i in shared)


def _said(answer: Answer) -> tuple[str | None, list[str | None] | None]:
    chunks = answer.retrieved
    return answer.text, None if chunks is None else [chunk.text for chunk in chunks]


def _telling(
    plan: Plan, cases: Sequence[Case], before: Mapping[str, Answer]
) -> dict[str, Supposed]:
    """Return, for cases that were declined, that they may be answered the next time."""
    silent = [case for case in cases if declined(before[case.id].text or _SENTENCE).declined]
    return {
        i: Supposed("earlier run", before[i], replace(before[i], text=guess.most.text))
        for i, guess in _guesses(plan, silent).items()
    }


def _guesses(plan: Plan, cases: Sequence[Case]) -> dict[str, Supposed]:
    """Guess answers and contexts.

    At the lower end the reference is the answer, what must be declined is declined, and the evidence
    alone was retrieved. At the upper end the answer is twice as long, nothing is declined, and the
    retriever brought `k` passages (5 where it is not set) of 2,000 characters or more: the evidence,
    filled up from other cases'.
    """
    if not cases:
        return {}
    spoken = sorted((c.reference for c in plan.cases if c.answerable and c.reference), key=len)
    usual = median_low([len(text) for text in spoken]) if spoken else 0
    answer = next((text for text in spoken if len(text) == usual), f"{_SENTENCE} {_SENTENCE}")
    pool = list(dict.fromkeys(e.text for case in plan.cases for e in case.evidence)) or [_SENTENCE]
    k = plan.pipeline.options.k or PASSAGES
    found: dict[str, Supposed] = {}
    for n, case in enumerate(cases):
        text = case.reference if case.answerable and case.reference else answer
        some = list(dict.fromkeys(piece.text for piece in case.evidence))
        few = some or [pool[n % len(pool)]]
        # Different ones: the same passage twice is read once by some metrics.
        more = (f"{pool[(n + i) % len(pool)]} [{i}]" for i in range(1, k + 1 - len(some)))
        many = [_long(passage) for passage in (*some, *more)]
        least = _guess(plan, case, text if case.answerable else _ABSTAINS, few)
        most = _guess(plan, case, f"{text}\n{text}", many)
        found[case.id] = Supposed("guess", least, most)
    return found


def _guess(plan: Plan, case: Case, text: str, passages: Sequence[str]) -> Answer:
    if plan.mode == "golden-context":
        contexts = plan.fed(case)
        said = None if contexts is None else text
        return Answer(case_id=case.id, text=said, retrieved=contexts)
    chunks = tuple(Chunk(id=f"#{n}", rank=n, text=t) for n, t in enumerate(passages, start=1))
    said = None if plan.mode == "retrieval-only" else text
    return Answer(case_id=case.id, text=said, retrieved=chunks)


def _long(passage: str) -> str:
    """Return a passage with what may stand around it in its chunk."""
    around = f" {_SENTENCE}" * (1 + (LONG - len(passage)) // (1 + len(_SENTENCE)))
    return passage if len(passage) >= LONG else passage + around
