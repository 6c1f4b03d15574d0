"""Bytes to records and back: canonical JSON, content hashes, saved runs.

A content hash is `sha256:` and 64 hex digits over canonical JSON: keys sorted, no white space, UTF-8,
NFC left as it came. Format history of a saved run: 1, the first.
"""

import hashlib
import os
from pathlib import Path
from typing import Any

import msgspec

from acidtest.data import RUN_FORMAT, RUN_VERSION, Run
from acidtest.errors import BadData, FormatTooNew

MAX_BYTES = 2 * 1024**3
_TAGS = (("value", "score"), ("skip", "skip"), ("failure", "failure"))


def canonical(value: Any) -> bytes:
    """Return the one JSON text that stands for a value, whatever its key order was."""
    return msgspec.json.encode(msgspec.to_builtins(value), order="sorted")


def content_hash(value: Any) -> str:
    """Return the tagged hash of a value's canonical JSON."""
    return f"sha256:{hashlib.sha256(canonical(value)).hexdigest()}"


def load_run(path: str | os.PathLike[str]) -> Run:
    """Read a run that `Run.save` or `--json` wrote.

    Raises:
        BadData: The file is missing, empty, too big, or not a run; the message names the field.
        FormatTooNew: A later acidtest wrote it.
    """
    return decode_run(read_bytes(path), where=os.fspath(path))


def decode_run(raw: bytes, *, where: str) -> Run:
    """Turn the JSON of one run into a `Run`; `where` is named in errors."""
    try:
        document = msgspec.json.decode(raw)
    except msgspec.DecodeError as error:
        raise BadData(f"not JSON: {error}", where=where) from error
    if not isinstance(document, dict) or document.get("format") != RUN_FORMAT:
        raise BadData(
            f'not a run: it lacks "format": "{RUN_FORMAT}"',
            where=where,
            fix="Give a file that `acidtest run --json FILE` wrote.",
        )
    version = document.get("version")
    if isinstance(version, int) and version > RUN_VERSION:
        raise FormatTooNew(
            f"the run has format version {version}; this acidtest reads up to {RUN_VERSION}",
            where=where,
            fix="Upgrade acidtest.",
        )
    cases = document.get("cases")
    for case in cases if isinstance(cases, list) else ():
        scores = case.get("scores") if isinstance(case, dict) else None
        for outcome in scores.values() if isinstance(scores, dict) else ():
            _tag(outcome)
    try:
        return msgspec.convert(document, Run)
    except msgspec.ValidationError as error:
        raise BadData(str(error).replace("`", "'"), where=where) from error


def read_bytes(path: str | os.PathLike[str], *, limit: int = MAX_BYTES) -> bytes:
    """Read a whole file, refusing what is missing, a folder, empty or over the limit."""
    target = Path(path)
    try:
        size = target.stat().st_size
        if target.is_dir():
            raise BadData("this is a folder, not a file", where=str(target))
        if size > limit:
            raise BadData(f"the file has {size:,} bytes, over {limit:,}", where=str(target))
        raw = target.read_bytes()
    except FileNotFoundError as error:
        raise BadData(
            "no such file", where=str(target), fix="Check the path and the working folder."
        ) from error
    except OSError as error:
        raise BadData(f"cannot be read: {error.strerror}", where=str(target)) from error
    if not raw.strip():
        raise BadData("the file is empty", where=str(target))
    return raw


def _tag(outcome: Any) -> None:
    # Runs written by other programs carry the documented members only, not our tag.
    if isinstance(outcome, dict) and "outcome" not in outcome:
        for key, tag in _TAGS:
            if key in outcome:
                outcome["outcome"] = tag
