"""A big TREC run file to columns by Polars, when its lines are regular.

What Polars would read differently from trec_eval is looked for first; a file that has any of it is left
to the careful reader, as is one that Polars refuses: that reader also knows the line of a fault.
"""

import importlib.util
import os
from typing import Any

from acidtest.errors import BadData
from acidtest.extras import need
from acidtest.formats.run_frame import RunFrame, has_repeats, run_frame
from acidtest.formats.trec_rows import NOT_BLANK

WORTH_IT = 4 * 1024**2
"""Bytes from which Polars is faster, the time to import it included."""

_CHUNK = 64 * 1024
_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_BLANK = 32


def scan_run(path: str | os.PathLike[str]) -> RunFrame | None:
    """Read a run file; None when it is small, irregular or at fault, or Polars is not installed."""
    try:
        if os.path.getsize(path) < WORTH_IT or importlib.util.find_spec("polars") is None:  # noqa: PTH202
            return None
        separator = _separator(path)
    except OSError:
        return None
    if separator is None:
        return None
    pl: Any = need("polars", extra="tables")
    columns = ("query", "iter", "document", "rank", "score", "tag")
    kinds = {name: pl.Float64 if name == "score" else pl.String for name in columns}
    try:
        lines = pl.scan_csv(
            path, separator=separator, has_header=False, quote_char=None, schema=kinds
        )
        frame = lines.select("query", "document", "score").collect()
        if frame.is_empty():
            return None
        run = run_frame(frame)
    except (pl.exceptions.PolarsError, BadData):
        return None
    return None if has_repeats(run) else run


def _separator(path: str | os.PathLike[str]) -> str | None:
    """Return the one blank or tab that parts six columns on every line; None where anything is odd."""
    import numpy as np

    with open(path, "rb") as stream:  # noqa: PTH123 - any path
        data = stream.read(_CHUNK)
        separator = b"\t" if b"\t" in data.partition(b"\n")[0] else b" "
        if data.startswith((_GZIP, _BOM, b"#")):
            return None
        pattern = (separator * 5 + b"\n") * (_CHUNK // 6 + 2)
        phase = 0  # how many columns of the current line have ended
        last = b"\n"
        while data:
            shape = data.translate(None, NOT_BLANK)
            if shape != pattern[phase : phase + len(shape)]:
                return None
            blank = np.frombuffer(last + data, np.uint8) <= _BLANK
            if (blank[1:] & blank[:-1]).any():  # an empty column or line
                return None
            if b"#" in data and b"\n#" in last + data:
                return None
            phase = (phase + len(shape)) % 6
            last = data[-1:]
            data = stream.read(_CHUNK)
        return separator.decode() if phase == (0 if last == b"\n" else 5) else None
