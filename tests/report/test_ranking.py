import io

import pytest
from rich.console import Console

from acidtest.data.runs import GoldenRef, Ref, RunInfo
from acidtest.data.sweep import Contender, Sweep
from acidtest.report.terminal_ranking import print_ranking, ranking_markdown


def contender(name, value, **more):
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


@pytest.fixture
def sweep():
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


@pytest.mark.parametrize("width", [50, 60, 100])
def test_terminal(sweep, width):
    out = io.StringIO()
    print_ranking(sweep, Console(file=out, width=width))
    text = out.getvalue()
    assert all(len(line) <= width for line in text.splitlines())
    assert "[red]rerank" in text
    assert "The cheapest of them is k=3." in text
    assert ("$0.0200" in text) is (width >= 76)
    lines = text.splitlines()
    assert next(line for line in lines if "0.800" in line).startswith("*")
    assert not next(line for line in lines if "0.500" in line).startswith("*")


def test_markdown(sweep):
    text = ranking_markdown(sweep)
    assert "| best | `k=3` | 0.790 | 0.74-0.84 | 1-2 | $0.0100 |" in text
    assert "|  | `k=1` | 0.500 | 0.45-0.55 | 3 | - | - |  |" in text
