"""Writing a file whole or not at all, whatever stops the program in between."""

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from typing import BinaryIO


def write_whole(target: str | os.PathLike[str], content: bytes) -> None:
    """Write a file so that its old content stands until the new one is complete; see `written_whole`."""
    with written_whole(target) as stream:
        stream.write(content)


@contextlib.contextmanager
def written_whole(target: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file to write, whose old content stands until the block ends without an error.

    A symbolic link is followed. What is no plain file (a device, a pipe) is written to, never
    replaced. The part that is being written is a new file in the same folder, of a name that nobody
    has; a file that is replaced hands on its permissions.

    Raises:
        OSError: It cannot be written.
    """
    path = os.path.realpath(target)
    old = os.stat(path) if os.path.exists(path) else None  # noqa: PTH110, PTH116
    if old is not None and not stat.S_ISREG(old.st_mode):
        with open(path, "wb") as stream:  # noqa: PTH123
            yield stream
        return
    part = os.path.join(os.path.dirname(path), f".acidtest-{secrets.token_hex(8)}.part")  # noqa: PTH118, PTH120
    try:
        with open(part, "xb") as stream:  # noqa: PTH123
            yield stream
        if old is not None:
            with contextlib.suppress(OSError):  # a file system without permissions
                os.chmod(part, stat.S_IMODE(old.st_mode))  # noqa: PTH101
        os.replace(part, path)  # noqa: PTH105
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)  # noqa: PTH108
        raise
