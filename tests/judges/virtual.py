"""An event loop whose clock jumps: a test of an hour's pauses takes no time and is exact."""

import asyncio
import selectors


class _Jumping(selectors.SelectSelector):
    """Waits for nothing: what the loop would sleep is added to its clock."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout=None):
        found = super().select(0)
        if not found and timeout is None:
            raise RuntimeError("nothing will ever happen: every task waits for another")
        if not found and timeout:
            self.now += timeout
        return found


class VirtualLoop(asyncio.SelectorEventLoop):
    """No sockets, no threads: everything that is awaited is a timer or another task."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


def run(main):
    """Run a coroutine in virtual time; return its result."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)
