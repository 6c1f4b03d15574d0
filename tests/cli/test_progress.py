"""Progress as people see it: on a terminal of 80 columns, and as lines in a log."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from itertools import pairwise
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console
from tests.judges.stub import Threaded, chat, says

from acidtest.cli.progress import PAUSE_S, Teller, progress, screen
from acidtest.run.progress import Progress

METRICS = ("-m", "faithfulness", "-m", "context_recall", "-m", "correctness")
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
HOSTILE = "p\x1b]0;evil\x07\r[red]x[/red]\u202e"


def model(asked):
    return chat(asked) if asked.method == "POST" else says({"data": [{"id": "stub"}]})


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self):
        return self.now


def at_work(done, **more):
    return Progress(done, 1000, 0, "answering", **more)


def lines_of(seconds, per_second, look=1):
    """The lines of a log, with their times."""
    clock = Clock()
    teller = Teller("baseline", clock)
    told = []
    for second in range(0, seconds, look):
        clock.now = 100.0 + second
        teller.watch(at_work(int(second * per_second), calls=second, elapsed_s=second))
        if line := teller.line():
            told.append((second, line))
    return told


def test_a_short_run_has_no_line_but_its_last():
    assert lines_of(29, 30) == []


def test_an_hour_has_a_few_dozen_lines():
    told = lines_of(3600, 1000 / 3600)
    assert 24 <= len(told) <= 48
    gaps = [b - a for (a, _), (b, _) in pairwise(told)]
    assert min(gaps) >= PAUSE_S[0]
    assert max(gaps) <= PAUSE_S[1]
    assert re.fullmatch(
        r"baseline: 8 of 1000 cases done, 17/min, 30 calls, 5\d:\d\d left", told[0][1]
    )


def test_a_day_has_hundreds_of_lines_and_never_falls_silent():
    told = lines_of(86_400, 0, look=10)  # nothing moves at all
    assert told[-1][1].startswith("baseline: 0 of 1000 cases done, ")
    assert max(b - a for (a, _), (b, _) in pairwise(told)) <= PAUSE_S[1]
    assert len(told) < 350


@pytest.mark.parametrize("width", [80, 60, 30, 12])
@pytest.mark.parametrize("title", ["baseline", "評価" * 20, HOSTILE])
@pytest.mark.parametrize("doing", ["answering", "scoring"])
def test_the_live_line_is_one_line_that_fits(width, title, doing):
    clock = Clock()
    teller = Teller(title, clock)
    with Path(os.devnull).open("w") as nowhere:
        console = Console(file=nowhere, width=width, force_terminal=True, record=True)
        console.print(teller.live(console))  # before the first word
        for n in range(100):
            clock.now += 0.2
            more = {"calls": 3 * n, "cached": n, "judge_failed": n // 50, "tokens": 300 * n}
            teller.watch(Progress(n, 200, n // 40, doing, 3 * n, 600, cost_usd=n / 999, **more))
            console.print(teller.live(console))
        shown = console.export_text().splitlines()
    assert len(shown) == 101
    assert max(map(cell_len, shown)) < width
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202e]", "".join(shown))
    if width == 80:
        assert "left" in shown[-1]
        assert "3 failed" in shown[-1]
        assert "$0.0991" in shown[-1]
    if width == 80 and title == "baseline":
        assert "━" in shown[-1]


def test_a_terminal_without_these_letters():
    teller = Teller("Größe", Clock())
    teller.watch(at_work(5))

    class Ascii:
        encoding = "ascii"

        def write(self, text):
            text.encode("ascii")

        def flush(self):
            pass

    console = Console(file=Ascii(), width=80, force_terminal=True)
    console.print(teller.live(console))


def test_what_stopped_and_what_had_not_begun(capsys):
    def stopped(title, *steps):
        with progress(title) as watch:
            for step in steps:
                watch(step)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped("a", at_work(120, calls=3, cost_usd=0.19, elapsed_s=35.2))
    with pytest.raises(KeyboardInterrupt):
        stopped("b")
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == ("a: stopped with 120 of 1000 cases done after 0:35, 3 calls, $0.19\n")


def test_a_closed_stream_ends_no_run(monkeypatch):
    with Path(os.devnull).open("w") as closed:
        pass
    monkeypatch.setattr(sys, "stderr", closed)
    monkeypatch.setattr(sys, "__stderr__", closed)
    with progress("a") as watch:
        watch(at_work(1000))


def command(*arguments):
    return [sys.executable, "-m", "acidtest", "run", "--judge", "openai:stub", *METRICS, *arguments]


def environment(endpoint, **more):
    ours = re.compile("OPENAI|ACIDTEST|CI$|TERM|COLUMNS|NO_COLOR|FORCE_COLOR|TTY_")
    kept = {k: v for k, v in os.environ.items() if not ours.match(k)}
    return {**kept, "OPENAI_BASE_URL": endpoint.url, "TERM": "xterm-256color", **more}


@pytest.fixture
def priced(project):
    (project / "acidtest.toml").write_text(
        'golden = "golden.jsonl"\n[pipelines.p]\npython = "my_rag.py:starter"\n'
        "[judge.price]\ninput = 100.0\noutput = 100.0\n"
    )
    return project


def test_in_a_pipe_the_last_line_has_the_numbers_of_the_run(priced):
    # Colour that is forced for logs is no reason to draw in them.
    with Threaded(model) as endpoint:
        for cached in (False, True):
            done = subprocess.run(
                command("--json", "-"),
                cwd=priced,
                env=environment(endpoint, FORCE_COLOR="1"),
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, done.stderr
            judge = json.loads(done.stdout)["operations"]["judge"]
            assert not re.search(r"[\x00-\x09\x0b-\x1f]", done.stderr)
            last = done.stderr.splitlines()[-1]
            assert re.match(r"p: 10 cases in \d\.\d s, ", last), done.stderr
            assert f", {judge['calls']} calls" in last
            assert (judge["calls"] == 0) == cached
            if cached:
                assert last.endswith(f", 0 calls, {judge['cached']} cached")
            else:
                assert f", {judge['tokens'] / 1000:.1f}k tokens, ${judge['cost_usd']:.2f}" in last


def on_a_terminal(arguments, folder, env, columns=80, interrupt_at=None):
    """Run on a terminal of its own; return what it was sent, by stderr alone, and the status."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        arguments, cwd=folder, env=env, stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs
    )
    os.close(theirs)
    sent = b""
    deadline = time.monotonic() + 60
    try:
        while time.monotonic() < deadline:
            if not select.select([ours], [], [], 0.5)[0]:
                continue
            try:
                some = os.read(ours, 65536)
            except OSError:  # Linux says so when the other end is closed
                break
            if not some:
                break
            sent += some
            if interrupt_at and re.search(interrupt_at, sent):
                process.send_signal(signal.SIGINT)
                interrupt_at = None
        status = process.wait(timeout=30)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    return sent.decode(), status


def rows(sent):
    """What stood in a row of the terminal at any time."""
    return [row for row in re.split(r"[\r\n]+", CONTROL.sub("", sent)) if row]


def test_on_a_terminal_one_line_moves_and_the_last_one_stays(priced):
    with Threaded(model, latency_s=0.2) as endpoint:
        arguments = command("--name", HOSTILE, "--concurrency", "2")
        sent, status = on_a_terminal(arguments, priced, environment(endpoint))
    assert status == 0, sent
    shown = "p?]0;evil??[red]x[/red]?"
    moving = [row for row in rows(sent) if "/10" in row]
    assert len(moving) > 5
    assert max(map(cell_len, moving)) < 80
    assert any(re.match(r"p\?\]0;.*\d/10.* \d+ calls? .*\$\d", row) for row in moving), moving
    # One line, drawn over itself, at most five times a second and a few.
    assert sent.count("\n") <= 3
    last = rows(sent)[-1]
    assert last.startswith(f"{shown}: 10 cases in ")
    assert "\x1b]0" not in sent
    assert "\x07" not in sent
    assert sent.rindex("\x1b[?25h") > sent.rindex("\x1b[?25l")


def test_ctrl_c_leaves_the_terminal_right_and_tells_what_was_done(priced):
    with Threaded(model, latency_s=0.3) as endpoint:
        sent, status = on_a_terminal(
            command("--concurrency", "1"),
            priced,
            environment(endpoint),
            columns=60,
            interrupt_at=rb"[1-9]/10",
        )
    assert status == 130, sent
    assert sent.rindex("\x1b[?25h") > sent.rindex("\x1b[?25l")
    told = rows(sent)
    assert max(cell_len(row) for row in told if "/10" in row) < 60
    assert re.match(r"p: stopped with \d of 10 cases done after .* calls?, .*\$", told[-2])
    assert told[-1] == "Interrupted. What was done is kept: the same command goes on."


def test_a_build_servers_terminal_is_a_log(priced):
    with Threaded(model) as endpoint:
        sent, status = on_a_terminal(command(), priced, environment(endpoint, CI="true"))
    assert status == 0
    assert "\x1b" not in sent
    assert len(rows(sent)) == 1


@pytest.mark.parametrize(
    ("variables", "moves"),
    [
        ({}, True),
        ({"CI": "false"}, True),
        ({"NO_COLOR": "1"}, True),
        ({"CI": "1"}, False),
        ({"TERM": "dumb"}, False),
        ({"TTY_COMPATIBLE": "0"}, False),
    ],
)
def test_where_a_line_moves(monkeypatch, variables, moves):
    for name, value in {"CI": "", "TERM": "xterm", **variables}.items():
        monkeypatch.setenv(name, value)
    ours, theirs = pty.openpty()
    with os.fdopen(ours), os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        assert (screen() is not None) == moves
