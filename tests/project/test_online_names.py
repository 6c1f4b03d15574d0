"""Which metrics live traces are scored with where none are named: those that the judge can answer."""

import pytest
from msgspec.structs import replace

from acidtest.online.config import METRICS
from acidtest.project.config import load_config
from acidtest.project.online_metrics import online_metrics, online_names

CLOSED = ("faithfulness", "context_usefulness", "citation_validity")


def config(judge, metrics=None):
    found = load_config(None)
    return replace(
        found,
        judge=replace(found.judge, model=judge),
        online=replace(found.online, metrics=metrics),
    )


@pytest.mark.parametrize(
    ("judge", "names"),
    [
        ("local", CLOSED),
        ("nli:model", ("faithfulness", "citation_validity")),
        ("local > nli:model", CLOSED),
        ("openai:m", METRICS),
        ("local > openai:m", METRICS),
        ("local + anthropic:m", METRICS),
        ("mine.py:judge", METRICS),
        ("nonsense", METRICS),
    ],
)
def test_the_defaults_are_what_the_judge_can_answer(judge, names, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert online_names(config(judge)) == names
    assert [bound.name for bound in online_metrics(config(judge))] == list(names)


def test_what_is_named_is_scored_whatever_the_judge(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    named = ("answer_relevance", "faithfulness")
    assert online_names(config("local", named)) == named
