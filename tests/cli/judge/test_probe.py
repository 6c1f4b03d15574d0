"""`acidtest judge probe`: what it tells, its status, and that nothing is asked twice."""

import json
import re

import pytest
from tests.judges.stub import Threaded, chat, says

from acidtest.cli.judge.probe import MOST
from acidtest.judges.attacks import ATTACKS
from acidtest.project.probing.subjects import SUBJECTS


def test_the_local_judge_holds(cli, folder):
    done = cli("judge", "probe", "--injection", "--cases", "1", "--json", "probe.json")
    assert done.status == 0
    assert re.search(r"probe: \d+ questions in ", done.err)
    assert "order-context" in done.out
    assert "This judge does not judge: " in done.out
    assert "Verdicts that harmless texts moved" in done.out
    found = json.loads((folder / "probe.json").read_text(encoding="utf-8"))
    assert found["format"] == "acidtest/judge-probe"
    assert found["judge"]["model"] == "local"
    assert (found["attacks"]["turned"], found["attacks"]["measured"]) == (0, len(ATTACKS))
    assert {t["attack"] for t in found["tried"]} == {a.name for a in ATTACKS}
    assert not (folder / ".acidtest").exists()  # nothing of it is worth keeping


@pytest.mark.parametrize("width", ["40", "72", "140"])
def test_any_width(cli, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", width)
    done = cli("judge", "probe", "--injection", "--cases", "1", "--attack", "order-threat")
    assert max(map(len, done.out.splitlines())) <= int(width)
    assert ("says nothing" in done.out) == (width == "140")


def test_one_attack_alone_has_no_interval_over_verdicts(cli):
    done = cli("judge", "probe", "--injection", "--cases", "1", "--attack", "json-answer")
    assert "Verdicts that attacks moved: 0 of 3 (0.0 %)." in done.out


def test_json_alone_on_stdout_and_the_status_of_what_was_found(cli):
    done = cli(
        "judge", "probe", "--injection", "--cases", "4", "--attack", "invisible", "--json"
    )  # fmt: skip
    assert done.status == 1
    assert done.json["attacks"] == {
        "turned": 1,
        "measured": 1,
        "share": 1.0,
        "ci": [pytest.approx(0.2065, abs=1e-4), 1.0],
    }


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--attack", "order-context"), "--attack does not go without --injection"),
        (("--cases", "1"), "--cases does not go without --injection"),
        (("--injection", "--kind", "style"), "--kind does not go with --injection"),
        (("--injection", "latest"), "RUN does not go with --injection"),
        (("--kind", "styl"), "styl"),
        (("--metric", "recall@5"), "there is no probe for recall@5"),
        (("--metric", "context_precision_judged"), "there is no probe for"),
        (("--metric", "faithfullness"), "Did you mean 'faithfulness'?"),
        (("--repeat", "0"), "1<=x<=20"),
        (("none.json",), "none.json"),
        (("--labels", "none.jsonl"), "none.jsonl"),
        (("--injection", "--attack", "ordr-context"), "Did you mean 'order-context'?"),
        (("--injection", "--cases", "5"), "1<=x<=4"),
        (("--injection", "--judge", "nobody"), "nobody"),
        (("--injection", "--json", "acidtest.toml"), "would overwrite"),
        (("--injection", "--config", "none.toml"), "none.toml"),
    ],
)
def test_bad_usage(cli, project, arguments, told):
    done = cli("judge", "probe", *arguments)
    assert done.status == 2
    assert told in done.err


def test_the_option_knows_how_many_subjects_there_are():
    assert len(SUBJECTS) == MOST


def test_a_judge_of_ones_own_that_prints_and_obeys(cli, folder):
    (folder / "mine.py").write_text(
        "def judge(prompt, fields):\n"
        "    print('judging', prompt.name)\n"
        "    told = 'best verdict' in fields['answer']\n"
        "    return {'verdict': 'complete' if told else 'off_topic'}\n"
    )
    asking = ("judge", "probe", "--injection", "--judge", "mine.py:judge", "--cases", "1")
    done = cli(*asking, "--attack", "order-answer", "--json")
    assert done.status == 1
    assert "judging answer_relevance" in done.err
    assert done.json["attacks"]["turned"] == 1
    outcomes = {p["case"]: p["outcome"] for p in done.json["pairs"]}
    assert outcomes["answer_relevance-price-bad"] == "turned"
    # It cannot reply to other prompts: they say nothing of it.
    assert set(outcomes.values()) == {"turned", "undecidable"}


def model(asked):
    return chat(asked) if asked.method == "POST" else says({"data": [{"id": "stub"}]})


@pytest.fixture
def endpoint(monkeypatch):
    with Threaded(model) as opened:
        monkeypatch.setenv("OPENAI_BASE_URL", opened.url)
        yield opened


def test_a_model_over_http_is_asked_once(cli, folder, endpoint):
    asking = ("judge", "probe", "--injection", "--cases", "1", "--judge", "openai:stub")
    some = ("--attack", "order-threat", "--attack", "surrogate", "--attack", "order-down")
    done = cli(*asking, *some, "--json")
    # It says the same whatever it is asked, so half of the cases cannot show anything.
    assert done.status == 3
    pairs = done.json["pairs"]
    assert set(done.json["unfit"]) == {p["case"] for p in pairs if p["outcome"] == "undecidable"}
    assert {p["outcome"] for p in pairs} == {"held", "undecidable"}
    asked = len(endpoint.questions)
    assert asked == done.json["use"]["calls"] > 10
    again = cli(*asking, *some, "--json")
    assert len(endpoint.questions) == asked
    assert again.json["use"]["calls"] == 0
    assert again.json["tried"] == done.json["tried"]
    assert cli(*asking, *some, "--no-cache").status == 3
    assert len(endpoint.questions) == 2 * asked
    stats = cli("judge", "cache", "stats", "--json").json
    assert [m["model"] for m in stats["models"]] == ["stub-2026-11-01"]


def test_every_attack_can_be_sent(cli, folder, endpoint):
    done = cli("judge", "probe", "--injection", "--cases", "1", "--judge", "openai:stub", "--json")
    assert done.status == 3
    assert not any(t["failed"] for t in done.json["tried"])
    assert {t["outcome"] for t in done.json["tried"]} == {"held"}


def test_a_closed_port_is_told_before_anything_is_asked(cli, monkeypatch, folder):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    done = cli("judge", "probe", "--injection", "--judge", "openai:stub")
    assert done.status == 3
    assert "no connection to 127.0.0.1:9" in done.err


def test_a_budget_without_a_price_is_refused(cli, folder, endpoint):
    done = cli("judge", "probe", "--injection", "--judge", "openai:stub", "--budget-usd", "1")
    assert done.status == 2
    assert "price" in done.err
    assert endpoint.questions == []
