"""What the handlers of one server share."""

import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import TypeVar

from acidtest.project.config import Config
from acidtest.server.counters import Counters
from acidtest.server.room import Room
from acidtest.server.settings import Settings
from acidtest.server.signing import Signer
from acidtest.store.checkpoints import Checkpoints
from acidtest.store.database import Database
from acidtest.store.spans import SpanStore
from acidtest.store.writable import Writable

D = TypeVar("D", bound=Database)


class Site:
    """One server's settings, numbers and open stores.

    Args:
        settings: What it was started with.
        config: What the configuration file says.

    Raises:
        StoreError: The store cannot be opened, or not be written.
    """

    def __init__(self, settings: Settings, config: Config) -> None:
        self.settings = settings
        self.config = config
        self.counters = Counters()
        self.room = Room(settings.room_bytes)
        self.signer = Signer(settings.token, settings.session_s)
        self._lock = threading.Lock()
        self._opened: dict[type[Database], Database] = {}
        with ExitStack() as stack:
            stack.enter_context(Checkpoints(settings.store))
            stack.callback(self._close)
            self.open(SpanStore)
            self.open(Writable).check()
            self._ending = stack.pop_all()

    def open(self, kind: Callable[[str], D]) -> D:
        """Return the store as one of its rooms (`Store`, `SpanStore`, ...), opened once for all.

        Usable from any thread; who gets it does not close it.
        """
        with self._lock:
            found = self._opened.get(kind)  # type: ignore[call-overload] # a class, as a way to make one
            if found is None:
                found = self._opened[kind] = kind(self.settings.store)  # type: ignore[index]
            return found  # type: ignore[no-any-return]

    def close(self) -> None:
        """Close the stores."""
        self._ending.close()

    def _close(self) -> None:
        with self._lock:
            for opened in self._opened.values():
                opened.close()
            self._opened.clear()
