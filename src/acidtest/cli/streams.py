"""The standard streams of the command line.

Results alone are on stdout: what a pipeline prints while a command loads and asks it goes to stderr. A
reader that goes away (`| head`, `| true`) changes nothing: the exit status is the checks', never the
pipe's. What an encoding lacks is replaced.
"""

import contextlib
import io
import os
import sys
from typing import TYPE_CHECKING, Any, TextIO, cast

import click

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_RESULTS = f"{__name__}.results"
_STDOUT, _STDERR = 1, 2
_LONGEST = 4000  # characters of a message


class _Forgiving(io.FileIO):
    """A descriptor whose reader may go away; what is written from then on is dropped."""

    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return cast("int", super().write(data))
        except BrokenPipeError:
            _drop(self.fileno())
            return memoryview(data).nbytes


def prepare() -> None:
    """Make this process's own stdout and stderr fit for every command.

    Streams that somebody else put in their place (a notebook, a test) are left alone.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the caller, as in `2>&-`
            nowhere = os.open(os.devnull, os.O_RDWR)  # takes the free number, before a file does
            setattr(sys, name, open(nowhere, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
    if _is(sys.stdout, _STDOUT):
        sys.stdout = _prepared(sys.stdout, _STDOUT, errors="replace")
    if _is(sys.stderr, _STDERR):
        sys.stderr = _prepared(sys.stderr, _STDERR, errors="backslashreplace")


def set_apart() -> None:
    """From here on let only `results()` reach stdout; all that code under test prints is beside it.

    A process's own stdout is turned aside at its descriptor, for child processes and C code too, and
    stays so to the end: what a pipeline prints at exit is no result either. A stand-in for stdout is
    put back when the command ends.
    """
    context = click.get_current_context()
    stream = sys.stdout
    if not _is(stream, _STDOUT):
        context.meta[_RESULTS] = stream
        sys.stdout = sys.stderr
        context.call_on_close(lambda: setattr(sys, "stdout", stream))
        return
    stream.flush()
    aside = _text(os.dup(_STDOUT), stream, errors="replace", closefd=True)
    context.meta[_RESULTS] = aside
    context.call_on_close(lambda: _close(aside))
    os.dup2(_STDERR, _STDOUT)
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(line_buffering=True)


def harmless(text: str) -> str:
    """Return a message as no terminal obeys it, and cut in its middle where it never ends.

    Messages quote hostile files and endpoints; what to do about it stands at the end.
    """
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


def results() -> TextIO:
    """Return where results go: stdout, also where `set_apart` has turned it aside."""
    context = click.get_current_context(silent=True)
    return (context.meta.get(_RESULTS) if context else None) or sys.stdout


def notes() -> TextIO:
    """Return where progress and notes go: stderr, also when code under test has closed it."""
    original = sys.__stderr__
    return original if getattr(sys.stderr, "closed", True) and original else sys.stderr


def settle() -> None:
    """Flush what is left; what cannot be written (a full disk) is told by now, and dropped."""
    for stream, fd in ((sys.stdout, _STDOUT), (sys.stderr, _STDERR)):
        if _is(stream, fd):
            try:
                stream.flush()
            except OSError:
                _drop(fd)


def _prepared(stream: TextIO, fd: int, *, errors: str) -> TextIO:
    stream.flush()
    if stream.isatty():
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)
        return stream
    return _text(fd, stream, errors=errors, closefd=False, line_buffering=fd == _STDERR)


def _text(fd: int, like: TextIO, *, errors: str, closefd: bool, **more: Any) -> TextIO:
    raw = io.BufferedWriter(_Forgiving(fd, "wb", closefd=closefd))
    return io.TextIOWrapper(raw, encoding=like.encoding, errors=errors, **more)


def _is(stream: Any, fd: int) -> bool:
    with contextlib.suppress(AttributeError, OSError, ValueError):
        return bool(stream.fileno() == fd)
    return False


def _close(stream: TextIO) -> None:
    with contextlib.suppress(OSError):  # a full disk, which was told when it was written to
        stream.close()


def _drop(fd: int) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, fd)
    os.close(nowhere)
