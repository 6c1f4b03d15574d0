"""`acidtest convert`: counts, the table of losses, JSON, exit status."""

import json

import pytest
from click.testing import CliRunner

from acidtest.cli import group

ROWS = [
    {"id": "a", "question": "Where?", "reference": "Here.", "tags": ["x"]},
    {"id": "b", "question": "Why?", "tags": ["y"]},
]


@pytest.fixture
def golden(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    return tmp_path


def called(*args):
    return CliRunner().invoke(group, ["convert", *args], standalone_mode=False)


def test_counts_and_losses_are_told(golden):
    done = called("g.jsonl", "r.json", "--to", "ragas")
    assert done.return_value == 0
    assert "Read 2 cases from g.jsonl (acidtest)" in done.stdout
    assert "Wrote 2 cases to r.json (ragas)" in done.stdout
    assert "tags" in done.stdout
    assert "Ragas has no place for it" in done.stdout


@pytest.mark.parametrize("width", [40, 60, 110])
def test_the_table_of_losses_stays_within_the_terminal(golden, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    lines = called("g.jsonl", "r.json", "--to", "ragas").stdout.splitlines()
    assert max(map(len, lines)) <= width
    assert [line for line in lines if line != line.rstrip()] == []


def test_what_was_found_makes_no_golden_set(golden):
    (golden / "bm25.run").write_text("q1 Q0 d1 1 0.5 bm25\n")
    done = called("bm25.run", "o.jsonl")
    assert str(done.exception).endswith("Take what was found with --to acidtest-outputs.")
    assert called("bm25.run", "o.jsonl", "--to", "acidtest-outputs").return_value == 0


def test_strict_is_status_1_when_something_is_lost(golden):
    assert called("g.jsonl", "r.json", "--to", "ragas", "--strict").return_value == 1
    whole = called("g.jsonl", "d.json", "--to", "deepeval", "--strict")
    assert (whole.return_value, whole.stdout.splitlines()[-1]) == (0, "Nothing is lost.")


def test_json_alone_on_stdout(golden):
    done = called("g.jsonl", "r.json", "--to", "ragas", "--json", "-")
    told = json.loads(done.stdout)
    assert (told["format"], told["version"]) == ("acidtest/convert", 1)
    assert told["source"] == {"path": "g.jsonl", "format": "acidtest"}
    assert told["written"]["cases"] == 2
    assert {
        "field": "tags",
        "why": "Ragas has no place for it",
        "count": 2,
        "first": "a",
        "when": "written",
    } in told["losses"]


def test_golden_convert_is_the_same_command(golden):
    done = CliRunner().invoke(
        group, ["golden", "convert", "g.jsonl", "g.csv", "--strict"], standalone_mode=False
    )
    assert done.return_value == 0
    assert (golden / "g.csv").read_text().startswith("id,question,reference,tags")


@pytest.mark.parametrize(
    ("args", "what"),
    [
        (("none.jsonl", "o.jsonl"), "no such file"),
        (("g.jsonl", "o.jsonl", "--from", "ragas-annotations"), "a list for each metric"),
        (("g.jsonl", "g.jsonl"), "would overwrite"),
        (("g.jsonl", "o.jsonl", "--to", "x"), "unknown format"),
    ],
)
def test_bad_input_is_status_2(golden, args, what):
    done = called(*args)
    assert what in str(done.exception)
    assert done.exception.exit_status == 2
    assert not (golden / "o.jsonl").exists()


def test_a_file_whose_text_is_hostile_is_shown_harmless(golden):
    row = {"user_input": "Q?", "response": "A.", "x\x1b[31m[bold]y": "z"}
    (golden / "h.jsonl").write_text(json.dumps(row))
    done = called("h.jsonl", "o.jsonl")
    assert done.return_value == 0
    assert "\x1b" not in done.output
