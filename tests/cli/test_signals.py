"""SIGTERM does what Ctrl-C does, also in a background job, where Ctrl-C is ignored; twice is once."""

import os
import signal
import subprocess
import sys
import time

import pytest

from acidtest.cli.signals import GRACE_S, terminable

HANGS = """
import os, sys, time
open("pid", "w").write(str(os.getpid()))
os.rename("pid", "started")
sys.stdin.readline()
time.sleep(600)
"""


@pytest.mark.parametrize("background", [False, True])
def test_sigterm_keeps_what_was_done_and_ends_the_children(project, background):
    (project / "hangs.py").write_text(HANGS)
    (project / "c.toml").write_text(
        'golden = "golden.jsonl"\n[pipelines.p]\nconcurrency = 1\n'
        f'command = ["{sys.executable}", "hangs.py"]\n'
    )
    ignore = signal.signal(signal.SIGINT, signal.SIG_IGN) if background else None
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "acidtest", "run", "--config", "c.toml", "-m", "token_f1"],
            cwd=project,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    finally:
        if background:
            signal.signal(signal.SIGINT, ignore)
    deadline = time.monotonic() + 30
    while not (project / "started").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "What was done is kept" in err
    assert "Traceback" not in err
    child = int((project / "started").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_sigterm_is_the_callers_again_afterwards():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), terminable():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before


SLOW = """
import asyncio, os

async def judge(prompt, fields):
    open("started", "a").write("x")
    await asyncio.sleep(0.2)
    return {"why": "w", "verdict": "complete"}
"""

STUBBORN = """
import asyncio, time

async def judge(prompt, fields):
    open("started", "a").write("x")
    try:
        await asyncio.sleep(600)
    except asyncio.CancelledError:
        time.sleep(600)
"""


@pytest.fixture
def judging(project):
    """Start a run with a judge of this code; it is killed at the end."""
    made = []

    def start(code):
        (project / "mine.py").write_text(code)
        handler = signal.signal(signal.SIGINT, signal.default_int_handler)
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "acidtest",
                "run",
                "-m",
                "answer_relevance",
                "--judge",
                "mine.py:judge",
            ],
            cwd=project,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        signal.signal(signal.SIGINT, handler)
        made.append(process)
        deadline = time.monotonic() + 30
        while not (project / "started").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        return process

    yield start
    for process in made:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("pause", [0.0, 0.03])
def test_being_told_several_times_is_being_told_once(judging, number, pause):
    process = judging(SLOW)
    for _ in range(6):
        process.send_signal(number)
        time.sleep(pause)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "What was done is kept" in err
    assert "Traceback" not in err


def test_who_insists_ends_it_at_once(judging):
    process = judging(STUBBORN)
    process.send_signal(signal.SIGINT)
    time.sleep(GRACE_S + 0.3)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=5)
    assert process.returncode == 130
    assert "Traceback" not in err
