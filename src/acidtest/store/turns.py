"""Writers of one SQLite file that are in this process take turns.

SQLite has one writer at a time, and who finds it busy sleeps and looks again, up to a tenth of a second
later. Here the next one is woken at once; for other processes see `acidtest.store.begin`.
"""

import threading
from typing import Any

from acidtest.store.begin import Others

_lock = threading.Lock()
_turns: dict[str, tuple[Any, Others]] = {}


class Turn:
    """The turn of one transaction.

    Args:
        path: The file of an SQLite store; None needs no turns.
        patience_s: After so long it is begun all the same.

    Attributes:
        others: What is known of other processes that write there.
    """

    def __init__(self, path: str | None, patience_s: float) -> None:
        self._patience_s = patience_s
        self._mine: Any = None
        self.others = Others()
        if path is not None:
            self._mine, self.others = _of(path)
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


def _of(path: str) -> tuple[Any, Others]:
    with _lock:
        return _turns.setdefault(path, (threading.RLock(), Others()))
