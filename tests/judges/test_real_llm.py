"""A real language model behind a real server: llama.cpp with SmolLM2-135M, both from registry packages.

It judges at chance, so nothing here looks at its verdicts: only at the protocol, the form of replies, and
the accounting. One thread, short prompts: some seconds a call.
"""

from typing import Literal

import msgspec
import pytest
from tests.judges.real_llm import KEY, real_llm

from acidtest.errors import JudgeError
from acidtest.judges.backend import Request
from acidtest.judges.circuit import ShutOut
from acidtest.judges.faults import InvalidReply, Truncated
from acidtest.judges.limit import Limiter
from acidtest.judges.llm import LLMJudge
from acidtest.judges.openai_http import OpenAIBackend
from acidtest.judges.retry import Retrying, Tries
from acidtest.judges.session import Session
from acidtest.metrics.contexts.context_usefulness import CONTEXT_USEFULNESS
from acidtest.metrics.generation.faithfulness import FAITHFULNESS

pytestmark = pytest.mark.slow

PASSAGE = "The Pro plan costs 49 euros a month."
SENTENCE = "The Pro plan is 49 euros."


class Ruling(msgspec.Struct):
    verdict: Literal["supported", "unsupported"]


SCHEMA = {
    "type": "object",
    "properties": {"verdict": {"enum": ["supported", "unsupported"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}


def request(**more):
    text = f"Passage: {PASSAGE}\nSentence: {SENTENCE}\nDoes the passage support the sentence?"
    return Request(**{"text": text, "schema": SCHEMA, "schema_name": "r", "max_tokens": 32} | more)


@pytest.fixture(scope="module")
def address():
    """Start the server; give its address up to /v1."""
    with real_llm() as origin:
        yield origin


@pytest.fixture
async def backend(address):
    shared = Session(timeout_s=120.0)
    made = OpenAIBackend("smollm2", api_key=KEY, base_url=address, session=shared)
    yield Retrying(made, Tries(made.endpoint, limiter=Limiter(1)))
    await shared.aclose()


async def test_a_verdict_comes_in_the_form_that_was_asked(backend):
    got = await backend.complete(request())
    assert msgspec.json.decode(got.text, type=Ruling).verdict in {"supported", "unsupported"}
    assert got.finish == "stop"
    assert got.model
    assert 20 < got.input_tokens < 200
    assert 0 < got.output_tokens <= 32
    assert got.dropped == ()


async def test_the_same_question_gets_the_same_reply(backend):
    first, second = [await backend.complete(request()) for _ in range(2)]
    assert first.text == second.text
    assert second.cached_tokens > 0  # the server's prompt cache served the second


async def test_a_reply_cut_at_the_limit_says_so(backend):
    got = await backend.complete(request(max_tokens=2))
    assert got.finish == "length"
    assert got.output_tokens == 2


async def test_the_check(address, backend):
    made = OpenAIBackend("no-such-model", api_key=KEY, base_url=address)
    assert len(await made.check()) == 1
    await made.aclose()


async def test_a_bad_key(address):
    made = OpenAIBackend("smollm2", api_key="wrong-key-0123456", base_url=address)
    with pytest.raises(ShutOut, match="401"):
        await made.complete(request())
    await made.aclose()


@pytest.mark.parametrize(
    ("prompt", "room", "fields"),
    [
        (
            CONTEXT_USEFULNESS,
            64,
            {"passages": [PASSAGE], "question": "What is Pro?", "answer": SENTENCE},
        ),
        (
            FAITHFULNESS,
            24,  # too little: this one is cut, and asked again with more room
            {"passages": [PASSAGE], "question": "What is Pro?", "sentences": [SENTENCE]},
        ),
    ],
    ids=["context_usefulness", "faithfulness"],
)
async def test_the_whole_judge(backend, prompt, room, fields):
    judge = LLMJudge(backend, max_tokens=room)
    outcome = await _outcome(judge, prompt, fields)
    if isinstance(outcome, JudgeError):  # it may quote what is nowhere: then every reply is kept
        assert isinstance(outcome, (InvalidReply, Truncated))
        assert outcome.detail
        spent = outcome.spent
        assert 1 < spent.attempts <= 5
    else:
        spent = outcome
        assert isinstance(outcome.reply, prompt.reply)
        assert prompt.check is None or prompt.check(outcome.reply, fields) is None
        assert spent.attempts >= 1
    assert spent.input_tokens > 0
    assert spent.output_tokens > 0


async def _outcome(judge, prompt, fields):
    try:
        return await judge.ask(prompt, **fields)
    except JudgeError as error:
        return error
