"""Other tools' files to ours and back, with everything told that did not come along.

What a conversion loses is not only declared by the writer: the file is read again, and what came back
otherwise is told too.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec.structs import replace

from acidtest.codec.lossy import encoded
from acidtest.data.answers import Answer
from acidtest.data.exchange import Exchanged, Loss
from acidtest.data.golden import GoldenSet
from acidtest.data.outcomes import Failure, Outcome
from acidtest.data.runs import Run
from acidtest.errors import UnknownName, UsageError
from acidtest.formats.format import Format, Found, System
from acidtest.formats.registry import format_named, guess
from acidtest.formats.source import Source
from acidtest.golden.load import load_golden
from acidtest.project.apart import apart
from acidtest.project.came_back import came_back
from acidtest.run.foreign import foreign_run

File = str | os.PathLike[str]


@dataclass(frozen=True, kw_only=True)
class Amounts:
    """How much of each kind a file holds."""

    cases: int = 0
    answers: int = 0
    scores: int = 0
    runs: int = 0
    chunks: int = 0


@dataclass(frozen=True, kw_only=True)
class Converted:
    """What a conversion did.

    Attributes:
        source: The file that was read, and `source_format` its format.
        target: The file that was written, and `target_format` its format.
        read: What was read.
        written: What can be read of the file that was written.
        left: What the reader left behind.
        lost: What the target has no place for.
        notes: What to know about the file, such as cells that a spreadsheet would run.
    """

    source: str
    source_format: str
    target: str
    target_format: str
    read: Amounts
    written: Amounts
    left: tuple[Loss, ...] = ()
    lost: tuple[Loss, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def losses(self) -> tuple[Loss, ...]:
        """Everything that did not come along."""
        return self.left + self.lost


def read_format(path: File, from_: str | None = None, *, system: str | None = None) -> Exchanged:
    """Read a file of another tool, or one of ours.

    Args:
        path: The file or folder.
        from_: Its format, such as "ragas"; by default it is guessed from what it holds.
        system: Only this system's outputs and scores, where the file has those of several.

    Raises:
        DataError: The file cannot be read; the message names the row. Or it may be of several formats.
        UnknownName: There is no such format or system.
    """
    return _read(Source(path), from_, system)[1]


def convert(
    src: File,
    dst: File,
    from_: str | None = None,
    to: str | None = None,
    *,
    system: str | None = None,
) -> Converted:
    """Turn a file of one format into one of another.

    Args:
        src: What to read.
        dst: What to write; an existing file is replaced.
        from_: The format of `src`; by default it is guessed from what it holds.
        to: The format of `dst`; by default acidtest's own golden set.
        system: Whose outputs to take, where `src` has those of several systems.

    Returns:
        What was read and written, and what was lost.

    Raises:
        DataError: `src` cannot be read; the message names the row.
        UsageError: `dst` is `src`, or the format does not go with what was read or with the name.
    """
    target = format_named(to or "acidtest", where="--to")
    source, path = Source(src), os.fspath(dst)
    _refuse_same(source.path, path)
    if target.write is None:
        raise UsageError(
            f"the format {target.name!r} is read, not written",
            where="--to",
            fix="Choose another with --to.",
        )
    form, exchanged = _read(source, from_, system)
    if to is None and exchanged.golden is None and exchanged.outputs:
        raise UsageError(
            "the file holds what was found and no questions, so it makes no golden set",
            where=source.path,
            fix="Take what was found with --to acidtest-outputs.",
        )
    if target.outputs and len(exchanged.outputs) > 1:
        names = ", ".join(map(repr, exchanged.outputs))
        raise UsageError(
            f"the file holds the outputs of {len(exchanged.outputs)} systems: {names}",
            where=source.path,
            fix="Say whose to take with --system NAME.",
        )
    try:
        declared = target.write(exchanged, path)
    except OSError as error:
        raise UsageError(
            f"cannot be written: {error.strerror or error}",
            where=path,
            fix="Check that you may write there, or name another file.",
        ) from error
    again, lost, notes = came_back(exchanged, path, target, declared, _again)
    return Converted(
        source=source.path,
        source_format=form.name,
        target=path,
        target_format=target.name,
        read=amounts(exchanged),
        written=amounts(again),
        left=exchanged.losses,
        lost=lost,
        notes=exchanged.notes + notes,
    )


def converted_json(done: Converted) -> bytes:
    """Return what a conversion did as JSON (`"format": "acidtest/convert"`)."""
    losses = [
        {**msgspec.to_builtins(loss), "when": when}
        for when, found in (("read", done.left), ("written", done.lost))
        for loss in found
    ]
    document = {
        "format": "acidtest/convert",
        "version": 1,
        "source": {"path": done.source, "format": done.source_format},
        "target": {"path": done.target, "format": done.target_format},
        "read": msgspec.to_builtins(done.read),
        "written": msgspec.to_builtins(done.written),
        "losses": losses,
        "notes": done.notes,
    }
    return msgspec.json.format(encoded(document), indent=1)


def amounts(exchanged: Exchanged) -> Amounts:
    """Count what was exchanged."""
    return Amounts(
        cases=len(exchanged.golden or ()),
        answers=sum(map(len, exchanged.outputs.values())),
        scores=sum(len(case.scores) for run in exchanged.runs for case in run.cases),
        runs=len(exchanged.runs),
        chunks=len(exchanged.corpus or ()),
    )


def _again(path: str, form: Format) -> Exchanged:
    return _read(Source(path), form.name, None)[1]


def _refuse_same(source: str, target: str) -> None:
    if os.path.realpath(source) == os.path.realpath(target):
        raise UsageError(
            "the file would be written over itself", where=target, fix="Name another OUT."
        )


def _read(source: Source, name: str | None, system: str | None) -> tuple[Format, Exchanged]:
    form = guess(source) if name is None else format_named(name, where="--from")
    if form.read is None:
        raise UsageError(
            f"the format {form.name!r} is written, not read",
            where="--from",
            fix="Choose another with --from.",
        )
    found = form.read(source)
    return form, _exchanged(found, form, source, system)


def _exchanged(found: Found, form: Format, source: Source, system: str | None) -> Exchanged:
    golden, notes = _golden(found, source)
    if golden is None:
        outputs = {source.stem: found.answers} if found.answers else {}
        return Exchanged(outputs=outputs, corpus=found.corpus, losses=found.losses)
    given = {one.name: _answers(one, golden) for one in found.systems}
    if not given and golden.recorded:
        given = {source.stem: {answer.case_id: answer for answer in golden.recorded}}
    if system is not None and system not in given:
        raise UnknownName("system", system, given, where=source.path)
    created = _created(source)
    runs = tuple(run for run in found.runs if system in (None, run.name)) + tuple(
        _run(one, golden, given[one.name], form.name, one.created or created)
        for one in found.systems
        if one.specs and system in (None, one.name)
    )
    return Exchanged(
        golden=golden,
        outputs={
            name: tuple(answers.values())
            for name, answers in given.items()
            if system in (None, name) and answers
        },
        runs=runs,
        corpus=found.corpus,
        losses=found.losses,
        notes=notes,
    )


def _golden(found: Found, source: Source) -> tuple[GoldenSet | None, tuple[str, ...]]:
    if not found.rows:
        return None, ()
    rows, changed = apart(found.rows)
    golden = load_golden(rows)
    note = f"{changed} rows ask what others ask: each is a case of its own, and their group is the same"
    return (
        GoldenSet(golden, version=golden.version, path=source.path, recorded=golden.recorded),
        (note,) if changed else (),
    )


def _answers(system: System, golden: GoldenSet) -> dict[str, Answer]:
    own = {answer.case_id: answer for answer in golden.recorded}
    found: dict[str, Answer] = {}
    for output in system.outputs:
        name = golden[output.row].id
        answer = own.get(name) if output.answer is None else replace(output.answer, case_id=name)
        if answer is not None:
            found[name] = answer
    return found


def _run(
    system: System, golden: GoldenSet, answers: Mapping[str, Answer], tool: str, created: str
) -> Run:
    missing = Failure("the file has no score for this case")
    scores: dict[str, dict[str, Outcome]] = {
        golden[output.row].id: {
            spec.name: output.scores.get(spec.name, missing) for spec in system.specs
        }
        for output in system.outputs
    }
    return foreign_run(
        system.name,
        golden,
        answers,
        scores,
        system.specs,
        tool=tool,
        created=created,
        judge=system.judge,
    )


def _created(source: Source) -> str:
    modified = datetime.fromtimestamp(Path(source.path).stat().st_mtime, tz=UTC)
    return modified.isoformat(timespec="milliseconds").replace("+00:00", "Z")
