"""Several runs in one report: each against the first, and of what cannot be compared, why."""

import io

import pytest
from msgspec.structs import replace
from rich.console import Console

from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult, GoldenRef, Ref, Run, RunInfo, Summary
from acidtest.project.config import Config
from acidtest.project.reports import html, markdown, show


def made(name, ids, value):
    info = RunInfo(
        id=name,
        name=name,
        created="2026-11-30T00:00:00Z",
        status="finished",
        mode="live",
        golden=GoldenRef(version="sha256:1", cases=len(ids)),
        pipeline=Ref(name=name, fingerprint="f"),
    )
    cases = tuple(CaseResult(id=i, question=f"{i}?", scores={"mrr": Score(value)}) for i in ids)
    summary = Summary(stage="retrieval", direction="higher", mean=value, n=len(ids))
    return Run(info=info, metrics={"mrr": replace(summary, scored=len(ids))}, cases=cases)


@pytest.fixture
def runs():
    ids = [f"q{n}" for n in range(30)]
    return [made("base", ids, 0.25), made("other set", ["z"], 1.0), made("better", ids, 0.75)]


def test_every_form_shows_what_compare_shows_and_says_what_it_cannot(runs):
    file = io.StringIO()
    show(runs, Config(), Console(file=file, width=100))
    for text in (file.getvalue(), markdown(runs, Config()).decode(), html(runs, Config()).decode()):
        flat = " ".join(text.split())
        assert "share no case" in flat
        assert "+0.500" in flat
        assert "&lt;0.001" in flat or "<0.001" in flat or "&#60;0.001" in flat
        assert "better" in flat


def test_one_run_alone_is_compared_with_nothing(runs):
    assert "What changed" not in html(runs[:1], Config()).decode()
    assert "→" not in markdown(runs[:1], Config()).decode()
