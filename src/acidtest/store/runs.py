"""Reading and writing runs: every answer and outcome is committed as it comes."""

import os
import socket
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
from msgspec import Struct
from sqlalchemy import RowMapping, delete, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DatabaseError

from acidtest.data import (
    Answer,
    Case,
    JudgeUse,
    MetricSpec,
    Outcome,
    Result,
    RunInfo,
    RunStatus,
)
from acidtest.errors import UsageError
from acidtest.store import tables
from acidtest.store.schema import connect, store_error

_encode = msgspec.json.encode
_IN = 500  # values in one IN (...): under every database's limit


class StoredRun(Struct, frozen=True, kw_only=True):
    """What the store keeps of a run beside its answers and results."""

    info: RunInfo
    specs: tuple[MetricSpec, ...]
    case_ids: tuple[str, ...]
    plan_hash: str
    owner: str | None = None
    judge_use: JudgeUse | None = None


class Store:
    """One open store. Methods raise `StoreError` when the database fails; use it as a context.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._engine = connect(url)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the database."""
        self._engine.dispose()

    # ------------------------------------------------------------------------------- writing

    def create(self, run: StoredRun, cases: Sequence[Case]) -> None:
        """Store a new run and, once a version, the cases that it covers."""
        version = run.info.golden.version
        bodies = [{"version": version, "case_id": c.id, "body": _encode(c)} for c in cases]
        row = {
            "id": run.info.id,
            "name": run.info.name,
            "created": run.info.created,
            "status": run.info.status,
            "plan_hash": run.plan_hash,
            "owner": run.owner,
            "info": _encode(run.info),
            "specs": _encode(run.specs),
            "case_ids": _encode(run.case_ids),
        }
        with self._begin() as connection:
            self._put(connection, tables.golden_cases, bodies)
            connection.execute(insert(tables.runs), [row])

    def save(self, run_id: str, answers: Sequence[Answer], results: Sequence[Result]) -> None:
        """Store answers and results in one commit; they are on disk when this returns."""
        with self._begin() as connection:
            self._put(
                connection,
                tables.answers,
                [{"run_id": run_id, "case_id": a.case_id, "body": _encode(a)} for a in answers],
            )
            self._put(
                connection,
                tables.results,
                [
                    {
                        "run_id": run_id,
                        "case_id": r.case_id,
                        "metric": r.metric,
                        "trial": r.trial,
                        "body": _encode(r.outcome),
                    }
                    for r in results
                ],
            )

    def set_status(
        self,
        run_id: str,
        status: RunStatus,
        *,
        owner: str | None = None,
        judge_use: JudgeUse | None = None,
    ) -> None:
        """Change where a run stands and who makes it."""
        stored = self.get(run_id)
        values: dict[str, Any] = {
            "status": status,
            "owner": owner,
            "info": _encode(msgspec.structs.replace(stored.info, status=status)),
        }
        if judge_use is not None:
            values["judge_use"] = _encode(judge_use)
        with self._begin() as connection:
            connection.execute(
                update(tables.runs).where(tables.runs.c.id == run_id).values(**values)
            )

    def delete(self, run_id: str) -> None:
        """Delete a run, its answers and results, and golden cases that no run needs any more."""
        version = self.get(run_id).info.golden.version
        with self._begin() as connection:
            for table in (tables.answers, tables.results):
                connection.execute(delete(table).where(table.c.run_id == run_id))
            connection.execute(delete(tables.runs).where(tables.runs.c.id == run_id))
            infos = connection.execute(select(tables.runs.c.info)).scalars()
            used = {msgspec.json.decode(info, type=RunInfo).golden.version for info in infos}
            if version not in used:
                connection.execute(
                    delete(tables.golden_cases).where(tables.golden_cases.c.version == version)
                )

    def save_verdicts(self, rows: Sequence[dict[str, Any]]) -> None:
        """Store judges' verdicts in one commit; a key that is there already stands."""
        with self._begin() as connection:
            self._put(connection, tables.verdicts, rows)

    def forget_verdicts(self) -> int:
        """Delete all verdicts; return how many there were."""
        with self._begin() as connection:
            return int(connection.execute(delete(tables.verdicts)).rowcount)

    # ------------------------------------------------------------------------------- reading

    def verdict(self, key: str) -> bytes | None:
        """Return the verdict that is stored under a key."""
        table = tables.verdicts
        rows = self._rows(select(table.c.body).where(table.c.key == key))
        return rows[0]["body"] if rows else None

    def all_runs(self) -> list[StoredRun]:
        """Return all runs, newest first."""
        query = select(tables.runs).order_by(tables.runs.c.created.desc(), tables.runs.c.id.desc())
        return [_stored(row) for row in self._rows(query)]

    def get(self, run_id: str) -> StoredRun:
        """Return a run by its id.

        Raises:
            UsageError: There is no such run.
        """
        rows = self._rows(select(tables.runs).where(tables.runs.c.id == run_id))
        if not rows:
            raise UsageError(f"no run {run_id!r} in the store", fix="See: acidtest runs list")
        return _stored(rows[0])

    def unfinished(self, plan_hash: str) -> StoredRun | None:
        """Return the newest run of a plan, if it was not finished."""
        query = (
            select(tables.runs)
            .where(tables.runs.c.plan_hash == plan_hash)
            .order_by(tables.runs.c.created.desc(), tables.runs.c.id.desc())
            .limit(1)
        )
        rows = self._rows(query)
        stored = _stored(rows[0]) if rows else None
        return stored if stored is not None and stored.info.status != "finished" else None

    def cases(self, version: str, case_ids: Sequence[str]) -> list[Case]:
        """Return cases of a golden version in the order asked for."""
        table = tables.golden_cases
        found: dict[str, Case] = {}
        for start in range(0, len(case_ids), _IN):
            some = case_ids[start : start + _IN]
            query = select(table).where(table.c.version == version, table.c.case_id.in_(some))
            for row in self._rows(query):
                found[row["case_id"]] = msgspec.json.decode(row["body"], type=Case)
        return [found[i] for i in case_ids]

    def answers(self, run_id: str) -> dict[str, Answer]:
        """Return the stored answers of a run by case id."""
        rows = self._rows(select(tables.answers).where(tables.answers.c.run_id == run_id))
        return {row["case_id"]: msgspec.json.decode(row["body"], type=Answer) for row in rows}

    def results(self, run_id: str) -> list[Result]:
        """Return the stored results of a run."""
        decode = msgspec.json.Decoder(Outcome).decode
        rows = self._rows(select(tables.results).where(tables.results.c.run_id == run_id))
        return [
            Result(
                case_id=row["case_id"],
                metric=row["metric"],
                trial=row["trial"],
                outcome=decode(row["body"]),
            )
            for row in rows
        ]

    # ------------------------------------------------------------------------------ plumbing

    def _begin(self) -> "_Transaction":
        return _Transaction(self)

    def _rows(self, query: Any) -> Sequence[RowMapping]:
        try:
            with self._engine.connect() as connection:
                return connection.execute(query).mappings().all()
        except DatabaseError as error:
            raise store_error(error, self.url) from error

    def _put(self, connection: Any, table: Any, rows: Iterable[dict[str, Any]]) -> None:
        # The same answer may be written again by a run that resumes: the first one stands.
        listed = list(rows)
        if listed:
            dialect = postgresql if self._engine.dialect.name == "postgresql" else sqlite
            connection.execute(dialect.insert(table).on_conflict_do_nothing(), listed)


class _Transaction:
    """A transaction whose database errors are told in words."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._context = store._engine.begin()  # noqa: SLF001 - half of Store, in the same file

    def __enter__(self) -> Any:
        try:
            return self._context.__enter__()
        except DatabaseError as error:
            raise store_error(error, self._store.url) from error

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._context.__exit__(kind, error, trace)
        except DatabaseError as failure:
            raise store_error(failure, self._store.url) from failure
        if isinstance(error, DatabaseError):
            raise store_error(error, self._store.url) from error


def this_process() -> str:
    """Name this process as the owner of a run: `host:pid:birth`."""
    return f"{socket.gethostname()}:{os.getpid()}:{_birth(os.getpid())}"


def alive(owner: str | None) -> bool:
    """Say whether the process that owns a run is still there; one on another host is believed."""
    if owner is None:
        return False
    host, pid, birth = owner.rsplit(":", 2)
    if host != socket.gethostname():
        return True
    if int(pid) == os.getpid():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    # After a power cut another process may have the number; a killed one may still wait for burial.
    return _birth(int(pid)) == birth


def _birth(pid: int) -> str:
    """Return when a process was started, in the kernel's ticks; empty where that cannot be had."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("latin-1").rpartition(")")[2].split()
    except OSError:
        return ""
    return "gone" if fields[0] in "ZX" else fields[19]


def _stored(row: RowMapping) -> StoredRun:
    use = row["judge_use"]
    return StoredRun(
        info=msgspec.json.decode(row["info"], type=RunInfo),
        specs=msgspec.json.decode(row["specs"], type=tuple[MetricSpec, ...]),
        case_ids=msgspec.json.decode(row["case_ids"], type=tuple[str, ...]),
        plan_hash=row["plan_hash"],
        owner=row["owner"],
        judge_use=None if use is None else msgspec.json.decode(use, type=JudgeUse),
    )
