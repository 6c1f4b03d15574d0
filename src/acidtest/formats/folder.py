"""Several files into one new folder."""

from collections.abc import Mapping
from pathlib import Path

from acidtest.atomic import write_whole
from acidtest.errors import UsageError


def write_folder(path: str, files: Mapping[str, bytes]) -> None:
    """Write files, by their names within a folder that is made for them.

    Raises:
        UsageError: It is there already and holds something: a file left over would be read as well.
        OSError: It cannot be written.
    """
    folder = Path(path)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(
            "the folder is not empty" if folder.is_dir() else "this is a file, not a folder",
            where=path,
            fix="This format is a folder: name a new one.",
        )
    for name, content in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, content)
