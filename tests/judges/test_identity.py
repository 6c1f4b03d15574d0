"""Judges of one code are told apart by what they were made with, and stay the same while they are asked."""

import functools
from dataclasses import dataclass

import pytest

import acidtest as at
from acidtest.judges.own import own_judge

GOLDEN = [{"id": "a", "question": "What is it?", "reference": "It is a plan."}]
WORDS = {"complete": 1.0, "partial": 0.7, "off_topic": 0.0}


def answer(question):
    return {"answer": "It is a plan.", "contexts": ["It is a plan."]}


def closing_over(word):
    return lambda prompt, fields: {"why": "", "verdict": word}


def by_default(word):
    def judge(prompt, fields, *, word=word):
        return {"why": "", "verdict": word}

    return judge


def through_another(word):
    def say():
        return word

    return lambda prompt, fields: {"why": "", "verdict": say()}


def given(word, prompt, fields):
    return {"why": "", "verdict": word}


class Called:
    def __init__(self, word):
        self.word = word

    def __call__(self, prompt, fields):
        return {"why": "", "verdict": self.word}

    def judge(self, prompt, fields):
        return self(prompt, fields)


class Slotted:
    __slots__ = ("word",)

    def __init__(self, word):
        self.word = word

    def ask(self, prompt, **fields):
        return {"why": "", "verdict": self.word}


@dataclass(frozen=True)
class Options:
    word: str


def by_options(word):
    options = Options(word)
    return lambda prompt, fields: {"why": "", "verdict": options.word}


MAKERS = [
    closing_over,
    by_default,
    through_another,
    lambda word: functools.partial(given, word),
    Called,
    lambda word: Called(word).judge,
    lambda word: Called(word).__call__,
    Slotted,
    by_options,
]


@pytest.mark.parametrize("make", MAKERS)
def test_two_models_behind_one_code_never_share_a_verdict(make, tmp_path):
    def scored(word):
        run = at.evaluate(
            answer,
            GOLDEN,
            metrics=["answer_relevance"],
            judge=make(word),
            store=f"sqlite:///{tmp_path}/store.db",
        )
        return run.metrics["answer_relevance"].mean, run.operations.judge.calls

    assert [scored(word) for word in WORDS] == [(value, 1) for value in WORDS.values()]
    assert [scored(word) for word in WORDS] == [(value, 0) for value in WORDS.values()]


class Counting:
    def __init__(self):
        self.asked = 0
        self.said = []
        self.last = ""

    def __call__(self, prompt, fields):
        self.asked += 1
        self.last = fields["question"]
        self.said.append(self.last)
        return {"why": "", "verdict": "complete"}


def counting():
    asked = 0
    said = []

    def judge(prompt, fields):
        nonlocal asked
        asked += 1
        said.append(asked)
        return {"why": "", "verdict": "complete"}

    return judge


@pytest.mark.parametrize("make", [Counting, counting])
def test_what_changes_while_it_is_asked_makes_no_other_judge(make, tmp_path):
    judge = make()
    runs = [
        at.evaluate(
            answer,
            GOLDEN,
            metrics=["answer_relevance"],
            judge=judge,
            store=f"sqlite:///{tmp_path}/store.db",
        )
        for _ in range(2)
    ]
    assert [run.operations.judge.calls for run in runs] == [1, 0]
    assert runs[0].info.judge.fingerprint == runs[1].info.judge.fingerprint


def test_numbers_count_and_keys_do_not():
    def made(**values):
        return own_judge(functools.partial(lambda text, **_: "{}", **values)).fingerprint

    assert made(temperature=0.0) != made(temperature=0.5)
    assert made(max_tokens=1) != made(max_tokens=2)
    assert made(flag=True) != made(flag=1)
    assert made(api_key="sk-1") == made(api_key="sk-2") == made(openai_key="k")
    assert made(client=object()) == made(client=object())
