"""How often the judge was right: the table that `benchmarks/local_judge.py` measured, kept as data."""

from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct


class Side(Struct, frozen=True, kw_only=True):
    """One kind of ruling on one data set.

    Attributes:
        n: How often it was given.
        right: How often it was right; None under ten rulings.
        ci: 95 % interval of `right`, bootstrapped over documents or questions; None likewise.
        even: `right` if as many claims deserved this ruling as did not; it compares data sets.
    """

    n: int
    right: float | None
    ci: tuple[float, float] | None
    even: float | None


class Row(Struct, frozen=True, kw_only=True):
    """One data set.

    Attributes:
        task: The prompt.
        data: The data set.
        labels: Who said what is right: people for each unit (`people`), people for the case or the
            passage, so that it follows for the unit (`derived`), or another judge (`machine`).
        n: Units with a label on which the judge ruled or abstained.
        base: Share of them that are supported (useful, correct) by the labels.
        decided: Share on which it ruled.
        against: Its rulings unsupported, useless or incorrect.
        in_favour: Its rulings supported, useful or correct.
    """

    task: str
    data: str
    labels: Literal["people", "derived", "machine"]
    n: int
    base: float
    decided: float
    against: Side
    in_favour: Side


class Mean(Struct, frozen=True, kw_only=True):
    """A mean over data sets, with 95 % bootstrap intervals."""

    over: str
    sets: int
    decided: float
    decided_ci: tuple[float, float]
    against: float
    against_ci: tuple[float, float]
    against_even: float
    in_favour: float
    in_favour_ci: tuple[float, float]
    in_favour_even: float


class Ranking(Struct, frozen=True, kw_only=True):
    """Rank correlation of answers' scores with people's ratings of the same answers."""

    data: str
    n: int
    score: float
    floor: float
    llm_judge: float


class Measured(Struct, frozen=True, kw_only=True):
    """The whole table."""

    version: str
    rows: tuple[Row, ...]
    means: tuple[Mean, ...]
    ranking: Ranking


@cache
def measured() -> Measured:
    """Return the table that comes with this version of the judge."""
    raw = files("acidtest.judges.local").joinpath("measured.json").read_bytes()
    return msgspec.json.decode(raw, type=Measured)
