import sqlite3
import subprocess
import sys
import textwrap
import threading

import pytest

from acidtest.errors import StoreError
from acidtest.store.migrations import HEAD
from acidtest.store.runs import Store

pytestmark = pytest.mark.usefixtures("real_migrations")

OPENER = textwrap.dedent(
    """
    import sys
    from acidtest.store.runs import Store

    for path in sys.argv[1:]:
        print("ready", flush=True)
        sys.stdin.readline()
        with Store(path) as store:
            print(len(store.all_runs()), flush=True)
    """
)


def query(path, sql):
    connection = sqlite3.connect(path)
    try:
        rows = connection.execute(sql).fetchall()
        connection.commit()
    finally:
        connection.close()
    return rows


def objects(path):
    return set(query(path, "SELECT type, name, sql FROM sqlite_master"))


def test_many_may_open_a_new_store_at_once(tmp_path):
    paths = [tmp_path / f"{n}.db" for n in range(3)]
    children = [
        subprocess.Popen(
            [sys.executable, "-c", OPENER, *map(str, paths)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    failures = []

    def open_it(path, barrier):
        barrier.wait()
        try:
            Store(str(path)).close()
        except Exception as error:  # noqa: BLE001 - a thread's errors are told at the end
            failures.append(error)

    for path in paths:
        barrier = threading.Barrier(9)
        threads = [threading.Thread(target=open_it, args=(path, barrier)) for _ in range(8)]
        for thread in threads:
            thread.start()
        assert [child.stdout.readline() for child in children] == ["ready\n"] * 4
        for child in children:
            child.stdin.write("go\n")
            child.stdin.flush()
        barrier.wait()
        assert [child.stdout.readline() for child in children] == ["0\n"] * 4
        for thread in threads:
            thread.join()
    for child in children:
        child.communicate()
        assert child.returncode == 0
    assert failures == []
    for path in paths:
        assert query(path, "SELECT version_num FROM alembic_version") == [(HEAD,)]


def test_threads_may_open_new_stores_of_their_own_at_once(tmp_path):
    barrier = threading.Barrier(8)
    failures = []

    def open_it(path):
        barrier.wait()
        try:
            Store(str(path)).close()
        except Exception as error:  # noqa: BLE001 - a thread's errors are told at the end
            failures.append(error)

    paths = [tmp_path / f"{n}.db" for n in range(8)]
    threads = [threading.Thread(target=open_it, args=(path,)) for path in paths]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    for path in paths:
        assert query(path, "SELECT version_num FROM alembic_version") == [(HEAD,)]


@pytest.mark.parametrize(
    "crash",
    [
        ["DELETE FROM alembic_version"],
        ["DROP TABLE alembic_version"],
        ["DELETE FROM alembic_version", "DROP TABLE verdicts", "DROP INDEX ix_runs_created"],
    ],
)
def test_tables_without_a_revision_are_completed(tmp_path, crash):
    path = tmp_path / "store.db"
    Store(str(path)).close()
    whole = {(kind, name) for kind, name, _ in objects(path)}
    for sql in crash:
        query(path, sql)
    with Store(str(path)) as store:
        assert store.all_runs() == []
    assert {(kind, name) for kind, name, _ in objects(path)} == whole
    assert query(path, "SELECT version_num FROM alembic_version") == [(HEAD,)]


def test_migrations_make_the_tables_that_the_code_knows(any_url):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    import acidtest.store.trace_tables  # noqa: F401 - its tables are in the metadata
    from acidtest.store.schema import connect
    from acidtest.store.tables import metadata

    def is_compared(_, name, *__):
        return name != "ix_traces_figures" or engine.dialect.name == "sqlite"  # which alone has it

    engine = connect(any_url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"include_object": is_compared})
        differences = compare_metadata(context, metadata)
    engine.dispose()
    assert differences == []


def test_tables_of_somebody_else_are_left_alone(tmp_path):
    path = tmp_path / "app.db"
    query(path, "CREATE TABLE runs (id INTEGER, distance REAL)")
    before = objects(path)
    with pytest.raises(StoreError, match="a table 'runs' that is not acidtest's"):
        Store(str(path))
    assert objects(path) == before


def test_a_migration_that_breaks_off_leaves_nothing(tmp_path, monkeypatch):
    path = tmp_path / "store.db"

    def broken(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        # The second of two tables with an index of its own: much is made before it.
        patched.setattr("alembic.op.create_index", broken)
        with pytest.raises(KeyboardInterrupt):
            Store(str(path))
    assert objects(path) == set()
    Store(str(path)).close()
    assert query(path, "SELECT version_num FROM alembic_version") == [(HEAD,)]
