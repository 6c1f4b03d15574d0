"""A real worker is killed while it scores: every trace has its scores, once, and nothing is forgotten."""

import subprocess
import sys
import time

from acidtest.online.rooms import open_rooms
from acidtest.store.trace_filter import TraceFilter
from acidtest.store.verdicts import Verdicts

JUDGE = """
import os, time

def judge(prompt, fields):
    with open("asked.log", "a") as log:
        log.write(fields["answer"] + "\\n")
    time.sleep(0.1)
    return {"why": "", "verdict": "complete"}
"""

CONFIG = """
[judge]
model = "slow.py:judge"

[store]
url = "online.db"

[online]
sample = 1.0
metrics = ["answer_relevance", "citation_validity"]
concurrency = 3
lease_s = 1
calls_per_day = 1000
"""
TRACES = 24


def watch(folder, *options):
    return subprocess.Popen(
        [sys.executable, "-m", "acidtest", "watch", *options],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_a_worker_that_is_killed_loses_nothing_and_counts_nothing_twice(tmp_path, rooms, send):
    (tmp_path / "slow.py").write_text(JUDGE)
    (tmp_path / "acidtest.toml").write_text(CONFIG)
    for n in range(TRACES):
        send(f"t{n:02}", answer=f"It lasts {n} years.")
    scored = TraceFilter(metric="answer_relevance")
    killed = 0
    for share in (0.2, 0.6):
        worker = watch(tmp_path)
        until = time.monotonic() + 60
        try:
            while rooms.traces.count(scored) < TRACES * share:
                assert worker.poll() is None, worker.stdout.read()
                assert time.monotonic() < until
                time.sleep(0.02)
        finally:
            worker.kill()
            worker.communicate()
        killed += rooms.jobs.health(now_ms=int(time.time() * 1000)).leased
    assert killed > 0
    while rooms.jobs.health(now_ms=int(time.time() * 1000)).waiting:
        pair = [watch(tmp_path, "--once") for _ in range(2)]
        for worker in pair:
            said = worker.communicate(timeout=60)[0]
            assert worker.returncode == 0, said
    asked = (tmp_path / "asked.log").read_text().splitlines()
    with open_rooms(str(tmp_path / "online.db")) as again:
        stored = list(again.traces.each())
        assert len(stored) == TRACES
        for each in stored:
            assert each.scores["answer_relevance"].outcome.value == 1.0
            assert set(each.scores) == {"answer_relevance", "citation_validity"}
        day = again.spending.days()[0]
    assert set(asked) == {f"It lasts {n} years." for n in range(TRACES)}
    # What was in flight when the worker was killed is asked again, and nothing else is.
    assert len(asked) <= TRACES + 2 * 3
    assert len(asked) <= day.calls <= len(asked) + 2 * 3
    assert day.traces == TRACES
    with Verdicts(str(tmp_path / "online.db")) as verdicts:
        assert sum(kept.verdicts for kept in verdicts.by_model()) == TRACES
