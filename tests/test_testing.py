"""The public fakes: scripts, records, and errors like the real ones'."""

import pytest
from msgspec import Struct

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.data.outcomes import Skip
from acidtest.errors import JudgeError, PipelineError
from acidtest.ports import PipelineOptions, Prompt
from acidtest.testing import FakeJudge, FakePipeline


class Stars(Struct):
    stars: int


PROMPT = Prompt(name="stars", version="1", template="{{answer}}", reply=Stars)
CASE = Case(id="a", question="Why?")


async def test_a_script_of_data():
    judge = FakeJudge({"stars": {"stars": 3}})
    verdict = await judge.ask(PROMPT, answer="x")
    assert verdict.reply == Stars(3)
    assert judge.calls == [("stars", {"answer": "x"})]


async def test_a_list_gives_one_reply_a_call_and_repeats_the_last():
    judge = FakeJudge({"stars": [{"stars": 1}, Skip("no"), {"stars": 5}]})
    said = [await judge.ask(PROMPT) for _ in range(4)]
    assert [getattr(v, "reply", v) for v in said] == [Stars(1), Skip("no"), Stars(5), Stars(5)]


async def test_a_function_sees_the_fields():
    judge = FakeJudge({"stars": lambda fields: {"stars": len(fields["answer"])}})
    assert (await judge.ask(PROMPT, answer="four")).reply == Stars(4)


async def test_a_scripted_error_is_raised():
    with pytest.raises(JudgeError, match="down"):
        await FakeJudge({"stars": JudgeError("down")}).ask(PROMPT)


async def test_no_script_is_a_skip_and_a_bad_one_an_error():
    assert isinstance(await FakeJudge({}).ask(PROMPT), Skip)
    with pytest.raises(JudgeError) as raised:
        await FakeJudge({"stars": {"stars": "many"}}).ask(PROMPT)
    assert raised.value.detail == '{"stars":"many"}'


@pytest.mark.parametrize(
    "said",
    [
        "Because.",
        {"text": "Because."},
        Answer(case_id="other", text="Because."),
        lambda case: f"Because{'.' if case.id == 'a' else '!'}",
    ],
)
@pytest.mark.parametrize("key", ["a", "Why?"])
async def test_answers_by_id_or_question(said, key):
    answer = await FakePipeline({key: said}).ask(CASE)
    assert (answer.case_id, answer.text) == ("a", "Because.")


async def test_chunks_are_ranked():
    said = {"text": "x", "retrieved": [{"id": "c2"}, {"id": "c1", "text": "t"}]}
    answer = await FakePipeline(lambda _: said).ask(CASE)
    assert answer.retrieved == (Chunk(id="c2", rank=1), Chunk(id="c1", rank=2, text="t"))


async def test_what_was_asked_is_kept():
    pipeline = FakePipeline({"a": "x"}, options=PipelineOptions(concurrency=2))
    contexts = (Chunk(text="known"),)
    await pipeline.ask(CASE, mode="golden-context", contexts=contexts)
    await pipeline.aclose()
    assert pipeline.calls == [("a", "golden-context")]
    assert pipeline.contexts == {"a": contexts}
    assert pipeline.closed
    assert pipeline.options.concurrency == 2


async def test_refusing_and_failing():
    pipeline = FakePipeline({"a": ValueError("it broke")}, refuse={"live": "no network"})
    assert pipeline.refuses("live") == "no network"
    assert pipeline.refuses("retrieval-only") is None
    with pytest.raises(ValueError, match="it broke"):
        await pipeline.ask(CASE)
    with pytest.raises(PipelineError, match="no answer for case 'b'"):
        await pipeline.ask(Case(id="b", question="How?"))
    with pytest.raises(PipelineError, match="not an answer"):
        await FakePipeline({"a": {"text": 5}}).ask(CASE)
    with pytest.raises(PipelineError, match="not an answer"):
        await FakePipeline({"a": 5}).ask(CASE)


def test_fingerprints_go_by_name():
    assert FakePipeline({}).fingerprint == FakePipeline({"a": "x"}).fingerprint
    assert FakePipeline({}, name="other").fingerprint != FakePipeline({}).fingerprint
    assert FakeJudge({}, model="other").fingerprint != FakeJudge({}).fingerprint
