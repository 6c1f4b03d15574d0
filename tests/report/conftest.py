"""A realistic run for the reports: a help desk's RAG system with faults in every stage."""

from collections.abc import Callable
from typing import Any

import pytest

from acidtest.data.answers import Chunk, Latency, Usage
from acidtest.data.golden import Evidence
from acidtest.data.outcomes import Failure, Score, Skip
from acidtest.data.readings import Finding, Scorecard
from acidtest.data.runs import (
    CaseResult,
    Commit,
    Diagnosis,
    GoldenRef,
    JudgeRef,
    Ref,
    Run,
    RunInfo,
    Summary,
)
from acidtest.data.terms import Stage
from acidtest.data.use import JudgeUse, Operations, Percentiles, Tokens

NASTY = (
    "<script>alert(1)</script> ]]> {{ 7 * 7 }} {% raw %} %s %(x)d \x1b[31mred\x1b[0m "
    "\x1b]0;title\x07 [red]markup[/red] [link=http://evil.example]x[/link] :smile: \u202eevil\u202c "
    "\x00\x08\x9b2J <img src=x onerror=alert(2)> '\"`|* @someone #1 \ud800 &amp; </style>"
)
"""Everything that an answer should not be able to do to a report, in one text."""


def summary(stage: Stage, mean: float | None, **kw: Any) -> Summary:
    values: dict[str, Any] = {
        "stage": stage,
        "direction": "higher",
        "mean": mean,
        "p10": None if mean is None else max(0.0, mean - 0.4),
        "p50": mean,
        "ci": None if mean is None else (max(0.0, mean - 0.09), min(1.0, mean + 0.07)),
        "n": 42,
        "scored": 0 if mean is None else 36,
        "skipped": 42 if mean is None else 6,
        "failed": 0,
    }
    return Summary(**(values | kw))


def info(name: str = "baseline", **kw: Any) -> RunInfo:
    values: dict[str, Any] = {
        "id": "20261129-215400-7f3a",
        "name": name,
        "created": "2026-11-29T21:54:00Z",
        "status": "finished",
        "mode": "live",
        "golden": GoldenRef(path="golden.jsonl", version="sha256:3f9a2c41d0e8b7aa", cases=42),
        "pipeline": Ref(name=name, fingerprint="sha256:91be77c2aa10"),
        "commit": Commit(sha="ab94dad77c01e2", branch="main", dirty=True),
        "judge": JudgeRef(model="local", fingerprint="sha256:cafe00112233"),
    }
    return RunInfo(**(values | kw))


def chunk(n: int, cid: str, text: str, doc: str) -> Chunk:
    return Chunk(id=cid, rank=n, text=text, score=round(12.5 / n, 3), doc_id=doc)


WARRANTY = chunk(
    1,
    "warranty#2",
    "All hardware carries a two-year warranty. Batteries are covered for twelve months from the day "
    "of purchase; accidental damage is never covered.",
    "warranty",
)
RETURNS = chunk(
    2,
    "returns#0",
    "You may return any item within 30 days, unused and in its box. The refund is paid to the card "
    "that was charged.",
    "returns",
)
OLD_PRICES = chunk(3, "prices-2024#1", "The Pro plan costs €39 per month.", "prices-2024")


def claim(
    text: str, n: int, verdict: str, passage: int | None = None, quote: str = ""
) -> dict[str, Any]:
    return {
        "claim": text,
        "sentence": n,
        "verdict": verdict,
        "passage": passage,
        "quote": quote,
        "why": f"{verdict} by its wording",
    }


def faithful(*claims: dict[str, Any]) -> Score:
    kinds = [c["verdict"] for c in claims]
    decided = [k for k in kinds if k != "undecided"]
    return Score(
        kinds.count("supported") / len(decided),
        f"{kinds.count('supported')} of {len(decided)} claims supported",
        tuple(claims),
        {"claims": float(len(kinds))}
        | {
            k: float(kinds.count(k))
            for k in ("supported", "unsupported", "contradicted", "undecided")
        },
    )


def unfaithful_case(cid: str = "warranty-battery") -> CaseResult:
    return CaseResult(
        id=cid,
        question="How long is the battery of the X2 covered, and does the warranty include drops?",
        answer=(
            "Batteries are covered for twelve months [1]. Accidental damage such as drops is "
            "included for the first year. You can extend the cover in the shop."
        ),
        reference="Twelve months; drops (accidental damage) are not covered.",
        relevant={"warranty#2": 3, "warranty#5": 1},
        evidence=(Evidence(text=WARRANTY.text or "", chunk_id="warranty#2", doc_id="warranty"),),
        retrieved=(WARRANTY, RETURNS, OLD_PRICES),
        citations=("warranty#2",),
        tags=("multi-part", "hard"),
        latency_ms=Latency(retrieve=11.2, generate=812.0, total=823.6),
        usage=Usage(input_tokens=812, output_tokens=64, cost_usd=0.00081, model="small-1"),
        scores={
            "recall@5": Score(0.5, "1 of 2 relevant among the first 5"),
            "precision@5": Score(0.2, "1 of 5"),
            "mrr": Score(1.0, "first relevant at rank 1"),
            "faithfulness": faithful(
                claim(
                    "Batteries are covered for twelve months.",
                    1,
                    "supported",
                    1,
                    "Batteries are covered for twelve months",
                ),
                claim(
                    "Accidental damage such as drops is included for the first year.",
                    2,
                    "contradicted",
                    1,
                    "accidental damage is never covered",
                ),
                claim("The cover can be extended in the shop.", 3, "unsupported"),
            ),
            "answer_relevance": Skip("the judge cannot judge a free rubric"),
            "correctness": Score(0.3, "the second part is the opposite of the reference"),
            "abstention_accuracy": Score(1.0, "answered an answerable question"),
        },
        diagnosis=Diagnosis(
            verdict="good context but unfaithful",
            stage="generation",
            why="warranty#2 at rank 1 of 3; 3 claims: 1 supported, 1 unsupported, 1 contradicted",
        ),
    )


def ok_case(cid: str = "return-window") -> CaseResult:
    return CaseResult(
        id=cid,
        question="Within how many days can I send something back?",
        answer="Within 30 days, unused and in its box [returns#0].",
        reference="30 days.",
        relevant={"returns#0": 2},
        retrieved=(RETURNS, WARRANTY),
        tags=("lookup", "easy"),
        latency_ms=Latency(total=640.0),
        scores={
            "recall@5": Score(1.0),
            "precision@5": Score(0.2),
            "mrr": Score(1.0),
            "faithfulness": faithful(
                claim("Within 30 days, unused and in its box.", 1, "supported", 1)
            ),
            "correctness": Score(1.0),
            "abstention_accuracy": Score(1.0),
        },
        diagnosis=Diagnosis(verdict="ok", why="returns#0 at rank 1 of 2; correctness 1.00"),
    )


def missed_case(cid: str = "pro-price") -> CaseResult:
    return CaseResult(
        id=cid,
        question="What does the Pro plan cost today?",
        answer="The Pro plan costs €39 per month.",
        reference="€49 per month.",
        relevant={"prices-2026#1": 3},
        evidence=(Evidence(text="The Pro plan costs €49 per month.", chunk_id="prices-2026#1"),),
        retrieved=(OLD_PRICES, RETURNS),
        candidates=(
            OLD_PRICES,
            RETURNS,
            chunk(9, "prices-2026#1", "The Pro plan costs €49.", "prices-2026"),
        ),
        tags=("lookup", "hard"),
        scores={
            "recall@5": Score(0.0, "none of 1 relevant"),
            "mrr": Score(0.0),
            "faithfulness": faithful(claim("The Pro plan costs €39 per month.", 1, "supported", 1)),
            "correctness": Score(0.0, "39 against 49"),
        },
        diagnosis=Diagnosis(
            verdict="lost in reranking",
            stage="retrieval",
            why="prices-2026#1 at 3 before reranking",
        ),
    )


def failed_case(cid: str = "boom") -> CaseResult:
    return CaseResult(
        id=cid,
        question="What if it throws?",
        failure=Failure(
            "TimeoutError: no answer within 120 s", "Traceback (most recent call last): ..."
        ),
        scores={"recall@5": Failure("the pipeline failed")},
        diagnosis=Diagnosis(
            verdict="pipeline failed", stage="operations", why="no answer within 120 s"
        ),
    )


def nasty_case(cid: str = "nasty") -> CaseResult:
    chunk_ = Chunk(
        id=NASTY, rank=1, text=NASTY, doc_id=NASTY, source=NASTY, metadata={NASTY: NASTY}
    )
    return CaseResult(
        id=f"{cid} {NASTY}",
        question=NASTY,
        answer=f"{NASTY} A second sentence.",
        reference=NASTY,
        relevant={NASTY: 1, f"{NASTY}2": 2},
        retrieved=(chunk_,),
        candidates=(chunk_,),
        citations=(NASTY,),
        tags=(NASTY,),
        notes=(NASTY,),
        scores={
            "recall@5": Score(0.1, NASTY, (NASTY, {NASTY: NASTY})),
            "mrr": Skip(NASTY),
            "correctness": Failure(NASTY, NASTY),
            "faithfulness": faithful(claim(NASTY, 1, "unsupported", 1, NASTY)),
        },
        diagnosis=Diagnosis(verdict="not retrieved", stage="retrieval", why=NASTY),
    )


def build_run(
    name: str = "baseline", cases: tuple[CaseResult, ...] | None = None, **kw: Any
) -> Run:
    values: dict[str, Any] = {
        "info": info(name),
        "metrics": {
            "recall@5": summary("retrieval", 0.812),
            "precision@5": summary("retrieval", 0.241),
            "mrr": summary("retrieval", 0.731),
            "faithfulness": summary(
                "generation", 0.778, undecided=0.41, floor_value=0.87, cost="judge", failed=1, n=43
            ),
            "grounding_leak": summary("generation", 0.05, direction="lower"),
            "answer_relevance": summary("generation", None, cost="judge"),
            "correctness": summary("end_to_end", 0.644, cost="judge"),
            "abstention_accuracy": summary("end_to_end", 0.905, scored=42, skipped=0),
        },
        "undecided": {"faithfulness": 0.41},
        "tags": {
            "lookup": {"recall@5": 0.93, "faithfulness": 0.84, "correctness": 0.81},
            "multi-part": {"recall@5": 0.61, "faithfulness": 0.66},
            "unanswerable": {"abstention_accuracy": 0.71},
        },
        "operations": Operations(
            latency_ms={"retrieve": Percentiles(8.42, 15.1), "total": Percentiles(640.0, 2130.0)},
            tokens=Tokens(input=30412, output=2988),
            cost_usd=0.0312,
            judge=JudgeUse(calls=120, cached=14, tokens=0),
        ),
        "cases": (unfaithful_case(), ok_case(), missed_case(), failed_case())
        if cases is None
        else cases,
    }
    return Run(**(values | kw))


def build_card() -> Scorecard:
    return Scorecard(
        findings=(
            Finding(
                metric="recall@5",
                status="below",
                target=0.9,
                value=0.812,
                look="Take the cases that were not retrieved. Is the passage in the corpus?",
                mends=("chunk by headings", "a higher k, then a reranker", "hybrid search"),
            ),
            Finding(
                metric="precision@5",
                status="unreachable",
                target=0.7,
                value=0.241,
                ceiling=0.31,
                note="the labels allow at most 0.31",
            ),
            Finding(
                metric="faithfulness",
                status="untrusted",
                target=0.85,
                value=0.87,
                note="not to be trusted before recall@5 meets its target",
            ),
            Finding(
                metric="answer_relevance",
                status="missing",
                target=0.8,
                value=None,
                note="nothing scored",
            ),
            Finding(metric="mrr", status="met", target=0.7, value=0.731),
        ),
        verdicts={
            "pipeline failed": 1,
            "lost in reranking": 1,
            "good context but unfaithful": 1,
            "ok": 1,
        },
        faithful_correct={
            "faithful, correct": ("return-window",),
            "faithful, wrong": ("pro-price",),
            "unfaithful, correct": (),
            "unfaithful, wrong": ("warranty-battery",),
        },
        notes=("Over-retrieval: 10 chunks a question where 1.6 are relevant.",),
    )


@pytest.fixture
def make_run() -> Callable[..., Run]:
    return build_run


@pytest.fixture
def run() -> Run:
    return build_run()


@pytest.fixture
def card() -> Scorecard:
    return build_card()


@pytest.fixture
def nasty_run() -> Run:
    nasty = build_run(cases=(nasty_case(), unfaithful_case()))
    return Run(
        info=info(NASTY, golden=GoldenRef(path=NASTY, version=NASTY, cases=2)),
        metrics=nasty.metrics | {NASTY: summary("retrieval", 0.5)},
        tags={NASTY: {"recall@5": 0.1}},
        cases=nasty.cases,
    )


@pytest.fixture
def nasty_card() -> Scorecard:
    return Scorecard(
        findings=(
            Finding(
                metric=NASTY,
                status="below",
                target=0.9,
                value=0.5,
                look=NASTY,
                mends=(NASTY,),
                note=NASTY,
            ),
        ),
        verdicts={NASTY: 1},
        faithful_correct={"faithful, wrong": (NASTY,)},
        notes=(NASTY,),
    )
