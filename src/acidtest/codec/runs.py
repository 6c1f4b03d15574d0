"""Saved runs: the JSON of `Run.save` and `--json`, back to records.

Format history: 1, the first.
"""

import os
from typing import Any

import msgspec

from acidtest.codec.files import read_bytes
from acidtest.data.runs import RUN_FORMAT, RUN_VERSION, Run
from acidtest.errors import BadData, FormatTooNew

_TAGS = (("value", "score"), ("skip", "skip"), ("failure", "failure"))


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


def _tag(outcome: Any) -> None:
    # Runs written by other programs carry the documented members only, not our tag.
    if isinstance(outcome, dict) and "outcome" not in outcome:
        for key, tag in _TAGS:
            if key in outcome:
                outcome["outcome"] = tag
