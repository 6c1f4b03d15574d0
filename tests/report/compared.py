"""Two runs of a help desk side by side, with everything that a comparison page shows."""

from typing import Any

from msgspec.structs import replace

from acidtest.data.answers import Chunk
from acidtest.data.compared import Change, Comparison, StageSplit
from acidtest.data.gate import Gate, Gated
from acidtest.data.outcomes import Failure, Score, Skip
from acidtest.data.runs import CaseResult, Diagnosis, Run


def change(metric: str, stage: Any, base: float, new: float, ci: Any, **kw: Any) -> Change:
    values: dict[str, Any] = {"wins": 9, "losses": 2, "ties": 25, "n": 36, "direction": "higher"}
    return Change(
        metric=metric,
        stage=stage,
        base=base,
        candidate=new,
        delta=new - base,
        ci=ci,
        **(values | kw),
    )


def better(case: CaseResult) -> CaseResult:
    """Return the case of the lost price as a candidate has it that finds the right passage."""
    right = Chunk(id="prices-2026#1", rank=1, text="The Pro plan costs €49 per month.")
    return replace(
        case,
        answer="The Pro plan costs €49 per month.",
        retrieved=(right, *(case.retrieved or ())[::-1]),
        candidates=None,
        citations=("prices-2026#1",),
        scores={
            "recall@5": Score(1.0, "1 of 1 relevant"),
            "mrr": Score(1.0),
            "faithfulness": Score(
                1.0,
                "1 of 1 claims supported",
                (
                    {
                        "claim": "The Pro plan costs €49 per month.",
                        "sentence": 1,
                        "verdict": "supported",
                        "passage": 1,
                        "quote": "costs €49 per month",
                    },
                ),
            ),
            "correctness": Score(1.0, "as in the reference"),
        },
        diagnosis=Diagnosis(verdict="ok", why="prices-2026#1 at rank 1 of 3"),
    )


def worse(case: CaseResult) -> CaseResult:
    """Return the case of the return window as a candidate has it that loses the passage."""
    other = tuple(c for c in case.retrieved or () if c.id != "returns#0")
    return replace(
        case,
        answer="Within 14 days, unused and in its box [returns#0].",
        retrieved=other,
        scores=case.scores
        | {
            "recall@5": Score(0.0, "none of 1 relevant"),
            "mrr": Score(0.0),
            "correctness": Failure("the judge timed out"),
        },
        diagnosis=Diagnosis(verdict="not retrieved", stage="retrieval", why="returns#0 is gone"),
    )


def candidate_of(run: Run) -> Run:
    """Return what the candidate made of the baseline's four cases."""
    changed = {"pro-price": better, "return-window": worse}
    cases = tuple(changed.get(case.id, lambda same: same)(case) for case in run.cases)
    return replace(
        run, info=replace(run.info, id="20261130-080000-11aa", name="reranked"), cases=cases
    )


def comparison_of(base: Run, candidate: Run, **kw: Any) -> Comparison:
    """Return a comparison with something of everything."""
    rows = (
        change(
            "recall@5", "retrieval", 0.812, 0.91, (0.02, 0.18), p=0.01, p_adjusted=0.03,
            min_detectable=0.06, needed=31, base_p10=0.2, candidate_p10=0.4, p10_ci=(0.0, 0.3),
        ),
        change("mrr", "retrieval", 0.731, 0.83, (0.01, 0.2), p=0.04, p_adjusted=0.2),
        change("faithfulness", "generation", 0.778, 0.7, (-0.13, -0.02), wins=1, losses=8,
               p=0.0001, p_adjusted=0.0004, noise=0.25),
        change("grounding_leak", "generation", 0.05, 0.02, (-0.05, -0.01), direction="lower"),
        change("correctness", "end_to_end", 0.644, 0.644, None, wins=0, losses=0, ties=36, p=1.0),
        change("latency_ms.total", "operations", 640.0, 960.0, (200.0, 400.0), direction="lower",
               p=0.001, p_adjusted=0.002, min_detectable=50.0),
        change("cost_usd", "operations", 0.0, 0.002, (0.001, 0.003), direction="lower"),
    )  # fmt: skip
    values: dict[str, Any] = {
        "base": base.info,
        "candidate": candidate.info,
        "cases": len(base.cases),
        "metrics": {row.metric: row for row in rows},
        "tags": {
            "hard": {"recall@5": change("recall@5", "retrieval", 0.25, 0.75, (0.2, 0.8), p=0.02)},
            "easy": {"recall@5": change("recall@5", "retrieval", 1.0, 0.9, (-0.3, 0.1), p=0.4)},
        },
        "stages": {
            "faithfulness": StageSplit(
                metric="faithfulness",
                delta=-0.078,
                retrieval=0.02,
                generation=-0.098,
                retrieval_ci=(-0.02, 0.06),
                generation_ci=(-0.15, -0.04),
                n=36,
                changed=20,
                method="estimated",
            ),
            "correctness": StageSplit(
                metric="correctness",
                delta=0.0,
                retrieval=0.05,
                generation=-0.05,
                retrieval_ci=None,
                generation_ci=None,
                n=36,
                changed=20,
                method="crossed",
            ),
        },
        "verdicts": {"lost in reranking": (1, 0), "not retrieved": (0, 1), "ok": (1, 1)},
        "words": ("The retriever changed: recall@5 +0.10.", "The generator changed too."),
        "notes": ("The judges differ.",),
    }
    return Comparison(**(values | kw))


def gate_of() -> Gate:
    """Return a gate that fails, with a line of every kind."""
    return Gate(
        result="fail",
        mode="strict",
        metrics={
            "recall@5": Gated(baseline=0.812, candidate=0.91, delta=0.098, max_drop=0.03),
            "faithfulness": Gated(
                baseline=0.778, candidate=0.7, delta=-0.078, flag="BELOW FLOOR", floor=0.85
            ),
            "correctness": Gated(candidate=0.644, open="only 80 % scored"),
            "latency_ms.total.p95": Gated(
                baseline=640.0, candidate=2130.0, delta=1490.0, flag="REGRESSION", max_drop=200.0
            ),
        },
        reasons=("faithfulness is 0.70, below its floor 0.85.",),
        trades=("recall@5 +0.10 for 50 % more time.",),
        notes=("The baseline is two weeks old.",),
    )


def skipped(case: CaseResult) -> CaseResult:
    """Return a case in which two metrics do not apply."""
    return replace(case, scores={"recall@5": Skip("must abstain"), "mrr": Skip("must abstain")})
