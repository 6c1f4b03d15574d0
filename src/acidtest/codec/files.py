"""Reading whole files: what is missing, a folder, empty or too big is refused in words."""

import os
import stat
from pathlib import Path

from acidtest.errors import BadData

MAX_BYTES = 2 * 1024**3


def read_bytes(path: str | os.PathLike[str], *, limit: int = MAX_BYTES) -> bytes:
    """Read a whole file.

    Raises:
        BadData: It is missing, a folder, unreadable, empty or over the limit.
    """
    target = Path(path)
    try:
        found = target.stat()
        size = found.st_size
        if stat.S_ISDIR(found.st_mode):
            raise BadData(
                "this is a folder, not a file", where=str(target), fix="Name a file in it."
            )
        if stat.S_ISCHR(found.st_mode) and _is_endless(target):
            raise BadData(
                "this is a device, not a file",
                where=str(target),
                fix="Write what it gives to a file first.",
            )
        if size > limit:
            raise BadData(
                f"the file has {size:,} bytes, over {limit:,}",
                where=str(target),
                fix="Check that it is the right file, or split it.",
            )
        raw = target.read_bytes()
    except FileNotFoundError as error:
        raise BadData(
            "no such file", where=str(target), fix="Check the path and the working folder."
        ) from error
    except OSError as error:
        raise BadData(
            f"cannot be read: {error.strerror}",
            where=str(target),
            fix="Check that you may read it, and that its disk is there.",
        ) from error
    if not raw.strip():
        raise BadData(
            "the file is empty",
            where=str(target),
            fix="Check whether what writes it ended well, and the path.",
        )
    return raw


def _is_endless(device: Path) -> bool:
    """Say whether a device may have no end: only the empty one and a terminal are known to have one."""
    if os.path.realpath(device) == os.devnull:
        return False
    with device.open("rb", buffering=0) as stream:
        return not stream.isatty()
