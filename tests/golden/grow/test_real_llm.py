"""A small synthesis by a real language model behind a real server, from the command line to the file.

The model has 135 million parameters: most of its drafts are dropped, rightly. So nothing here looks at
how many are kept: only at what is true of every draft, whatever a model writes.
"""

import json
import os
import subprocess
import sys

import msgspec
import pytest
from tests.judges.real_llm import KEY, real_llm

from acidtest.data.corpus import CorpusChunk
from acidtest.errors import JudgeError
from acidtest.golden.grow.answerable import ANSWERABLE, check_answerable
from acidtest.golden.grow.drafting import question_fields
from acidtest.golden.grow.faults import FAILED, INVALID, REASONS
from acidtest.golden.load import load_golden
from acidtest.judges.faults import InvalidReply, Truncated
from acidtest.judges.limit import Limiter
from acidtest.judges.llm import LLMJudge
from acidtest.judges.openai_http import OpenAIBackend
from acidtest.judges.retry import Retrying, Tries
from acidtest.judges.session import Session

pytestmark = pytest.mark.slow

TEXTS = (
    "Refunds are paid within 14 days of the return, to the card that was charged.",
    "The Pro plan costs 49 euros a month and can be cancelled until its last day.",
    "The office in Lisbon is open from nine to five on every working day of the week.",
)


@pytest.fixture(scope="module")
def address():
    with real_llm() as origin:
        yield origin


def test_a_small_synthesis(address, tmp_path):
    chunks = [CorpusChunk(id=f"c{n}", text=text, doc_id=f"d{n}") for n, text in enumerate(TEXTS)]
    (tmp_path / "corpus.jsonl").write_bytes(
        b"".join(msgspec.json.encode(each) + b"\n" for each in chunks)
    )
    (tmp_path / "acidtest.toml").write_text("[judge]\nmax_tokens = 160\ntimeout_s = 120\n")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI", "ACIDTEST"))}
    order = [
        sys.executable, "-m", "acidtest", "golden", "synthesize", "--corpus", "corpus.jsonl",
        "--judge", "openai:smollm2", "--n", "1", "--kinds", "lookup", "--tries", "1",
        "--concurrency", "1", "--persona", "a customer", "--style", "one short sentence",
        "--out", "g.jsonl", "--json", "-",
    ]  # fmt: skip
    done = subprocess.run(
        order,
        cwd=tmp_path,
        env={**kept, "OPENAI_BASE_URL": address, "OPENAI_API_KEY": KEY},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode in {0, 3}, done.stderr
    told = json.loads(done.stdout)
    assert told["tried"] == told["kept"] + len(told["drops"]) == 1
    assert told["kept"] + sum(each["missing"] for each in told["shortfall"]) == 1
    assert {each["reason"] for each in told["drops"]} <= {*REASONS, INVALID, FAILED}
    assert told["use"]["calls"] >= 1
    assert told["use"]["tokens"] > 200
    if told["kept"]:
        by_id = {each.id: each for each in chunks}
        for case in load_golden(tmp_path / "g.jsonl"):
            assert case.metadata["review"] == "open"
            assert case.reference
            for each in case.evidence:
                assert each.text in by_id[each.chunk_id].text
    print(json.dumps(told, indent=1))  # noqa: T201 - shown when it fails


async def test_the_check_is_answered_in_its_form(address):
    session = Session(timeout_s=120.0)
    backend = OpenAIBackend("smollm2", api_key=KEY, base_url=address, session=session)
    judge = LLMJudge(Retrying(backend, Tries(backend.endpoint, limiter=Limiter(1))), max_tokens=40)
    fields = question_fields([TEXTS[1]], "What is the price of Pro?", [])
    outcome = await _outcome(judge, fields)
    await session.aclose()
    if isinstance(outcome, JudgeError):  # it may number what is not there, or ramble
        assert isinstance(outcome, (InvalidReply, Truncated))
        assert outcome.spent.attempts > 1
    else:
        assert check_answerable(outcome.reply, fields) is None
        assert outcome.reply.verdict in {"answered", "partly", "not_answered"}
        assert outcome.input_tokens > 100


async def _outcome(judge, fields):
    try:
        return await judge.ask(ANSWERABLE, **fields)
    except JudgeError as error:
        return error
