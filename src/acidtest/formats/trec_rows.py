"""Lines of TREC qrels and runs to columns, fast where lines are regular, exact where they are not.

A file is read in blocks of whole lines. A block in which single blanks part the columns of every line
is split at one stroke; any other goes line by line, which also finds the line that is at fault.
"""

import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import msgspec

from acidtest.codec.rows.lines import opened
from acidtest.columns.labels import MAX_GRADE
from acidtest.errors import BadData

V = TypeVar("V", int, float)

BLOCK = 16 * 1024
MAX_LINE = 1024**2

_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
NOT_BLANK = bytes(set(range(256)) - set(b" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f"))
"""All bytes but those that str.split parts ASCII text by; with them deleted, one sees a text's shape."""

_TAB_TO_BLANK = bytes.maketrans(b"\t", b" ")


@dataclass(frozen=True)
class Kind(Generic[V]):
    """What a file's lines hold.

    `value` reads one value and raises ValueError for what is none. `values` reads many at once, and
    may raise ValueError for what `value` would still read.
    """

    name: str
    columns: tuple[str, ...]
    value_at: int
    open_ended: bool
    value: Callable[[str], V]
    values: Callable[[Sequence[str]], list[V]]

    @property
    def form(self) -> str:
        """How a line looks, for messages."""
        return f"A line of {self.name} is: {' '.join(self.columns)}."


def blocks(path: str | os.PathLike[str]) -> Iterator[tuple[int, bytes]]:
    """Yield blocks of whole lines with the number of their first line.

    Raises:
        BadData: The file cannot be read, is UTF-16, or has a line over `MAX_LINE` bytes.
    """
    number = 1
    rest = b""
    start = True
    with opened(path, BadData) as stream:
        while data := stream.read(BLOCK):
            if start and data.startswith(_UTF16):
                raise BadData(
                    "this is UTF-16 text", where=os.fspath(path), fix="Save the file as UTF-8."
                )
            head, newline, tail = (data.removeprefix(_BOM) if start else data).rpartition(b"\n")
            start = False
            if newline:
                block = rest + head + newline
                yield number, block
                number += block.count(b"\n")
                rest = b""
            rest += tail
            if len(rest) > MAX_LINE:
                raise BadData(
                    f"the line is longer than {MAX_LINE // 1024**2} MB",
                    where=f"{os.fspath(path)}:{number}",
                    fix="Is this a text file with one row a line?",
                )
    if rest:
        yield number, rest + b"\n"


def split(block: bytes, kind: Kind[V]) -> tuple[list[str], list[str], list[V]] | None:
    """Split a regular block into queries, documents and values; None when it is not regular.

    Regular: on every line, single blanks or tabs part just the columns of its kind.
    """
    if b"#" in block and (block.startswith(b"#") or b"\n#" in block):
        return None
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
    width = len(kind.columns)
    shape = block.translate(_TAB_TO_BLANK, NOT_BLANK)
    if shape != (b" " * (width - 1) + b"\n") * (len(shape) // width):
        return None
    try:
        # Ids that are not ASCII may hold what str.split takes for a blank.
        text = block.decode()
        parts = text.split() if block.isascii() else re.split(r"[ \t\n]", text)[:-1]
        if len(parts) != len(shape) or "" in parts[::width]:
            return None
        values = kind.values(parts[kind.value_at :: width])
    except ValueError:  # some line is at fault, or unusual: `rows` knows
        return None
    return parts[0::width], parts[2::width], values


def rows(
    path: str | os.PathLike[str], first: int, block: bytes, kind: Kind[V]
) -> Iterator[tuple[int, str, str, V]]:
    """Yield the number, query, document and value of each line that is not blank or a comment.

    Raises:
        BadData: A line that is not a row of its kind, with its file and number.
    """
    for number, line in enumerate(block.split(b"\n"), first):
        parts = line.split()
        if not parts or line.startswith(b"#"):
            continue
        where = f"{os.fspath(path)}:{number}"
        if len(parts) < len(kind.columns) or (
            len(parts) > len(kind.columns) and not kind.open_ended
        ):
            raise BadData(
                f"the line has {len(parts)} columns instead of {len(kind.columns)}",
                where=where,
                fix=f"{kind.form} Are the two files swapped?" if len(parts) > 3 else kind.form,
            )
        try:
            query, document, text = (parts[at].decode() for at in (0, 2, kind.value_at))
        except UnicodeDecodeError as error:
            raise BadData(
                "the line is not UTF-8 text", where=where, fix="Save the file as UTF-8."
            ) from error
        try:
            value = kind.value(text)
        except ValueError as error:
            raise BadData(
                f"the {kind.columns[kind.value_at]} {text[:80]!r} is not a number",
                where=where,
                fix=kind.form,
            ) from error
        yield number, query, document, value


def _grade(text: str) -> int:
    number = float(_plain(text))
    whole = re.match(r"[+-]?\d+", text)
    grade = int(whole[0]) if whole else 0
    if not math.isfinite(number) or abs(grade) > MAX_GRADE:
        raise ValueError(text)
    return grade


def _grades(texts: Sequence[str]) -> list[int]:
    grades = _decoded(texts, list[int])
    if max(map(abs, grades)) > MAX_GRADE:
        raise ValueError
    return grades


def _score(text: str) -> float:
    score = float(_plain(text))
    if math.isnan(score):
        raise ValueError(text)
    return score


def _scores(texts: Sequence[str]) -> list[float]:
    return _decoded(texts, list[float])


def _decoded(texts: Sequence[str], kind: type[list[V]]) -> list[V]:
    # As one JSON list: several times as fast as float(), and as exact.
    try:
        values = msgspec.json.decode(f"[{','.join(texts)}]", type=kind)
    except msgspec.DecodeError as error:
        raise ValueError from error
    if len(values) != len(texts):  # a text that holds a comma
        raise ValueError
    return values


def _plain(text: str) -> str:
    """Refuse what Python reads as a number and C does not: 1_000, digits of other scripts."""
    if "_" in text or not text.isascii():
        raise ValueError(text)
    return text


QRELS = Kind("qrels", ("qid", "iter", "docid", "grade"), 3, False, _grade, _grades)
RUN = Kind("a run", ("qid", "Q0", "docid", "rank", "score", "tag"), 4, True, _score, _scores)
