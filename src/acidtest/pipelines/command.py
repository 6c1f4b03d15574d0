"""A command as a pipeline: one line of JSON in, one line of JSON out.

Processes are started when they are needed, as many as questions are asked at once, and go on
answering; one that ends after its answer is started again for the next question. So both a loop over
stdin and a script that reads one line work. What ends with another status than 0, or without an
answer, fails its case; what hangs is killed with everything that it started.
"""

import asyncio
import json
import os
import shutil
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from acidtest.aside import Raised
from acidtest.codec.json import content_hash
from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.data.terms import Mode
from acidtest.errors import BadConfig, PipelineError
from acidtest.pipelines.attempt import DEFAULTS, Hopeless, attempt, checked
from acidtest.pipelines.process import MAX_LINE, LineTooLong, Unasked, Worker
from acidtest.pipelines.threads import Threads
from acidtest.pipelines.wire import Generated, answer_of, parse, question_of
from acidtest.ports import PipelineOptions

GRACE_S = 2.0
"""How long a process may take to end at the close, after its stdin was closed."""

_MAX_HASHED = 4_000_000
_LINE_FIX = (
    "Write one line of JSON a question to stdout and flush it; everything else goes to stderr."
)


class CommandPipeline:
    """A program that answers questions line by line.

    Args:
        command: The program and its arguments; a relative path starts from the folder.
        name: What the run is called after; by default the program's name.
        folder: The working folder of the program.
        options: Concurrency, time-out, retries, k.
        environ: The environment, by default the process's. PYTHONUNBUFFERED is set, so that a
            Python script answers without flushing.

    Raises:
        BadConfig: The program is not there or cannot be executed.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        name: str | None = None,
        folder: Path = Path(),
        options: PipelineOptions = DEFAULTS,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self._environ = {**(os.environ if environ is None else environ), "PYTHONUNBUFFERED": "1"}
        self._folder = Path(folder).absolute()
        self._command = _checked_command(command, self._folder, self._environ)
        self.name = name or Path(self._command[0]).name
        self._where = f"pipeline {self.name!r}"
        self.options = checked(options, where=self._where)
        self._fingerprint = content_hash(
            {
                "kind": "command",
                "name": self.name,
                "command": list(self._command),
                "files": [_hashed(self._folder / part) for part in self._command],
                "k": options.k,
            }
        )
        self._idle: list[Worker] = []
        self._threads: Threads[bytes | None] = Threads(self._where)
        self._generates = False

    @property
    def fingerprint(self) -> str:
        """A hash of the name, the command, the files that it names, and k."""
        return self._fingerprint

    def refuses(self, mode: Mode) -> str | None:  # noqa: ARG002 - the protocol's parameter
        """Refuse nothing beforehand: what a program can, its replies show."""
        return None

    async def ask(
        self, case: Case, *, mode: Mode = "live", contexts: Sequence[Chunk] | None = None
    ) -> Answer:
        """Answer one case; see `ports.Pipeline`.

        Raises:
            PipelineError: It ended, hung, or its line is no answer; `detail` is the end of its
                stderr.
        """
        if mode == "retrieval-only" and self._generates:
            raise Generated(where=self._where)
        asked = question_of(case, mode=mode, contexts=contexts, k=self.options.k)
        line = json.dumps(asked, ensure_ascii=True).encode()

        tail: list[str] = []

        async def once() -> Answer:
            start = time.perf_counter()
            row = await self._row(line, case, tail)
            ms = (time.perf_counter() - start) * 1000
            return answer_of(row, case, mode=mode, contexts=contexts, ms=ms, where=self._where)

        try:
            return await attempt(once, self.options, key=case.id, where=self._where)
        except Generated:
            self._generates = True
            raise
        except PipelineError as error:
            error.detail = error.detail or (tail[-1] if tail else None)
            raise

    async def aclose(self) -> None:
        """End the processes: each may finish by itself, its stdin being closed, or is killed."""
        idle, self._idle = self._idle, []
        await asyncio.gather(*(asyncio.to_thread(worker.close, grace_s=GRACE_S) for worker in idle))

    async def _row(self, line: bytes, case: Case, tail: list[str]) -> object:
        worker = await self._ready()
        reply = await self._reply(worker, line, tail)
        if reply is None and worker.answered and await self._end(worker) == 0:
            # It answers one question a process: the next one gets a process of its own.
            worker = self._start()
            reply = await self._reply(worker, line, tail)
        if reply is None:
            raise await self._ended(worker)
        try:
            row = self._matched(parse(reply, where=self._where), case)
        except PipelineError as error:
            error.fix = _LINE_FIX
            await self._dismiss(worker, error)
            raise
        self._idle.append(worker)
        return row

    async def _reply(self, worker: Worker, line: bytes, tail: list[str]) -> bytes | None:
        try:
            reply = await self._threads.call(lambda: worker.exchange(line))
        except BaseException:  # most of all a time-out: the process must not go on
            worker.kill()
            tail.append(worker.stderr)
            await self._end(worker)
            raise
        if not isinstance(reply, Raised):
            return reply
        error = reply.error
        if isinstance(error, LineTooLong):
            error = self._error(f"it wrote a line of over {MAX_LINE:,} bytes")
        elif isinstance(error, Unasked):
            error = self._error(f"it wrote a line that was not asked for: {error}")
        await self._dismiss(worker, error)
        raise error

    def _matched(self, row: object, case: Case) -> object:
        said = row.get("id") if isinstance(row, dict) else None
        if said is not None and str(said) != case.id:
            raise self._error(f"its reply is to the question {str(said)[:80]!r}, not {case.id!r}")
        return row

    async def _dismiss(self, worker: Worker, error: BaseException) -> None:
        worker.kill()
        await self._end(worker)
        if isinstance(error, PipelineError) and worker.stderr:
            error.detail = f"{error.detail}\n\n{worker.stderr}" if error.detail else worker.stderr

    async def _ready(self) -> Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.alive:
                return worker
            await self._end(worker)
        return self._start()

    def _start(self) -> Worker:
        try:
            return Worker(self._command, folder=self._folder, environ=self._environ)
        except OSError as error:
            raise Hopeless(
                f"{self._command[0]!r} cannot be started: {error.strerror}",
                where=self._where,
                fix=_start_fix(error),
            ) from None

    async def _end(self, worker: Worker) -> int:
        return await asyncio.to_thread(worker.close, grace_s=0.2)

    async def _ended(self, worker: Worker) -> PipelineError:
        status = await self._end(worker)
        how = f"was ended by {_signal(-status)}" if status < 0 else f"ended with status {status}"
        last = worker.stderr.strip().rpartition("\n")[2][:300]
        what = f"it {how} before it answered"
        return PipelineError(
            f"{what}: {last}" if last else what, where=self._where, detail=worker.stderr or None
        )

    def _error(self, what: str) -> PipelineError:
        return PipelineError(what, where=self._where, fix=_LINE_FIX)


def _checked_command(
    command: Sequence[str], folder: Path, environ: Mapping[str, str]
) -> tuple[str, ...]:
    if isinstance(command, str) or not command or not all(isinstance(x, str) for x in command):
        raise BadConfig(
            f"the command is {command!r:.80}",
            where="command",
            fix='Write it as a list, such as ["python", "ask.py"].',
        )
    program = command[0]
    if not folder.is_dir():
        raise BadConfig(
            f"the working folder {folder} is not there",
            where="command",
            fix="Make it, or name another.",
        )
    if os.sep not in program:
        if shutil.which(program, path=environ.get("PATH")) is None:
            raise BadConfig(
                f"there is no program {program!r}",
                where="command",
                fix=f"Install it, or write ./{program} if it is in {folder}.",
            )
        return tuple(command)
    path = folder / program
    if not path.is_file():
        raise BadConfig(
            f"there is no program {path}",
            where="command",
            fix="Check the path: a relative one starts from the folder of the configuration file.",
        )
    if not os.access(path, os.X_OK):
        raise BadConfig(
            f"{path} is not executable", where="command", fix=f"Make it so: chmod +x {path}"
        )
    return tuple(command)


def _start_fix(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "If the file is there, the interpreter in its first line is not."
    return "If it is a script, its first line must name an interpreter: #!/bin/sh"


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _hashed(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return content_hash(stream.read(_MAX_HASHED).decode("utf-8", "replace"))
    except (OSError, ValueError):
        return ""
