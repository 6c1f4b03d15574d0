"""Changing a golden set's file line by line: what is not changed stays byte for byte as it is.

Only JSONL, the canonical form, is changed in place: so diffs stay small, and whatever a line holds
beside its case (a recorded answer, odd spacing) is not lost.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath

import msgspec
from msgspec import Struct

from acidtest.atomic import write_whole
from acidtest.codec.rows.row import shown
from acidtest.data.golden import Case, GoldenSet
from acidtest.errors import BadGolden, UsageError
from acidtest.golden.edit.canonical import case_line
from acidtest.golden.load import load_golden

_FORMS = (".jsonl", ".ndjson")
_BOM = b"\xef\xbb\xbf"


class GoldenFile(Struct, frozen=True, kw_only=True):
    """A golden set and the lines that it stands in.

    Attributes:
        path: Where it is.
        golden: What it says; None where there is no file, or an empty one, yet.
        lines: Every line with its line end, also blank ones.
        places: Case id -> the number of its line, from 0.
    """

    path: str
    golden: GoldenSet | None = None
    lines: tuple[bytes, ...] = ()
    places: Mapping[str, int] = {}

    @property
    def cases(self) -> tuple[Case, ...]:
        """The cases; none where there is no file yet."""
        return () if self.golden is None else tuple(self.golden)


def check_form(path: str) -> None:
    """Refuse a file that cannot be changed line by line.

    Raises:
        UsageError: Its name is not that of JSONL.
    """
    if PurePath(path).suffix.lower() not in _FORMS:
        stem = PurePath(path.lower().removesuffix(".gz")).stem or "golden"
        raise UsageError(
            "cases are added to and changed in JSONL files only",
            where=path,
            fix=f"Convert it first: acidtest convert {path} {stem}.jsonl",
        )


def read_file(path: str | os.PathLike[str], *, new: bool = False) -> GoldenFile:
    """Read a golden set so that it can be changed.

    Args:
        path: A JSONL file.
        new: Whether it may be missing.

    Raises:
        UsageError: It is no JSONL file, or its folder is missing.
        BadGolden: It cannot be read.
    """
    where = os.fspath(path)
    check_form(where)
    if new and (not Path(where).exists() or _is_blank(Path(where))):
        _refuse_nowhere(where)
        return GoldenFile(path=where)
    golden = load_golden(where)
    raw = Path(where).read_bytes()
    lines = _cut(raw)
    filled = [n for n, line in enumerate(lines) if line.removeprefix(_BOM).strip()]
    if len(filled) != len(golden):  # another program writes it, or gzip under a plain name
        raise BadGolden(
            "the file cannot be taken apart into lines",
            where=where,
            fix="Write it anew as plain JSONL; is another program changing it?",
        )
    places = {case.id: n for case, n in zip(golden, filled, strict=True)}
    return GoldenFile(path=where, golden=golden, lines=lines, places=places)


def line_of(case: Case) -> bytes:
    """Return the canonical line of a case; half a surrogate pair becomes U+FFFD."""
    return case_line(case)


def write_file(
    file: GoldenFile,
    *,
    added: Iterable[Case] = (),
    changed: Iterable[Case] = (),
    removed: Iterable[str] = (),
) -> None:
    """Write a set with lines added at its end, changed in place, or taken out; whole or not at all.

    Args:
        file: What was read.
        added: New cases.
        changed: Cases in place of those with their ids.
        removed: Ids of cases that go.

    Raises:
        BadGolden: A case is none that could be read again.
        UsageError: A line that changes or goes holds a recorded answer too, which would be lost.
        UsageError: It cannot be written, or somebody has changed it since it was read.
    """
    added, changed = list(added), list(changed)
    if added or changed:  # what is written can be read
        load_golden([msgspec.json.decode(line_of(case)) for case in (*added, *changed)])
    lines = dict(enumerate(file.lines))
    recorded = {answer.case_id for answer in file.golden.recorded} if file.golden else set()
    removed = list(removed)
    for name in (*(case.id for case in changed), *removed):
        if name in recorded:
            raise UsageError(
                f"the line of case {shown(name)} holds a recorded answer, which would be lost",
                where=file.path,
                fix="Move recorded answers into a file of their own, and give it with --outputs.",
            )
    for case in changed:
        lines[file.places[case.id]] = line_of(case)
    for name in removed:
        del lines[file.places[name]]
    body = b"".join(lines[n] for n in sorted(lines))
    if body and not body.endswith(b"\n"):
        body += b"\n"
    refuse_changed(file.path, b"".join(file.lines))
    try:
        write_whole(file.path, body + b"".join(map(line_of, added)))
    except OSError as error:
        raise UsageError(
            f"the golden set cannot be written: {error.strerror or error}",
            where=file.path,
            fix="Check that you may write there, or name another file.",
        ) from error


def refuse_changed(path: str, before: bytes) -> None:
    """Refuse to write over what an editor or another program has written meanwhile.

    Args:
        path: The file, which may be missing.
        before: What it held when it was read.

    Raises:
        UsageError: It holds something else by now.
    """
    try:
        now = Path(path).read_bytes()
    except FileNotFoundError:
        now = b""
    except OSError:  # writing tells what is wrong
        return
    if now != before and (before.strip() or now.strip()):
        raise UsageError(
            "the file was changed by another program meanwhile, and is left as it is",
            where=path,
            fix="Give the command again.",
        )


def _refuse_nowhere(path: str) -> None:
    """Refuse a new file in a folder that is not there, before anything is spent on it."""
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise UsageError(
            f"there is no folder {str(folder)!r}",
            where=path,
            fix="Make it first, or mend the path.",
        )


def _is_blank(path: Path) -> bool:
    return path.is_file() and path.stat().st_size < 100 and not path.read_bytes().strip()


def _cut(raw: bytes) -> tuple[bytes, ...]:
    r"""Cut at `\n` alone, as the reader does: `\r` may stand within a line."""
    *whole, last = raw.split(b"\n")
    return (*(line + b"\n" for line in whole), *([last] if last else ()))
