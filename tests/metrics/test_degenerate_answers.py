"""What each deterministic answer metric does with every degenerate input: one table, one test."""

import pytest

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case, Evidence
from acidtest.data.outcomes import Failure, Outcome, Score
from acidtest.metrics.registry import find
from acidtest.run.score import score

TEXT = "Refunds take 30 days, says Globex."
CHUNK = Chunk(id="r1", rank=1, text=TEXT)
CASE = Case(
    id="x",
    question="How long?",
    reference="Refunds take 30 days",
    relevant={"r1": 1},
    evidence=(Evidence(text=TEXT, chunk_id="r1"),),
)
MUST_ABSTAIN = Case(
    id="x", question="How long?", reference="NOT_IN_CORPUS", relevant={}, answerable=False
)
UNLABELLED = Case(id="x", question="How long?")


def answered(text: str | None, *chunks: Chunk, none: bool = False) -> Answer:
    return Answer(case_id="x", text=text, retrieved=None if none else chunks)


INPUTS = {
    "no contexts": (CASE, answered(f"{TEXT[:-1]} [1].")),
    "contexts not told": (CASE, answered(TEXT, none=True)),
    "empty contexts": (CASE, answered(f"{TEXT[:-1]} [1].", Chunk(id="r1", text=""))),
    "contexts without text": (CASE, answered(f"{TEXT[:-1]} [1].", Chunk(id="r1"))),
    "no answer": (CASE, answered(None, CHUNK)),
    "empty answer": (CASE, answered("", CHUNK)),
    "blank answer": (CASE, answered(" \n", CHUNK)),
    "empty reference": (Case(id="x", question="?", reference=""), answered(TEXT, CHUNK)),
    "no labels": (UNLABELLED, answered(TEXT, CHUNK)),
    "duplicates": (CASE, answered(f"{TEXT[:-1]} [1][1].", CHUNK, CHUNK)),
    "refusal": (CASE, answered("I don't know.", CHUNK)),
    "refusal, rightly": (MUST_ABSTAIN, answered("I don't know.", CHUNK)),
    "answer, must abstain": (MUST_ABSTAIN, answered(f"{TEXT[:-1]} [1].", CHUNK)),
}  # fmt: skip
S = "skip"
TABLE = {
    #                         tok_rec  em  f1        acc a_pr a_re  c_va c_pr c_re  leak
    "no contexts":           (0,       0,  8 / 10,   1,  S,   S,    0,   0,   0,    1),
    "contexts not told":     (S,       0,  8 / 10,   1,  S,   S,    S,   S,   S,    S),
    "empty contexts":        (0,       0,  8 / 10,   1,  S,   S,    0,   0,   0,    1),
    "contexts without text": (S,       0,  8 / 10,   1,  S,   S,    0,   0,   0,    S),
    "no answer":             (1,       S,  S,        S,  S,   S,    S,   S,   S,    S),
    "empty answer":          (1,       0,  0,        0,  0,   S,    S,   S,   S,    S),
    "blank answer":          (1,       0,  0,        0,  0,   S,    S,   S,   S,    S),
    "empty reference":       (S,       S,  S,        1,  S,   S,    S,   S,   0,    0),
    "no labels":             (S,       S,  S,        1,  S,   S,    S,   S,   0,    0),
    "duplicates":            (1,       0,  8 / 10,   1,  S,   S,    1,   1,   1,    0),
    "refusal":               (1,       0,  0,        0,  0,   S,    S,   S,   S,    0),
    "refusal, rightly":      (S,       S,  S,        1,  1,   1,    S,   S,   S,    0),
    "answer, must abstain":  (S,       S,  S,        0,  S,   0,    1,   1,   1,    0),
}  # fmt: skip
METRICS = (
    "token_recall",
    "exact_match",
    "token_f1",
    "abstention_accuracy",
    "abstention_precision",
    "abstention_recall",
    "citation_validity",
    "citation_precision",
    "citation_recall",
    "grounding_leak",
)


@pytest.mark.parametrize("name", INPUTS)
async def test_the_table(name: str) -> None:
    case, answer = INPUTS[name]
    for metric, wanted in zip(METRICS, TABLE[name], strict=True):
        result = await outcome(metric, case, answer)
        got = result.value if isinstance(result, Score) else type(result).__name__.lower()
        assert got == wanted, (metric, result)


async def outcome(metric: str, case: Case, answer: Answer) -> Outcome:
    return await score(
        find(metric), case, answer, mode="live", judge=None, embedder=None, unanswerable="skip"
    )


async def test_every_reason_can_be_read() -> None:
    for case, answer in INPUTS.values():
        for metric in METRICS:
            result = await outcome(metric, case, answer)
            why = result.reason if isinstance(result, Score) else result.why
            assert len(why.split()) >= 2 or why == "equal"


async def test_the_pipeline_failed() -> None:
    failed = Answer(case_id="x", failure=Failure("it threw"))
    for metric in ("abstention_accuracy", "token_f1", "citation_validity"):
        assert isinstance(await outcome(metric, CASE, failed), Failure)
