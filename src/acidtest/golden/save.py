"""Writing a golden set as canonical JSONL."""

import os
from collections.abc import Iterable

from acidtest.atomic import write_whole
from acidtest.data.golden import Case
from acidtest.golden.edit.canonical import canonical_lines


def save_golden(cases: Iterable[Case], path: str | os.PathLike[str]) -> None:
    """Write cases as JSON lines in their one form; the file is whole or not there.

    Answers that the set was read with are not written: they are recorded outputs, not the set.

    Args:
        cases: A `GoldenSet`, or any cases.
        path: Where to; `load_golden` of it has the same version.
    """
    write_whole(path, golden_lines(cases))


def golden_lines(cases: Iterable[Case]) -> bytes:
    """Return cases in their one form on disk; see `acidtest.golden.edit.canonical`."""
    return canonical_lines(cases)
