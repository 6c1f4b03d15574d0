"""A process that writes all the time leaves others their turns."""

import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest

from acidtest.errors import StoreError
from acidtest.store import database
from acidtest.store.alerts import Alerts

BUSY = """
import sys, threading, time
from acidtest.store.alerts import Alerts

def write():
    with Alerts(sys.argv[1]) as kept:
        while True:
            with kept._begin() as connection:
                connection.exec_driver_sql("DELETE FROM watch_state WHERE key = 'other'")
                time.sleep(0.01)

for _ in range(4):
    threading.Thread(target=write, daemon=True).start()
print(flush=True)
sys.stdin.read()
"""


def test_who_writes_beside_a_process_that_always_does_waits_for_moments(tmp_path):
    path = str(tmp_path / "s.db")
    with Alerts(path) as kept:
        command = [sys.executable, "-c", BUSY, path]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe) as busy:
            busy.stdout.readline()
            time.sleep(1)
            waits, until = [], time.monotonic() + 5
            while time.monotonic() < until:
                began = time.monotonic()
                assert kept.swap(f"k{len(waits)}", None, b"1")
                waits.append(time.monotonic() - began)
            busy.kill()
    # SQLite's own pauses made it seconds: whoever has the lock takes it again meanwhile.
    assert max(waits) < 1
    assert len(waits) > 20


def test_where_others_write_all_the_time_it_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "PATIENCE_S", 0.1)
    path = tmp_path / "s.db"
    with Alerts(str(path)) as kept, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked") as failed:
            kept.swap("k", None, b"1")
        assert failed.value.passing
        other.execute("COMMIT")
        assert kept.swap("k", None, b"1")
        with kept._engine.connect() as connection:
            # Who reads waits as long as ever.
            assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one() == 30_000
