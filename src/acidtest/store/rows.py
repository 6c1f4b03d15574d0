"""Rows of the table of runs to records and back, and what to say of a row that cannot be read."""

import shlex
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from acidtest.codec.lossy import encoded
from acidtest.data.outcomes import MetricSpec
from acidtest.data.runs import GoldenRef, Ref, RunInfo, RunStatus
from acidtest.data.use import JudgeUse
from acidtest.errors import StoreError, UsageError

T = TypeVar("T")

_INFO = msgspec.json.Decoder(RunInfo)
_SPECS = msgspec.json.Decoder(tuple[MetricSpec, ...])
_IDS = msgspec.json.Decoder(tuple[str, ...])
_USE = msgspec.json.Decoder(JudgeUse)
# TypeError: SQLite keeps a number in a column of bytes if somebody puts it there.
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, TypeError, RecursionError)


class StoredRun(Struct, frozen=True, kw_only=True):
    """What the store keeps of a run beside its answers and results.

    `touched` is when something was last stored for it; the store itself sets it.
    """

    info: RunInfo
    specs: tuple[MetricSpec, ...]
    case_ids: tuple[str, ...]
    plan_hash: str
    owner: str | None = None
    touched: str | None = None
    judge_use: JudgeUse | None = None


def run_row(run: StoredRun, touched: str) -> dict[str, Any]:
    """Return the row of a new run.

    Raises:
        UsageError: Its description would not be read back, such as a name that is not text.
    """
    info = encoded(run.info)
    try:
        _INFO.decode(info)
    except _UNREADABLE as error:
        raise UsageError(
            f"the run cannot be stored: {_plainly(error)}", fix="Give a shorter or plainer value."
        ) from error
    return {
        "id": run.info.id,
        "name": run.info.name,
        "created": run.info.created,
        "status": run.info.status,
        "golden_version": run.info.golden.version,
        "plan_hash": run.plan_hash,
        "owner": run.owner,
        "touched": touched,
        "info": info,
        "specs": encoded(run.specs),
        "case_ids": encoded(run.case_ids),
    }


def stored_run(row: Mapping[Any, Any], where: str) -> StoredRun:
    """Read the row of a run; its status is that of the column.

    Raises:
        StoreError: A part of it is damaged.
    """
    run_id, use = row["id"], row["judge_use"]

    def part(name: str, decoder: msgspec.json.Decoder[T], what: str) -> T:
        return decoded(row[name], decoder, what=what, run_id=run_id, where=where)

    info = part("info", _INFO, "its description")
    try:
        status = msgspec.convert(row["status"], RunStatus)
    except msgspec.ValidationError as error:
        raise damaged(run_id, f"its status is damaged: {_plainly(error)}", where) from error
    return StoredRun(
        info=replace(info, status=status),
        specs=part("specs", _SPECS, "its list of metrics"),
        case_ids=part("case_ids", _IDS, "its list of cases"),
        plan_hash=row["plan_hash"],
        owner=row["owner"],
        touched=row["touched"],
        judge_use=None if use is None else part("judge_use", _USE, "what its judge took"),
    )


def outline(row: Mapping[Any, Any]) -> StoredRun:
    """Return what the plain columns say of a run whose other parts are damaged."""
    golden = GoldenRef(version=str(row["golden_version"]), cases=0)
    return StoredRun(
        info=RunInfo(
            id=row["id"],
            name=str(row["name"]),
            created=str(row["created"]),
            status="interrupted",
            mode="live",
            golden=golden,
            pipeline=Ref(name="", fingerprint=""),
        ),
        specs=(),
        case_ids=(),
        plan_hash=str(row["plan_hash"]),
    )


def decoded(
    body: Any, decoder: msgspec.json.Decoder[T], *, what: str, run_id: str, where: str
) -> T:
    """Decode a part of a run.

    Raises:
        StoreError: It is damaged; the message names the run and the part, and how to mend it.
    """
    try:
        return decoder.decode(body)
    except _UNREADABLE as error:
        raise damaged(run_id, f"{what} is damaged: {_plainly(error)}", where) from error


def damaged(run_id: str, why: str, where: str) -> StoreError:
    """Say that a run cannot be read, and how to be rid of it."""
    return StoreError(
        f"run {run_id!r} cannot be read, {why}",
        where=where,
        fix=f"Delete it: acidtest runs delete {shlex.quote(run_id)}",
    )


def _plainly(error: Exception) -> str:
    return str(error).replace("`", "'")
