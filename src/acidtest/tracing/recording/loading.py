"""What sending needs is imported by the thread that sends: the application's own never waits for it.

A fork waits until that is over, for some tenths of a second once: a child would find the imports of a thread that
it does not have locked for ever.
"""

import os
import threading

_PATIENCE_S = 5.0


class _Loading:
    def __init__(self) -> None:
        self.alone = threading.Lock()
        self.over = threading.Event()


_loading = _Loading()


def loaded() -> bool:
    """Say whether all is there."""
    return _loading.over.is_set()


def load() -> None:
    """Import what sending needs; of several threads one does, and the others wait."""
    state = _loading
    with state.alone:
        if state.over.is_set():
            return
        # Once these are there, the thread that sends imports nothing by itself.
        import acidtest.tracing.recording.post
        import acidtest.tracing.recording.spans  # noqa: F401

        state.over.set()


def _before_fork() -> None:
    if _loading.alone.locked():
        _loading.over.wait(_PATIENCE_S)


def _in_child() -> None:
    global _loading  # noqa: PLW0603 - the parent's lock may be held by a thread that is not here
    if not loaded():
        _loading = _Loading()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_child=_in_child)
