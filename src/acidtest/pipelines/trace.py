"""What a pipeline raised, as a `PipelineError` that keeps the traceback.

The traceback shows the pipeline's own frames (acidtest's are cut off), never the values of variables,
and is bounded in size.
"""

import os
import traceback
from pathlib import Path

from acidtest.errors import PipelineError
from acidtest.pipelines.lookup import clean

MAX_DETAIL = 16_000
MAX_MESSAGE = 300
_FRAMES = 40
_ROOT = Path(__file__).parents[1]
_OURS = f"{_ROOT}{os.sep}"
_THEIRS = f"{_ROOT / 'demo'}{os.sep}"  # a pipeline as users write them


def raised(error: BaseException, what: str, *, where: str) -> PipelineError:
    """Turn an exception of a pipeline into the error that fails its case.

    Args:
        error: What was raised.
        what: What was called, such as "answer()".
        where: The pipeline.
    """
    if isinstance(error, SystemExit):
        said = f"{what} called sys.exit({error.code!r:.40})"
    else:
        said = f"{what} raised {type(error).__name__}"
        message = one_line(error)
        said = f"{said}: {message}" if message else said
    line = last_line(error)
    said = _whole(f"{said} ({line})" if line else said)
    return PipelineError(said, where=where, detail=trimmed(error))


def one_line(error: BaseException) -> str:
    """Return an exception's message on one line, bounded; nothing if it cannot be told."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - a hostile __str__ must not hide the exception
        return ""
    line = " ".join(_whole(text[: MAX_MESSAGE * 4]).split())
    return line if len(line) <= MAX_MESSAGE else f"{line[:MAX_MESSAGE]}..."


def last_line(error: BaseException) -> str | None:
    """Return `file:line` of the innermost frame that is the user's; None when there is none.

    Frames of installed packages and of the standard library are passed over where a frame of the
    user's own code led to them.
    """
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not _ours(f.filename)]
    own = [f for f in frames if not _installed(f.filename)] or frames
    return f"{own[-1].filename}:{own[-1].lineno}" if own else None


def error_place(error: BaseException) -> str | None:
    """Return `file:line` of the user's mistake: where the syntax is wrong, else `last_line`."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}" if error.lineno else error.filename
    return last_line(error)


def trimmed(error: BaseException) -> str:
    """Return the traceback without acidtest's frames, at most `MAX_DETAIL` characters."""
    told = traceback.TracebackException.from_exception(error, limit=-_FRAMES, compact=True)
    link: traceback.TracebackException | None = told
    for _ in range(50):  # a chain of causes, bounded against loops
        if link is None:
            break
        link.stack[:] = [frame for frame in link.stack if not _ours(frame.filename)]
        link = link.__cause__ or link.__context__
    text = _whole("".join(told.format()))
    if len(text) <= MAX_DETAIL:
        return text
    head = MAX_DETAIL // 4
    return f"{text[:head]}\n[... cut ...]\n{text[head - MAX_DETAIL :]}"


def _whole(text: str) -> str:
    # Half a surrogate pair, in a message or a file's name, can be neither stored nor shown.
    return clean(text, limit=len(text), what="a message", notes=[])


def _ours(filename: str) -> bool:
    return filename.startswith(_OURS) and not filename.startswith(_THEIRS)


def _installed(filename: str) -> bool:
    parts = Path(filename).parts
    return (
        filename.startswith("<frozen")
        or "site-packages" in parts
        or any(part.startswith("python3") for part in parts[:-1])
    )
