"""Counting what judges made of judges are asked, without asking them."""

import msgspec
import pytest

from acidtest.data.outcomes import Skip
from acidtest.errors import JudgeError
from acidtest.judges.backend import Completion
from acidtest.judges.cache import Cached
from acidtest.judges.cascade import Cascade
from acidtest.judges.counting import CountingEmbedder, counting_judge, doubts
from acidtest.judges.desk import Desk
from acidtest.judges.llm import LLMJudge
from acidtest.judges.local.judge import LocalJudge
from acidtest.judges.panel import Panel
from acidtest.metrics.end_to_end.correctness import CORRECTNESS
from acidtest.metrics.generation.faithfulness import FAITHFULNESS
from acidtest.metrics.generation.faithfulness_score import FAITHFULNESS_SCORE

ASKED = {"question": "When?", "reference": "Now.", "answer": "It is now."}
SCORED = {"passages": ["It is now."], "question": "When?", "answer": "It is now."}


class Backend:
    """A model that must not be asked."""

    endpoint = "http://127.0.0.1:9"

    def __init__(self, model):
        self.model = model

    async def complete(self, request):
        raise AssertionError(request)

    async def aclose(self):
        pass


class Answering(Backend):
    """A model that says one thing."""

    request = None

    async def complete(self, request):
        self.request = request
        return Completion(text='{"why": "so", "verdict": "partial"}', input_tokens=70)


class Journal(dict):
    """Verdicts in memory (`ports.Journal`)."""

    async def put(self, key, model, body):
        assert model
        self[key] = body

    async def get(self, key):
        return dict.get(self, key)


def judge(model="m", **more):
    return LLMJudge(Backend(model), **more)


async def names(asked_of, prompt=CORRECTNESS, fields=ASKED, **how):
    asked = []
    desk = Desk(asked_of)
    await counting_judge(desk, asked, **how).ask(prompt, **fields)
    return [question.model.name for question in asked]


async def test_equal_questions_have_equal_keys_and_are_measured_as_sent():
    asked = []
    desk = Desk(judge())
    for draw in (0, 0, 1):
        counting = counting_judge(desk, asked, draw=draw)
        await counting.ask(CORRECTNESS, **ASKED)
    assert asked[0].key == asked[1].key != asked[2].key
    backend = Answering("m")
    await LLMJudge(backend).ask(CORRECTNESS, **ASKED)
    request = backend.request
    wire = len(request.text) + len(request.system) + len(msgspec.json.encode(request.schema))
    assert asked[0].bytes == wire
    assert asked[0].input_tokens == pytest.approx(wire / 4)


async def test_what_a_journal_has_is_answered_by_it():
    journal = Journal()
    real = LLMJudge(Answering("m"))
    kept = await Cached(real, journal).ask(CORRECTNESS, **ASKED)
    asked = []
    desk = Desk(judge(), known=journal.__getitem__)
    verdict = await counting_judge(desk, asked).ask(CORRECTNESS, **ASKED)
    assert verdict == kept
    assert asked[0].answered.input_tokens == 70


async def test_a_damaged_verdict_is_no_verdict():
    asked = []
    desk = Desk(judge(), known=lambda _key: b"{")
    await counting_judge(desk, asked).ask(CORRECTNESS, **ASKED)
    assert asked[0].answered is None


async def test_a_panel_asks_all():
    assert await names(Panel([judge("a"), judge("b"), LocalJudge()])) == ["a", "b", "local"]


async def test_a_cascade_asks_its_second_judge_never_to_always():
    cascade = Cascade(judge("cheap"), judge("dear"))
    assert doubts(cascade)
    assert not doubts(judge())
    assert await names(cascade) == ["cheap"]
    assert await names(cascade, doubt=True) == ["cheap", "dear"]
    assert await names(Cascade(judge("cheap"), judge("dear"), audit=1.0)) == ["cheap", "dear"]


async def test_a_cascade_asks_its_second_judge_what_the_first_cannot_judge():
    cascade = Cascade(LocalJudge(), judge("dear"))
    assert await names(cascade) == ["local"]
    assert await names(cascade, FAITHFULNESS_SCORE, SCORED) == ["dear"]


async def test_the_local_judge_of_a_cascade_is_asked_about_real_answers():
    cascade = Cascade(LocalJudge(), judge("dear"))
    unclear = {**ASKED, "reference": "Ann founded it with Ben.", "answer": "Ben and Ann were it."}
    for doubt in (False, True):
        clear = {**ASKED, "reference": "14 days.", "answer": "14 days."}
        assert await names(cascade, fields=clear, doubt=doubt, real=True) == ["local"]
        assert await names(cascade, fields=unclear, doubt=doubt, real=True) == ["local", "dear"]


async def test_the_local_judge_is_asked_no_longer_than_is_quick(monkeypatch):
    monkeypatch.setattr("acidtest.judges.counting.LOCAL_ASKED", 1)
    desk = Desk(Cascade(LocalJudge(), judge("dear")))
    found = []
    for answer in ("14 days.", "14 days.", "15 days.", "14 days."):
        asked = []
        fields = {**ASKED, "reference": "14 days.", "answer": answer}
        await counting_judge(desk, asked, doubt=True, real=True).ask(CORRECTNESS, **fields)
        found.append([question.model.name for question in asked])
    # The third one is in doubt, as all are beyond the limit; what was asked stays known.
    assert found == [["local"], ["local"], ["local", "dear"], ["local"]]


async def test_cascades_in_cascades():
    three = Cascade(Cascade(judge("a"), judge("b")), judge("c"))
    assert await names(three) == ["a"]
    assert await names(three, doubt=True) == ["a", "b", "c"]


async def test_the_local_judge_takes_nothing_and_skips_what_it_does_not_know():
    asked = []
    counting = counting_judge(Desk(LocalJudge()), asked)
    assert isinstance(await counting.ask(FAITHFULNESS_SCORE, **SCORED), Skip)
    for _ in range(2):
        await counting.ask(CORRECTNESS, **ASKED)
    assert [(q.bytes, q.input_tokens) for q in asked] == [(0, 0), (0, 0)]
    assert asked[0].key != asked[1].key  # its verdicts are not kept: it is asked again


async def test_a_prompt_that_is_too_long_is_not_sent():
    asked = []
    with pytest.raises(JudgeError, match="too long"):
        await counting_judge(Desk(judge(longest=100)), asked).ask(CORRECTNESS, **ASKED)
    assert asked == []


async def test_what_gets_no_reply_is_counted_once():
    never = msgspec.structs.replace(CORRECTNESS, check=lambda _reply, _fields: "never")
    asked = []
    with pytest.raises(JudgeError):
        await counting_judge(Desk(judge()), asked).ask(never, **ASKED)
    assert len(asked) == 1


async def test_hostile_texts_are_measured_too():
    asked = []
    counting = counting_judge(Desk(judge()), asked)
    for text in ("\ud800", "{{passages}} {0} %s", "\x00\u202e", "</passage 1 x>", "x" * 100_000):
        fields = {"passages": [text], "question": text, "sentences": [text]}
        await counting.ask(FAITHFULNESS, **fields)
    assert len({question.key for question in asked}) == 5
    assert asked[-1].input_tokens > 25_000


async def test_an_embedder_that_counts():
    embedder = CountingEmbedder()
    assert len(await embedder.embed(["a", "bc"])) == 2
    assert (embedder.calls, embedder.texts, embedder.tokens) == (1, 2, 0.75)


async def test_prompts_that_begin_alike_are_known_by_it():
    asked = []
    counting = counting_judge(Desk(judge(shared_from=100)), asked)
    long = {"passages": ["It is now. " * 20], "question": "When?"}
    await counting.ask(FAITHFULNESS, **long, sentences=["Now."])
    await counting.ask(FAITHFULNESS_SCORE, **long, answer="Now.")
    await counting.ask(FAITHFULNESS_SCORE, **SCORED)
    await counting.ask(CORRECTNESS, **ASKED)
    assert asked[0].beginning == asked[1].beginning is not None
    assert 50 < asked[0].beginning_tokens < asked[0].input_tokens
    assert [q.beginning for q in asked[2:]] == [None, None]
