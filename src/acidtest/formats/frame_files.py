"""Files of tables, known by how they begin and end: their names may say something else."""

import os
from pathlib import Path
from typing import Any

from acidtest.errors import BadData
from acidtest.extras import need

_NAMED = (".parquet", ".pq", ".arrow", ".feather", ".ipc")
_PARQUET, _ARROW, _FEATHER_1 = b"PAR1", b"ARROW1", b"FEA1"
_STREAM = b"\xff\xff\xff\xff"
_WHOLE = "Is the file whole? Write it once more as Parquet or Arrow."


def is_table_file(path: str | os.PathLike[str]) -> bool:
    """Say whether a file is a table, by its ending or by what it holds; one that cannot be read is not."""
    if Path(os.fspath(path)).suffix.lower() in _NAMED:
        return True
    try:
        with Path(path).open("rb") as file:
            head = file.read(8)
            if not head.startswith((_PARQUET, _ARROW)):
                return False
            # A query may be called so, too: text begins so, and does not end so.
            file.seek(-4, os.SEEK_END)
            return head.startswith(_ARROW + b"\0\0") or file.read(4) == _PARQUET
    except (OSError, ValueError):
        return False


def scanned(path: str | os.PathLike[str]) -> Any:
    """Return a file as a lazy frame.

    Raises:
        BadData: It is empty, or neither Parquet nor Arrow.
        OSError: It cannot be read.
    """
    pl: Any = need("polars", extra="tables")
    target = Path(os.fspath(path))
    with target.open("rb") as file:
        head = file.read(8)
    if head.startswith(_PARQUET):
        return pl.scan_parquet(target, glob=False)
    if head.startswith(_ARROW):
        return pl.scan_ipc(target, glob=False)
    if head.startswith(_STREAM):
        return pl.read_ipc_stream(target).lazy()
    if head.startswith(_FEATHER_1):
        raise BadData(
            "this is a file of Feather 1",
            where=str(target),
            fix="Write it as Feather 2, which is Arrow, or as Parquet.",
        )
    if not head:
        raise BadData("the file is empty", where=str(target), fix=_WHOLE)
    raise BadData(
        "this is neither Parquet nor Arrow",
        where=str(target),
        fix=f"{_WHOLE} A TREC file has another ending, such as .txt.",
    )
