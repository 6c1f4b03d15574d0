"""What every judge owes the metrics, asked of the real ones and of the fake alike."""

import asyncio
import json
import re

import msgspec
import pytest

from acidtest.data.outcomes import Skip
from acidtest.errors import JudgeError
from acidtest.judges.backend import Completion
from acidtest.judges.cascade import Cascade
from acidtest.judges.llm import LLMJudge
from acidtest.judges.local.judge import LocalJudge
from acidtest.judges.own import own_judge
from acidtest.judges.panel import Panel
from acidtest.metrics.contexts.context_recall import CONTEXT_RECALL
from acidtest.metrics.contexts.context_usefulness import CONTEXT_USEFULNESS
from acidtest.metrics.end_to_end.correctness import CORRECTNESS
from acidtest.metrics.generation.faithfulness import FAITHFULNESS
from acidtest.ports import Prompt, Verdict
from acidtest.testing import FakeJudge

PASSAGES = ["The Pro plan costs €49/month and includes priority support.", "Returns are free."]
SENTENCES = ["The Pro plan is €49/month.", "It comes with a free laptop from Toronto."]
QUESTION = "What is in the Pro plan?"
ASKED = [
    (FAITHFULNESS, {"passages": PASSAGES, "question": QUESTION, "sentences": SENTENCES}),
    (CONTEXT_RECALL, {"passages": PASSAGES, "question": QUESTION, "sentences": SENTENCES}),
    (CONTEXT_USEFULNESS, {"passages": PASSAGES, "question": QUESTION, "answer": SENTENCES[0]}),
    (CORRECTNESS, {"question": QUESTION, "reference": "€49", "answer": SENTENCES[0]}),
]
SCRIPT = {
    "faithfulness": {"sentences": [{"sentence": 1, "claims": []}, {"sentence": 2, "claims": []}]},
    "context_recall": {"sentences": [{"sentence": 1, "claims": []}, {"sentence": 2, "claims": []}]},
    "context_usefulness": {
        "passages": [
            {"passage": 1, "verdict": "useful"},
            {"passage": 2, "verdict": "useless", "why": "other subject"},
        ]
    },
    "correctness": {"verdict": "correct"},
}


class Unknown(msgspec.Struct):
    stars: int


class Model:
    model = endpoint = "scripted"

    async def complete(self, request):
        said = json.dumps(SCRIPT.get(request.schema_name, {}))
        return Completion(text=said, model=self.model, input_tokens=1, output_tokens=1)

    async def aclose(self):
        pass


def by_script(prompt, fields):
    return SCRIPT.get(prompt.name) or Skip(f"no reply to {prompt.name!r}")


JUDGES = {
    "local": LocalJudge,
    "fake": lambda: FakeJudge(SCRIPT),
    "llm": lambda: LLMJudge(Model()),
    "panel": lambda: Panel([FakeJudge(SCRIPT), FakeJudge(SCRIPT)]),
    "cascade": lambda: Cascade(FakeJudge({}), FakeJudge(SCRIPT)),
    "own": lambda: own_judge(by_script),
}


@pytest.fixture(params=JUDGES)
def judge(request):
    return JUDGES[request.param]()


@pytest.mark.parametrize(("prompt", "fields"), ASKED, ids=[p.name for p, _ in ASKED])
async def test_answers_with_a_checked_reply(judge, prompt, fields):
    verdict = await judge.ask(prompt, **fields)
    assert isinstance(verdict, Verdict)
    assert isinstance(verdict.reply, prompt.reply)
    assert prompt.check is None or prompt.check(verdict.reply, fields) is None
    assert verdict.model in judge.model
    raws = json.loads(verdict.raw) if isinstance(judge, Panel) else [{"raw": verdict.raw}]
    for each in raws:
        assert msgspec.json.decode(each["raw"], type=prompt.reply) == verdict.reply


@pytest.mark.parametrize(("prompt", "fields"), ASKED, ids=[p.name for p, _ in ASKED])
async def test_the_same_question_gets_the_same_answer(judge, prompt, fields):
    asked = [judge.ask(prompt, **fields) for _ in range(3)]
    verdicts = await asyncio.gather(*asked)
    first, *others = [msgspec.structs.replace(verdict, seconds=0) for verdict in verdicts]
    assert all(other == first for other in others)


@pytest.mark.parametrize("judge", sorted(JUDGES.keys() - {"llm"}), indirect=True)
async def test_a_prompt_that_it_cannot_judge_is_skipped(judge):
    rubric = Prompt(name="house_style", version="1", template="{{answer}}", reply=Unknown)
    outcome = await judge.ask(rubric, answer="x")
    assert isinstance(outcome, Skip)
    assert "house_style" in outcome.why


async def test_a_reply_that_does_not_fit_is_an_error(judge):
    other = Prompt(name="correctness", version="1", template="", reply=Unknown)
    with pytest.raises(JudgeError) as raised:
        await judge.ask(other, question="q", reference="r", answer="a")
    assert "stars" in str(raised.value)


@pytest.mark.parametrize("kind", JUDGES)
def test_the_fingerprint_is_a_content_hash_that_stays(kind):
    judge = JUDGES[kind]()
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", judge.fingerprint)
    assert JUDGES[kind]().fingerprint == judge.fingerprint
    assert sum(made().fingerprint == judge.fingerprint for made in JUDGES.values()) == 1
