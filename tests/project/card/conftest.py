"""Evidence on judges, made of a few words."""

import json
from types import SimpleNamespace

import msgspec
import pytest

from acidtest.data.outcomes import Score
from acidtest.data.runs import (
    CaseResult,
    GoldenRef,
    JudgeRef,
    Ref,
    Run,
    RunInfo,
    Summary,
)
from acidtest.data.use import JudgeUse, Operations
from acidtest.project.card.present import Method

METRIC = "faithfulness"
MINE = {"model": "m-1", "fingerprint": "sha256:aaaaaaaaaaaaaaaaaaaa"}
OTHER = {"model": "m-1", "fingerprint": "sha256:bbbbbbbbbbbbbbbbbbbb"}
FOREIGN = {"model": "n-1", "fingerprint": "sha256:cccccccccccccccccccc"}
USE = {"calls": 10, "cached": 0, "tokens": 5, "cost_usd": 0.1, "models": ["m-1"]}


def present(metric):
    """Two metrics of one prompt, and one of another."""
    prompts = {"faithfulness": "faithfulness", "faithfulness_binary": "faithfulness"}
    return Method(prompt=prompts.get(metric, ""), version="1+2" if metric in prompts else "")


def calibration(judge=MINE, metric=METRIC, *, n=60, day=10, version="1+2", agree=0.7, **more):
    told = {"value": agree, "ci": [agree - 0.1, agree + 0.1], "why_no_ci": None, "n": n}
    return {
        "format": "acidtest/judge-calibrate",
        "version": 1,
        "run": {
            "id": f"r{day}",
            "name": "nightly",
            "created": f"2026-11-{day}T00:00:00Z",
            "golden": "g",
        },
        "judge": judge,
        "metric": metric,
        "metric_version": version,
        "cost": "judge",
        "n": n,
        "annotators": ["ann", "bob"],
        "accuracy": {**told, "value": 0.9, "ci": None},
        "balanced_accuracy": {"skip": "no labels are no"},
        "kappa": told,
        "alpha": {"people": {"value": 0.8, "ci": None, "why_no_ci": "few", "n": n}},
        "ceiling": {"kappa": {**told, "value": 0.8}, "judge_minus_people": {"skip": "few"}},
        "baselines": [{"name": "majority", "kappa": {**told, "value": 0.0}, "beaten": "yes"}],
        **more,
    }


def bias(judge=MINE, *, items=40, day=11, metric=METRIC, finding=None, asked=40):
    row = {
        "metric": metric,
        "kind": "praise",
        "change": "expert",
        "does": "adds praise",
        "n": asked,
        "shift": 0.1 if asked else None,
        "shift_ci": [0.0, 0.2] if asked else None,
        "up": 0,
        "down": 0,
        "flips": 0,
        "asked": asked,
        "flip_rate": 0.0 if asked else None,
        "flip_ci": [0.0, 0.1] if asked else None,
        "wavering": 0.0,
        "failed": 0,
        "open": 0,
        "unfit": 0,
        "finding": finding,
    }
    fault = {
        "metric": metric,
        "fault": "number",
        "planted": asked,
        "passed": 0,
        "caught": asked,
        "open": 0,
        "failed": 0,
        "rate": 0.0 if asked else None,
        "ci": [0.0, 0.1] if asked else None,
    }
    again = {"metric": metric, "asks": 2, "n": 40, "agreement": 1.0, "ci": [0.9, 1.0], "sd": 0.0}
    return {
        "format": "acidtest/judge-bias",
        "version": 1,
        "judge": judge,
        "source": "built-in",
        "items": items,
        "repeat": 2,
        "seed": 0,
        "changes": [row],
        "leniency": [fault],
        "self_preference": [],
        "repeatability": [again],
        "unjudged": {},
        "moved": [],
        "findings": [],
        "coverage": 1.0,
        "use": USE,
        "created": f"2026-11-{day}T00:00:00Z",
        "versions": {metric: "1+2"},
    }


def check(judge=MINE, *, day=12, failed=0):
    n = 8 - failed
    plain = {
        "task": METRIC,
        "n": n,
        "right": n,
        "open": 0,
        "wrong": 0,
        "failed": failed,
        "share": 1.0 if n else None,
        "ci": None,
        "missed": [],
    }
    return {
        "format": "acidtest/judge-check",
        "version": 1,
        "created": f"2026-11-{day}T00:00:00Z",
        "judge": judge,
        "measured": None,
        "plain": [plain],
        "hard_cases": [],
        "unjudged": ["correctness"],
        "coverage": 1.0,
        "use": USE,
    }


def run(judge=MINE, *, day=13, cost=0.5, calls=100, trials=(), version="1+2"):
    """A run of two cases that faithfulness scored."""
    return Run(
        info=RunInfo(
            id=f"r{day}",
            name="nightly",
            created=f"2026-11-{day}T00:00:00Z",
            status="finished",
            mode="live",
            golden=GoldenRef(version="sha256:0", cases=2),
            pipeline=Ref(name="mine", fingerprint="sha256:1"),
            judge=JudgeRef(**judge) if judge else None,
        ),
        metrics={
            METRIC: Summary(
                stage="generation",
                direction="higher",
                mean=1.0,
                n=2,
                scored=2,
                cost="judge",
                version=version,
                wavering=0.5 if trials else None,
                repeat_sd=0.1 if trials else None,
            )
        },
        operations=Operations(
            judge=JudgeUse(calls=calls, cached=7, tokens=900, cost_usd=cost, seconds=20.0)
        ),
        cases=tuple(
            CaseResult(id=f"q{n}", question="?", scores={METRIC: Score(1.0, trials=trials)})
            for n in range(2)
        ),
    )


def saved(path, what):
    """Write evidence to a file, and return its name."""
    if isinstance(what, Run):
        what.save(path)
    else:
        path.write_bytes(msgspec.json.encode(what))
    return str(path)


@pytest.fixture
def pieces(tmp_path):
    """Read evidence as a command does, each from a file of its own."""
    from acidtest.project.card.evidence import read_piece
    from acidtest.project.config import Config

    def read(*some):
        return [
            read_piece(saved(tmp_path / f"{n}.json", what), Config()) for n, what in enumerate(some)
        ]

    return read


@pytest.fixture
def card(pieces):
    """Make a card of evidence, and return it as programs read it."""
    from acidtest.project.card.gather import card_json
    from acidtest.project.card.make import make_card

    def make(*some, judge=None):
        return json.loads(card_json(make_card(pieces(*some), judge, present)))

    return make


@pytest.fixture(scope="session")
def given():
    """What makes evidence: a word each."""
    return SimpleNamespace(
        calibration=calibration,
        bias=bias,
        check=check,
        run=run,
        saved=saved,
        present=present,
        mine=MINE,
        other=OTHER,
        foreign=FOREIGN,
    )
