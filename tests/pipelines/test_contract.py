"""What every pipeline owes the engine, asked of every kind."""

import asyncio
import contextlib
import json
import sys

import pytest
from aiohttp import web

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case, Turn
from acidtest.errors import PipelineError
from acidtest.pipelines.command import CommandPipeline
from acidtest.pipelines.function import as_pipeline
from acidtest.pipelines.http import HttpPipeline
from acidtest.pipelines.recorded import RecordedPipeline
from acidtest.ports import PipelineOptions
from acidtest.testing import FakePipeline

GOOD = Case(id="good", question="good", history=(Turn("user", "hi"),))
BAD = Case(id="bad", question="bad")
ROW = {"answer": "fine", "retrieved": [{"id": "c1", "text": "some text"}]}
SCRIPT = f"""
import json, sys
for line in sys.stdin:
    q = json.loads(line)
    if q["question"] == "bad": raise ValueError("it broke")
    print(json.dumps({json.dumps(ROW)}), flush=True)
"""
OPTIONS = PipelineOptions(concurrency=3, timeout_s=20)


def rag(question):
    if question == "bad":
        raise ValueError("it broke")
    return dict(ROW)


async def rag_async(question):
    return rag(question)


class Parts:
    def retrieve(self, question):
        return rag(question)["retrieved"]

    def generate(self, question, contexts):
        return rag(question)["answer"]


@contextlib.asynccontextmanager
async def served():
    async def handler(request):
        body = await request.json()
        if body["question"] == "bad":
            return web.Response(status=500, text="it broke")
        return web.json_response(ROW)

    app = web.Application()
    app.router.add_post("/", handler)
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


@pytest.fixture(params=["function", "async", "parts", "http", "command", "recorded", "fake"])
async def pipeline(request, tmp_path):
    chunk = Chunk(id="c1", text="some text", rank=1)
    async with contextlib.AsyncExitStack() as stack:
        if request.param == "http":
            url = await stack.enter_async_context(served())
            made = HttpPipeline(url, name="p", options=OPTIONS)
        elif request.param == "command":
            (tmp_path / "ask.py").write_text(SCRIPT)
            command = [sys.executable, "-S", "ask.py"]
            made = CommandPipeline(command, name="p", folder=tmp_path, options=OPTIONS)
        elif request.param == "recorded":
            made = RecordedPipeline(
                [Answer(case_id="good", text="fine", retrieved=(chunk,))], name="p"
            )
        elif request.param == "fake":
            said = Answer(case_id="good", text="fine", retrieved=(chunk,))
            made = FakePipeline(
                {"good": said, "bad": PipelineError("it broke", detail="x")}, name="p"
            )
        else:
            thing = {"function": rag, "async": rag_async, "parts": Parts()}[request.param]
            made = as_pipeline(thing, name="p", options=OPTIONS)
        yield made
        await made.aclose()


async def test_it_says_what_it_is(pipeline):
    assert pipeline.name == "p"
    assert pipeline.fingerprint.startswith("sha256:")
    assert pipeline.fingerprint == pipeline.fingerprint
    assert pipeline.options.concurrency >= 1
    assert pipeline.refuses("live") is None


async def test_it_answers(pipeline):
    answer = await pipeline.ask(GOOD)
    assert (answer.case_id, answer.text) == ("good", "fine")
    assert answer.retrieved == (Chunk(id="c1", rank=1, text="some text"),)
    assert answer.failure is None


async def test_a_failure_is_of_its_case_only(pipeline):
    with pytest.raises(PipelineError):
        await pipeline.ask(BAD)
    assert (await pipeline.ask(GOOD)).text == "fine"


async def test_it_answers_several_at_once(pipeline):
    answers = await asyncio.gather(*(pipeline.ask(GOOD) for _ in range(6)))
    assert [a.text for a in answers] == ["fine"] * 6


async def test_golden_context_answers_from_the_given_or_is_refused(pipeline):
    gold = (Chunk(id="g1", rank=1, text="gold"),)
    reason = pipeline.refuses("golden-context")
    if reason is not None:
        assert "contexts" in reason
        with pytest.raises(PipelineError):
            await pipeline.ask(GOOD, mode="golden-context", contexts=gold)
        return
    answer = await pipeline.ask(GOOD, mode="golden-context", contexts=gold)
    assert answer.text == "fine"
    if not isinstance(pipeline, FakePipeline):  # the fake says what its table says
        assert answer.retrieved == gold


async def test_retrieval_only_generates_nothing_or_is_refused(pipeline):
    reason = pipeline.refuses("retrieval-only")
    if isinstance(pipeline, FakePipeline | RecordedPipeline):
        # Nothing is generated when the answers are there already.
        assert reason is None
        assert (await pipeline.ask(GOOD, mode="retrieval-only")).retrieved == (ROW_CHUNK,)
        return
    if isinstance(pipeline, HttpPipeline | CommandPipeline):
        with pytest.raises(PipelineError, match="retrieval only and generated"):
            await pipeline.ask(GOOD, mode="retrieval-only")
    elif reason is None:
        answer = await pipeline.ask(GOOD, mode="retrieval-only")
        assert (answer.text, answer.retrieved) == (None, (ROW_CHUNK,))
    else:
        with pytest.raises(PipelineError, match="must not generate"):
            await pipeline.ask(GOOD, mode="retrieval-only")


ROW_CHUNK = Chunk(id="c1", rank=1, text="some text")


async def test_it_can_be_closed_twice_and_leaves_no_task(pipeline):
    await pipeline.ask(GOOD)
    await pipeline.aclose()
    await pipeline.aclose()
    names = {task.get_coro().__qualname__ for task in asyncio.all_tasks()}
    assert not [name for name in names if "acidtest" in name or "within" in name]
