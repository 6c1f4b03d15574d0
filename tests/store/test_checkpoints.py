"""The log of an SQLite store is moved beside its writers, and never grows without end."""

import sqlite3
import threading
import time
from pathlib import Path

import pytest

from acidtest.store import checkpoints, schema
from acidtest.store.checkpoints import Checkpoints
from acidtest.store.spending import Spending

DAY_MS = 86_400_000


def pages_before_a_commit_moves(room):
    with room._engine.connect() as connection:
        return connection.exec_driver_sql("PRAGMA wal_autocheckpoint").scalar_one()


def in_the_file_alone(path):
    """Read what is in the database without its log, as it is after the log was moved."""
    copy = path.with_name("copy.db")
    copy.write_bytes(path.read_bytes())
    connection = sqlite3.connect(f"{copy.as_uri()}?immutable=1", uri=True)
    try:
        return connection.execute("SELECT coalesce(sum(calls), 0) FROM spending").fetchone()[0]
    except sqlite3.DatabaseError:
        return None  # copied in the middle of a move
    finally:
        connection.close()


def until(told):
    end = time.monotonic() + 20
    while not told():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_log_that_grew_beside_a_long_reader_is_short_again_after_it(tmp_path, monkeypatch):
    monkeypatch.setattr(schema, "_LOG_BYTES", 64 << 10)
    path = tmp_path / "s.db"
    log = path.with_name("s.db-wal")
    with Spending(str(path)) as room:

        def write():
            with room._begin() as connection:
                connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS much (body)")
                connection.exec_driver_sql("INSERT INTO much VALUES (zeroblob(2000000))")

        write()
        with room._engine.connect() as reader:
            reading = reader.exec_driver_sql("SELECT name FROM sqlite_master")
            reading.fetchone()
            for _ in range(5):
                write()
            assert log.stat().st_size > 5 << 20
            reading.close()
        for _ in range(3):
            room.took(now_ms=1, calls=1)
        assert log.stat().st_size <= 1 << 20


def test_what_is_written_gets_into_the_file_while_the_store_is_open(tmp_path):
    path = tmp_path / "s.db"
    with Checkpoints(str(path)), Spending(f"sqlite:///{path}") as room:
        assert pages_before_a_commit_moves(room) == 16_000
        for day in range(5):
            room.took(now_ms=day * DAY_MS, calls=1)
        until(lambda: in_the_file_alone(path) == 5)


def test_a_store_opened_without_it_moves_its_log_itself(tmp_path):
    path = tmp_path / "s.db"
    with Checkpoints(str(path)):
        pass
    with Spending(str(path)) as room:
        assert pages_before_a_commit_moves(room) == 1000


def test_the_log_is_written_from_its_beginning_again_while_others_write(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "_LONG_PAGES", 20)
    path, stop = tmp_path / "s.db", threading.Event()
    log = Path(f"{path}-wal")
    with Checkpoints(str(path)), Spending(str(path)) as room:

        def write():
            day = 0
            while not stop.is_set():
                day += 1
                room.took(now_ms=day * DAY_MS, calls=1)

        threads = [threading.Thread(target=write) for _ in range(2)]
        for each in threads:
            each.start()
        salts = set()  # a new one each time that the log begins again

        def began_again():
            salts.add(log.read_bytes()[16:24])
            return len(salts) > 3

        until(began_again)
        stop.set()
        for each in threads:
            each.join()


def test_a_store_that_was_deleted_is_not_made_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "_LONG_S", 0.01)
    path = tmp_path / "s.db"
    with Checkpoints(str(path)):
        time.sleep(0.1)
    assert not path.exists()


@pytest.mark.parametrize("url", ["sqlite://", "postgresql://u@127.0.0.1/x", "no-such-thing://"])
def test_other_stores_have_no_log(url):
    before = threading.active_count()
    with Checkpoints(url):
        assert threading.active_count() == before
