"""Artifacts: no input is overwritten, none keeps another from being written."""

import json

import pytest

from acidtest.atomic import write_whole


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--html", "golden.jsonl"], "--html would overwrite the golden set"),
        (["--html", "link.html"], "--html would overwrite the golden set"),
        (["--json", "sub/../acidtest.toml"], "--json would overwrite the configuration"),
        (["--junit", ".acidtest/store.db"], "--junit would overwrite the store"),
        (["--junit", "s.db-wal", "--store", "s.db"], "--junit would overwrite the store"),
        (["--markdown", "my_rag.py"], "a file of pipeline 'starter'"),
        (["own.py:p", "--json", "own.py"], "a file of pipeline 'own.py:p'"),
        (["--outputs", "o.jsonl", "--json", "o.jsonl"], "would overwrite the recorded outputs"),
        (["--html", "x", "--junit", "./x"], "--html and --junit both want this file"),
        (["--json", "anchor.jsonl"], "would overwrite an anchor and its history"),
        (["--html", "link-to-labels"], "would overwrite people's labels"),
        (["--html", "-", "--junit", "-"], "--html - and --junit - both want stdout"),
        (["--json", "/dev/stdout", "--markdown", "-"], "both want stdout"),
        (["--html", ""], "--html"),
        (["--store", ""], "--store"),
        (["--name", " "], "--name"),
        (["--tier", ""], "--tier"),
        (["--budget-usd", "nan"], "--budget-usd"),
        (["--budget-usd", "inf"], "--budget-usd"),
        (["--budget-usd", "-1"], "--budget-usd"),
        (["--budget-usd", "much"], "--budget-usd"),
        (["--min", "fast=0.5"], "'fast' is a tier, not a metric"),
        (["--min", "recall@3=0.5", "--min", "recall(k=3)=0.6"], "recall@3 is named twice"),
    ],
)
def test_refused_before_anything_runs(project, cli, arguments, message):
    (project / "link.html").symlink_to("golden.jsonl")
    (project / "anchor.jsonl").write_text('{"kind": "anchor", "format": "acidtest/anchor"}\n')
    (project / "labels").write_text('{"case": "a", "metric": "faithfulness", "label": null}\n')
    (project / "link-to-labels").symlink_to("labels")
    (project / "sub").mkdir()
    (project / "own.py").write_text("def p(q):\n    return 'a'\n")
    (project / "o.jsonl").write_text(json.dumps({"id": "refund-time", "answer": "a"}) + "\n")
    before = {p.name: p.read_bytes() for p in project.iterdir() if p.is_file()}
    done = cli("run", *arguments)
    assert done.status == 2
    assert message in done.err
    assert done.out == ""
    assert {p.name: p.read_bytes() for p in project.iterdir() if p.is_file()} == before


def test_devices_take_several(project, cli):
    assert cli("run", "--html", "/dev/null", "--junit", "/dev/null").status == 0


def test_export_and_report_overwrite_no_input(project, cli):
    assert cli("run", "--json", "r.json").status == 0
    for arguments in (
        ["runs", "export", "latest", ".acidtest/store.db"],
        ["report", "--html", "acidtest.toml"],
        ["report", "r.json", "--html", "r.json"],
    ):
        done = cli(*arguments)
        assert done.status == 2
        assert "would overwrite" in done.err
    assert cli("runs", "export", "latest", "r.json").status == 0


def test_one_artifact_that_fails_does_not_cost_the_others(project, cli):
    # The folder comes while the pipeline runs, after every check.
    (project / "late.py").write_text(
        "import os\ndef p(q):\n    os.makedirs('r.json', exist_ok=True)\n    return 'a'\n"
    )
    done = cli(
        "run",
        "late.py:p",
        "-m",
        "token_f1",
        "--json",
        "r.json",
        "--html",
        "r.html",
        "--min",
        "token_f1=1",
    )
    assert done.status == 2
    assert "r.json: the JSON cannot be written" in done.err
    assert "BELOW FLOOR" in done.err
    assert "token_f1" in done.out
    assert (project / "r.html").exists()


def test_html_to_stdout_is_alone_there(project, cli):
    done = cli("run", "--html", "-")
    assert done.status == 0
    assert done.out.startswith("<!")


def test_floors_and_targets_by_another_spelling(project, cli):
    done = cli("run", "--min", "recall(k=3)=1.0")
    assert done.status == 1
    assert "BELOW FLOOR recall@3" in done.err
    (project / "c.toml").write_text(
        'golden = "golden.jsonl"\n[pipelines.p]\npython = "my_rag.py:starter"\n'
        '[gate]\nmin = { "recall(k=3)" = 1.0 }\n[targets]\n"recall(k=3)" = 0.9\n'
    )
    done = cli("run", "--config", "c.toml", "-m", "recall@3")
    assert done.status == 1
    assert "BELOW FLOOR recall@3" in done.err


def test_a_part_file_of_someone_else_survives_and_permissions_stay(tmp_path):
    target, part = tmp_path / "x.json", tmp_path / "x.json.part"
    target.write_text("old")
    target.chmod(0o600)
    part.write_text("mine")
    write_whole(target, b"new")
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o600
    assert part.read_text() == "mine"
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        write_whole(tmp_path / "folder" / ("n" * 300), b"x")
    assert {p.name for p in tmp_path.iterdir()} == {"x.json", "x.json.part", "folder"}
    assert list((tmp_path / "folder").iterdir()) == []
