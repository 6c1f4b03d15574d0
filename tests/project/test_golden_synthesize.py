"""Growing from Python: the same doors as the command line's, sync, async and in a running loop."""

import pytest
from tests.golden.grow.author import corpus, replies

import acidtest as at
from acidtest.errors import UsageError
from acidtest.testing import FakeJudge


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_from_synchronous_code_with_a_judge_of_ones_own():
    judge = FakeJudge(replies(), model="mine")
    seen = []
    grown = at.synthesize(corpus(32), 5, "g.jsonl", judge=judge, seed=3, watch=seen.append)
    assert (grown.kept, grown.exit_status) == (5, 0)
    assert grown.judge.model == "mine"
    assert [case.id for case in at.load_golden("g.jsonl")] == list(grown.cases)
    assert seen[-1].done <= seen[-1].total == 5
    asked = len(judge.calls)
    again = at.synthesize(corpus(32), 5, "g.jsonl", judge=judge, seed=3)
    assert (again.before, len(judge.calls)) == (5, asked)


async def test_in_a_running_loop():
    judge = FakeJudge(replies())
    inside = await at.asynthesize(corpus(32), 3, "a.jsonl", judge=judge, kinds={"lookup": 1})
    blocking = at.synthesize(corpus(32), 3, "b.jsonl", judge=judge, kinds=["lookup"])
    assert inside.cases == blocking.cases
    assert list(at.load_golden("a.jsonl")) == list(at.load_golden("b.jsonl"))


def test_a_checker_of_its_own():
    writer, checker = FakeJudge(replies(), model="w"), FakeJudge(replies(), model="c")
    at.synthesize(corpus(32), 3, "g.jsonl", judge=writer, checker=checker)
    assert {name for name, _ in checker.calls} == {"answerable"}
    assert "answerable" not in {name for name, _ in writer.calls}
    assert {case.metadata["checked_by"] for case in at.load_golden("g.jsonl")} == {"c"}


def test_by_templates_from_rows():
    rows = [{"id": "a", "text": "A golden set is a list of questions with their answers."}]
    grown = at.synthesize(rows, 1, "g.jsonl")
    assert (grown.kept, grown.judge) == (1, None)
    assert at.load_golden("g.jsonl")[0].question == "What is a golden set?"


def test_what_cannot_be():
    with pytest.raises(UsageError, match="0 questions"):
        at.synthesize(corpus(2), 0, "g.jsonl")
    with pytest.raises(UsageError, match="writes and checks no questions"):
        at.synthesize(corpus(2), 1, "g.jsonl", judge=FakeJudge({}))


def test_cases_are_promoted_from_a_run_in_memory():
    golden = at.load_golden([{"id": "a", "question": "Who pays?", "relevant": ["x"]}])
    answers = {"answer": "Bob.", "retrieved": [{"id": "y", "text": "Al eats."}]}
    run = at.evaluate(lambda question: answers, golden, metrics=["recall@1"])
    done = at.promote_cases(run, ["a"], "g.jsonl", from_answer=True, relevant={"y": 2}, by="Ada")
    assert done.added == ("a",)
    (case,) = at.load_golden("g.jsonl")
    assert (case.reference, case.relevant) == ("Bob.", {"y": 2})
    assert case.evidence[0].text == "Al eats."
    assert case.metadata["provenance"]["run"] == run.id
