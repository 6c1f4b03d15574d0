"""Writers of one SQLite file that are in this process take turns.

SQLite has one writer at a time, and who finds it busy sleeps and looks again, up to a tenth of a second
later. Here the next one is woken at once; what other processes write is still SQLite's to sort out.
"""

import threading
from pathlib import Path
from typing import Any

_lock = threading.Lock()
_turns: dict[str, Any] = {}


class Turn:
    """The turn of one transaction.

    Args:
        engine: SQLAlchemy's; one that is not on an SQLite file needs no turns.
        patience_s: After so long it is begun all the same.
    """

    def __init__(self, engine: Any, patience_s: float) -> None:
        self._patience_s = patience_s
        self._mine = _turn(engine)
        self._held = False

    def take(self) -> None:
        """Wait for it; a thread that has it already gets it again."""
        if self._mine is not None:
            self._held = self._mine.acquire(timeout=self._patience_s)

    def give(self) -> None:
        """Let the next one write."""
        if self._mine is not None and self._held:
            self._held = False
            self._mine.release()


def _turn(engine: Any) -> Any:
    """Return the lock of an engine's file; None where there is none."""
    name = engine.url.database
    if engine.dialect.name != "sqlite" or name in (None, "", ":memory:"):
        return None
    path = str(Path(name).resolve())
    with _lock:
        return _turns.setdefault(path, threading.RLock())
