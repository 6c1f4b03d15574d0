"""SIGTERM does what Ctrl-C does, also in a background job, where Ctrl-C is ignored."""

import os
import signal
import subprocess
import sys
import time

import pytest

from acidtest.cli.signals import terminable

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
