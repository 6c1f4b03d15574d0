"""What one worker of pytest-xdist has made, the others read: a folder of files, and a lock for each.

The workers of a session know its random name, and so does their controller, which removes the folder.
The lock is a transaction of SQLite: it works on every system, and the system releases it when its
holder dies.
"""

import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from acidtest.atomic import write_whole
from acidtest.errors import AcidtestError, UsageError

_PAUSE_S = 0.1


def once(workers: str, key: str, make: Callable[[], bytes]) -> bytes:
    """Return what `make` gives, called by the first worker only; the others wait for it.

    An error that names its mend is kept, too: it would be the same in each worker. Where the first
    worker dies the next one makes it.

    Args:
        workers: The name of the workers' session.
        key: What is made, as a file's name.
        make: Makes it.

    Raises:
        AcidtestError: What `make` raised, here or in another worker.
    """
    folder = _folder(workers)
    folder.mkdir(mode=0o700, exist_ok=True)
    made, failed = folder / f"{key}.json", folder / f"{key}.error"
    with closing(sqlite3.connect(folder / f"{key}.lock", isolation_level=None, timeout=0)) as lock:
        while not _taken(lock):
            time.sleep(_PAUSE_S)
        if failed.exists():
            raise UsageError(failed.read_text(encoding="utf-8"))
        if not made.exists():
            try:
                write_whole(made, make())
            except AcidtestError as error:
                write_whole(failed, str(error).encode("utf-8", "backslashreplace"))
                raise
        return made.read_bytes()


def shared(workers: str) -> list[bytes]:
    """Return everything that the workers made, the earliest first."""
    files = sorted(_folder(workers).glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
    return [path.read_bytes() for path in files]


def forget(workers: str) -> None:
    """Remove what the workers made."""
    shutil.rmtree(_folder(workers), ignore_errors=True)


def _folder(workers: str) -> Path:
    return Path(tempfile.gettempdir()) / f"acidtest-{workers}"


def _taken(lock: sqlite3.Connection) -> bool:
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise
        return False
    return True
