"""Keeping what is costly to make for a short while, so that many readers cost as much as one."""

import threading
import time
from collections.abc import Callable, Hashable
from typing import Any

_MOST = 32


class Briefly:
    """Keeps what was made for some seconds; one of a kind is made at a time.

    Args:
        seconds: How long.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._kept: dict[Hashable, tuple[float, Any]] = {}

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return what is kept under a key, else what `make` returns now."""
        with self._lock:
            now = time.monotonic()
            self._kept = {k: kept for k, kept in self._kept.items() if kept[0] > now}
            if key in self._kept:
                return self._kept[key][1]
            made = make()
            if len(self._kept) >= _MOST:
                self._kept.clear()
            self._kept[key] = time.monotonic() + self._seconds, made
            return made
