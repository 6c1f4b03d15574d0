"""One change of a golden set's file at a time: who reads it to change it keeps the others waiting.

What is locked is the set's folder, not its file, which is replaced when it is written: so nothing is
left beside it. The lock goes with the process, however that ends.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from acidtest.errors import UsageError

PATIENCE_S = 30.0
"""How long another change is waited for."""
_PAUSE_S = 0.02


@contextmanager
def alone(path: str | os.PathLike[str]) -> Iterator[None]:
    """Change a file while no other command changes one of its folder.

    Args:
        path: The file, which may be missing; its folder may be missing too.

    Raises:
        UsageError: Another command has not finished within `PATIENCE_S` seconds.
    """
    folder = Path(os.path.realpath(path)).parent
    try:
        import fcntl

        number = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):  # no such lock on this system, or no folder: writing tells
        yield
        return
    try:
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError as error:
                if time.monotonic() > end:
                    raise UsageError(
                        "another command is changing a golden set of this folder",
                        where=os.fspath(path),
                        fix="Wait for its end, and give this command again.",
                    ) from error
                time.sleep(_PAUSE_S)
            except OSError:  # a file system without locks
                break
        yield
    finally:
        os.close(number)
