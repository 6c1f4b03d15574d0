"""Runs judged by a model over HTTP: the endpoint in a thread, a command that is killed as a process."""

import json
import os
import random
import re
import subprocess
import sys
import time

import pytest
from tests.judges.stub import Threaded, chat, says

from acidtest.codec.runs import load_run

METRICS = ("-m", "faithfulness", "-m", "context_recall", "-m", "correctness")


def model(asked):
    return chat(asked) if asked.method == "POST" else says({"data": [{"id": "stub"}]})


def environment(endpoint):
    kept = {k: v for k, v in os.environ.items() if not re.match("OPENAI|ACIDTEST", k)}
    return {**kept, "OPENAI_BASE_URL": endpoint.url}


@pytest.fixture
def acidtest(cli, monkeypatch):
    """Run the command in this process: it begins at once."""

    def run(endpoint, *arguments):
        for name in [name for name in os.environ if re.match("OPENAI|ACIDTEST", name)]:
            monkeypatch.delenv(name)
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        return cli("run", "--judge", "openai:stub", *METRICS, *arguments)

    return run


def test_every_question_is_asked_once_across_runs(project, acidtest):
    with Threaded(model) as endpoint:
        first = acidtest(endpoint, "--json", "a.json")
        assert first.status == 0, first.err
        asked = len(endpoint.questions)
        assert len(set(endpoint.questions)) == asked
        second = acidtest(endpoint, "--json", "b.json")
        assert second.status == 0, second.err
        assert len(endpoint.questions) == asked
        again = acidtest(endpoint, "--no-cache", "--json", "c.json")
        assert again.status == 0, again.err
        assert len(endpoint.questions) == 2 * asked
        draws = acidtest(endpoint, "--repeat", "3", "--json", "d.json")
        assert draws.status == 0, draws.err
        assert len(endpoint.questions) == 4 * asked  # the first of three draws was known
    a, b, d = (load_run(project / f"{name}.json") for name in "abd")
    assert a.info.judge is not None
    assert a.info.judge.model == "stub"
    assert (a.operations.judge.calls, a.operations.judge.cached) == (asked, 0)
    assert (b.operations.judge.calls, b.operations.judge.cached) == (0, asked)
    assert [c.scores for c in a.cases] == [c.scores for c in b.cases]
    assert d.operations.judge.calls == 2 * asked
    assert a.metrics["faithfulness"].scored == 8


@pytest.mark.slow
def test_kill_9_at_random_points_pays_for_nothing_twice(project):
    rng = random.Random(5)
    with Threaded(model, latency_s=0.05) as endpoint:
        kills = 0
        while True:
            process = subprocess.Popen(
                [sys.executable, "-m", "acidtest", "run", "--judge", "openai:stub", *METRICS,
                 "--concurrency", "2", "--json", "r.json"],
                cwd=project, env=environment(endpoint), stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )  # fmt: skip
            before = len(endpoint.questions)
            if kills < 4:
                # Wait until this execution asks, so that every kill hits judging.
                patience = time.monotonic() + 30
                while len(endpoint.questions) == before and time.monotonic() < patience:
                    time.sleep(0.01)
                time.sleep(rng.uniform(0.0, 0.15))
                process.kill()
                kills += 1
            output, _ = process.communicate(timeout=60)
            if process.returncode == 0:
                break
            assert process.returncode == -9, output
        questions = endpoint.questions
    # Asked again is at most what was in flight when the power went, two calls, and the replies that
    # were on their way to the disk while two more had started.
    assert len(questions) - len(set(questions)) <= 4 * kills
    run = load_run(project / "r.json")
    assert [s.failed for s in run.metrics.values()] == [0, 0, 0]


def test_an_endpoint_that_is_not_there_is_told_before_anything_is_asked(project, acidtest):
    with Threaded(model) as endpoint:
        pass
    done = acidtest(endpoint)
    assert done.status == 3
    assert "127.0.0.1" in done.err
    assert "Traceback" not in done.err
    assert not (project / ".acidtest").exists()


def test_a_refused_key_is_told_and_never_shown(project):
    refused = says({"error": {"message": "bad key sk-secret-1", "type": "auth"}}, status=401)
    with Threaded(refused) as endpoint:
        env = {**environment(endpoint), "OPENAI_API_KEY": "sk-secret-1"}
        done = subprocess.run(
            [sys.executable, "-m", "acidtest", "run", "--judge", "openai:stub", *METRICS],
            cwd=project, env=env, capture_output=True, text=True,
        )  # fmt: skip
    assert done.returncode == 3
    assert "401" in done.stderr or "key" in done.stderr
    assert "sk-secret-1" not in done.stderr + done.stdout


def test_a_budget_stops_cleanly_and_the_same_command_goes_on(project, acidtest):
    (project / "acidtest.toml").write_text(
        'golden = "golden.jsonl"\n[pipelines.p]\npython = "my_rag.py:starter"\n'
        "[judge.price]\ninput = 100.0\noutput = 100.0\n"
    )
    with Threaded(model) as endpoint:
        done = acidtest(endpoint, "--budget-usd", "0.3", "--concurrency", "1")
        assert done.status == 3, done.err
        assert "budget of $0.3 is used up" in done.err
        asked = len(endpoint.questions)
        assert 0 < asked < 20
        more = acidtest(endpoint, "--budget-usd", "50", "--json", "r.json")
        assert more.status == 0, more.err
        assert "Going on with run" in more.err
        assert len(endpoint.questions) == len(set(endpoint.questions))
    run = json.loads((project / "r.json").read_text())
    assert run["operations"]["judge"]["cost_usd"] > 0.3


def test_a_budget_without_a_price_is_refused(project, acidtest):
    with Threaded(model) as endpoint:
        done = acidtest(endpoint, "--budget-usd", "1")
    assert done.status == 2
    assert "price" in done.err
    assert endpoint.questions == []
