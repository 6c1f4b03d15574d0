import os
import shutil
import sqlite3
import tempfile
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import create_engine, inspect

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.data.outcomes import Failure, MetricSpec, Result, Score, Skip
from acidtest.data.runs import GoldenRef, Ref, RunInfo
from acidtest.data.use import CascadeUse, JudgeUse
from acidtest.errors import FormatTooNew, MissingExtra, StoreError, UsageError
from acidtest.store.migrations import HEAD
from acidtest.store.names import shown
from acidtest.store.rows import StoredRun
from acidtest.store.runs import Store
from acidtest.store.tables import metadata
from acidtest.store.trace_tables import spans

CASES = (
    Case(id="a", question="A?", relevant={"x": 2}, metadata={"deep": [1, {"k": None}]}),
    Case(id="b", question="B?", answerable=False, relevant={}),
)


def stored(run_id="r1", created="2026-01-01T00:00:00Z", version="sha256:v", plan="p"):
    return StoredRun(
        info=RunInfo(
            id=run_id,
            name="n",
            created=created,
            status="running",
            mode="live",
            golden=GoldenRef(path="g", version=version, cases=2),
            pipeline=Ref(name="n", fingerprint="f"),
        ),
        specs=(MetricSpec(name="mrr", stage="retrieval"),),
        case_ids=("a", "b"),
        plan_hash=plan,
        owner="here:1:2:three",
    )


@pytest.fixture
def store(any_url):
    with Store(any_url) as opened:
        yield opened


def test_what_goes_in_comes_out(store):
    store.create(stored(), CASES)
    answers = [
        Answer(case_id="a", text="yes\0\ud7ff", retrieved=(Chunk(id="x", score=0.5),)),
        Answer(case_id="b", failure=Failure("broke", "trace")),
    ]
    results = [
        Result(case_id="a", metric="mrr", outcome=Score(1.0, "r", ({"k": 1},), {"claims": 2.0})),
        Result(case_id="b", metric="mrr", outcome=Skip("no", {"undecided": 1.0})),
        Result(case_id="b", metric="mrr", trial=1, outcome=Failure("no")),
    ]
    store.save("r1", answers, results)
    kept = store.get("r1")
    assert kept.touched is not None
    assert replace(kept, touched=None) == stored()
    assert store.answers("r1") == {a.case_id: a for a in answers}
    assert sorted(store.results("r1"), key=lambda r: (r.case_id, r.trial)) == results
    assert store.cases(replace(stored(), case_ids=("b", "a"))) == [CASES[1], CASES[0]]


def test_what_was_stored_first_stands(store):
    store.create(stored(), CASES)
    store.save("r1", [Answer(case_id="a", text="first")], [])
    store.save("r1", [Answer(case_id="a", text="second")], [])
    assert store.answers("r1")["a"].text == "first"


def test_unfinished_is_the_newest_of_its_plan(store):
    store.create(stored("old", "2026-01-01T00:00:00Z"), CASES)
    store.create(stored("new", "2026-01-02T00:00:00Z"), CASES)
    store.create(stored("other", "2026-01-03T00:00:00Z", plan="q"), CASES)
    assert [run.info.id for run in store.all_runs()] == ["other", "new", "old"]
    newest = store.unfinished("p")
    assert newest is not None
    assert newest.info.id == "new"
    store.set_status("new", "finished", judge_use=JudgeUse(calls=3))
    assert store.unfinished("p") is None
    assert store.get("new").judge_use == JudgeUse(calls=3)
    assert store.get("new").info.status == "finished"


def test_what_judging_took_goes_with_the_results(store):
    store.create(stored("one"), CASES)
    result = Result(case_id="a", metric="mrr", outcome=Skip("x"))
    spent = JudgeUse(calls=2, cost_usd=0.5, cascade=CascadeUse(asked=3, spared=1))
    store.save("one", [], [result], judge_use=spent)
    assert store.get("one").judge_use == spent
    store.save("one", [Answer(case_id="a")], [])
    assert store.get("one").judge_use == spent


def test_delete_takes_everything_and_leaves_shared_cases(store):
    store.create(stored("one"), CASES)
    store.create(stored("two"), CASES)
    store.save("one", [Answer(case_id="a")], [Result(case_id="a", metric="mrr", outcome=Skip("x"))])
    store.delete("one")
    assert store.answers("one") == {}
    assert store.results("one") == []
    assert len(store.cases(stored("two"))) == 2
    store.delete("two")
    with pytest.raises(StoreError, match="case 'a' of its golden set is not in the store"):
        store.cases(stored("two"))
    with pytest.raises(UsageError, match="no run 'two'"):
        store.delete("two")


def test_the_migrations_make_the_tables_of_the_code(real_migrations, store):
    by_migration = inspect(store._engine)
    direct = create_engine("sqlite://")
    if store._engine.dialect.name == "postgresql":
        with store._engine.begin() as connection:
            connection.exec_driver_sql("CREATE SCHEMA direct")
        direct = create_engine(store._engine.url, connect_args={"options": "-csearch_path=direct"})
    assert spans.name in metadata.tables  # those of live traces are among them
    metadata.create_all(direct)
    by_code = inspect(direct)
    for name in metadata.tables:
        assert {
            c["name"]: (str(c["type"]), c["nullable"]) for c in by_migration.get_columns(name)
        } == {c["name"]: (str(c["type"]), c["nullable"]) for c in by_code.get_columns(name)}
        assert by_migration.get_pk_constraint(name) == by_code.get_pk_constraint(name)
        assert by_migration.get_foreign_keys(name) == by_code.get_foreign_keys(name)
        assert indexes(by_migration, name) == indexes(by_code, name)
    direct.dispose()


def indexes(found, name):
    """The indexes of a table; what they are limited to as text, which SQLite gives as an object."""
    each = found.get_indexes(name)
    for one in each:
        more = one.get("dialect_options", {})
        one["dialect_options"] = {key: str(value) for key, value in more.items()}
    return sorted(map(str, each))


def test_a_folder_that_is_not_there_is_made(tmp_path):
    path = tmp_path / "deep" / "er" / "store.db"
    Store(str(path)).close()
    assert path.is_file()


def test_commits_survive_a_power_cut(store):
    with store._engine.connect() as connection:
        if store._engine.dialect.name == "postgresql":
            assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
            return
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2


def test_a_store_of_a_later_version_is_refused(tmp_path):
    path = tmp_path / "store.db"
    Store(str(path)).close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(HEAD,)]
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(FormatTooNew, match="Upgrade acidtest"):
        Store(str(path))


def test_what_is_not_a_store(tmp_path):
    path = tmp_path / "store.db"
    path.write_bytes(b"this is no database, but long enough to look at\n" * 100)
    with pytest.raises(StoreError, match="not a database"):
        Store(str(path))
    with pytest.raises(StoreError, match="unable to open"):
        Store(str(tmp_path))
    with pytest.raises(StoreError, match="not a database URL"):
        Store("nonsense://x")
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(StoreError, match="folder"):
        Store(str(file / "store.db"))


def test_a_missing_driver_says_what_to_install():
    with pytest.raises(MissingExtra, match="pip install"):
        Store("postgresql+pg8000://user:secret@localhost/db")


def test_a_full_disk_is_told_in_words_and_what_was_stored_stays(tmp_path):
    path = tmp_path / "store.db"
    with Store(str(path)) as opened:
        opened.create(stored(), CASES)
        opened.save("r1", [Answer(case_id="a", text="kept")], [])
        with opened._engine.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        # SQLite's own limit fails in the same way as a full disk does.
        from sqlalchemy import event

        event.listen(
            opened._engine,
            "connect",
            lambda raw, _: raw.execute(f"PRAGMA max_page_count = {pages}"),
        )
        opened._engine.dispose()
        with pytest.raises(StoreError, match=r"full.*Free some space"):
            opened.save("r1", [Answer(case_id="b", text="x" * 100_000)], [])
    with Store(str(path)) as again:
        assert again.answers("r1")["a"].text == "kept"


@pytest.fixture
def closed_folder():
    """A folder that nobody but root may write, and a user who is not root."""
    outer = Path(tempfile.mkdtemp())
    outer.chmod(0o755)
    inner = outer / "closed"
    inner.mkdir()
    inner.chmod(0o555)
    me = os.geteuid()
    if me == 0:
        os.seteuid(65534)
    yield inner
    os.seteuid(me)
    inner.chmod(0o755)
    shutil.rmtree(outer)


def test_a_read_only_folder(closed_folder):
    with pytest.raises(StoreError, match="permissions, or name another store"):
        Store(str(closed_folder / "store.db"))
    with pytest.raises(StoreError, match="cannot be made: Permission denied"):
        Store(str(closed_folder / "deeper" / "store.db"))


def test_passwords_are_not_shown():
    assert "secret" not in shown("postgresql://user:secret@host/db")
    assert shown("plain/path.db") == "plain/path.db"
