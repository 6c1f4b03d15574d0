"""Saved runs: the JSON of `Run.save` and `--json`, back to records.

Format history: 1, the first.
"""

import os
from pathlib import Path
from typing import Any

import msgspec

from acidtest.codec.files import read_bytes
from acidtest.codec.run_numbers import check_numbers
from acidtest.data.runs import RUN_FORMAT, RUN_VERSION, RUNS_FORMAT, Run, Summary
from acidtest.errors import BadData, FormatTooNew, UnknownName

_WRITTEN = "Write the file again: acidtest run --json FILE, or acidtest runs export."

_TAGS = (("value", "score"), ("skip", "skip"), ("failure", "failure"))


def load_run(path: str | os.PathLike[str]) -> Run:
    """Read a run that `Run.save` or `--json` wrote.

    Of a file that holds several runs, `FILE#NAME` is the one with this name or id.

    Raises:
        BadData: The file is missing, empty, too big, or not a run; the message names the field. Or it
            holds several runs, and which one is not said.
        UnknownName: It holds no run of this name.
        FormatTooNew: A later acidtest wrote it.
    """
    runs = load_runs(path)
    if len(runs) == 1:
        return runs[0]
    file, _ = _split(os.fspath(path))
    names = [run.name for run in runs]
    own = names if len(set(names)) == len(names) else [run.id for run in runs]
    raise BadData(
        f"it holds {len(runs)} runs: {', '.join(own)}" if runs else "it holds no run",
        where=os.fspath(path),
        fix=f"Say which one: {file}#{own[0]}" if runs else "Give a file with a run in it.",
    )


def load_runs(path: str | os.PathLike[str]) -> tuple[Run, ...]:
    """Read all runs of a file: one, or those of a command that ran several pipelines.

    Of `FILE#NAME` those with this name or id, one at least.

    Raises:
        BadData: As `load_run`.
        UnknownName: It holds no run of this name.
        FormatTooNew: A later acidtest wrote it.
    """
    file, name = _split(os.fspath(path))
    document = _decoded(read_bytes(file), file)
    if not isinstance(document, dict) or document.get("format") != RUNS_FORMAT:
        runs: tuple[Run, ...] = (_run(document, file),)
    elif isinstance(listed := document.get("runs"), list):
        runs = tuple(_run(one, f"{file}: run {n}") for n, one in enumerate(listed, 1))
    else:
        raise BadData("its runs are not a list", where=file, fix="Write the file again.")
    named = tuple(run for run in runs if name in ("", run.id, run.name))
    if name and not named:
        raise UnknownName("run", name, [run.name for run in runs], where=file)
    return named


def file_of(run: str) -> str | None:
    """Return the file that a RUN of the command line names; None where it is an id or a name."""
    file, _ = _split(run)
    return file if file.endswith(".json") or os.sep in file else None


def decode_run(raw: bytes, *, where: str) -> Run:
    """Turn the JSON of one run into a `Run`; `where` is named in errors."""
    return _run(_decoded(raw, where), where)


def _split(run: str) -> tuple[str, str]:
    """Return the file and which run of it is meant: a `#` may also be part of a file's name."""
    file, _, name = run.rpartition(".json#")
    return (f"{file}.json", name) if file and not Path(run).exists() else (run, "")


def _decoded(raw: bytes, where: str) -> Any:
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError as error:
        raise BadData(f"not JSON: {error}", where=where, fix=_WRITTEN) from error
    except RecursionError as error:
        raise BadData(
            "not JSON that can be read: it nests too deep", where=where, fix=_WRITTEN
        ) from error


def _run(document: Any, where: str) -> Run:
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
        raise BadData(_named(error, document), where=where, fix=_WRITTEN) from error
    check_numbers(run, where)
    return run


def _named(error: msgspec.ValidationError, document: dict[str, Any]) -> str:
    """Return what is wrong, with the metric that it is about: the path alone says `[...]`."""
    told = str(error).replace("`", "'")
    if "$.metrics[...]" not in told:
        return told
    for name, summary in document["metrics"].items():
        try:
            msgspec.convert(summary, Summary)
        except msgspec.ValidationError:
            return told.replace("$.metrics[...]", f"$.metrics[{str(name)[:100]!r}]")
    return told


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


def _tag(outcome: Any) -> None:
    # Runs written by other programs carry the documented members only, not our tag.
    if isinstance(outcome, dict) and "outcome" not in outcome:
        for key, tag in _TAGS:
            if key in outcome:
                outcome["outcome"] = tag
