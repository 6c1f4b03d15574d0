"""Saved runs: the JSON of `Run.save` and `--json`, back to records.

Format history: 1, the first.
"""

import os
from collections.abc import Iterator
from typing import Any

import msgspec

from acidtest.codec.files import read_bytes
from acidtest.data.outcomes import LARGEST, Score
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
    except RecursionError as error:
        raise BadData("not JSON that can be read: it nests too deep", where=where) from error
    if not isinstance(document, dict) or document.get("format") != RUN_FORMAT:
        raise BadData(
            f'not a run: it lacks "format": "{RUN_FORMAT}"',
            where=where,
            fix="Give a file that `acidtest run --json FILE` wrote.",
        )
    _check_version(document.get("version"), where)
    cases = document.get("cases")
    for case in cases if isinstance(cases, list) else ():
        scores = case.get("scores") if isinstance(case, dict) else None
        for outcome in scores.values() if isinstance(scores, dict) else ():
            _tag(outcome)
    try:
        run = msgspec.convert(document, Run)
    except msgspec.ValidationError as error:
        raise BadData(str(error).replace("`", "'"), where=where) from error
    _check_sizes(run, where)
    return run


def _check_version(version: object, where: str) -> None:
    if isinstance(version, int) and version > RUN_VERSION:
        raise FormatTooNew(
            f"the run has format version {version}; this acidtest reads up to {RUN_VERSION}",
            where=where,
            fix="Upgrade acidtest.",
        )
    if type(version) is int and version < 1:
        raise BadData(
            f"there is no format version {version} of runs; the first is 1",
            where=where,
            fix="Export the run again.",
        )


def _check_sizes(run: Run, where: str) -> None:
    for field, numbers in _numbers(run):
        for number in numbers:
            if number is not None and not -LARGEST <= number <= LARGEST:
                raise BadData(
                    f"{field}: a number beyond {LARGEST:g} is too large to count with",
                    where=where,
                    fix="Correct the number.",
                )


def _numbers(run: Run) -> Iterator[tuple[str, tuple[float | None, ...]]]:
    """Give every number that is counted with, with the field that it stands in."""
    for name, s in run.metrics.items():
        yield f"metrics {name!r}", (s.mean, s.p10, s.p50, *(s.ci or ()), s.floor_value, s.repeat_sd)
    for case in run.cases:
        for name, outcome in case.scores.items():
            if isinstance(outcome, Score):
                numbers = (outcome.value, *outcome.parts.values(), *outcome.trials)
                yield f"case {case.id!r}, score {name!r}", numbers
        if (took := case.latency_ms) is not None:
            yield f"case {case.id!r}, latency_ms", (took.retrieve, took.generate, took.total)
        if (used := case.usage) is not None:
            yield f"case {case.id!r}, usage", (used.input_tokens, used.output_tokens, used.cost_usd)


def _tag(outcome: Any) -> None:
    # Runs written by other programs carry the documented members only, not our tag.
    if isinstance(outcome, dict) and "outcome" not in outcome:
        for key, tag in _TAGS:
            if key in outcome:
                outcome["outcome"] = tag
