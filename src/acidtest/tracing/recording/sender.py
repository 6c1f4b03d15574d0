"""The thread that sends what was recorded: bounded, never in the way, and quiet.

What waits is bounded in number and bytes. What cannot wait or is refused is dropped and counted, and the
log says so once.
"""

import atexit
import os
import sys
import threading
import time
import weakref
from collections import deque
from typing import TYPE_CHECKING

from acidtest.tracing.recording.kept import Later
from acidtest.tracing.recording.loading import load

if TYPE_CHECKING:
    from acidtest.tracing.recording.post import Post, Told

MOST_BYTES = 32 * 1024**2
EXIT_S = 3.0
"""Seconds that the end of the program waits for what is left."""

_LOG = "acidtest.record"
_BATCH = 64
_BATCH_BYTES = 4 * 1024**2
_FIRST_WAIT_S, _LAST_WAIT_S = 0.25, 30.0


class Sender:
    """Sends spans in the background.

    Args:
        url: Where to.
        token: What the server asks for.
        service: The name of the application.
        most: Answers that may wait.
        timeout_s: Seconds after which a silent server counts as down.
    """

    def __init__(
        self, url: str, token: str | None, *, service: str | None, most: int, timeout_s: float
    ) -> None:
        self._where = (url, token, timeout_s)
        self._service, self._most = service, most
        self.dropped = 0
        self.sent = 0
        self._warned: set[str] = set()
        self._begin()
        _senders.add(self)

    def _begin(self) -> None:
        self._changed = threading.Condition()
        self._waiting: deque[bytes | Later] = deque()
        self._bytes = self._under_way = 0
        self._closing = False
        self._thread: threading.Thread | None = None

    def put(self, entry: bytes | Later) -> None:
        """Hand over the spans of one answer; at once, whatever the server does."""
        size = _size(entry)
        with self._changed:
            full = len(self._waiting) >= self._most or self._bytes + size > MOST_BYTES
            if full or self._closing:
                self._drop(1, "more waits than may" if full else "the recorder is closed")
                return
            self._waiting.append(entry)
            self._bytes += size
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="acidtest-record", daemon=True
                )
                self._thread.start()
            self._changed.notify_all()

    def refuse(self, why: str) -> None:
        """Count an answer that could not even be written down."""
        with self._changed:
            self._drop(1, why)

    def flush(self, timeout_s: float) -> bool:
        """Wait until everything is sent or dropped; False when the time was not enough."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not self._waiting and not self._under_way, timeout_s
            )

    def close(self, timeout_s: float) -> None:
        """Send what is left, each once, for so long; what is left then is dropped."""
        deadline = time.monotonic() + timeout_s
        with self._changed:
            self._closing = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._waiting and not self._under_way, timeout_s)
            if self._waiting or self._under_way:
                self._drop(len(self._waiting) + self._under_way, "the program ended")
                self._waiting.clear()
                self._bytes = self._under_way = 0
            thread = self._thread
        if thread is not None:
            thread.join(max(0.0, min(1.0, deadline - time.monotonic())))

    def forked(self) -> None:
        """Start anew in a child process: the parent's thread sends what the parent recorded."""
        self._begin()

    def _run(self) -> None:
        url, token, timeout_s = self._where
        try:
            with self._changed:
                pass  # whoever records goes on first
            load()
            from acidtest.tracing.recording.post import Post

            post = Post(url, token, timeout_s=timeout_s)
        except Exception as fault:  # noqa: BLE001 - no address, or what sending needs is damaged
            self._refuse_all(str(fault))
            return
        while batch := self._next():
            bodies = self._written(batch)
            told = self._delivered(post, bodies) if bodies else None
            with self._changed:
                if told is None:
                    pass
                elif told.taken:
                    self.sent += len(bodies)
                    if told.refused:
                        self._drop(1, f"the server refused {told.refused} spans: {told.why}")
                elif self._under_way:
                    self._drop(len(bodies), told.why)
                self._under_way = 0
                self._changed.notify_all()
        post.close()

    def _next(self) -> list[bytes | Later]:
        """Return what is to be sent next; nothing once the recorder is closed and all is sent."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._waiting) or self._closing)
            batch, size = list[bytes | Later](), 0
            while self._waiting and len(batch) < _BATCH and size < _BATCH_BYTES:
                batch.append(self._waiting.popleft())
                size += _size(batch[-1])
            self._bytes -= size
            self._under_way = len(batch)
            return batch

    def _written(self, batch: list[bytes | Later]) -> list[bytes]:
        bodies: list[bytes] = []
        for each in batch:
            try:
                bodies.append(each.write() if isinstance(each, Later) else each)
            except Exception as fault:  # noqa: BLE001 - whatever it is, the others are sent
                with self._changed:
                    self._under_way -= 1
                    self._drop(1, f"an answer cannot be written down ({fault!r})"[:500])
        return bodies

    def _delivered(self, post: "Post", batch: list[bytes]) -> "Told":
        from acidtest.tracing.recording.spans import request

        body = request(batch, self._service)
        wait_s = _FIRST_WAIT_S
        while True:
            told = post(body)
            if told.taken or not told.again:
                return told
            with self._changed:
                self._warn("down", f"{told.why}; sending is tried again")
                if self._closing:
                    return told
                self._changed.wait_for(lambda: self._closing, told.wait_s or wait_s)
            wait_s = min(2 * wait_s, _LAST_WAIT_S)

    def _refuse_all(self, why: str) -> None:
        with self._changed:
            self._closing = True
            self._drop(len(self._waiting), why)
            self._waiting.clear()
            self._bytes = 0
            self._changed.notify_all()

    def _drop(self, count: int, why: str) -> None:
        self.dropped += count
        self._warn("dropped", f"{why}; answers are dropped")

    def _warn(self, kind: str, what: str) -> None:
        if kind not in self._warned:
            self._warned.add(kind)
            _log(f"acidtest does not record: {what}. This is said once.")


def _log(line: str) -> None:
    """Say something in the log; to whoever has not even imported it, as it would: on stderr."""
    # Not imported here: what it does at forks would be done by halves in one that happens meanwhile.
    logger = getattr(sys.modules.get("logging"), "getLogger", None)
    if logger is not None:
        logger(_LOG).warning("%s", line)
    elif sys.stderr is not None:
        sys.stderr.write(f"{line}\n")


def _size(entry: bytes | Later) -> int:
    return entry.size if isinstance(entry, Later) else len(entry)


_senders: weakref.WeakSet[Sender] = weakref.WeakSet()


def _close_all() -> None:
    deadline = time.monotonic() + EXIT_S
    for sender in list(_senders):
        sender.close(max(0.0, deadline - time.monotonic()))


def _forked() -> None:
    for sender in list(_senders):
        sender.forked()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
