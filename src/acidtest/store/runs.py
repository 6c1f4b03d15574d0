"""Reading and writing runs: every answer and outcome is committed as it comes."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from sqlalchemy import RowMapping, Select, delete, exists, insert, select, update

from acidtest.codec.lossy import encoded
from acidtest.data.answers import Answer
from acidtest.data.golden import Case
from acidtest.data.outcomes import Outcome, Result
from acidtest.data.runs import RunStatus
from acidtest.data.use import JudgeUse
from acidtest.errors import StoreError, UsageError
from acidtest.store import tables
from acidtest.store.alone import alone
from acidtest.store.database import IN, storable
from acidtest.store.owner import now
from acidtest.store.rows import StoredRun, damaged, decoded, outline, run_row, stored_run
from acidtest.store.single_verdicts import SingleVerdicts
from acidtest.text.surrogates import without_halves

_RUNS = "runs"
"""What who creates or deletes a run is alone at."""


class Store(SingleVerdicts):
    """The runs of one store, and single verdicts of judges. Methods raise `StoreError` when it fails.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    # ------------------------------------------------------------------------------- writing

    def create(
        self,
        run: StoredRun,
        cases: Sequence[Case],
        *,
        rivals: Callable[[StoredRun], bool] | None = None,
    ) -> StoredRun | None:
        """Store a new run and, once a version, the cases that it covers.

        Args:
            run: The new run.
            cases: What it covers.
            rivals: Says of the newest run of the same plan whether it is in the way. It is asked once
                nobody else can store anything: two that start in the same moment do not both start.

        Returns:
            The run in the way, in place of which nothing was stored; None when the new one is stored.

        Raises:
            UsageError: The run's description could not be read back.
        """
        version = run.info.golden.version
        bodies = [{"version": version, "case_id": c.id, "body": encoded(c)} for c in cases]
        row = run_row(run, touched=now())
        with self._begin() as connection:
            alone(connection, _RUNS)
            self._put(connection, tables.golden_cases, bodies)
            if rivals is not None:
                newest = connection.execute(_newest(run.plan_hash)).mappings().first()
                other = stored_run(newest, self._where) if newest is not None else None
                if other is not None and rivals(other):
                    return other
            connection.execute(insert(tables.runs), [storable(row)])
        return None

    def save(
        self,
        run_id: str,
        answers: Sequence[Answer],
        results: Sequence[Result],
        judge_use: JudgeUse | None = None,
        *,
        held_by: str | None = None,
    ) -> None:
        """Store answers and results in one commit; they are on disk when this returns.

        Args:
            run_id: The run.
            answers: Those that are there already stand.
            results: They take the place of earlier ones.
            judge_use: What judging took so far; None leaves what is stored.
            held_by: Store them only while this owner has the run: who was thought gone must not write over
                what another has taken over.

        Raises:
            UsageError: The owner no longer has it.
        """
        answer_rows = [
            {"run_id": run_id, "case_id": a.case_id, "body": encoded(a)} for a in answers
        ]
        result_rows = [
            {
                "run_id": run_id,
                "case_id": r.case_id,
                "metric": r.metric,
                "trial": r.trial,
                "body": encoded(r.outcome),
            }
            for r in results
        ]
        values: dict[str, Any] = {"touched": now()}
        if judge_use is not None:
            values["judge_use"] = encoded(judge_use)
        query = update(tables.runs).where(tables.runs.c.id == run_id).values(**values)
        if held_by is not None:
            query = query.where(tables.runs.c.owner == held_by)
        with self._begin() as connection:
            # First of all: nobody takes the run over until this is stored.
            if not connection.execute(query).rowcount and held_by is not None:
                raise UsageError(
                    f"run {run_id} was taken over by another process, or deleted: nothing came for long",
                    fix="See with `acidtest runs list` whether it goes on there.",
                )
            self._put(connection, tables.answers, answer_rows)
            # A failure may be tried again when a run goes on: the later result stands.
            self._put(connection, tables.results, result_rows, over=True)

    def take_over(self, run: StoredRun, owner: str) -> bool:
        """Give a run to an owner if it stands as it was read; say whether it did.

        Of several that try at the same time one gets it.
        """
        table = tables.runs
        query = (
            update(table)
            .where(
                table.c.id == run.info.id,
                table.c.status == run.info.status,
                table.c.owner.is_not_distinct_from(run.owner),
                table.c.touched.is_not_distinct_from(run.touched),
            )
            .values(status="running", owner=owner, touched=now())
        )
        with self._begin() as connection:
            return int(connection.execute(query).rowcount) == 1

    def set_status(
        self,
        run_id: str,
        status: RunStatus,
        *,
        owner: str | None = None,
        judge_use: JudgeUse | None = None,
        held_by: str | None = None,
    ) -> None:
        """Change where a run stands and who makes it.

        Args:
            run_id: The run.
            status: Where it stands.
            owner: Who makes it now.
            judge_use: What judging took; None leaves what is stored.
            held_by: Change it only while this owner has it, so that who was thought gone does not
                end what another has taken over.

        Raises:
            UsageError: There is no such run.
        """
        values: dict[str, Any] = {"status": status, "owner": owner, "touched": now()}
        if judge_use is not None:
            values["judge_use"] = encoded(judge_use)
        query = update(tables.runs).where(tables.runs.c.id == run_id).values(**values)
        if held_by is not None:
            query = query.where(tables.runs.c.owner == held_by)
        with self._begin() as connection:
            changed = int(connection.execute(query).rowcount)
        if not changed:
            self._row(run_id)

    def delete(self, run_id: str) -> None:
        """Delete a run, its answers and results, and golden cases that no run needs any more.

        It reads no more than plain columns: a damaged run can be deleted too.

        Raises:
            UsageError: There is no such run.
        """
        runs, cases = tables.runs, tables.golden_cases
        version = self._row(run_id)["golden_version"]
        needed = exists().where(runs.c.golden_version == version)
        with self._begin() as connection:
            # A run that somebody creates now needs the cases, too.
            alone(connection, _RUNS)
            for table in (tables.answers, tables.results):
                connection.execute(delete(table).where(table.c.run_id == run_id))
            connection.execute(delete(runs).where(runs.c.id == run_id))
            connection.execute(delete(cases).where(cases.c.version == version, ~needed))

    # ------------------------------------------------------------------------------- reading

    def all_runs(self) -> list[StoredRun]:
        """Return all runs that can be read, newest first; `damaged` names the others."""
        return [run for _, run in self._all() if run is not None]

    def damaged(self) -> list[str]:
        """Return the ids of the runs whose description cannot be read, newest first."""
        return [run_id for run_id, run in self._all() if run is None]

    def get(self, run_id: str) -> StoredRun:
        """Return a run by its id.

        Raises:
            UsageError: There is no such run.
            StoreError: It is damaged.
        """
        return stored_run(self._row(run_id), self._where)

    def outline(self, run_id: str) -> StoredRun:
        """Return what can be told of a damaged run: id, name and time, enough to delete it.

        Raises:
            UsageError: There is no such run.
        """
        return outline(self._row(run_id))

    def unfinished(self, plan_hash: str) -> StoredRun | None:
        """Return the newest run of a plan, if it was not finished.

        Raises:
            StoreError: It is damaged.
        """
        rows = self._rows(_newest(plan_hash))
        if not rows or rows[0]["status"] == "finished":
            return None
        return stored_run(rows[0], self._where)

    def cases(self, run: StoredRun) -> list[Case]:
        """Return the cases of a run in its order.

        Raises:
            StoreError: One of them is damaged or missing.
        """
        table, decoder = tables.golden_cases, msgspec.json.Decoder(Case)
        run_id, version, ids = run.info.id, run.info.golden.version, run.case_ids
        found: dict[str, Case] = {}
        for start in range(0, len(ids), IN):
            some = ids[start : start + IN]
            query = select(table).where(table.c.version == version, table.c.case_id.in_(some))
            for row in self._rows(query):
                what = f"case {row['case_id']!r} of its golden set"
                found[row["case_id"]] = decoded(
                    row["body"], decoder, what=what, run_id=run_id, where=self._where
                )
        missing = next((i for i in ids if i not in found), None)
        if missing is not None:
            why = f"case {missing!r} of its golden set is not in the store"
            raise damaged(run_id, why, self._where)
        return [found[i] for i in ids]

    def answers(self, run_id: str) -> dict[str, Answer]:
        """Return the stored answers of a run by case id.

        Raises:
            StoreError: One of them is damaged.
        """
        decoder = msgspec.json.Decoder(Answer)
        rows = self._each(select(tables.answers).where(tables.answers.c.run_id == run_id))
        return {
            row["case_id"]: decoded(
                row["body"],
                decoder,
                what=f"the answer to case {row['case_id']!r}",
                run_id=run_id,
                where=self._where,
            )
            for row in rows
        }

    def results(self, run_id: str) -> list[Result]:
        """Return the stored results of a run.

        Raises:
            StoreError: One of them is damaged.
        """
        decoder: msgspec.json.Decoder[Outcome] = msgspec.json.Decoder(Outcome)
        rows = self._each(select(tables.results).where(tables.results.c.run_id == run_id))
        return [
            Result(
                case_id=row["case_id"],
                metric=row["metric"],
                trial=row["trial"],
                outcome=decoded(
                    row["body"],
                    decoder,
                    what=f"{row['metric']} of case {row['case_id']!r}",
                    run_id=run_id,
                    where=self._where,
                ),
            )
            for row in rows
        ]

    # ------------------------------------------------------------------------------ plumbing

    def _all(self) -> list[tuple[str, StoredRun | None]]:
        query = select(tables.runs).order_by(tables.runs.c.created.desc(), tables.runs.c.id.desc())
        found: list[tuple[str, StoredRun | None]] = []
        for row in self._rows(query):
            try:
                found.append((row["id"], stored_run(row, self._where)))
            except StoreError:
                found.append((row["id"], None))
        return found

    def _row(self, run_id: str) -> RowMapping:
        # An id from a command line may hold halves of surrogate pairs, which no database takes.
        query = select(tables.runs).where(tables.runs.c.id == without_halves(run_id))
        rows = self._rows(query)
        if not rows:
            raise UsageError(f"no run {run_id!r} in the store", fix="See: acidtest runs list")
        return rows[0]


def _newest(plan_hash: str) -> Select[Any]:
    """Select the newest run of a plan."""
    return (
        select(tables.runs)
        .where(tables.runs.c.plan_hash == plan_hash)
        .order_by(tables.runs.c.created.desc(), tables.runs.c.id.desc())
        .limit(1)
    )
