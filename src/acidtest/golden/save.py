"""Writing a golden set as canonical JSONL."""

import os
from collections.abc import Iterable

import msgspec

from acidtest.data import Case


def save_golden(cases: Iterable[Case], path: str | os.PathLike[str]) -> None:
    """Write cases as JSON lines, fields at their default left out; the file is whole or not there.

    Answers that the set was read with are not written: they are recorded outputs, not the set.

    Args:
        cases: A `GoldenSet`, or any cases.
        path: Where to; `load_golden` of it has the same version.
    """
    target = os.fspath(path)
    part = f"{target}.part"
    with open(part, "wb") as stream:  # noqa: PTH123 - os.fspath keeps any path type
        stream.writelines(msgspec.json.encode(case) + b"\n" for case in cases)
    os.replace(part, target)  # noqa: PTH105
