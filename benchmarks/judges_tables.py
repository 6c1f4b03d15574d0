"""Tables of measures with intervals, for `judges.py`: what is measured, how it is drawn, how it is shown."""

import gzip
import json
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acidtest.data.outcomes import Skip
from acidtest.stats.agreement import Agreement
from acidtest.stats.balanced import Of, agreement_of, verdicts_of
from acidtest.stats.units import places

Values = NDArray[np.float64]
DRAWS = 2_000


class Table(NamedTuple):
    """A table: its title, its columns and its rows; `figures` holds the numbers behind it, by row and column."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    figures: dict[str, dict[str, Any]]

    def add(self, name: str, shown: Sequence[str], **figures: Any) -> None:
        """Add a row."""
        self.rows.append((name, *shown))
        self.figures[name] = figures

    def markdown(self) -> str:
        """Return it as Markdown: text to the left, numbers to the right."""
        head = f"| {' | '.join(self.columns)} |"
        rule = "|---" + "|--:" * (len(self.columns) - 1) + "|"
        return "\n".join([head, rule, *(f"| {' | '.join(row)} |" for row in self.rows)])


def table(title: str, *columns: str) -> Table:
    """Return an empty table."""
    return Table(title, columns, [], {})


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a gzipped file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def measure(
    of: Of, truths: Sequence[bool], said: Sequence[bool], groups: Sequence[Hashable]
) -> Agreement | Skip:
    """Return a measure of verdicts beside labels, its interval over groups."""
    return agreement_of(of, verdicts_of(truths, said, groups=groups))


def shown(found: Agreement | Skip, digits: int = 2) -> str:
    """Return a measure with its interval, without leading zeros."""
    if isinstance(found, Skip):
        return "none"
    if found.ci is None:
        return number(found.value, digits)
    low, high = found.ci
    return f"{number(found.value, digits)} ({number(low, digits)} to {number(high, digits)})"


def number(value: float, digits: int = 2) -> str:
    """Return a number as people write shares: .43, -.05, 1.00."""
    text = f"{value:.{digits}f}"
    text = text.removeprefix("-") if float(text) == 0 else text
    return text.replace("0.", ".", 1) if abs(float(text)) < 1 else text


def percent(value: float) -> str:
    """Return a share in per cent."""
    return f"{value:.0%}"


Correlation = Callable[[Values, Values], float]


def pearson(first: Values, second: Values) -> float:
    """Return the correlation; nan where one does not vary."""
    if first.min() == first.max() or second.min() == second.max():
        return float("nan")
    return float(np.corrcoef(first, second)[0, 1])


def spearman(first: Values, second: Values) -> float:
    """Return the rank correlation, ties at their mean rank."""
    return pearson(ranks(first), ranks(second))


def ranks(values: Values) -> Values:
    """Return ranks, ties at their mean."""
    ordered = np.sort(values)
    low = np.searchsorted(ordered, values, side="left")
    return (low + np.searchsorted(ordered, values, side="right")) / 2


def correlation(
    of: Correlation,
    first: Sequence[float],
    second: Sequence[float],
    groups: Sequence[Hashable],
    *,
    seed: int = 0,
) -> Agreement:
    """Return a correlation with the percentile interval over groups drawn with replacement."""
    x, y = np.asarray(first, np.float64), np.asarray(second, np.float64)
    where = places(groups)
    order = np.argsort(where, kind="stable")
    members = np.split(order, np.flatnonzero(np.diff(where[order])) + 1)
    rng = np.random.default_rng(seed)
    drawn: list[float] = []
    for _ in range(DRAWS):
        some = np.concatenate([members[n] for n in rng.integers(len(members), size=len(members))])
        drawn.append(of(x[some], y[some]))
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    return Agreement(value=of(x, y), ci=(float(low), float(high)), n=len(x))
