"""Writers of one SQLite file that are in this process take turns.

SQLite has one writer at a time, and who finds it busy sleeps and looks again, up to a tenth of a second
later. Here the next one is woken at once; what other processes write is still SQLite's to sort out.
"""

import threading
from typing import Any

_lock = threading.Lock()
_turns: dict[str, Any] = {}


class Turn:
    """The turn of one transaction.

    Args:
        path: The file of an SQLite store; None needs no turns.
        patience_s: After so long it is begun all the same.
    """

    def __init__(self, path: str | None, patience_s: float) -> None:
        self._patience_s = patience_s
        self._mine = None if path is None else _lock_of(path)
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


def _lock_of(path: str) -> Any:
    with _lock:
        return _turns.setdefault(path, threading.RLock())
