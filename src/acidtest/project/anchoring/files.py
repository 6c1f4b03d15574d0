"""Reading and writing anchor files: JSON lines that only grow, so that git shows what each look added.

A file of its own and not a table of the store: verdicts to hold a judge against belong beside the golden
set, under version control, where a store that is thrown away in CI cannot take them along.
"""

from pathlib import Path

import msgspec

from acidtest.atomic import write_whole
from acidtest.codec.files import read_bytes
from acidtest.codec.lossy import encoded
from acidtest.codec.rows.row import shown
from acidtest.errors import BadData, FormatTooNew, UsageError
from acidtest.golden.grow.lock import alone
from acidtest.project.anchoring.records import FORMAT, VERSION, Anchor, Header, Kept, Look
from acidtest.project.config import Config

NAME = "anchor.jsonl"

_MOST_BYTES = 256 * 1024**2


def anchor_path(config: Config, given: str | None) -> Path:
    """Return the anchor file: as given, else `anchor.jsonl` beside the configuration."""
    return Path(given) if given is not None else Path(config.folder) / NAME


def read_anchor(path: Path) -> Anchor:
    """Read an anchor file.

    Raises:
        UsageError: There is none.
        BadData: A line of it is not what it should be; the message names file and line.
        FormatTooNew: A later acidtest wrote it.
    """
    if not path.exists():
        raise UsageError(
            "there is no anchor yet",
            where=str(path),
            fix="Make one from a judged run: acidtest judge anchor init RUN",
        )
    header: Header | None = None
    cases: list[Kept] = []
    looks: list[Look] = []
    for number, line in enumerate(read_bytes(path, limit=_MOST_BYTES).splitlines(), start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        if header is None:
            header = _header(line, where)
            continue
        found = _decoded(line, where)
        if isinstance(found, Kept):
            cases.append(found)
        else:
            looks.append(found)
    if header is None or not cases:
        raise BadData("it holds no case", where=str(path), fix="Make the anchor anew.")
    _check_once(cases, path)
    _check_recorded(header, cases, path)
    return Anchor(header=header, cases=tuple(cases), looks=tuple(looks))


def write_anchor(path: Path, anchor: Anchor, *, replace: bool) -> None:
    """Write a new anchor file.

    Raises:
        UsageError: There is one, and it is not to be replaced; or it cannot be written.
    """
    refuse_existing(path, replace=replace)
    _write(path, b"".join(encoded(line) + b"\n" for line in (anchor.header, *anchor.cases)))


def append_look(path: Path, look: Look) -> None:
    """Add a look to an anchor file; what stands in it is not touched.

    Raises:
        UsageError: It cannot be written.
    """
    with alone(path):
        before = read_bytes(path, limit=_MOST_BYTES)
        end = b"" if before.endswith(b"\n") else b"\n"
        _write(path, before + end + encoded(look) + b"\n")


def refuse_existing(path: Path, *, replace: bool) -> None:
    """Refuse to write over an anchor, before anything is spent.

    Raises:
        UsageError: There is one, and it is not to be replaced.
    """
    if path.exists() and not replace:
        raise UsageError(
            "there is an anchor already, with its history",
            where=str(path),
            fix="Give --replace to begin anew, or --anchor with another file.",
        )


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    except OSError as error:
        raise UsageError(
            f"cannot be written: {error.strerror}",
            where=str(path),
            fix="What was judged is kept: give the same command when it can be.",
        ) from error


def _header(line: bytes, where: str) -> Header:
    try:
        document = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        document = None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadData(
            "this is no anchor file", where=where, fix="Make one with: acidtest judge anchor init"
        )
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        raise FormatTooNew(
            f"the anchor has version {version}, and this acidtest reads up to {VERSION}",
            where=where,
            fix="Update acidtest.",
        )
    try:
        header = msgspec.convert(document, Header)
    except msgspec.ValidationError as error:
        raise _broken(error, where) from error
    if not header.metrics:
        raise _broken("it names no metric", where)
    return header


def _decoded(line: bytes, where: str) -> Kept | Look:
    try:
        return msgspec.json.decode(line, type=Kept | Look)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _broken(error, where) from error


def _broken(error: Exception | str, where: str) -> BadData:
    return BadData(
        f"this line is not what acidtest wrote: {str(error).replace('`', chr(39))}",
        where=where,
        fix="Take the file back from version control, or make the anchor anew with --replace.",
    )


def _check_once(cases: list[Kept], path: Path) -> None:
    seen: set[str] = set()
    for kept in cases:
        if kept.case.id in seen:
            raise BadData(
                f"case {shown(kept.case.id)} is there twice", where=str(path), fix="Keep one line."
            )
        seen.add(kept.case.id)


def _check_recorded(header: Header, cases: list[Kept], path: Path) -> None:
    """A metric of the header that no case has a verdict of was renamed by hand: there is nothing to hold to."""
    recorded = {name for kept in cases for name in kept.verdicts}
    if strange := sorted(header.metrics.keys() - recorded):
        raise _broken(f"no case has a verdict of {shown(strange[0])}", str(path))
