"""Moving what SQLite's log holds into the database beside its writers, so that no commit waits for it.

SQLite does it by itself at the end of a commit, which then takes some tens of milliseconds more: each
time that 4 MB came together. A program that stores all the time, and whose answers wait for commits, has it
done by a thread. SQLite does it all the same when the log has grown far beyond that: where the thread does
not keep up, what is left then is little.
"""

import sqlite3
import threading
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from acidtest.errors import StoreError
from acidtest.store.names import file_of, url_of
from acidtest.store.turns import Turn

_GOOD_PAGES = 2_000
"""Pages of 4 kB that are best moved at a time: more keep the disk from commits for too long."""

_SHORT_S, _LONG_S = 0.03, 0.25
_LONG_PAGES = 1_000
_MOST_PAGES = 16_000
"""Pages of the log from which on a commit moves them after all."""

_PATIENCE_S = 30.0

_lock = threading.Lock()
_beside: Counter[str] = Counter()


class Checkpoints:
    """Has the log of one store moved by a thread, as long as the context lasts.

    It holds for what is opened while it lasts: begin with it. Only stores in an SQLite file have such a log;
    for others it does nothing.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    def __init__(self, url: str) -> None:
        self._path = _file(url)
        self._turn = Turn(self._path, _PATIENCE_S)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="acidtest-log", daemon=True)

    def __enter__(self) -> Self:
        if self._path is not None:
            with _lock:
                _beside[self._path] += 1
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._path is not None:
            self._stop.set()
            self._thread.join()
            with _lock:
                _beside[self._path] -= 1

    def _work(self) -> None:
        while not self._stop.wait(_LONG_S):
            # A disk that is full, a lock: the log waits, and who commits is told what is wrong.
            with suppress(sqlite3.Error):
                self._watch()

    def _watch(self) -> None:
        # A store that is gone is not made anew here.
        place = f"{Path(str(self._path)).as_uri()}?mode=rw"
        with closing(sqlite3.connect(place, uri=True)) as connection:
            connection.execute("PRAGMA synchronous=FULL")
            seen, pause = None, _LONG_S
            while not self._stop.wait(pause):
                (now,) = connection.execute("PRAGMA data_version").fetchone()
                length = 1 if now == seen else max(self._move(connection), 1)
                seen, pause = now, min(max(pause * _GOOD_PAGES / length, _SHORT_S), _LONG_S)

    def _move(self, connection: sqlite3.Connection) -> int:
        """Move what is there, and then, while nobody writes, the little that came meanwhile.

        Only a log of which nothing is left is written from its beginning again. Returns its pages.
        """
        length = _moved(connection)
        if length > _LONG_PAGES:
            self._turn.take()
            try:
                _moved(connection)
            finally:
                self._turn.give()
        return length


def _file(url: str) -> str | None:
    # What is no name of a store is told by who opens it.
    with suppress(StoreError):
        return file_of(url_of(url))
    return None


def _moved(connection: sqlite3.Connection) -> int:
    """Move the log; return how many pages it has."""
    (_, length, _) = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return int(length)


def pages_of(path: str | None) -> int | None:
    """Return how long the log may grow before a commit moves it; None: as SQLite does by itself."""
    with _lock:
        return _MOST_PAGES if path is not None and _beside[path] else None
