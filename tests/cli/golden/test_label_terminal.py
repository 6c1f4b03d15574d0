"""Labelling in a real terminal: keys, kills, narrow windows, texts that would drive the terminal."""

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

import pytest

HOSTILE = "\x1b]0;pwned\x07\x1b[2J\x1b[31mred\x1b[?1049h \x9b5n\u202eevil\x00"
ROWS = [
    {
        "id": "price",
        "answer": "x",
        "retrieved": [
            {"id": "p0", "text": f"The Pro plan costs 49 euros.{HOSTILE}"},
            {"id": "p1", "text": "\n".join(f"line {n} of many" for n in range(80))},
            {"id": "p2", "text": "Basic is free."},
        ],
    }
]
GOLDEN = {"id": "price", "question": "What does the Pro plan cost?", "reference": "49 euros."}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "g.jsonl").write_text(json.dumps(GOLDEN) + "\n")
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return tmp_path


def _in_front():
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # jobs in the background are born deaf to it


class Terminal:
    """A command in a pseudo-terminal of a size."""

    def __init__(self, folder, *more, columns=80, lines=24):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        command = [sys.executable, "-m", "acidtest", "golden", "label", "g.jsonl", "--retriever"]
        env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}
        self.process = subprocess.Popen(
            [*command, "r.jsonl", "--annotator", "ann", "--order", "rank", *more],
            cwd=folder,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**env, "TERM": "xterm"},
            start_new_session=True,
            preexec_fn=_in_front,  # noqa: PLW1509 - Ctrl-C is a signal of the controlling terminal
        )
        os.close(slave)
        self.seen = ""
        self.read = 0  # how much of it `until` has gone past: one read may bring several screens

    def until(self, text, seconds=30):
        """Return what was written since the last call up to a text."""
        end = time.monotonic() + seconds
        while (found := self.seen.find(text, self.read)) < 0:
            ready, _, _ = select.select([self.master], [], [], 0.2)
            if ready:
                try:
                    self.seen += os.read(self.master, 65536).decode(errors="replace")
                except OSError:
                    break
            assert time.monotonic() < end, self.seen[self.read :]
        assert found >= 0, self.seen[self.read :]
        start, self.read = self.read, found + len(text)
        return self.seen[start : self.read]

    def key(self, keys):
        os.write(self.master, keys.encode())

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(10)
        os.close(self.master)


@pytest.fixture
def terminal(folder):
    opened = []

    def start(*more, **size):
        opened.append(Terminal(folder, *more, **size))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


def judged(folder):
    path = folder / "g.labels.ann.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [(row["chunk"], row.get("grade", row.get("mark"))) for row in rows]


def test_every_key_is_on_the_disk_before_the_next_chunk_is_shown(folder, terminal):
    first = terminal()
    first.until("chunk 1 of 3")
    first.until("q quit")
    first.key("3")
    first.until("chunk 2 of 3")
    assert judged(folder) == [("p0", 3)]
    os.kill(first.process.pid, signal.SIGKILL)
    first.process.wait(10)
    assert judged(folder) == [("p0", 3)]
    again = terminal()
    again.until("chunk 2 of 3")
    again.key("x")
    again.until("'x' is no key here")
    again.key("bu")  # typed ahead: both count
    again.until("chunk 2 of 3")
    assert judged(folder) == [("p0", 3), ("p0", "unsure")]
    again.key("\x03")
    again.until("What was done is kept")
    assert again.process.wait(10) == 130
    last = terminal()
    last.until("chunk 2 of 3")
    last.key("s")
    last.until("chunk 3 of 3")
    last.key("0")
    last.until("0 open")
    assert last.process.wait(10) == 0
    assert judged(folder)[2:] == [("p1", "skip"), ("p2", 0)]


def test_a_text_from_outside_drives_nothing(terminal):
    opened = terminal()
    told = opened.until("q quit")
    shown = told[told.rindex("\x1b[2J") :] if "\x1b[2J" in told else told
    assert "red" in shown
    for forbidden in ("pwned", "\x1b]", "\x1b[31m", "\x1b[?1049h", "\x9b", "\u202e", "\x00"):
        assert forbidden not in told, repr(forbidden)
    assert re.search(r"\x1b\[1;4m(?:Pro|cost)", told)  # the question's words are marked


@pytest.mark.parametrize(("columns", "lines"), [(30, 12), (60, 24), (200, 50)])
def test_long_texts_are_paged_within_any_terminal(terminal, columns, lines):
    opened = terminal(columns=columns, lines=lines)
    opened.until("h q" if columns == 30 else "q quit")
    opened.key("0")
    opened.until("page 1 of")
    opened.until("h q" if columns == 30 else "q quit")
    opened.key(" ")
    told = opened.until("page 2 of")
    told += opened.until("h q" if columns == 30 else "q quit")
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", told[told.rindex("\x1b[2J") :])
    rows = plain.replace("\r", "").strip("\n").split("\n")
    assert len(rows) <= lines
    assert max(map(len, rows)) <= columns
    opened.key("\x1b[A")
    opened.until("page 1 of")
    opened.key("h")
    opened.until("Press any key")
    opened.key("q")
    opened.until("page 1 of")
    opened.key("q")
    assert opened.process.wait(10) == 0
