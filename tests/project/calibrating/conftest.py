"""Runs of one metric, made of a few words."""

import pytest

from acidtest.data.human import HumanLabel
from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult, GoldenRef, Ref, Run, RunInfo

METRIC = "correctness"


@pytest.fixture(scope="session")
def run_of():
    """Make a run of cases: id -> score or outcome, and what else each is."""

    def make(scores, metric=METRIC, **more):
        info = RunInfo(
            id="r1",
            name="mine",
            created="2026-11-30T00:00:00+00:00",
            status="finished",
            mode="live",
            golden=GoldenRef(version="sha256:0", cases=len(scores)),
            pipeline=Ref(name="mine", fingerprint="sha256:1"),
        )
        cases = tuple(
            CaseResult(
                id=name,
                question=f"What is {name}?",
                scores={metric: Score(x) if isinstance(x, int | float) else x}
                if x is not None
                else {},
                **{field: values[name] for field, values in more.items() if name in values},
            )
            for name, x in scores.items()
        )
        return Run(info=info, cases=cases)

    return make


@pytest.fixture(scope="session")
def said():
    """Make labels: (case, label, person)."""

    def make(*rows, metric=METRIC):
        return [
            HumanLabel(case=case, metric=metric, label=float(label), annotator=who)
            for case, label, who in rows
        ]

    return make
