"""Rows of a foreign file that ask the same and have no ids, as cases of one group.

Results of several trials, or of several systems in one file, repeat a case word for word with other answers.
A golden set must not: each gets an id of its own, and their group says that they belong together.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from acidtest.codec.json import content_hash
from acidtest.codec.names import ANSWER_ANYWHERE, CASE, fold
from acidtest.codec.rows.row import Row

_OUTPUTS = frozenset(name for names in ANSWER_ANYWHERE.values() for name in names)
_IDS = frozenset(CASE["id"])


def apart(rows: Sequence[Row]) -> tuple[tuple[Row, ...], int]:
    """Return the rows with ids where several without one are alike but for their outputs.

    Returns:
        The rows, and how many got an id so.
    """
    alike: dict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        if not any(fold(name) in _IDS and value is not None for name, value in row.values.items()):
            alike[repr(sorted(_asked(row).items()))].append(number)
    found = list(rows)
    changed = 0
    for numbers in alike.values():
        if len(numbers) < 2:
            continue
        mark = content_hash(repr(sorted(_asked(rows[numbers[0]]).items())))
        group = f"q-{mark.removeprefix('sha256:')[:12]}"
        for turn, number in enumerate(numbers, start=1):
            values: dict[str, Any] = {"id": f"{group}-{turn}", "group": group}
            found[number] = replace(rows[number], values=values | rows[number].values)
        changed += len(numbers)
    return tuple(found), changed


def _asked(row: Row) -> dict[str, Any]:
    return {
        name: value
        for name, value in row.values.items()
        if value is not None and fold(name) not in _OUTPUTS
    }
