"""Cases, metrics and a store for runs of fakes."""

import pytest

from acidtest.data.golden import Case, Evidence
from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.errors import JudgeError
from acidtest.metrics.bound import Bound
from acidtest.metrics.declare import label_metric, metric
from acidtest.ports import Judge, Prompt
from acidtest.run.plan import Plan
from acidtest.store.runs import Store
from acidtest.testing import FakeJudge


@label_metric()
def found(ranked, *, k: int | None = None):
    """Whether anything relevant came back."""
    return [
        None if not relevant else float(n > 0)
        for n, relevant in zip(ranked.found(k), ranked.relevant, strict=True)
    ]


@label_metric()
def recall(ranked, *, k: int | None = None):
    """Share of the relevant that came back."""
    return [
        n / relevant if relevant else None
        for n, relevant in zip(ranked.found(k), ranked.relevant, strict=True)
    ]


@metric(stage="end_to_end", unanswerable=False)
def same(text: str, reference: str) -> Outcome:
    """Whether the answer is the reference."""
    return Score(float(text == reference), "compared")


@metric(stage="generation")
async def judged(text: str, judge: Judge) -> Outcome:
    """Ask the judge."""
    verdict = await judge.ask(Prompt(name="p", version="1", template="", reply=Score), text=text)
    if isinstance(verdict, Skip):
        return verdict
    return verdict.reply


CASES = (
    Case(
        id="a",
        question="A?",
        reference="yes",
        relevant={"x": 1, "y": 1},
        evidence=(Evidence(text="X text", chunk_id="x", doc_id="d"),),
        tags=("easy",),
    ),
    Case(id="b", question="B?", reference="no", relevant_docs={"d": 1}, tags=("easy", "doc")),
    Case(id="c", question="C?", answerable=False, relevant={}),
    Case(id="d", question="D?"),
)


@pytest.fixture
def cases():
    return CASES


@pytest.fixture
def bound():
    return {
        "found@1": Bound(found, {"k": 1}),
        "recall": Bound(recall, {}),
        "same": Bound(same, {}),
        "judged": Bound(judged, {}),
    }


@pytest.fixture
def make_plan(bound):
    def make(pipeline, cases=CASES, metrics=("found@1", "recall", "same"), **settings):
        if "judged" in metrics:
            settings.setdefault("judge", FakeJudge({"p": {"outcome": "score", "value": 0.5}}))
        return Plan(
            name="test",
            pipeline=pipeline,
            cases=cases,
            golden_version="sha256:g",
            golden_path=None,
            metrics=[bound[m] for m in metrics],
            **settings,
        )

    return make


@pytest.fixture
def store(tmp_path):
    with Store(str(tmp_path / "store.db")) as opened:
        yield opened


@pytest.fixture
def judge_that_fails():
    return FakeJudge({"p": JudgeError("no verdict", detail="raw reply")})
