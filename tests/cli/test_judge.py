"""`acidtest judge check`: the table and the hard cases, to read and as JSON."""

import json

import pytest

OWN = """
from pathlib import Path
from acidtest.data.outcomes import Skip

def judge(prompt, fields):
    with Path("asked.txt").open("a") as log:
        log.write("x\\n")
    if prompt.name == "correctness":
        raise RuntimeError("gone [bold]\\x1b[31m")
    if prompt.name != "faithfulness":
        return Skip("no")
    known = any(sentence in passage for sentence in fields["sentences"] for passage in fields["passages"])
    claim = {"claim": "x", "verdict": "supported" if known else "unsupported", "why": "[red]by words[/red]"}
    empty = "Toronto" in fields["sentences"][0]
    return {"sentences": [{"sentence": 1, "claims": [] if empty else [claim]}]}
"""


def test_to_read(cli):
    done = cli("judge", "check")
    assert done.status == 0
    assert "expertqa" in done.out
    assert "mean of 8 sets" in done.out
    assert "role swap" in done.out
    assert "It cannot see paraphrase" in done.out


@pytest.mark.parametrize("width", ["40", "72", "140"])
def test_any_width(cli, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", width)
    done = cli("judge", "check")
    assert done.status == 0
    assert max(map(len, done.out.splitlines())) <= int(width)
    assert ("(30-45)" in done.out) == (width == "140")  # intervals only where there is room
    assert ("(95 % interval)" in " ".join(done.out.split())) == (width == "140")


def test_names_of_data_stay_whole_in_80_columns(cli, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert "mtrag_cloud_references" in cli("judge", "check").out


def test_json(cli, folder):
    done = cli("judge", "check", "--json")
    assert done.status == 0
    found = done.json
    assert found["format"] == "acidtest/judge-check"
    assert found["judge"]["model"] == "local"
    assert {row["task"] for row in found["measured"]["rows"]} == {
        "faithfulness",
        "context_usefulness",
        "correctness",
    }
    assert {case["outcome"] for case in found["hard_cases"]} == {"right", "open", "wrong"}
    assert cli("judge", "check", "--json", "check.json").out == ""
    again = json.loads((folder / "check.json").read_text(encoding="utf-8"))
    assert again | {"created": found["created"]} == found
    assert found["created"].endswith("Z")
    assert all(row["right"] == row["n"] == 8 for row in found["plain"])
    assert not (folder / ".acidtest").exists()


def test_without_a_subcommand_it_says_what_there_is(cli):
    done = cli("judge")
    assert "check" in done.out + done.err


@pytest.fixture
def own(folder):
    (folder / "mine.py").write_text(OWN)
    return folder


def test_another_judge(cli, own):
    done = cli("judge", "check", "--judge", "mine.py:judge")
    assert done.status == 3  # 8 of 40 questions fail
    assert "88 questions to mine.py:judge: " in done.err
    assert "Incomplete: 80% of the questions got a verdict." in done.out
    assert "mean of 8 sets" not in done.out  # those figures are the local judge's
    assert "It cannot see" not in done.out
    asked = (own / "asked.txt").read_text()
    again = cli("judge", "check", "--judge", "mine.py:judge", "--json")
    found = again.json
    # What was answered is kept; what failed, and what it does not judge, is asked again.
    assert found["use"]["cached"] == 32
    assert len((own / "asked.txt").read_text()) < 2 * len(asked)
    assert found["measured"] is None
    rows = {row["task"]: row for row in found["plain"]}
    assert set(rows) == {"faithfulness", "correctness"}
    assert (rows["faithfulness"]["right"], rows["faithfulness"]["n"]) == (5, 8)
    assert (rows["correctness"]["n"], rows["correctness"]["failed"]) == (0, 8)
    assert rows["correctness"]["share"] is None
    hard = {each["case"]["kind"]: each for each in found["hard_cases"]}
    assert hard["role swap"]["outcome"] == "right"
    assert hard["paraphrase"]["outcome"] == "wrong"
    assert hard["nothing of the kind"]["outcome"] == "open"
    assert hard["nothing of the kind"]["says"] == "claims nothing"
    assert "context_recall" in found["unjudged"]


def test_a_dry_run_asks_nobody(cli, own):
    done = cli("judge", "check", "--judge", "mine.py:judge", "--dry-run")
    assert done.status == 0
    assert "Nobody was asked." in done.out
    assert not (own / "asked.txt").exists()
    assert not (own / ".acidtest").exists()
    found = cli("judge", "check", "--dry-run", "--json").json
    assert (found["questions"], found["cost_usd"]) == (88, {"low": 0.0, "high": 0.0})


def test_a_judge_that_there_is_not(cli):
    done = cli("judge", "check", "--judge", "nowhere.py:judge")
    assert done.status == 2
    assert "nowhere.py" in done.err
