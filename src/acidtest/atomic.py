"""Writing a file whole or not at all, whatever stops the program in between."""

import os
import stat


def write_whole(target: str | os.PathLike[str], content: bytes) -> None:
    """Write a file so that its old content stands until the new one is complete.

    A symbolic link is followed. What is no plain file (a device, a pipe) is written to, never
    replaced.

    Raises:
        OSError: It cannot be written.
    """
    path = os.path.realpath(target)
    if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH110, PTH116
        with open(path, "wb") as stream:  # noqa: PTH123
            stream.write(content)
        return
    part = f"{path}.part"
    try:
        with open(part, "wb") as stream:  # noqa: PTH123
            stream.write(content)
        os.replace(part, path)  # noqa: PTH105
    except OSError:
        if os.path.exists(part):  # noqa: PTH110
            os.unlink(part)  # noqa: PTH108
        raise
