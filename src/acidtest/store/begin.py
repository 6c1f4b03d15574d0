"""Beginning to write in SQLite where other processes write, too.

SQLite sleeps before it looks again whether another process is done, in the end for a tenth of a second. Writers
of one process hand on in much less than that (see `acidtest.store.turns`): one with much to write would leave the
others seconds of waiting. So this looks often, and who has met another lately leaves a moment for it between two
of its own.
"""

import random
import sqlite3
import time
from typing import Any

_PAUSE_S = 0.001
_LONGEST_S = 0.004
"""Between two looks."""

_WAY_S = 0.005
"""What is left between two transactions, where others write: longer than between two looks."""

_LATELY_S = 1.0


class Others:
    """What is known of other processes that write to one file."""

    def __init__(self) -> None:
        self._met = self._ended = -_LATELY_S

    def begin(self, connection: Any, patience_s: float) -> None:
        """Begin a transaction that writes, as soon as no other process does.

        Args:
            connection: SQLAlchemy's, on an SQLite database.
            patience_s: For how long to wait.

        Raises:
            DatabaseError: Others write all the time.
        """
        now = time.monotonic()
        if now - self._met < _LATELY_S and self._ended + _WAY_S > now:
            time.sleep(self._ended + _WAY_S - now)
        driver, until = connection.connection.driver_connection, now + patience_s
        (usual,) = driver.execute("PRAGMA busy_timeout").fetchone()
        driver.execute("PRAGMA busy_timeout=0")
        try:
            while time.monotonic() < until:
                try:
                    driver.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                        break  # it is said below
                else:
                    return
                self._met = time.monotonic()
                time.sleep(random.uniform(_PAUSE_S, _LONGEST_S))
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        finally:
            driver.execute(f"PRAGMA busy_timeout={int(usual)}")

    def ended(self) -> None:
        """Note that a transaction has ended."""
        self._ended = time.monotonic()
