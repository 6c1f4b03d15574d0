"""Reading evidence on a judge: what commands wrote, each known by what it says of itself."""

from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from acidtest.codec.files import read_bytes
from acidtest.codec.runs import file_of
from acidtest.data.runs import RUN_FORMAT, RUNS_FORMAT, JudgeRef, Run
from acidtest.errors import BadData, FormatTooNew, UsageError
from acidtest.project.anchoring.files import read_anchor
from acidtest.project.anchoring.records import FORMAT as ANCHOR_FORMAT
from acidtest.project.anchoring.records import Anchor
from acidtest.project.anchoring.watch import Status, status_of
from acidtest.project.calibrate import calibrate, calibration_json
from acidtest.project.calibrating.answers import labels_of_run
from acidtest.project.card.calibrated import Calibrated, calibrated
from acidtest.project.config import Config
from acidtest.project.human_labels import read_label_rows
from acidtest.project.probing.bias.probe import Bias
from acidtest.project.probing.injection import Injection
from acidtest.project.probing.known import Check
from acidtest.project.stores import find_run
from acidtest.run.pinned import pinned

_VERSION = 1

Body = Calibrated | Bias | Injection | Check | Status | Run


class Piece(Struct, frozen=True, kw_only=True):
    """One piece of evidence.

    Attributes:
        name: Where it is.
        kind: What it is, in words.
        judges: The judges that it tells of, the one of the last word first; none where no judge was asked.
        created: When it was measured, ISO 8601 in UTC; empty where nothing tells.
        what: On what: data and how much.
        versions: Metric -> method and prompt that were measured.
        body: What it says.
    """

    name: str
    kind: str
    judges: tuple[JudgeRef, ...]
    created: str
    what: str
    versions: dict[str, str]
    body: Body


class _Head(Struct, frozen=True):
    format: str = ""
    version: int = 1


_LARGEST = 1e12  # no measure, cost or time comes near


def read_piece(name: str, config: Config, store: str | None = None) -> Piece:
    """Read a file that a command wrote, or a run by its id or name.

    Raises:
        BadData: The file is missing, broken, or nothing that a card is made of.
        FormatTooNew: A later acidtest wrote it.
        UnknownName: There is no run of this name.
    """
    if not (Path(name).is_file() or file_of(name) or name.endswith(".jsonl")):
        return of_run(find_run(config, name, store), name)
    if ".json#" in name and not Path(name).exists():
        return of_run(find_run(config, name, store), name)
    raw = read_bytes(name)
    head = _head(raw, name)
    if head.format in (RUN_FORMAT, RUNS_FORMAT):
        return of_run(find_run(config, name, store), name)
    if head.format == ANCHOR_FORMAT:
        return of_anchor(Path(name))
    reader = _READERS.get(head.format)
    if reader is None:
        said = f"it says that it is {head.format[:80]!r}" if head.format else "it does not say what"
        raise BadData(
            f"this is nothing that a card is made of: {said}",
            where=name,
            fix="Give what `judge calibrate`, `judge probe`, `judge check`, `judge anchor status` or `run` "
            "wrote with --json, an anchor, or the name of a run.",
        )
    if head.version > _VERSION:
        raise FormatTooNew(
            f"it has version {head.version}, and this acidtest reads up to {_VERSION}",
            where=name,
            fix="Update acidtest.",
        )
    _check_numbers(raw, name)
    try:
        return reader(raw, name)
    except (msgspec.ValidationError, RecursionError) as error:
        raise BadData(
            f"this is not what acidtest wrote: {str(error).replace('`', chr(39))}",
            where=name,
            fix="Write the file again.",
        ) from error


def _check_numbers(raw: bytes, name: str) -> None:
    """Refuse fractions that no command measures: shares of them would be shown as infinite."""
    waiting = [msgspec.json.decode(raw)]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
        elif isinstance(each, float) and abs(each) > _LARGEST:
            raise BadData(
                f"this is not what acidtest wrote: it holds the number {each:g}",
                where=name,
                fix="Write the file again.",
            )


def of_run(run: Run, name: str) -> Piece:
    """Return what a run tells of its judge: cost, speed, and how much it scores."""
    judge = run.info.judge
    judged = {metric: s for metric, s in run.metrics.items() if s.cost == "judge"}
    return Piece(
        name=name,
        kind="run",
        judges=(judge,) if judge is not None and judged else (),
        created=run.info.created,
        what=f"{len(run.cases)} cases of {run.name} ({run.id}), golden set {run.info.golden.version[:19]}",
        versions={metric: s.version for metric, s in judged.items()},
        body=run,
    )


def of_anchor(path: Path) -> Piece:
    """Return what an anchor tells: drift, and noise."""
    anchor: Anchor = read_anchor(path)
    return _watched(status_of(anchor, str(path)), str(path), dict(anchor.header.metrics))


def of_labels(run: Run, labels: str) -> tuple[list[Piece], int]:
    """Hold each judged metric of a run that has labels against them.

    Returns:
        The calibrations, and how many labels are of other answers.

    Raises:
        BadData: The file cannot be read.
        UsageError: No label is of a judged metric of the run.
    """
    said, others = labels_of_run(read_label_rows(labels), run)
    judged = [name for name, summary in run.metrics.items() if summary.cost == "judge"]
    labelled = [name for name in judged if any(label.metric == name for label in said)]
    if not labelled:
        raise UsageError(
            "no label is of a metric that a judge scored in this run",
            where=labels,
            fix=f"The run has {', '.join(judged) or 'none'}.",
        )
    return [
        _calibration(calibration_json(calibrate(run, said, name)), labels) for name in labelled
    ], others


def _calibration(raw: bytes, name: str) -> Piece:
    found = calibrated(raw)
    return Piece(
        name=name,
        kind="calibration",
        judges=(found.judge,) if found.judge is not None and found.cost != "free" else (),
        created=found.run.created,
        what=f"{found.metric}: {found.n} labelled cases of {found.run.name} ({found.run.id})",
        versions={found.metric: found.metric_version} if found.metric_version else {},
        body=found,
    )


def _bias(raw: bytes, name: str) -> Piece:
    found = msgspec.json.decode(raw, type=Bias)
    what = f"{found.items} items ({found.source})"
    return _probed(found, name, "bias probe", what, found.versions)


def _attacks(raw: bytes, name: str) -> Piece:
    found = msgspec.json.decode(raw, type=Injection)
    return _probed(found, name, "attacks", f"{len(found.tried)} attacks on built-in cases", {})


def _check(raw: bytes, name: str) -> Piece:
    found = msgspec.json.decode(raw, type=Check)
    plain = sum(each.n + each.failed for each in found.plain)
    what = f"{plain} plain and {len(found.hard_cases)} hard built-in cases"
    return _probed(found, name, "known cases", what, {})


def _probed(
    found: Bias | Injection | Check, name: str, kind: str, what: str, versions: dict[str, str]
) -> Piece:
    return Piece(
        name=name,
        kind=kind,
        judges=(pinned(found.judge, found.use.models),),
        created=found.created,
        what=what,
        versions=versions,
        body=found,
    )


def _status(raw: bytes, name: str) -> Piece:
    return _watched(msgspec.json.decode(raw, type=Status), name, {})


def _watched(status: Status, name: str, versions: dict[str, str]) -> Piece:
    earlier = [seen.judge for seen in status.history if seen.same_judge]
    own = [] if status.other_judge else [status.anchor.judge]
    every = {judge.fingerprint: judge for judge in (status.judge, *earlier[::-1], *own)}
    return Piece(
        name=name,
        kind="anchor",
        judges=tuple(every.values()),
        created=status.history[-1].created if status.history else status.anchor.created,
        what=f"{status.anchor.cases} cases, {len(status.history)} {'look' if len(status.history) == 1 else 'looks'}",
        versions=versions,
        body=status,
    )


def _head(raw: bytes, name: str) -> _Head:
    """Return what a file says of itself: as a whole, or in its first line."""
    for part in (raw, raw.lstrip().partition(b"\n")[0]):
        try:
            return msgspec.json.decode(part, type=_Head)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
    raise BadData(
        "this is not JSON that a command of acidtest wrote",
        where=name,
        fix="Give what a command wrote with --json.",
    )


_READERS: dict[str, Callable[[bytes, str], Piece]] = {
    "acidtest/judge-calibrate": _calibration,
    "acidtest/judge-bias": _bias,
    "acidtest/judge-probe": _attacks,
    "acidtest/judge-check": _check,
    "acidtest/judge-anchor": _status,
}
