"""`acidtest judge check`: the table and the hard cases, to read and as JSON."""

import json

import pytest


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
    assert ("(30-44)" in done.out) == (width == "140")  # intervals only where there is room
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
    assert json.loads((folder / "check.json").read_text(encoding="utf-8")) == found


def test_without_a_subcommand_it_says_what_there_is(cli):
    done = cli("judge")
    assert "check" in done.out + done.err
