"""Runs of a sweep, ranked: two that are level and one that is clearly worse."""

from typing import Any

from acidtest.data.runs import GoldenRef, Ref, RunInfo
from acidtest.data.sweep import Contender, Sweep


def contender(name: str, value: float, **more: Any) -> Contender:
    info = RunInfo(
        id=name,
        name=name,
        created="2026-11-30T00:00:00Z",
        status="finished",
        mode="live",
        golden=GoldenRef(version="sha256:1", cases=40),
        pipeline=Ref(name=name, fingerprint="f"),
    )
    return Contender(run=info, value=value, ci=(value - 0.05, value + 0.05), p_best=None, **more)


def ranked() -> Sweep:
    return Sweep(
        metric="mrr",
        direction="higher",
        cases=40,
        contenders=(
            contender(
                "k=5 [red]rerank[/]", 0.8, rank=(1, 2), best=True, cost_usd=0.02, latency_ms=900.0
            ),
            contender("k=3", 0.79, rank=(1, 2), best=True, cost_usd=0.01, latency_ms=300.0),
            contender("k=1", 0.5, rank=(3, 3), best=False, front=False),
        ),
        words=("2 of 3 runs may be the best in mrr.", "The cheapest of them is k=3."),
        notes=("Ranked on the 40 of 41 cases that all runs scored.",),
    )
