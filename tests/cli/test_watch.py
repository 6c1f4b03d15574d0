import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from acidtest.cli import group
from acidtest.data.spans import Span
from acidtest.online.rooms import open_rooms
from acidtest.tracing.otlp.open import gathered

CONFIG = '[store]\nurl = "online.db"\n\n[online]\nsample = 1.0\nmetrics = ["citation_validity"]\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "acidtest.toml").write_text(CONFIG)
    return tmp_path


def put(folder, *trace_ids):
    attributes = {"openinference.span.kind": "CHAIN", "input.value": "Why?", "output.value": "So."}
    spans = [
        Span(trace_id=i, span_id="1" * 16, start_ns=1, end_ns=2, attributes=attributes)
        for i in trace_ids
    ]
    with open_rooms(str(folder / "online.db")) as rooms:
        rooms.spans.add([gathered(spans)], now_ms=0, quiet_ms=0, ended_ms=0)


def run(*args):
    result = CliRunner().invoke(group, ["watch", *args], standalone_mode=False)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return getattr(result.exception, "exit_status", 2), str(result.exception)
    return result.return_value, result.output


def test_once_does_what_is_due_and_tells(folder):
    put(folder, "t1", "t2")
    status, said = run("--once")
    assert status == 0
    assert "Understood 2 traces, scored 2; 2 scores did not apply, 0 wait" in said
    status, said = run("--once", "--json", "-")
    told = json.loads(said)
    assert (told["format"], told["version"], told["traces"], told["scored"]) == (
        "acidtest/watch",
        1,
        0,
        0,
    )
    assert told["spent"]["traces"] == 2


def test_what_could_not_be_scored_is_status_3(folder):
    (folder / "own.py").write_text("def judge(prompt, fields):\n    raise OSError('away')\n")
    (folder / "acidtest.toml").write_text(
        CONFIG.replace("citation_validity", "answer_relevance")
        + 'attempts = 1\n[judge]\nmodel = "own.py:judge"\n'
    )
    put(folder, "t1")
    status, said = run("--once")
    assert (status, "Failed too often: 1 trace" in said) == (3, True)
    assert run("--once")[0] == 0
    (folder / "acidtest.toml").write_text(CONFIG)
    status, said = run("--once", "--revive")
    assert (status, "Put back: 1 trace" in said, "scored 1" in said) == (0, True, True)


def test_a_judge_that_is_not_there_is_status_3_and_traces_are_understood(folder):
    judge = '[judge]\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\n'
    (folder / "acidtest.toml").write_text(
        CONFIG.replace("citation_validity", "answer_relevance") + judge
    )
    put(folder, "t1")
    status, said = run("--once")
    assert status == 3
    assert "Understood 1 trace, scored 0; 0 scores did not apply, 1 wait" in said
    assert "The judge is away" in said


@pytest.mark.parametrize(
    ("online", "message"),
    [
        (
            'metrics = ["recall@5", "faithfulness", "correctness"]',
            "recall@5, correctness need references? or labels",
        ),
        ('metrics = ["faithfullness"]', "Did you mean 'faithfulness'"),
        ("metrics = []", "no metric to score"),
        ('metrics = ["answer_relevancy"]', "needs an embedder"),
        ("sample = 2", "sample is 2"),
        ("sampel = 1", "Did you mean 'sample'"),
        ('always = ["thumb-down"]', "Did you mean 'thumbs-down'"),
        ('always = ["tag:"]', "unknown rule 'tag:'"),
        ("lease_s = 0", "lease_s is 0"),
        ("attempts = 99", "attempts is 99"),
        ("budget_usd_per_day = -1", "budget_usd_per_day is -1"),
        ("retention_days = 0", "retention_days is 0"),
        ("retention_days = 1e18", "retention_days is 1e"),
        ('emit = "http://a b/"', "emit is no address"),
        ('emit = "http://127.0.0.1:99999"', "emit is no address"),
        ('emit = "${COLLECTOR"', "emit is no address"),
        ('emit = "collector"', "emit is no address"),
        ("targets = { faithfullness = 0.9 }", "Did you mean 'faithfulness'"),
        ("look_every_s = 1", "look_every_s is 1"),
        ("look_evry_s = 900", "Did you mean 'look_every_s'"),
        ('reference = ["2026-10-01", "soon"]', "are no days"),
        ('reference = ["2026-10-01", "2026-10-05"]', "are 5 days"),
        ('reference = ["2026-10-01"]', "reference"),
        ("alerts = { webhok = 'x' }", "Did you mean 'webhook'"),
        ("alerts = { digest = 'monday' }", "alerts.digest: there is nowhere to send it"),
        ("alerts = { apprise = ['x'], digest = 'mondy' }", "Did you mean 'monday'"),
        ("alerts = { apprise = [' '], digest = 'monday' }", "has an empty address"),
    ],
)
def test_what_is_not_possible_is_refused(folder, online, message):
    (folder / "acidtest.toml").write_text(f"[online]\n{online}\n")
    status, said = run("--once")
    assert status == 2
    assert re.search(message, said), said
    assert not Path(".acidtest").exists()


def test_json_needs_an_end(folder):
    status, said = run("--json", "-")
    assert status == 2
    assert "--json needs --once" in said


def test_interrupted_it_ends_with_130(folder):
    put(folder, "t1")
    worker = subprocess.Popen(
        [sys.executable, "-m", "acidtest", "watch"], cwd=folder, stderr=subprocess.PIPE, text=True
    )
    try:
        with open_rooms(str(folder / "online.db")) as rooms:
            until = time.monotonic() + 60
            while not (rooms.traces.trace("t1") and rooms.traces.trace("t1").scores):
                assert worker.poll() is None
                assert time.monotonic() < until
                time.sleep(0.05)
        worker.send_signal(signal.SIGINT)
        said = worker.communicate(timeout=30)[1]
    finally:
        worker.kill()
        worker.communicate()
    assert worker.returncode == 130
    assert "online.db; Ctrl-C ends it" in said
    assert "Interrupted" in said
