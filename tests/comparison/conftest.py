"""Cases and runs in few words: what a test does not say is sound."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from types import MappingProxyType
from typing import Any

import pytest

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Outcome, Score
from acidtest.data.runs import CaseResult, GoldenRef, JudgeRef, Ref, Run, RunInfo, Summary
from acidtest.data.terms import Stage

STAGES: dict[str, Stage] = {
    "faithfulness": "generation",
    "answer_relevance": "generation",
    "correctness": "end_to_end",
    "token_f1": "end_to_end",
    "abstention_accuracy": "end_to_end",
    "grounding_leak": "generation",
}


def build_case(
    cid: str = "c1",
    *,
    retrieved: Sequence[str | Chunk] | None = ("a", "b", "c"),
    relevant: Mapping[str, int] | None = MappingProxyType({"a": 1}),
    candidates: Sequence[str] | None = None,
    answer: str | None = "An answer.",
    scores: Mapping[str, float | Outcome] | None = None,
    **kw: Any,
) -> CaseResult:
    chunks = [
        Chunk(id=c, text=f"text of {c}") if isinstance(c, str) else c for c in retrieved or ()
    ]
    return CaseResult(
        id=cid,
        question=f"question {cid}?",
        answer=answer,
        retrieved=None if retrieved is None else tuple(chunks),
        relevant=None if relevant is None else dict(relevant),
        candidates=None if candidates is None else tuple(Chunk(id=c) for c in candidates),
        scores={
            name: Score(float(x)) if isinstance(x, float | int) else x
            for name, x in (scores or {}).items()
        },
        **kw,
    )


def build_claims(*verdicts: str, passages: Sequence[int | None] | None = None) -> Score:
    kinds = ("supported", "unsupported", "contradicted", "undecided")
    decided = [v for v in verdicts if v != "undecided"]
    places = passages or [1] * len(verdicts)
    return Score(
        verdicts.count("supported") / max(1, len(decided)),
        "",
        tuple(
            {"claim": f"claim {n}", "sentence": n, "verdict": verdict, "passage": place}
            for n, (verdict, place) in enumerate(zip(verdicts, places, strict=True), 1)
        ),
        {"claims": float(len(verdicts))} | {kind: float(verdicts.count(kind)) for kind in kinds},
    )


def build_run(cases: Sequence[CaseResult] = (), name: str = "base", **kw: Any) -> Run:
    names = dict.fromkeys(metric for case in cases for metric in case.scores)
    info: dict[str, Any] = {
        "id": name,
        "name": name,
        "created": "2026-01-01T00:00:00Z",
        "status": "finished",
        "mode": "live",
        "golden": GoldenRef(version="sha256:1", cases=len(cases)),
        "pipeline": Ref(name=name, fingerprint="sha256:p"),
        "judge": JudgeRef(model="local", fingerprint="sha256:j"),
    }
    info |= {key: kw.pop(key) for key in ("mode", "golden", "judge") if key in kw}
    metrics = {metric: build_summary(cases, metric) for metric in names} | kw.pop("metrics", {})
    return Run(info=RunInfo(**info), metrics=metrics, cases=tuple(cases), **kw)


def build_summary(cases: Sequence[CaseResult], metric: str, **kw: Any) -> Summary:
    outcomes = [case.scores[metric] for case in cases if metric in case.scores]
    values = [o.value for o in outcomes if isinstance(o, Score)]
    base = metric.partition("@")[0]
    fields: dict[str, Any] = {
        "stage": STAGES.get(base, "retrieval"),
        "direction": "lower" if base == "grounding_leak" else "higher",
        "mean": fmean(values) if values else None,
        "p10": min(values, default=None),
        "p50": None,
        "ci": None,
        "n": len(cases),
        "scored": len(values),
        "skipped": len(cases) - len(values),
        "failed": 0,
    }
    return Summary(**(fields | kw))


@pytest.fixture
def make_case() -> Callable[..., CaseResult]:
    return build_case


@pytest.fixture
def claims() -> Callable[..., Score]:
    return build_claims


@pytest.fixture
def make_run() -> Callable[..., Run]:
    return build_run


@pytest.fixture
def summed() -> Callable[..., Summary]:
    return build_summary
