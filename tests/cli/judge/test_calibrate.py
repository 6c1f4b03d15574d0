"""`acidtest judge calibrate`: what it prints and writes, and what it refuses."""

import json
import re

import pytest

from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult, GoldenRef, Ref, Run, RunInfo

CELLS = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
AS = ("judge", "calibrate", "run.json", "--metric", "correctness")


@pytest.fixture
def run(folder):
    """A run whose judge and people are known: kappa 0.4."""
    info = RunInfo(
        id="r1",
        name="mine",
        created="2026-11-30T00:00:00+00:00",
        status="finished",
        mode="live",
        golden=GoldenRef(version="sha256:0", cases=50),
        pipeline=Ref(name="mine", fingerprint="sha256:1"),
    )
    cases = tuple(
        CaseResult(
            id=f"q{n}\x1b[31m" if n == 22 else f"q{n}",
            question="?",
            tags=("[red]odd[/red]",) if n % 2 else (),
            scores={"correctness": Score(float(verdict))},
        )
        for n, (_, verdict) in enumerate(CELLS)
    )
    Run(info=info, cases=cases).save(folder / "run.json")
    labels(folder / "labels.jsonl", range(50))


def labels(path, which):
    rows = [
        {
            "case": f"q{n}\x1b[31m" if n == 22 else f"q{n}",
            "metric": "correctness",
            "label": CELLS[n][0],
        }
        for n in which
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize("width", ["40", "110"])
def test_to_read(cli, run, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", width)
    done = cli(*AS, "--labels", "labels.jsonl")
    assert done.status == 0
    assert "\x1b" not in done.out
    assert max(map(len, done.out.splitlines())) <= int(width)
    if width == "110":
        assert re.search(r"^kappa +0\.40  0\.1\d-0\.6\d +50$", done.out, re.MULTILINE)
        assert "[red]odd[/red]" in done.out
        assert "Not known: the labels are of one person" in done.out
        assert "majority" in done.out


def test_json_alone(cli, run):
    found = cli(*AS, "--labels", "labels.jsonl", "--width", "0.1", "--json", "-").json
    assert (found["format"], found["n"]) == ("acidtest/judge-calibrate", 50)
    assert found["kappa"]["value"] == pytest.approx(0.4)
    assert found["labels_for"]["width"] == 0.1
    assert len(found["disagreements"]) == 15


def test_too_few_labels_are_incomplete(cli, run, folder):
    labels(folder / "labels.jsonl", range(29))
    done = cli(*AS, "--labels", "labels.jsonl")
    assert done.status == 3
    assert "Too few: 29 labelled cases, and 30 are needed" in " ".join(done.out.split())
    assert cli(*AS, "--labels", "labels.jsonl", "--json").status == 3


def test_choose_fill_in_and_calibrate(cli, run, folder):
    done = cli(*AS, "--next", "40", "--out", "todo.jsonl")
    assert (done.status, done.out) == (0, "")
    assert "Chose 40 case(s)" in done.err
    rows = [json.loads(line) for line in (folder / "todo.jsonl").read_text().splitlines()]
    assert len(rows) == 40
    waiting = cli(*AS, "--labels", "todo.jsonl")
    assert waiting.status == 3
    assert "40 row(s) of todo.jsonl wait for a label" in waiting.err
    for row in rows:
        row["label"] = CELLS[int(row["case"].split("\x1b")[0][1:])][0]
    (folder / "todo.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = cli(*AS, "--labels", "todo.jsonl", "--json").json
    assert found["n"] == 40
    assert found["kappa"]["ci"][0] < 0.4 < found["kappa"]["ci"][1]


def test_labels_of_another_metric_come_along(cli, run, folder):
    path = folder / "labels.jsonl"
    path.write_text(path.read_text().replace("correctness", "faithfulness"))
    assert cli(*AS, "--labels", "labels.jsonl").status == 2
    done = cli(*AS, "--labels", "labels.jsonl", "--next", "3", "--out", "more.jsonl", "--json")
    assert done.status == 0
    assert len(done.json["next"]) == 3
    assert len((folder / "more.jsonl").read_text().splitlines()) == 53


def test_spot_check(cli, run, folder):
    done = cli(*AS, "--spot-check", "1", "--out", "spot.jsonl", "--json")
    assert [each["why"] for each in done.json["next"]] == ["spot-check"] * 50
    assert len((folder / "spot.jsonl").read_text().splitlines()) == 50


def test_a_spot_check_goes_on_with_its_queue_and_keeps_what_people_said(cli, run, folder):
    spot = folder / "spot.jsonl"
    ask = (*AS, "--spot-check", "1", "--out", "spot.jsonl")
    assert cli(*ask).status == 0
    lines = spot.read_text().splitlines()[:20]
    lines[3] = lines[3].replace('"label":null', '"label":1')
    spot.write_text("\n".join(lines) + "\n")
    done = cli(*ask)
    assert "Chose 30 case(s)" in done.err
    again = spot.read_text().splitlines()
    assert len(again) == 50
    assert '"label":1' in again[3]
    assert "Chose 0 case(s) to label: no other verdict falls to this share." in cli(*ask).err
    assert spot.read_text().splitlines() == again
    refused = cli(*AS, "--spot-check", "0.5", "--out", "spot.jsonl")
    assert refused.status == 2
    assert "chosen otherwise" in refused.err


def test_labels_of_another_run_s_answers_are_left_out(cli, run, folder):
    rows = [{"metadata": {"answer": "another"}}, {"metadata": {"answer": None}}, {}]
    path = folder / "labels.jsonl"
    given = [json.loads(line) for line in path.read_text().splitlines()][:3]
    text = [json.dumps(row | more) for row, more in zip(given, rows, strict=True)]
    path.write_text("\n".join(text))
    done = cli(*AS, "--labels", "labels.jsonl", "--json")
    assert done.json["n"] == 2
    assert "1 label(s) are of other answers" in done.err
    path.write_text(text[0].replace('"label"', '"weight": 1.0, "label"'))
    refused = cli(*AS, "--spot-check", "1", "--out", "labels.jsonl")
    assert refused.status == 2
    assert "other answers" in refused.err


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ((), "there are no labels"),
        (("--labels", "none.jsonl"), "none.jsonl"),
        (("--labels", "labels.jsonl", "--out", "x"), "--out has nothing to write"),
        (("--next", "3"), "the chosen cases have no file"),
        (("--next", "3", "--spot-check", ".1", "--out", "x"), "choose differently"),
        (("--spot-check", "0", "--out", "x"), "above 0 and at most 1"),
        (("--spot-check", "nan", "--out", "x"), "not a number"),
        (("--next", "0", "--out", "x"), "--next"),
        (("--labels", "labels.jsonl", "--width", "0"), "between 0 and 2"),
        (("--labels", "labels.jsonl", "--threshold", "x"), "'x' is not a number"),
        (
            ("--labels", "labels.jsonl", "--next", "3", "--out", "labels.jsonl"),
            "overwrite the labels",
        ),
        (("--next", "3", "--out", "labels.jsonl"), "labels in it would be lost"),
        (("--labels", "labels.jsonl", "--json", "run.json"), "overwrite the run"),
        (("--labels", "labels.jsonl", "--metric", "corectness"), "Did you mean 'correctness'?"),
    ],
)
def test_bad_input(cli, run, more, says):
    done = cli(*AS, *more)
    assert (done.status, done.out) == (2, "")
    assert says in done.err
