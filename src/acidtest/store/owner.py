"""Who makes a run: a name for one taker in one process, and whether it is still at it."""

import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

SILENCE = timedelta(minutes=10)
"""How long an owner on another host may store nothing before it counts as gone."""

_HELD: set[str] = set()
"""The owners of this process that are at work."""


@contextmanager
def ownership() -> Iterator[str]:
    """Hand out a new owner, `host:pid:birth:token`, that is alive until the context is left."""
    owner = f"{_host()}:{os.getpid()}:{birth(os.getpid())}:{secrets.token_hex(8)}"
    _HELD.add(owner)
    try:
        yield owner
    finally:
        _HELD.discard(owner)


def alive(owner: str | None, touched: str | None = None) -> bool:
    """Say whether the owner of a run is still at it; never raises, whatever the two texts hold.

    Args:
        owner: As the store has it; the token may be missing.
        touched: When something was last stored for the run (ISO 8601). An owner on another host
            cannot be looked at: it is alive when that is less than ten minutes ago.
    """
    parts = owner.split(":") if owner else []
    if len(parts) not in (3, 4):
        return False
    if parts[0] != _host():
        return _lately(touched)
    # A number of more digits than any system's is no process.
    if not (parts[1].isascii() and parts[1].isdigit() and len(parts[1]) <= 9 and int(parts[1])):
        return False
    pid = int(parts[1])
    if pid == os.getpid():
        return owner in _HELD
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    # After a power cut another process may have the number; a killed one may still wait for burial.
    return birth(pid) == parts[2]


def birth(pid: int) -> str:
    """Return when a process was started, in the kernel's ticks; empty where that cannot be had."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("latin-1").rpartition(")")[2].split()
    except OSError:
        return ""
    return "gone" if fields[0] in "ZX" else fields[19]


def now() -> str:
    """Return the time in UTC as the store keeps it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _host() -> str:
    return socket.gethostname().replace(":", "-")


def _lately(touched: str | None) -> bool:
    try:
        at = datetime.fromisoformat(touched or "")
    except ValueError:
        return False
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    # Clocks differ: a time that is a little ahead is as good as one a little ago.
    return abs(datetime.now(UTC) - at) < SILENCE
