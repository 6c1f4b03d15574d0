"""A run is planned before anything is spent, and the plan's hash says whether it is the same run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from acidtest.codec.json import content_hash
from acidtest.data.answers import Chunk
from acidtest.data.golden import Case
from acidtest.data.terms import Mode
from acidtest.errors import UsageError
from acidtest.judges.budget import Budget
from acidtest.metrics.bound import Bound
from acidtest.ports import Embedder, Judge, Pipeline
from acidtest.text.surrogates import without_halves

Unanswerable = Literal["skip", "one"]
"""What label metrics do with a case that must abstain: skip it, or recall 1.0 and precision 0.0."""

MOST_REPEATS = 1_000
"""Questions are made ready before they are asked: more of them fill the memory, and say no more."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Everything that one run needs, decided.

    `repeat` is how often each judged metric is asked, and `judge_of` wraps the judge for one of these
    draws (0, 1, ...), such as with a cache that tells them apart. `concurrency` is how many calls of
    judges may be in flight: some more metrics than that are begun, whoever calls keeps the bound; the
    pipeline brings its own. `judge_waits` says that judging mostly waits for an
    endpoint: then it runs beside the pipeline, else after it. `budget` is what judge and embedder share;
    it is told what earlier executions of the run spent. `contexts` are what the generator gets in
    golden-context mode, by case id, in place of the known-relevant chunks; `contexts_from` is the run that
    retrieved them.
    """

    name: str
    pipeline: Pipeline
    cases: Sequence[Case]
    golden_version: str
    golden_path: str | None
    metrics: Sequence[Bound]
    mode: Mode = "live"
    judge: Judge | None = None
    embedder: Embedder | None = None
    repeat: int = 1
    judge_of: Callable[[Judge, int], Judge] | None = None
    judge_waits: bool = True
    budget: Budget | None = None
    concurrency: int = 8
    unanswerable: Unanswerable = "skip"
    contexts: Mapping[str, tuple[Chunk, ...]] | None = None
    contexts_from: str | None = None

    @property
    def hash(self) -> str:
        """The plan's identity: the same hash resumes an unfinished run."""
        judge = self.judge
        return content_hash(
            {
                "name": self.name,
                "golden": self.golden_version,
                "cases": [case.id for case in self.cases],
                "pipeline": [self.pipeline.name, self.pipeline.fingerprint],
                "metrics": [[m.name, m.spec.version] for m in self.metrics],
                "mode": self.mode,
                "judge": judge.fingerprint if judge is not None and self.judged else None,
                **self._embedding,
                **self._feeding,
                "repeat": self.repeat,
                "unanswerable": self.unanswerable,
            }
        )

    @property
    def _embedding(self) -> dict[str, str]:
        # An own embedder need be no more than one method; one that says its model is told from others.
        if self.embedder is None or not any("embedder" in m.metric.needs for m in self.metrics):
            return {}
        kind = type(self.embedder).__qualname__
        return {"embedder": str(getattr(self.embedder, "model", kind))}

    @property
    def _feeding(self) -> dict[str, str]:
        # By what they are, whichever run they are from.
        if self.contexts is None:
            return {}
        return {"contexts": content_hash([self.contexts[case.id] for case in self.cases])}

    def fed(self, case: Case) -> tuple[Chunk, ...] | None:
        """Return what the generator gets for a case in golden-context mode; None when nothing is known.

        The known-relevant chunks, unless the plan brings others. A case that must abstain gets no
        context at all then: nothing in the corpus is relevant to it.
        """
        if self.contexts is not None:
            return self.contexts[case.id]
        if not case.answerable:
            return ()
        if not case.evidence:
            return None
        return tuple(
            Chunk(id=e.chunk_id, text=e.text, doc_id=e.doc_id, rank=rank)
            for rank, e in enumerate(case.evidence, start=1)
        )

    @property
    def judged(self) -> list[Bound]:
        """The metrics that ask a judge."""
        return [m for m in self.metrics if m.metric.cost == "judge"]


def check(plan: Plan) -> None:
    """Refuse a plan that cannot give a single score, before anything is spent.

    Raises:
        UsageError: A setting that cannot be, no cases, no metrics, a metric without its judge or embedder, or a pipeline that
            cannot run in this mode.
    """
    _check_settings(plan)
    if not plan.cases:
        raise UsageError(
            "no case is left to run",
            fix="The golden set is empty, or --tag and --limit leave none.",
        )
    _check_contexts(plan)
    if not plan.metrics:
        raise UsageError("no metric to score", fix="Name some: -m recall@5 -m mrr")
    names = [m.name for m in plan.metrics]
    for bound in plan.metrics:
        if names.count(bound.name) > 1:
            raise UsageError(f"metric {bound.name!r} is named twice", fix="Name it once.")
        if "judge" in bound.metric.needs and plan.judge is None:
            raise UsageError(f"metric {bound.name!r} needs a judge", fix="Give one: --judge local")
        if "embedder" in bound.metric.needs and plan.embedder is None:
            raise UsageError(
                f"metric {bound.name!r} needs an embedder",
                fix='Give one: [embedder] model = "local" or "openai:MODEL"',
            )
    reason = plan.pipeline.refuses(plan.mode)
    if reason is not None:
        raise UsageError(
            f"pipeline {plan.pipeline.name!r} cannot run in mode {plan.mode!r}: {reason}"
        )


def _check_contexts(plan: Plan) -> None:
    if plan.contexts is None:
        return
    if plan.mode != "golden-context":
        raise UsageError(
            f"contexts are given in golden-context mode, not in mode {plan.mode!r}",
            fix="Set mode to golden-context, or leave contexts out.",
        )
    for case in plan.cases:
        if case.id not in plan.contexts:
            raise UsageError(
                f"no contexts are given for case {case.id!r}",
                fix="Give contexts for every case that is asked.",
            )


def _check_settings(plan: Plan) -> None:
    # What is stored of a run must be read back: nothing of the wrong kind gets that far.
    _one_of(plan.mode, get_args(Mode), "--mode")
    _one_of(plan.unanswerable, get_args(Unanswerable), "unanswerable")
    _text(plan.name, "the run's name")
    _text(plan.pipeline.name, "the pipeline's name")
    _count(plan.repeat, "repeat", "--repeat")
    if plan.repeat > MOST_REPEATS:
        raise UsageError(
            f"repeat is {plan.repeat:,}",
            where="--repeat",
            fix=f"Give {MOST_REPEATS:,} or less: a judge's own noise is known from a few.",
        )
    _count(plan.concurrency, "concurrency", "--concurrency")
    _count(plan.pipeline.options.concurrency, "concurrency", "the pipeline's options")


def _one_of(value: object, known: tuple[str, ...], where: str) -> None:
    if not isinstance(value, str) or value not in known:
        raise UsageError(
            f"{value!r} is not possible", where=where, fix=f"Known: {', '.join(known)}."
        )


def _text(value: object, what: str) -> None:
    if not isinstance(value, str):
        raise UsageError(f"{what} must be text, not {type(value).__name__}", fix="Give a text.")
    if not value.strip():
        raise UsageError(f"{what} is empty", fix="Give a text that is not empty, or leave it out.")
    if without_halves(value) != value:
        raise UsageError(
            f"{what} {value!r} holds half of a surrogate pair", fix="Leave that character out."
        )


def _count(value: object, what: str, where: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise UsageError(f"{what} is {value!r}", where=where, fix="Give a whole number, 1 or more.")
