"""Own rubrics: from TOML to a metric, its prompt and scores, and every table that cannot be."""

import re
import tomllib

import pytest

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Score, Skip
from acidtest.errors import BadConfig, JudgeError, UnknownName
from acidtest.judges.render import render
from acidtest.judges.schema import schema
from acidtest.metrics.rubric import rubric, rubric_metric
from acidtest.metrics.rubric_form import Anchor
from acidtest.testing import FakeJudge

TOML = """
[rubric.tone]
criteria = "Is the answer polite and free of blame?"
inputs = ["answer", "question"]

[rubric.tone.scale]
polite = { value = 1.0, means = "friendly, and blames nobody" }
neutral = 0.5
rude = 0.0
"""
TONE = tomllib.loads(TOML)["rubric"]["tone"]


def judge(verdict, name="tone"):
    return FakeJudge({f"rubric.{name}": {"why": "so", "verdict": verdict}})


def test_the_metric():
    tone = rubric_metric("tone", TONE)
    assert (tone.name, tone.stage, tone.direction, tone.cost) == (
        "tone",
        "generation",
        "higher",
        "judge",
    )
    assert tone.needs == ("question", "text", "judge")
    assert tone.unanswerable
    assert tone.full_version.startswith("1+1-")


def test_the_prompt_is_made_of_it():
    prompt = rubric_metric("tone", TONE).prompt
    assert re.findall(r"\{\{(\w+)\}\}", prompt.template) == ["question", "answer"]
    assert "Is the answer polite and free of blame?" in prompt.template
    assert (
        "- polite (1): friendly, and blames nobody\n- neutral (0.5)\n- rude (0)\n"
        in prompt.template
    )
    form = schema(prompt, {"question": "q", "answer": "a"})
    assert set(form["properties"]["verdict"]["enum"]) == {"polite", "neutral", "rude"}
    assert "{{" not in render(prompt, {"question": "q", "answer": "a"})


@pytest.mark.parametrize(("verdict", "value"), [("polite", 1.0), ("neutral", 0.5), ("rude", 0.0)])
async def test_the_score_is_the_anchor_of_the_word(verdict, value):
    asked = judge(verdict)
    score = await rubric_metric("tone", TONE)("Price?", "€49, dear customer.", asked)
    assert score == Score(
        value,
        f"{verdict}: so",
        ({"verdict": verdict, "why": "so"},),
        {
            "claims": 1.0,
            "supported": value,
            "unsupported": 1 - value,
            "contradicted": 0.0,
            "undecided": 0.0,
        },
    )
    assert asked.calls == [("rubric.tone", {"question": "Price?", "answer": "€49, dear customer."})]


@pytest.mark.parametrize("verdict", ["Polite", "friendly", "", 1.0, None])
async def test_any_other_word_is_an_error(verdict):
    with pytest.raises(JudgeError):
        await rubric_metric("tone", TONE)("Price?", "€49.", judge(verdict))


async def test_a_judge_may_abstain_or_not_know_it():
    tone = rubric_metric("tone", TONE)
    assert (await tone("Price?", "€49.", judge("undecided"))).parts["undecided"] == 1
    assert isinstance(await tone("Price?", "€49.", FakeJudge({})), Skip)


async def test_all_inputs_in_one_order():
    table = TONE | {"inputs": ["reference", "contexts", "answer", "question"]}
    metric = rubric_metric("all", table)
    assert metric.needs == ("chunks", "question", "reference", "text", "judge")
    assert not metric.unanswerable
    asked = judge("polite", "all")
    await metric((Chunk(text="a"), Chunk(text="b")), "q", "r", "t", asked)
    fields = {"passages": ["a", "b"], "question": "q", "reference": "r", "answer": "t"}
    assert asked.calls == [("rubric.all", fields)]
    assert rubric_metric("all", table | {"unanswerable": True}).unanswerable


@pytest.mark.parametrize(
    ("chunks", "reference", "text", "why"),
    [
        ((), "r", "t", "nothing was retrieved"),
        ((Chunk(text=""),), "r", "t", "the contexts are empty"),
        ((Chunk(id="a"),), "r", "t", "the contexts came without text"),
        ((Chunk(text="a"),), " ", "t", "the reference is empty"),
        ((Chunk(text="a"),), "r", "", "the answer is empty"),
    ],
)
async def test_empty_inputs_ask_nobody(chunks, reference, text, why):
    metric = rubric_metric("all", TONE | {"inputs": ["contexts", "reference", "answer"]})
    nobody = FakeJudge({})
    assert await metric(chunks, reference, text, nobody) == Skip(why)
    assert nobody.calls == []


async def test_a_refusal_is_judged():
    score = await rubric_metric("tone", TONE)("Price?", "I don't know.", judge("polite"))
    assert score.value == 1.0


def test_in_python():
    made = rubric(
        "tone",
        criteria=TONE["criteria"],
        scale={
            "polite": Anchor(1.0, "friendly, and blames nobody"),
            "neutral": 0.5,
            "rude": {"value": 0.0},
        },
        inputs=("answer", "question"),
    )
    assert made.prompt.template == rubric_metric("tone", TONE).prompt.template
    assert made.full_version == rubric_metric("tone", TONE).full_version


@pytest.mark.parametrize(
    "change",
    [
        {"criteria": "Is it short?"},
        {"scale": TONE["scale"] | {"neutral": 0.4}},
        {"scale": TONE["scale"] | {"polite": 1.0}},
        {"inputs": ["answer"]},
        {"version": "2"},
    ],
)
def test_a_changed_rubric_is_another_version(change):
    old, new = rubric_metric("tone", TONE), rubric_metric("tone", TONE | change)
    assert old.prompt.version != new.prompt.version
    assert old.full_version != new.full_version


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"criteria": " "}, r"\[rubric.tone\] criteria: the criteria are empty"),
        ({"criteria": "See {{answer}}"}, "marks the fields"),
        ({"criteria": "x" * 20_001}, "20,001 characters"),
        ({"criteria": 3}, "criteria: Expected 'str', got 'int'"),
        ({"inputs": []}, "there are no inputs"),
        ({"inputs": ["answer", "answer"]}, "named twice"),
        ({"inputs": ["answers"]}, "answers.*inputs is a list of: question, answer, contexts"),
        ({"scale": {"good": 1.0}}, "two words or more"),
        ({"scale": {"good": 1.0, "Good": 0.0}}, "differ only in case"),
        ({"scale": {"good": 1.0, "undecided": 0.0}}, "abstain"),
        ({"scale": {"very good": 1.0, "bad": 0.0}}, "'very good' is not one word"),
        ({"scale": {"good": 10, "bad": 0}}, "value of 'good' is 10, which is not in 0..1"),
        ({"scale": {"good": float("nan"), "bad": 0}}, "not in 0..1"),
        ({"scale": {"good": "1", "bad": 0}}, "scale.*Write scale as words"),
        ({"scale": {"good": {"value": 1, "mean": "x"}, "bad": 0}}, "unknown field 'mean'"),
        ({"scale": {"good": {"value": 1, "means": "{{x"}, "bad": 0}}, "marks the fields"),
        ({"stage": "operations"}, "stage"),
        ({"direction": "up"}, "direction"),
    ],
)
def test_what_cannot_be(change, says):
    with pytest.raises(BadConfig) as raised:
        rubric_metric("tone", TONE | change, where="acidtest.toml")
    message = str(raised.value)
    assert message.startswith("acidtest.toml: [rubric.tone]")
    assert re.search(says, message), message


def test_unknown_and_missing_keys():
    with pytest.raises(UnknownName, match=r"unknown key 'criterion'. Did you mean 'criteria'"):
        rubric_metric("tone", {"criterion": "x"})
    with pytest.raises(BadConfig, match=r"missing required field 'criteria'. Say in words"):
        rubric_metric("tone", {"scale": {"a": 1, "b": 0}})
    with pytest.raises(BadConfig, match=r"missing required field 'scale'. Write scale"):
        rubric_metric("tone", {"criteria": "x"})


@pytest.mark.parametrize("name", ["", "2fast", "a b", "tone@5", "tone(x)", "x" * 61])
def test_names_that_no_metric_can_have(name):
    with pytest.raises(BadConfig, match="cannot be a metric's name"):
        rubric_metric(name, TONE)
