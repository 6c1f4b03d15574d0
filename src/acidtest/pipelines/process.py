"""One worker of a command pipeline: a process that reads lines and writes lines.

It leads a process group of its own, so that whatever it starts ends with it. Two daemon threads pump
its output: lines into a queue, where one that nobody asked for is noticed, and the end of its stderr
into memory. All calls block; the pipeline makes them in threads.
"""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

MAX_LINE = 32 * 1024**2
MAX_STDERR = 16_384
_UNREAD_LINES = 100
_JOIN_S = 1.0


class Unasked(Exception):  # noqa: N818 - a finding of this module, told by its pipeline
    """The process wrote a line that nobody asked for."""


class LineTooLong(Exception):  # noqa: N818
    """The process wrote a line without end."""


class Worker:
    """A running process.

    Args:
        command: The program and its arguments.
        folder: Its working folder.
        environ: Its environment.

    Raises:
        OSError: It cannot be started.
    """

    def __init__(self, command: Sequence[str], *, folder: Path, environ: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - to run the user's command is the purpose
            list(command),
            cwd=folder,
            env=dict(environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self.answered = 0
        self._status: int | None = None
        self._lines: queue.SimpleQueue[bytes | LineTooLong | None] = queue.SimpleQueue()
        self._stderr = bytearray()
        self._pumps = [
            threading.Thread(target=pump, args=(stream,), daemon=True, name="acidtest-pump")
            for pump, stream in (
                (self._pump_lines, self._process.stdout),
                (self._pump_stderr, self._process.stderr),
            )
        ]
        for pump in self._pumps:
            pump.start()

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    @property
    def stderr(self) -> str:
        """The end of what it wrote to stderr."""
        return bytes(self._stderr).decode("utf-8", "replace")

    def exchange(self, line: bytes) -> bytes | None:
        """Write a line and read one.

        Returns:
            The line that came back; None when the process ended instead.

        Raises:
            Unasked: It had written more than it was asked before.
            LineTooLong: The line is over `MAX_LINE` bytes.
        """
        with contextlib.suppress(queue.Empty):
            early = self._lines.get_nowait()
            if isinstance(early, bytes):
                raise Unasked(early[:200].decode("utf-8", "replace"))
            return None
        stdin = self._process.stdin
        with contextlib.suppress(BrokenPipeError, ConnectionResetError, ValueError):
            if stdin is not None:
                stdin.write(line + b"\n")
                stdin.flush()
        reply = self._lines.get()
        if isinstance(reply, LineTooLong):
            raise reply
        self.answered += reply is not None
        return reply

    def kill(self) -> None:
        """End the process and its group now; nothing after `close`."""
        if self._status is not None:
            return
        if sys.platform == "win32":
            self._process.kill()
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self, *, grace_s: float = 0.0) -> int:
        """End the process, wait for it, and release its pipes.

        Args:
            grace_s: How long it may take to end by itself, its stdin being closed.

        Returns:
            Its exit status; negative is a signal.
        """
        if self._status is not None:
            return self._status
        with contextlib.suppress(OSError):  # closing flushes what the process did not read
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            status = self._process.wait(grace_s)
        except subprocess.TimeoutExpired:
            self.kill()
            status = self._process.wait()
        self.kill()  # what it has left behind in its group
        for pump, stream in zip(
            self._pumps, (self._process.stdout, self._process.stderr), strict=True
        ):
            pump.join(_JOIN_S)
            # A process that left the group may hold the pipe; then its pump goes on reading.
            if stream is not None and not pump.is_alive():
                stream.close()
        self._status = status
        return status

    def _pump_lines(self, stream: IO[bytes]) -> None:
        while line := stream.readline(MAX_LINE + 1):
            if len(line) > MAX_LINE:
                self._lines.put(LineTooLong())
                return
            if line.strip():
                self._lines.put(line)
            if self._lines.qsize() > _UNREAD_LINES:
                return  # held back by the pipe; the next exchange finds the lines
        self._lines.put(None)

    def _pump_stderr(self, stream: IO[bytes]) -> None:
        while piece := stream.read1(8192):  # type: ignore[attr-defined]
            self._stderr += piece
            del self._stderr[:-MAX_STDERR]
