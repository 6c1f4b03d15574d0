"""Runs the handbook: every page in its own folder, its code blocks from top to bottom.

A page is Markdown with fenced blocks. `python` runs in one namespace a page, `pycon` as doctest in the
same namespace, `console` line by line (`$ ` starts a command, what follows is its output, `...` stands
for anything). An HTML comment directly above a block changes what is done with it:

    <!-- file: NAME -->      write the block to that file in place of running it
    <!-- status: N -->       the commands end with this exit status
    <!-- skip: REASON -->    not run, for this reason
    <!-- needs: PAGE -->     first write the files of that page (anywhere on the page)
    <!-- package: NAME -->   leaves the page out where that package is not installed
    <!-- data: NAME -->      put that reference data set into the folder (skips where it is absent)
"""

import doctest
import json
import os
import re
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
TIMEOUT_S = 90
CHECK = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_COMMENT = re.compile(r"<!--\s*(file|status|skip|needs|data|package):\s*(.+?)\s*-->")


class BrokenSnippetError(AssertionError):
    """A snippet that does not do what the page says; the message begins with page:line."""


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, text, first line's number, and the comment above it."""

    language: str
    text: str
    line: int
    directive: str = ""
    value: str = ""


def blocks(markdown: str) -> list[Block]:
    """Return the fenced blocks of a page in order; `needs`, `data` and `package` come as empty blocks."""
    found: list[Block] = []
    directive = value = language = ""
    body: list[str] | None = None
    start = 0
    for number, line in enumerate(markdown.splitlines(), 1):
        if body is not None:
            if line.strip() == "```":
                found.append(Block(language, "\n".join(body) + "\n", start, directive, value))
                body, directive, value = None, "", ""
            else:
                body.append(line)
        elif line.startswith("```"):
            language, body, start = line[3:].strip(), [], number + 1
        elif match := _COMMENT.fullmatch(line.strip()):
            directive, value = match[1], match[2]
            if directive in ("needs", "data", "package"):
                found.append(Block("", "", number, directive, value))
                directive = value = ""
        elif line.strip():
            directive = value = ""
    if body is not None:
        raise BrokenSnippetError(f"line {start - 1}: the block is never closed")
    return found


def _ours_or_a_key(variable: str) -> bool:
    """Tell whether an environment variable would change what a page does, or let it spend money."""
    return variable.startswith(("ACIDTEST_", "OPENAI_", "ANTHROPIC_", "GEMINI_", "GOOGLE_"))


class Page:
    """One page being run in one folder.

    Args:
        path: The Markdown file.
        folder: Where its files are written and its commands run; the working folder.
        data: Gives the folder of reference data, or skips the test.
        warm: Runs the commands of acidtest.
    """

    def __init__(self, path: Path, folder: Path, data: Callable[[], Path], warm: "Warm") -> None:
        self.path = path
        self.folder = folder
        self.data = data
        self.warm = warm
        self.names: dict[str, Any] = {"__name__": "__page__"}

    def run(self) -> int:
        """Run every block; return how many commands and code blocks ran."""
        ran = 0
        for block in blocks(self.path.read_text(encoding="utf-8")):
            if block.directive == "needs":
                self._borrow(block.value)
            elif block.directive == "package":
                pytest.importorskip(block.value)
            elif block.directive == "data":
                (self.folder / block.value).symlink_to(self.data() / block.value)
            elif block.directive == "file":
                self._write(block)
            elif block.directive == "skip":
                continue
            elif runner := self._runner(block.language):
                runner(block)
                ran += 1
        return ran

    def _runner(self, language: str) -> Callable[[Block], None] | None:
        return {"python": self._python, "pycon": self._pycon, "console": self._console}.get(
            language
        )

    def _borrow(self, page: str) -> None:
        for block in blocks((DOCS / f"{page}.md").read_text(encoding="utf-8")):
            if block.directive == "file":
                self._write(block)

    def _write(self, block: Block) -> None:
        target = self.folder / block.value
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(block.text, encoding="utf-8")

    def _python(self, block: Block) -> None:
        try:
            code = compile("\n" * (block.line - 1) + block.text, str(self.path), "exec")
            exec(code, self.names)  # noqa: S102 - our own handbook
        except Exception as error:
            line = block.line
            trace = error.__traceback__
            while trace is not None:
                if trace.tb_frame.f_code.co_filename == str(self.path):
                    line = trace.tb_lineno
                trace = trace.tb_next
            raise self._broken(line, f"{type(error).__name__}: {error}") from error

    def _pycon(self, block: Block) -> None:
        test = doctest.DocTestParser().get_doctest(
            block.text, self.names, self.path.name, str(self.path), block.line - 1
        )
        test.globs = self.names
        try:
            doctest.DebugRunner(optionflags=CHECK).run(test, clear_globs=False)
        except doctest.DocTestFailure as failure:
            line = block.line + failure.example.lineno
            message = f"{failure.example.source.strip()} gave {failure.got.strip()!r}"
            raise self._broken(line, f"{message}, not {failure.example.want.strip()!r}") from None
        except doctest.UnexpectedException as failure:
            line = block.line + failure.example.lineno
            error = failure.exc_info[1]
            raise self._broken(line, f"{type(error).__name__}: {error}") from error

    def _console(self, block: Block) -> None:
        status = int(block.value) if block.directive == "status" else 0
        command, wanted, line = "", [], block.line
        for number, text in enumerate([*block.text.splitlines(), "$ "], block.line):
            if text.startswith("$ "):
                if command:
                    self._command(command, wanted, line, status)
                command, wanted, line = text[2:], [], number
            elif command.endswith("\\"):
                command = f"{command[:-1]} {text.strip()}"
            elif not command:
                raise self._broken(number, f"{text!r} is no command: it lacks '$ '")
            else:
                wanted.append(text)

    def _command(self, command: str, wanted: list[str], line: int, status: int) -> None:
        scripts = str(Path(sys.executable).parent)
        environment = {k: v for k, v in os.environ.items() if not _ours_or_a_key(k)}
        environment |= {
            "PATH": f"{scripts}{os.pathsep}{environment.get('PATH', '')}",
            "NO_COLOR": "1",
            "COLUMNS": "100",
            "PYTHONWARNINGS": "error",
            # What else is installed here does not show on a page.
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_ADDOPTS": "-p acidtest.pytest_plugin -p no:cacheprovider",
        }
        words = shlex.split(command)
        if words[0] == "acidtest":
            ended, got = self.warm.run(words[1:], self.folder, environment)
        else:
            done = subprocess.run(
                words,
                cwd=self.folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=TIMEOUT_S,
                check=False,
            )
            ended, got = done.returncode, done.stdout + done.stderr
        if ended != status:
            raise self._broken(line, f"{command!r} ended with status {ended}, not {status}:\n{got}")
        want = "".join(f"{text}\n" for text in wanted if text.strip())
        if want and not doctest.OutputChecker().check_output(want, got, CHECK):
            raise self._broken(line, f"{command!r} printed:\n{got}\nand not:\n{want}")

    def _broken(self, line: int, message: str) -> BrokenSnippetError:
        return BrokenSnippetError(f"{self.path.name}:{line}: {message}")


class Warm:
    """Runs commands of acidtest, each in a process forked from one that has done their imports."""

    def __init__(self, folder: Path) -> None:
        self.out, self.err = folder / "out", folder / "err"
        self._server: subprocess.Popen[bytes] | None = None

    def run(
        self, arguments: list[str], folder: Path, environment: dict[str, str]
    ) -> tuple[int, str]:
        """Return the exit status of a command, and what it printed."""
        if self._server is None or self._server.poll() is not None:
            self._server = self._start(environment)
        request = {
            "arguments": arguments,
            "folder": str(folder),
            "environment": environment,
            "out": str(self.out),
            "err": str(self.err),
        }
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps(request).encode() + b"\n")
        self._server.stdin.flush()
        if not select.select([self._server.stdout], [], [], TIMEOUT_S)[0]:
            self.close()
            raise subprocess.TimeoutExpired(arguments, TIMEOUT_S)
        status = int(self._server.stdout.readline())
        return status, self.out.read_text("utf-8") + self.err.read_text("utf-8")

    def _start(self, environment: dict[str, str]) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, Path(__file__).with_name("warm.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment | {"OPENBLAS_NUM_THREADS": "1"},  # threads do not live on in a fork
            start_new_session=True,
        )

    def close(self) -> None:
        """End the server, and a command that does not."""
        if self._server is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._server.pid, signal.SIGKILL)
            self._server.communicate()


@pytest.fixture(scope="session")
def _warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warm]:
    warm = Warm(tmp_path_factory.mktemp("warm"))
    yield warm
    warm.close()


@pytest.fixture
def run_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, _warm: Warm
) -> Any:
    """Give a function that runs one page in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [n for n in os.environ if _ours_or_a_key(n)]:
        monkeypatch.delenv(name)
    before = set(sys.modules)

    def data() -> Path:
        shared: Path = request.getfixturevalue("shared")
        return shared / "data"

    yield lambda path: Page(path, tmp_path, data, _warm).run()

    for name in set(sys.modules) - before:
        origin = getattr(sys.modules[name], "__file__", None)
        if origin and Path(origin).is_relative_to(tmp_path):
            del sys.modules[name]


@pytest.fixture(scope="session")
def page_blocks() -> Callable[[str], list[Block]]:
    """Give the block parser."""
    return blocks


@pytest.fixture(scope="session")
def docs() -> Path:
    """The handbook's folder."""
    return DOCS


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return ROOT


@pytest.fixture(scope="session")
def broken() -> type[BrokenSnippetError]:
    """The error of a broken snippet."""
    return BrokenSnippetError
