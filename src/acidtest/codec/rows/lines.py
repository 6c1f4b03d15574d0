"""Bytes of a file to text lines with numbers: gzip, UTF-8, byte order mark, CRLF, bounded sizes."""

import contextlib
import gzip
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from acidtest.errors import DataError

MAX_LINE = 64 * 1024**2
MAX_TOTAL = 2 * 1024**3
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_GZIP = b"\x1f\x8b"


@contextlib.contextmanager
def opened(path: str | os.PathLike[str], error: type[DataError]) -> Iterator[BinaryIO]:
    """Open a file for reading bytes, gzip or not, and put what goes wrong into words.

    Raises:
        DataError: It is missing, a folder, unreadable, or damaged gzip; of the kind `error`.
    """
    where = os.fspath(path)
    if "\0" in where:
        raise error("a path cannot hold a null character", where=repr(where)[:200])
    try:
        target = Path(path)
        if target.is_dir():
            raise error("this is a folder, not a file", where=where, fix="Name a file in it.")
        with target.open("rb") as raw:
            if raw.peek(2)[:2] == _GZIP:
                with gzip.open(raw) as stream:
                    yield cast("BinaryIO", stream)
            else:
                yield raw
    except FileNotFoundError as fault:
        raise error(
            "no such file", where=where, fix="Check the path and the working folder."
        ) from fault
    except (gzip.BadGzipFile, EOFError, zlib.error) as fault:
        raise error(
            "the gzip data is damaged or cut off", where=where, fix="Copy or compress it again."
        ) from fault
    except OSError as fault:
        raise error(f"cannot be read: {fault.strerror or fault}", where=where) from fault


def numbered_lines(
    path: str | os.PathLike[str], error: type[DataError]
) -> Iterator[tuple[int, str]]:
    r"""Yield each line's number, from 1, and its text with the line end as `\n`.

    One line is held at a time; a line over `MAX_LINE` bytes is refused without reading the rest.
    """
    where = os.fspath(path)
    with opened(path, error) as stream:
        number = total = 0
        while raw := stream.readline(MAX_LINE + 1):
            number += 1
            total += len(raw)
            if len(raw) > MAX_LINE:
                raise error(
                    f"the line is longer than {MAX_LINE // 1024**2} MB",
                    where=f"{where}:{number}",
                    fix="Write one row a line, and keep whole documents out of it.",
                )
            if total > MAX_TOTAL:
                raise too_big(where, MAX_TOTAL, error)
            text = _decode(raw, where=where, error=error, line=number)
            yield number, f"{text[:-2]}\n" if text.endswith("\r\n") else text


def whole_text(path: str | os.PathLike[str], error: type[DataError], *, limit: int) -> str:
    """Return the text of a whole file of at most `limit` bytes, decompressed."""
    where = os.fspath(path)
    with opened(path, error) as stream:
        raw = stream.read(limit + 1)
    if len(raw) > limit:
        raise too_big(where, limit, error)
    return _decode(raw, where=where, error=error, line=1)


def too_big(where: str, limit: int, error: type[DataError]) -> DataError:
    """Return the error for a file over its size limit."""
    return error(
        f"the file is over {limit // 1024**2} MB",
        where=where,
        fix="Split it, or write it as JSONL, which is read line by line.",
    )


def _decode(raw: bytes, *, where: str, error: type[DataError], line: int) -> str:
    body = raw.removeprefix(_BOM) if line == 1 else raw
    try:
        return body.decode()
    except UnicodeDecodeError as fault:
        if line == 1 and raw.startswith(_UTF16):
            raise error(
                "the file is UTF-16", where=f"{where}:1", fix="Save it as UTF-8."
            ) from fault
        before = body[: fault.start]
        at = f"{where}:{line + before.count(10)}"
        column = fault.start - (before.rfind(b"\n") + 1) + 1
        raise error(
            f"not UTF-8: byte 0x{body[fault.start]:02x} at byte {column} of the line",
            where=at,
            fix="Save it as UTF-8, for example with: iconv -f latin1 -t utf-8",
        ) from fault
