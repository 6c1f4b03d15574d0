"""The handbook's tables of degenerate inputs say what every metric does; each cell is tried."""

import re
from pathlib import Path
from typing import Any

import pytest

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case, Evidence
from acidtest.data.outcomes import Failure, Score, Skip
from acidtest.judges.local.judge import LocalJudge
from acidtest.metrics.bound import Bound
from acidtest.metrics.declare import LabelMetric
from acidtest.metrics.registry import find, known
from acidtest.metrics.rubric import rubric
from acidtest.run.score import score
from acidtest.testing import FakeJudge

PAGE = Path(__file__).resolve().parents[2] / "docs" / "degenerate-inputs.md"

CASE = Case(
    id="pro",
    question="What does the Pro plan cost?",
    reference="The Pro plan costs 49 euros a month.",
    relevant={"pricing#2": 1},
    evidence=(Evidence(text="The Pro plan costs 49 euros a month.", chunk_id="pricing#2"),),
)
RIGHT = Chunk(id="pricing#2", text="The Pro plan costs 49 euros a month.")
WRONG = Chunk(id="pricing#1", text="The Basic plan costs 19 euros a month.")
TEXT = "The Pro plan costs 49 euros a month [1]."


def answer(text: str | None = TEXT, chunks: tuple[Chunk, ...] | None = (RIGHT, WRONG)) -> Answer:
    return Answer(case_id="pro", text=text, retrieved=chunks)


def case(**changes: Any) -> Case:
    fields = {name: getattr(CASE, name) for name in CASE.__struct_fields__} | changes
    return Case(**fields)


INPUTS: dict[str, tuple[Case, Answer]] = {
    "nothing retrieved": (CASE, answer(chunks=())),
    "retrieved, none relevant": (CASE, answer(chunks=(WRONG,))),
    "chunks without ids": (CASE, answer(chunks=(Chunk(text=RIGHT.text),))),
    "chunks without text": (CASE, answer(chunks=(Chunk(id=RIGHT.id),))),
    "empty chunk texts": (CASE, answer(chunks=(Chunk(id=RIGHT.id, text=""),))),
    "a chunk that comes twice": (CASE, answer(chunks=(WRONG, RIGHT, RIGHT))),
    "contexts not told": (CASE, answer(chunks=None)),
    "empty answer": (CASE, answer("")),
    "refusal": (CASE, answer("I could not find this in the documents.")),
    "no answer at all": (CASE, answer(None)),
    "cites nothing": (CASE, answer("The Pro plan costs 49 euros a month.")),
    "no labels": (case(relevant=None), answer()),
    "no evidence text": (case(evidence=()), answer()),
    "no reference, or an empty one": (case(reference=None), answer()),
    "must be declined": (
        case(answerable=False, relevant={}, reference="NOT_IN_CORPUS", evidence=()),
        answer(),
    ),
}
COLUMNS = {
    "Label metrics": [n for n, m in known().items() if isinstance(m, LabelMetric)],
    "citations": ["citation_validity", "citation_precision", "citation_recall"],
}
OWN = Bound(
    rubric(
        "own",
        criteria="Is it polite?",
        scale={"polite": 1.0, "rude": 0.0},
        inputs=("question", "answer", "contexts"),
    ),
    {},
)
GROUPS = {
    "retrieval": (
        "nothing retrieved",
        "retrieved, none relevant",
        "chunks without ids",
        "chunks without text",
        "empty chunk texts",
        "a chunk that comes twice",
        "contexts not told",
    ),
    "answers": ("empty answer", "refusal", "no answer at all", "cites nothing"),
    "cases": (
        "no labels",
        "no evidence text",
        "no reference, or an empty one",
        "must be declined",
    ),
}
UNTOUCHED = {
    "retrieval": (
        "correctness",
        "factual_correctness",
        "answer_relevance",
        "answer_relevancy",
        "semantic_similarity",
    ),
    "answers": (
        "context_recall",
        "context_precision_judged",
        "context_relevance",
        "semantic_recall",
        "token_recall",
        *COLUMNS["Label metrics"],
    ),
}
"""What sentences beside the tables say is scored whatever comes of these inputs."""


def every(fields: dict[str, Any], name: str, number: str, **said: Any) -> list[dict[str, Any]]:
    """Return one record a numbered item of a field."""
    return [{number: n, **said} for n in range(1, len(fields[name]) + 1)]


CLAIM = ({"claim": "x", "verdict": "supported", "passage": 1},)
SCRIPT = {
    "reference_in_contexts": lambda f: {
        "sentences": every(f, "sentences", "sentence", claims=CLAIM),
        "passages": every(f, "passages", "passage_id", verdict="relevant"),
    },
    "context_relevance": lambda f: {
        "passages": every(f, "passages", "passage_id", verdict="direct")
    },
    "faithfulness_score": {"score": 0.5},
    "answer_relevance": {"verdict": "complete"},
    "answer_relevancy": {"commitment": "committal", "questions": ["What?", "Who?", "Why?"]},
    "factual_correctness": lambda f: {
        "points": every(f, "points", "sentence", claims=({"claim": "x", "verdict": "supported"},)),
        "sentences": every(
            f, "sentences", "sentence", claims=({"claim": "x", "verdict": "supported"},)
        ),
    },
    "rubric.own": {"verdict": "polite"},
    "claims_against_reference": lambda f: {
        "claims": every(f, "claims", "claim_id", verdict="right")
    },
}


class Embedded:
    """An embedder that goes by length, counting how often it is asked."""

    def __init__(self) -> None:
        self.times = 0

    async def embed(self, texts: Any) -> Any:
        self.times += 1
        return [(1.0, float(len(text))) for text in texts]


class Asked:
    """The local judge, and a script for what it does not know, counting how often it is asked."""

    def __init__(self) -> None:
        self.inner = LocalJudge()
        self.script = FakeJudge(SCRIPT)
        self.model = self.inner.model
        self.fingerprint = self.inner.fingerprint
        self.times = 0

    async def ask(self, prompt: Any, **fields: Any) -> Any:
        self.times += 1
        scripted = prompt.name in SCRIPT
        return await (self.script if scripted else self.inner).ask(prompt, **fields)


def cells() -> list[tuple[str, str, str]]:
    found = []
    header: list[str] = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        row = [cell.strip() for cell in line.strip("| ").split("|")] if line[:1] == "|" else []
        if not row:
            header = []
        elif not header:
            header = row
        elif not re.fullmatch(r"[-\s]*", "".join(row)):
            for column, cell in zip(header[1:], row[1:], strict=True):
                names = COLUMNS.get(column) or column.split(", ")
                found += [(row[0], metric, cell) for metric in names]
    for group, names in UNTOUCHED.items():
        found += [(given, metric, "scored") for given in GROUPS[group] for metric in names]
    return found


def expected(cell: str, metric: str) -> str:
    if ", " in cell:  # "skip, citation_recall 0": an exception for one metric
        usual, _, exception = cell.partition(", ")
        name, _, other = exception.partition(" ")
        return other if name == metric else usual
    return cell


@pytest.mark.parametrize(("given", "metric", "cell"), cells())
async def test_cell(given, metric, cell):
    asked, said = INPUTS[given]
    judge, embedder = Asked(), Embedded()
    bound = OWN if metric == "own rubrics" else find(metric)
    outcome = await score(
        bound, asked, said, mode="live", judge=judge, embedder=embedder, unanswerable="skip"
    )
    wanted = expected(cell, metric)
    if wanted == "skip":
        assert isinstance(outcome, Skip), outcome
        assert judge.times == embedder.times == 0
    elif wanted == "0":
        assert isinstance(outcome, Score), outcome
        assert outcome.value == 0.0
        assert judge.times == embedder.times == 0
    elif wanted == "counts as declined":
        assert isinstance(outcome, Score)
        assert outcome.parts["declined"] == 1
    elif wanted in ("scored", "counted once"):
        # A judge that was asked may leave the case open: that is its answer, not a rule.
        undecided = isinstance(outcome, Skip) and outcome.why.startswith("undecided")
        assert isinstance(outcome, Score) or (undecided and judge.times >= 1), outcome
    else:
        pytest.fail(f"the table says {cell!r}, which this test does not know")


async def test_empty_reference_is_like_none():
    for metric in ("correctness", "exact_match", "token_f1"):
        outcome = await score(
            find(metric),
            case(reference=" "),
            answer(),
            mode="live",
            judge=Asked(),
            embedder=None,
            unanswerable="skip",
        )
        assert isinstance(outcome, Skip)


@pytest.mark.parametrize("metric", sorted(known()))
async def test_a_failed_pipeline_is_a_failure_of_every_metric_that_applies(metric):
    failed = Answer(case_id="pro", failure=Failure("it threw"))
    unanswerable = case(answerable=False, relevant={}, evidence=())
    asked = unanswerable if metric == "abstention_recall" else CASE
    outcome = await score(
        find(metric), asked, failed, mode="live", judge=Asked(), embedder=None, unanswerable="skip"
    )
    assert isinstance(outcome, Failure)


def test_every_input_and_every_metric_stands_in_a_table():
    assert {given for given, _, _ in cells()} == set(INPUTS)
    whole = {
        "abstention_accuracy": {"abstention_precision", "abstention_recall"},
    }
    covered = {metric for _, metric, _ in cells()}
    covered |= {twin for name, twins in whole.items() if name in covered for twin in twins}
    assert covered >= set(known())


def test_every_judged_or_embedded_metric_is_told_of_with_every_input():
    told = {(given, metric) for given, metric, _ in cells()}
    asking = [name for name, metric in known().items() if metric.cost != "free"]
    for metric in (*asking, "own rubrics"):
        assert {given for given in INPUTS if (given, metric) not in told} == set(), metric
