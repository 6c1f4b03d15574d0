"""Where artifacts go, checked before anything is run for them: no input is overwritten."""

import json
import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from acidtest.errors import UsageError
from acidtest.store.names import path_of

_FIRST_LINE = 1024**2  # bytes of it that are read

_SIDECARS = ("", "-wal", "-shm", "-journal")


def check_targets(
    targets: Mapping[str, str | None],
    inputs: Iterable[tuple[str, str | os.PathLike[str]]] = (),
    *,
    goes_on: Collection[str] = (),
) -> None:
    """Refuse artifact paths that cannot be written or that would destroy something.

    Args:
        targets: Option -> where its artifact goes; `-` is stdout, None nowhere.
        inputs: What is read, and its path.
        goes_on: Options that go on with what their file holds.

    Raises:
        UsageError: A path is a folder, its folder cannot be written, it is the path of an input or of an
            anchor or people's labels, or two artifacts go to the same place.
    """
    taken = {os.path.realpath(path): what for what, path in inputs}
    for option, target in targets.items():
        if target is None:
            continue
        if target == "-":
            place, shown = "-", "stdout"
        else:
            _writable(target)
            place = shown = os.path.realpath(target)
            if os.path.exists(place) and not os.path.isfile(place):  # noqa: PTH110, PTH113
                continue  # a device or a pipe takes what comes, from several too
            if place not in taken and option not in goes_on and (dear := _dear(place)):
                taken[place] = dear
        if place not in taken:
            taken[place] = option
        elif taken[place] in targets:
            raise UsageError(
                f"{taken[place]} {target} and {option} {target} both want {shown}"
                if target == "-"
                else f"{taken[place]} and {option} both want this file",
                where=None if target == "-" else target,
                fix="Give one a file." if target == "-" else "Give each its own file.",
            )
        else:
            raise UsageError(
                f"{option} would overwrite {taken[place]}", where=target, fix="Name another file."
            )


def store_files(url: str) -> list[tuple[str, str]]:
    """Return the files of a store, and what they are; none for a server's."""
    path = path_of(url)
    return [] if path is None else [("the store", f"{path}{tail}") for tail in _SIDECARS]


def _dear(place: str) -> str | None:
    """Return what a file is that no command can make again: verdicts were paid for, people took their time."""
    try:
        with Path(place).open("rb") as file:
            line = file.readline(_FIRST_LINE)
        first = json.loads(line)
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(first, dict):
        return None
    if first.get("format") == "acidtest/anchor":
        return "an anchor and its history"
    return "people's labels" if {"case", "metric", "label"} <= first.keys() else None


def _writable(target: str) -> None:
    path = Path(target)
    if path.is_dir():
        raise UsageError("this is a folder, not a file", where=target, fix="Name a file in it.")
    folder = next((p for p in path.absolute().parents if p.exists()), None)
    if folder is None or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise UsageError(
            f"the folder {str(path.parent)!r} cannot be written",
            where=target,
            fix="Name a folder that you may write to.",
        )
