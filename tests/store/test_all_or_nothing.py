"""Whatever writes to a store does all of it or nothing, wherever it is cut off, and can be done again.

Each call below is cut off after its first statement, its second, and so on, and before each commit. What is left
then must be what its commits until then made, and nothing else; the same call must then do what it does when
nothing disturbs it. A new place in the code that begins a transaction needs a call here.
"""

import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Table, event

import acidtest
from acidtest.data.answers import Answer
from acidtest.data.golden import Case
from acidtest.data.outcomes import MetricSpec, Result, Score
from acidtest.data.runs import GoldenRef, Ref, RunInfo
from acidtest.data.spans import Arrivals, Arrived
from acidtest.data.traces import Feedback, Trace
from acidtest.data.use import JudgeUse
from acidtest.data.watching import Alert
from acidtest.store import database, origin_cleaning, runs
from acidtest.store.alerts import Alerts
from acidtest.store.database import Database
from acidtest.store.rows import StoredRun
from acidtest.store.runs import Store
from acidtest.store.schema import connect
from acidtest.store.spans import SpanStore
from acidtest.store.spending import Entry, Limits, Spending
from acidtest.store.tables import metadata
from acidtest.store.trace_job import Job
from acidtest.store.trace_jobs import TraceJobs
from acidtest.store.trace_saving import Pending, Understood
from acidtest.store.traces import TraceStore
from acidtest.store.verdicts import Verdicts
from acidtest.store.writable import Writable

NOW = 1_000_000
DAY = 86_400_000
CODE = Path(acidtest.__file__).parent


def _places() -> Iterator[tuple[Path, int]]:
    """Yield where the code begins a transaction of a store."""
    for path in CODE.rglob("*.py"):
        if "._begin()" not in (code := path.read_text()):
            continue
        for node in ast.walk(ast.parse(code)):
            for item in node.items if isinstance(node, ast.With) else ():
                called = item.context_expr
                if isinstance(called, ast.Call) and ast.unparse(called.func).endswith("._begin"):
                    yield path, called.lineno


PLACES = frozenset(_places())
"""Read as soon as the code is."""


class Cut(Exception):
    """What ends a call in the middle."""


class Call(NamedTuple):
    """A call that writes; `pieces` says what it does in transactions of their own, `first` what comes before it.

    What a call `takes` stays taken for its time when it is cut off, as by a worker that is killed.
    """

    run: Callable[[Any], object]
    pieces: str = ""
    first: Callable[[Any], object] = bool
    takes: bool = False


class Rooms:
    """All that writes to one store, each opened once; `cut_at` tells after how many steps they fail."""

    def __init__(self, url: str) -> None:
        self.runs, self.verdicts, self.alerts = Store(url), Verdicts(url), Alerts(url)
        self.spans, self.traces, self.jobs = SpanStore(url), TraceStore(url), TraceJobs(url)
        self.spending, self.writable = Spending(url), Writable(url)
        self.all: tuple[Database, ...] = tuple(vars(self).values())
        self.steps, self.cut_at, self.looking = 0, 0, False
        for room in self.all:
            event.listen(room._engine, "after_cursor_execute", self._stepped)
            event.listen(room._engine, "commit", self._stepped)

    def close(self) -> None:
        for room in self.all:
            room.close()

    def cut(self, call: Call, at: int) -> bool:
        """Make a call that is cut off after so many steps; say whether it had as many."""
        self.steps, self.cut_at = 0, at
        try:
            call.run(self)
        except Cut:
            return True
        finally:
            self.cut_at = 0
        return False

    def _stepped(self, *_: object) -> None:
        self.steps += 1
        if self.steps == self.cut_at:
            raise Cut


def span(trace_id: str, span_id: str = "s", *, end: int = 20, origin: str = "o1") -> Arrivals:
    body = Arrived(trace_id, span_id, None, "rag", 10, end, "span", origin, f"{end}".encode())
    return Arrivals([body], {origin: b"{}"})


def understood(name: str, digest: str = "d1", **more: Any) -> Understood:
    trace = Trace(
        id=name, started_ns=NOW * 1_000_000, question="How?", session="here", user="me", tags=("a",)
    )
    return Understood(trace=trace, digest=digest, documents=("h" + name,), **more)


def job(trace_id: str, *, attempts: int = 1, digest: str = "d1") -> Job:
    """A job as the worker `w` has leased it."""
    return Job(
        trace_id=trace_id,
        digest=digest,
        why="sample",
        priority=5,
        created=NOW,
        due=NOW,
        attempts=attempts,
        leased=NOW + 60_000,
        worker="w",
        state="waiting",
        error=None,
    )


def run(name: str, plan: str = "p") -> StoredRun:
    return StoredRun(
        info=RunInfo(
            id=name,
            name="n",
            created="2026-01-01T00:00:00Z",
            status="running",
            mode="live",
            golden=GoldenRef(path="g", version=f"sha256:{plan}", cases=1),
            pipeline=Ref(name="n", fingerprint="f"),
        ),
        specs=(MetricSpec(name="mrr", stage="retrieval"),),
        case_ids=("a", "b"),
        plan_hash=plan,
        owner="here:1:2:three",
    )


CASES = (Case(id="a", question="A?"), Case(id="b", question="B?"))
ANSWERS = [Answer(case_id="a", text="A"), Answer(case_id="b", text="B")]
RESULTS = [Result(case_id=c, metric="mrr", outcome=Score(0.5)) for c in ("a", "b")]
TIMES = {"quiet_ms": 30_000, "ended_ms": 1_000}
ALERTS = [
    Alert(key="one", state="ended", opened_ms=NOW, title="One"),
    Alert(key="two", state="open", opened_ms=NOW, title="Two"),
]


def verdict(key: str) -> dict[str, Any]:
    return {"key": key, "model": "m", "created": "2026-01-01T00:00:00+00:00", "body": b"{}"}


def filled(rooms: Rooms) -> None:
    """Fill an empty store with a little of everything."""
    rooms.runs.create(run("r1"), CASES)
    rooms.runs.save("r1", ANSWERS[:1], RESULTS[:1])
    rooms.runs.save_verdicts([verdict("v1"), verdict("v2")])
    for name in ("t1", "t2", "t3", "t4", "t5", "t6"):
        rooms.spans.add([span(name, origin=f"o{name}")], now_ms=NOW, **TIMES)
    some = [understood(name, why="sample") for name in ("t1", "t2", "t3", "t4", "t5")]
    rooms.traces.save(some, now_ms=NOW)
    rooms.traces.add_feedback("t1", Feedback(name="thumb", good=False), now_ms=NOW)
    taken = rooms.jobs.lease("w", 3, 60, now_ms=NOW)
    assert [each.trace_id for each in taken] == ["t1", "t2", "t3"]
    rooms.jobs.keep_verdicts([("t1", "v3", "m", b"{}")], created="2026-01-01T00:00:00+00:00")
    assert rooms.jobs.done(
        taken[2], {"m": Score(1.0)}, now_ms=NOW, judges={"m": "j"}, verdict_keys=["v1"]
    )
    rooms.spending.take(Limits(usd=10), now_ms=NOW, usd=1.0, calls=1)
    rooms.alerts.save([Alert(key="one", state="open", opened_ms=NOW, title="One")])
    rooms.alerts.swap("watch", None, b"{}")


def left_out(rooms: Rooms) -> object:
    return rooms.jobs.leave_out(job("t1"), "spent", now_ms=NOW + 1)


CALLS = {
    "runs.create": Call(lambda r: r.runs.create(run("r2", "q"), CASES)),
    "runs.create beside a rival": Call(
        lambda r: r.runs.create(run("r2"), CASES, rivals=lambda _: True).info.id
    ),
    "runs.save": Call(lambda r: r.runs.save("r1", ANSWERS, RESULTS, JudgeUse(calls=3))),
    "runs.take_over": Call(lambda r: r.runs.take_over(r.runs.get("r1"), "me:1:2:three")),
    "runs.set_status": Call(lambda r: r.runs.set_status("r1", "finished")),
    "runs.delete": Call(lambda r: r.runs.delete("r1")),
    "runs.save_verdicts": Call(lambda r: r.runs.save_verdicts([verdict("v1"), verdict("v8")])),
    "verdicts.delete": Call(lambda r: r.verdicts.delete(["m"])),
    "spans.add": Call(
        lambda r: r.spans.add(
            [span("t1", end=40, origin="o9"), *(span("t9", f"s{n}") for n in range(70))],
            now_ms=NOW + 1,
            **TIMES,
        )
    ),
    "traces.claim": Call(
        lambda r: r.traces.claim(NOW + 10_000, limit=3, hold_ms=1_000), takes=True
    ),
    "traces.drop": Call(lambda r: r.traces.drop([Pending("t6", NOW, 1, 2)])),
    "traces.save": Call(
        lambda r: r.traces.save(
            [
                understood("t1", "d2", last=NOW + 1, why="slow", priority=1),
                understood("t3", "d2"),  # another than was scored
                understood("t4", why="error", priority=0),
                understood("t6", last=NOW, why="sample"),
                understood("t7", last=NOW),  # deleted meanwhile
            ],
            now_ms=NOW + 5,
        )
    ),
    "traces.add_feedback": Call(
        lambda r: r.traces.add_feedback("t6", Feedback(name="thumb", good=True), now_ms=NOW + 1)
    ),
    "traces.delete": Call(
        lambda r: r.traces.delete(["t1", "t3"]), "senders that nobody names go after their spans"
    ),
    "traces.delete_session": Call(
        lambda r: r.traces.delete_session("here"), "senders go after their spans"
    ),
    "traces.delete_user": Call(
        lambda r: r.traces.delete_user("me"), "senders go after their spans"
    ),
    "traces.delete_older": Call(
        lambda r: r.traces.delete_older(NOW + 1), "traces in pieces, what has none, and senders"
    ),
    "jobs.enqueue": Call(
        lambda r: r.jobs.enqueue(["t2", "t3"], "asked", priority=0, now_ms=NOW + 1)
    ),
    "jobs.lease": Call(lambda r: r.jobs.lease("v", 2, 60, now_ms=NOW + 1), takes=True),
    "jobs.lease within limits": Call(
        lambda r: r.jobs.lease("v", 1, 60, now_ms=NOW + 1, limits=Limits(traces=0)),
        "those beside the ones taken are left out in pieces",
    ),
    "jobs.lease of what was given up": Call(
        lambda r: r.jobs.lease("v", 2, 60, now_ms=NOW + 61_000, attempts=1),
        "as many again as were dead",
        takes=True,
    ),
    "jobs.renew": Call(lambda r: r.jobs.renew([job("t1"), job("t2")], 90, now_ms=NOW + 1)),
    "jobs.release": Call(
        lambda r: r.jobs.release([job("t1"), job("t2")], now_ms=NOW + 1, limits=Limits(traces=9))
    ),
    "jobs.leave_out": Call(
        lambda r: r.jobs.leave_out(job("t1"), "spent", now_ms=NOW + 1),
        "nobody else who writes waits long",
    ),
    "jobs.revive": Call(
        lambda r: r.jobs.revive(now_ms=NOW + 2, states=("dead", "out")),
        "nobody else who writes waits long",
        first=left_out,
    ),
    "jobs.revive some": Call(
        lambda r: r.jobs.revive(["t4", "t5"], now_ms=NOW + 2, states=("out",)), first=left_out
    ),
    "jobs.done": Call(
        lambda r: r.jobs.done(
            job("t1"), {"m": Score(1.0), "n": Score(0.0)}, now_ms=NOW + 1, verdict_keys=["v1", "v2"]
        )
    ),
    "jobs.failed": Call(lambda r: r.jobs.failed(job("t1"), "gone", now_ms=NOW + 1, retry_ms=5)),
    "jobs.failed for good": Call(
        lambda r: r.jobs.failed(
            job("t1"), "gone", now_ms=NOW + 1, retry_ms=5, attempts=1, scores={"m": Score(1.0)}
        )
    ),
    "jobs.keep_verdicts": Call(
        lambda r: r.jobs.keep_verdicts(
            [("t1", "v8", "m", b"1"), ("t9", "v9", "m", b"2"), ("t2", "v8", "m", b"1")],
            created="2026-01-01T00:00:00+00:00",
        )
    ),
    "spending.take": Call(
        lambda r: r.spending.take(Limits(usd=5), now_ms=NOW + DAY, usd=1.0, calls=1)
    ),
    "spending.took": Call(lambda r: r.spending.took(now_ms=NOW + DAY, usd=1.0, tokens=7)),
    "spending.entered": Call(
        lambda r: r.spending.entered(
            [Entry(True, None, 1), Entry(False, 0.5, 0, 9), Entry(True, 99.0, 1)],
            Limits(usd=5),
            now_ms=NOW + DAY,
        )
    ),
    "alerts.save": Call(lambda r: r.alerts.save(ALERTS)),
    "alerts.swap": Call(lambda r: r.alerts.swap("watch", b"{}", b"[]")),
    "alerts.swap what is new": Call(lambda r: r.alerts.swap("week", None, b"[]")),
    "writable.check": Call(lambda r: r.writable.check()),
}

UNCHANGED = {"runs.create beside a rival", "writable.check"}
"""What changes nothing here, as it should."""

Dump = Counter[tuple[object, ...]]


class Tables:
    """All rows of a store, by a connection of its own: read, and put back as they were."""

    def __init__(self, url: str) -> None:
        self._engine = connect(url)
        self._postgres = self._engine.dialect.name == "postgresql"
        self._open = self._engine.raw_connection()
        self._run(["CREATE SCHEMA kept" if self._postgres else "ATTACH ':memory:' AS kept"])
        tables = metadata.sorted_tables
        self._run([f"CREATE TABLE kept.{t.name} AS SELECT * FROM {t.name}" for t in tables])  # noqa: S608
        self._back = [f"DELETE FROM {t.name}" for t in reversed(tables)]  # noqa: S608
        self._back += [f"INSERT INTO {t.name} SELECT * FROM kept.{t.name}" for t in tables]  # noqa: S608
        self._reads = [self._read(table) for table in tables]
        if self._postgres:
            self._reads = [" UNION ALL ".join(self._reads)]

    def _read(self, table: Table) -> str:
        # Numbers that count up go on after what was undone.
        some = [c.name for c in table.columns if c.name != "id" or c.type.python_type is str]
        columns = ", ".join(f'"{name}"' for name in some)
        what = f"ROW({columns})::text" if self._postgres else columns
        return f"SELECT '{table.name}', {what} FROM {table.name}"  # noqa: S608

    def close(self) -> None:
        self._open.close()
        self._engine.dispose()

    def dump(self) -> Dump:
        """Return what the store holds."""
        cursor = self._open.cursor()
        found = Counter(
            tuple(row) for read in self._reads for row in cursor.execute(read).fetchall()
        )
        self._open.rollback()
        return found

    def put_back(self) -> None:
        self._run(self._back)

    def _run(self, statements: list[str]) -> None:
        if self._postgres:
            self._open.cursor().execute("; ".join(statements))
        else:
            for statement in statements:
                self._open.cursor().execute(statement)
        self._open.commit()


@pytest.fixture
def rooms(any_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rooms]:
    monkeypatch.setattr(runs, "now", lambda: "2026-01-01T00:00:00.000+00:00")
    monkeypatch.setattr(origin_cleaning, "token_bytes", bytes)
    opened = Rooms(any_url)
    filled(opened)
    yield opened
    opened.close()


@pytest.fixture
def tables(any_url: str, rooms: Rooms) -> Iterator[Tables]:
    opened = Tables(any_url)
    yield opened
    opened.close()


@pytest.fixture
def committed(rooms: Rooms, tables: Tables, monkeypatch: pytest.MonkeyPatch) -> list[Dump]:
    """What the store holds after each transaction, while anybody looks."""
    found: list[Dump] = []
    leave = database._Transaction.__exit__

    def left(self: Any, kind: Any, *more: Any) -> None:
        leave(self, kind, *more)
        if kind is None:
            found.append(tables.dump() if rooms.looking else Counter())

    monkeypatch.setattr(database._Transaction, "__exit__", left)
    return found


@pytest.fixture
def begun(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> set[tuple[Path, int]]:
    """Where transactions were begun."""
    found: set[tuple[Path, int]] = set()
    begin = Database._begin

    def noted(self: Database) -> Any:
        caller = sys._getframe(1)
        found.add((Path(caller.f_code.co_filename), caller.f_lineno))
        return begin(self)

    monkeypatch.setattr(Database, "_begin", noted)
    return found


def test_all_or_nothing(
    rooms: Rooms, tables: Tables, committed: list[Dump], begun: set[tuple[Path, int]]
) -> None:
    for name, call in CALLS.items():

        def begin(call: Call = call) -> Dump:
            tables.put_back()
            call.first(rooms)
            committed.clear()
            return tables.dump()

        before = begin()
        rooms.looking = True
        result, whole = call.run(rooms), [before, *committed]
        rooms.looking = False
        assert call.pieces or len(whole) == 2, f"{name} takes {len(whole) - 1} transactions"
        shows = whole[-1] != before or name in UNCHANGED
        assert shows, f"{name} does nothing here, so that it shows nothing"
        begin()
        at = 1
        while rooms.cut(call, at):
            left, done = tables.dump(), len(committed)
            assert left == whole[done], f"{name} leaves a part of it, cut off after step {at}"
            if done and not call.takes:
                call.run(rooms)
                assert tables.dump() == whole[-1], f"{name} is not made up for after step {at}"
            if done:
                begin()
            at += 1
        assert at > 2, f"{name} was never cut off"
        assert tables.dump() == whole[-1], f"{name} does something else after it was cut off"
        if not call.pieces:
            begin()
            assert call.run(rooms) == result, f"{name} returns something else"
    assert begun == PLACES, "each place that begins a transaction needs a call"
