"""Python pipelines of every shape are asked, timed, and fail only their case."""

import asyncio
import contextvars
import gc
import sys
import threading
import time
from types import SimpleNamespace

import pytest

from acidtest.data.answers import Chunk, Latency
from acidtest.data.golden import Case, Turn
from acidtest.errors import PipelineError, UsageError
from acidtest.pipelines import threads
from acidtest.pipelines.function import FunctionPipeline, as_pipeline
from acidtest.ports import PipelineOptions

CASE = Case(id="q1", question="capital of France?")
FOUND = [{"id": "c1", "text": "Paris is the capital."}]
CHUNKS = (Chunk(id="c1", rank=1, text="Paris is the capital."),)
GOLD = [Chunk(id="g1", text="Gold text.", doc_id="d")]


async def ask(thing, case=CASE, mode="live", contexts=None, **options):
    pipeline = as_pipeline(thing, options=PipelineOptions(**options))
    try:
        return await pipeline.ask(case, mode=mode, contexts=contexts)
    finally:
        await pipeline.aclose()


async def failure(thing, **more):
    with pytest.raises(PipelineError) as caught:
        await ask(thing, **more)
    return caught.value


def pair(question):
    return "Paris", FOUND


async def pair_async(question):
    await asyncio.sleep(0)
    return "Paris", FOUND


def pair_of_coroutine(question):
    return pair_async(question)


def streamed(question):
    yield "Pa"
    yield "ris"
    yield {"contexts": FOUND}


async def streamed_async(question):
    yield "Pa"
    await asyncio.sleep(0)
    yield "ris"
    yield {"contexts": FOUND}


def streamed_by_a_plain_function(question):
    return streamed_async(question)


async def stream_awaited(question):
    return streamed(question)


def streamed_then_list(question):
    yield from ["Pa", "ris"]
    yield FOUND


def streamed_pair(question):
    yield "Paris", FOUND


class Called:
    def __call__(self, question):
        return {"answer": "Paris", "chunks": FOUND}


class CalledAsync:
    async def __call__(self, question):
        return {"answer": "Paris", "chunks": FOUND}


class Responds:
    def respond(self, question):
        return {"answer": "Paris", "sources": [{"id": "c1", "excerpt": "Paris is the capital."}]}


class Answers:
    def retrieve(self, question):
        return FOUND

    def answer(self, question):
        return "Paris"


class AnswersWithContexts:
    async def retrieve(self, question):
        return FOUND

    def answer(self, question, contexts=None):
        return "Paris" if contexts is FOUND else "given: " + " ".join(contexts or ["nothing"])


class Generates:
    def retrieve(self, question):
        yield from FOUND

    async def generate(self, question, contexts):
        for piece in ("Pa", "ris"):
            yield piece


@pytest.mark.parametrize(
    "thing",
    [
        pair,
        pair_async,
        pair_of_coroutine,
        streamed,
        streamed_async,
        streamed_by_a_plain_function,
        stream_awaited,
        streamed_then_list,
        streamed_pair,
        Called(),
        CalledAsync(),
        Responds(),
        Answers(),
        AnswersWithContexts(),
        Generates(),
        Responds().respond,
        lambda q: ("Paris", FOUND),
    ],
)
async def test_every_shape_gives_answer_and_contexts(thing):
    answer = await ask(thing)
    assert (answer.case_id, answer.text, answer.retrieved) == ("q1", "Paris", CHUNKS)
    assert answer.latency_ms.total > 0
    assert answer.notes == ()


async def test_a_ready_pipeline_comes_back_as_it_is():
    ready = as_pipeline(pair)
    assert as_pipeline(ready) is ready


class Counting:
    def __init__(self, said):
        self.said = said
        self.calls = []

    def retrieve(self, question):
        self.calls.append("retrieve")
        return FOUND

    def answer(self, question):
        self.calls.append("answer")
        return self.said


@pytest.mark.parametrize(
    ("said", "calls"),
    [
        (("Paris", FOUND), ["answer"]),
        (("Paris", []), ["answer"]),
        ({"answer": "Paris", "sources": FOUND}, ["answer"]),
        ("Paris", ["answer", "retrieve"]),
        ({"answer": "Paris"}, ["answer", "retrieve"]),
    ],
)
async def test_what_gives_both_is_called_once(said, calls):
    counting = Counting(said)
    await ask(counting)
    assert counting.calls == calls


async def test_each_part_is_called_once_and_generation_gets_what_was_retrieved():
    calls = []

    class Rag:
        def retrieve(self, q):
            calls.append("retrieve")
            return {"retrieved": FOUND, "candidates": ["c1", "c9"]}

        def generate(self, q, contexts):
            calls.append("generate")
            assert contexts is FOUND
            return {"answer": "Paris", "usage": {"input_tokens": 3}}

    answer = await ask(Rag())
    assert calls == ["retrieve", "generate"]
    assert answer.retrieved == CHUNKS
    assert [c.id for c in answer.candidates] == ["c1", "c9"]
    assert answer.usage.input_tokens == 3


async def test_retrieval_only_never_generates():
    counting = Counting("Paris")
    answer = await ask(counting, mode="retrieval-only")
    assert counting.calls == ["retrieve"]
    assert (answer.text, answer.retrieved) == (None, CHUNKS)
    assert answer.latency_ms.retrieve == answer.latency_ms.total > 0


async def test_golden_context_hands_over_the_known_chunks_and_never_retrieves():
    class Rag(Counting):
        def answer(self, question, contexts=None):
            return " + ".join(f"{c} ({c['id']}, {c.doc_id})" for c in contexts)

    rag = Rag("")
    answer = await ask(rag, mode="golden-context", contexts=GOLD)
    assert answer.text == "Gold text. (g1, d)"
    assert answer.retrieved == (Chunk(id="g1", rank=1, text="Gold text.", doc_id="d"),)
    assert rag.calls == []
    assert answer.latency_ms.generate == answer.latency_ms.total > 0


async def test_golden_context_without_chunks_hands_over_none():
    answer = await ask(AnswersWithContexts(), mode="golden-context", contexts=())
    assert (answer.text, answer.retrieved) == ("given: nothing", ())


async def test_other_contexts_than_the_given_ones_are_noted():
    answer = await ask(lambda q, contexts: ("a", FOUND), mode="golden-context", contexts=GOLD)
    assert [c.id for c in answer.retrieved] == ["g1"]
    assert "named other contexts than it was given" in answer.notes[0]


async def test_a_mode_that_is_refused_fails_with_the_reason():
    error = await failure(pair, mode="retrieval-only", retries=3)
    assert "must not generate" in str(error)
    assert as_pipeline(pair).refuses("live") is None


async def test_candidates_may_have_a_method_of_their_own():
    class Rag(Counting):
        def candidates(self, question):
            return ["c1", "c2", "c2"]

    answer = await ask(Rag(("Paris", FOUND)))
    assert [c.id for c in answer.candidates] == ["c1", "c2"]
    assert len(answer.notes) == 1
    assert [c.id for c in (await ask(Rag(""), mode="retrieval-only")).candidates] == ["c1", "c2"]


async def test_k_is_passed_only_when_configured():
    class Rag:
        def retrieve(self, q, k=3):
            return [f"c{i}" for i in range(k)]

        def answer(self, q):
            return "a"

    assert len((await ask(Rag())).retrieved) == 3
    assert len((await ask(Rag(), k=5)).retrieved) == 5


def test_a_k_that_nobody_takes_is_refused():
    with pytest.raises(UsageError, match=r"k is 5, but pair\(\) takes no k"):
        as_pipeline(pair, options=PipelineOptions(k=5))


FOLLOW_UP = Case(id="q2", question="and Spain?", history=(Turn("user", "capital of France?"),))


async def test_history_reaches_those_who_take_it():
    answer = await ask(lambda q, history: f"{q} after {history}", FOLLOW_UP)
    assert answer.text == ("and Spain? after [{'role': 'user', 'content': 'capital of France?'}]")
    assert answer.notes == ()
    assert (await ask(lambda case: case.history[0].text, FOLLOW_UP)).notes == ()


async def test_history_that_is_not_taken_is_noted():
    assert "`history`" in (await ask(pair, FOLLOW_UP)).notes[0]


async def test_stages_that_are_called_apart_are_timed_apart():
    class Rag:
        def retrieve(self, q):
            time.sleep(0.02)
            return FOUND

        async def generate(self, q, contexts):
            await asyncio.sleep(0.04)
            return "a"

    times = (await ask(Rag())).latency_ms
    assert times.retrieve >= 20
    assert times.generate >= 40
    assert times.total == pytest.approx(times.retrieve + times.generate)


async def test_the_pipelines_own_latency_wins():
    answer = await ask(lambda q: {"answer": "a", "latency_ms": {"retrieve": 1, "total": 3}})
    assert answer.latency_ms == Latency(retrieve=1, total=3)


async def test_reading_what_came_is_not_the_pipelines_time():
    def lazy():
        time.sleep(0.5)
        yield "c1"

    assert (await ask(lambda q: ("a", lazy()))).latency_ms.total < 400


# ------------------------------------------------------------------------------- what goes wrong


def divides(question):
    return helper(question)


def helper(question):
    secret_value = "hunter2"  # noqa: F841, S105 - must not show in the traceback
    return 1 / 0


async def divides_async(question):
    return helper(question)


def divides_midway(question):
    yield "a"
    helper(question)


@pytest.mark.parametrize("thing", [divides, divides_async, divides_midway])
async def test_a_traceback_is_kept_with_the_users_frames_only(thing):
    error = await failure(thing)
    assert f"pipeline '{thing.__name__}': {thing.__name__}() raised ZeroDivisionError" in str(error)
    assert "test_function.py:" in str(error)
    assert "return 1 / 0" in error.detail
    assert "in helper" in error.detail
    assert "acidtest/pipelines" not in error.detail
    assert "hunter2" not in error.detail


def deep(question):
    return deep(question)


async def test_endless_recursion_is_a_failure_of_bounded_size():
    error = await failure(deep)
    assert "RecursionError" in str(error)
    assert len(error.detail) < 20_000


class Hostile(Exception):
    def __str__(self):
        raise ValueError("no words")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (SystemExit(3), "called sys.exit(3)"),
        (StopIteration(3), "raised StopIteration: 3"),
        (GeneratorExit(), "raised GeneratorExit"),
        (BaseException("odd"), "raised BaseException: odd"),
        (Hostile(), "raised Hostile"),
        (ValueError("x" * 100_000), "raised ValueError: xxx"),
        (ValueError("two\nlines"), "two lines"),
        (asyncio.CancelledError(), "raised CancelledError"),
    ],
)
async def test_whatever_a_sync_pipeline_raises_fails_its_case(error, said):
    def thing(question):
        raise error

    told = await failure(thing)
    assert said in str(told)
    assert len(str(told)) < 1000
    assert len(told.detail) < 20_000


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (SystemExit("bye"), "called sys.exit('bye')"),
        (StopIteration(3), "raised RuntimeError"),  # so Python turns it round
        (asyncio.CancelledError(), "cancelled its own task"),
        (GeneratorExit(), "it raised GeneratorExit"),
        (BaseException("odd"), "raised BaseException: odd"),
        (TimeoutError("its own"), "raised TimeoutError: its own"),
    ],
)
async def test_whatever_an_async_pipeline_raises_fails_its_case(error, said):
    async def thing(question):
        raise error

    assert said in str(await failure(thing))


def interrupts(question):
    raise KeyboardInterrupt


async def interrupts_async(question):
    raise KeyboardInterrupt


@pytest.mark.parametrize("thing", [interrupts, interrupts_async])
def test_an_interrupt_interrupts_the_run(thing):
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(as_pipeline(thing).ask(CASE))
    gc.collect()


async def test_a_sync_pipeline_that_hangs_is_given_up():
    stop = threading.Event()
    start = time.monotonic()
    error = await failure(lambda q: stop.wait(30), timeout_s=0.1)
    stop.set()
    assert time.monotonic() - start < 5
    assert "no answer within 0.1 s" in str(error)


async def test_an_async_pipeline_that_hangs_is_cancelled():
    ended = []

    async def hangs(question):
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(1)

    await failure(hangs, timeout_s=0.05)
    assert ended == [1]
    assert len(asyncio.all_tasks()) == 1


async def test_a_generator_that_hangs_midway_is_given_up():
    async def hangs(question):
        yield "a"
        await asyncio.sleep(60)

    await failure(hangs, timeout_s=0.05)


async def test_a_generator_without_end_is_stopped():
    def endless(question):
        while True:
            yield ""

    assert "yields without end" in str(await failure(endless))


async def test_retries_repeat_the_whole_question():
    calls = []

    def flaky(question):
        calls.append(1)
        if len(calls) < 2:
            raise ValueError("try again")
        return "Paris"

    assert (await ask(flaky, retries=1)).text == "Paris"
    assert len(calls) == 2


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "thing(): it returned None, which is no answer"),
        (42, "returned int 42"),
        (b"Paris", "returned bytes"),
        (("Paris", [None]), "context 1: this is None"),
        ([], "list of 0"),
        (lambda: "later", "function"),
        (object(), "builtins.object"),
    ],
)
async def test_nonsense_fails_the_case(value, said):
    def thing(question):
        return value

    assert said in str(await failure(thing))


async def test_a_property_that_raises_while_it_is_read_fails_the_case():
    class Answer:
        @property
        def answer(self):
            raise LookupError("lazy and broken")

    assert "raised LookupError: lazy and broken" in str(await failure(lambda q: Answer()))


async def test_a_retriever_that_returns_nonsense_is_named():
    thing = SimpleNamespace(retrieve=lambda q: None, answer=lambda q: "a")
    assert "retrieve(): the contexts are None" in str(await failure(thing))


async def test_many_questions_at_once_in_their_own_context():
    who = contextvars.ContextVar("who")
    together = threading.Barrier(20, timeout=10)

    def thing(question):
        together.wait()
        return f"{question} {who.get()}"

    pipeline = as_pipeline(thing)

    async def one(n):
        who.set(n)
        return (await pipeline.ask(Case(id=str(n), question=f"q{n}"))).text

    said = await asyncio.gather(*(one(n) for n in range(20)))
    assert said == [f"q{n} {n}" for n in range(20)]


async def test_names():
    assert as_pipeline(pair).name == "pair"
    assert as_pipeline(lambda q: q).name == "pipeline"
    assert as_pipeline(Answers()).name == "Answers"
    assert as_pipeline(pair, name="mine").name == "mine"


def test_a_call_that_never_comes_back_counts_until_it_does(monkeypatch):
    monkeypatch.setattr(threads, "MAX_STUCK", 1)
    stop = threading.Event()

    async def main():
        pipeline = FunctionPipeline(
            lambda q: str(stop.wait(30)), options=PipelineOptions(timeout_s=0.05)
        )
        said = []
        for _ in range(2):
            with pytest.raises(PipelineError) as caught:
                await pipeline.ask(CASE)
            said.append(str(caught.value))
        return said

    first, second = asyncio.run(main())
    stop.set()
    assert "no answer within" in first
    assert "never came back" in second


def test_making_a_pipeline_calls_nothing():
    loaded = set(sys.modules)
    counting = Counting("")
    as_pipeline(counting)
    assert counting.calls == []
    assert "aiohttp" not in set(sys.modules) - loaded


async def test_a_generator_that_fails_leaves_what_was_retrieved():
    class Broken:
        def retrieve(self, question):
            return [{"id": "c1", "text": "text"}]

        def generate(self, question, contexts):
            raise ValueError("no model")

    pipeline = as_pipeline(Broken())
    with pytest.raises(PipelineError, match="no model") as caught:
        await pipeline.ask(Case(id="a", question="Q?"))
    assert [chunk.id for chunk in caught.value.partial.retrieved] == ["c1"]
    assert caught.value.partial.latency_ms.retrieve is not None
