"""The hit table: where the judged chunks stand in each ranking. (First sketch.)"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

Column = list[float | None]
Labels = Mapping[str, int] | Collection[str]


@dataclass(frozen=True)
class Ranked:
    """Hits, grades and lengths, one entry a query."""


def one_query(retrieved: Sequence[str], relevant: Labels) -> Ranked:
    """Build the table of one ranking."""
    raise NotImplementedError
