"""Choosing on some questions and measuring on others.

Of many that are tried the best looks better than it is. So questions are dealt into folds, and in each fold the one
is measured that was best on all others.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from acidtest.stats.units import places
from judges_recorded import Played, Stakes

Places = NDArray[np.int64]
Choice = Callable[[Places], tuple[str, Played]]
"""Names the one that is best on some rows, and gives what it says of all."""
FOLDS = 10
SHORT = 7
"""Panels are made of so many judges, those that are best alone: of 45 there are too many panels."""


def folds(groups: Sequence[Hashable], *, seed: int = 0) -> list[Places]:
    """Return the rows of each fold; rows of a group stay together."""
    where = places(groups)
    dealt = np.random.default_rng(seed).permutation(int(where.max()) + 1) % FOLDS
    return [np.flatnonzero(dealt[where] == fold) for fold in range(FOLDS)]


def held_out(on: Stakes, choose: Choice) -> tuple[Played, dict[str, int]]:
    """Return what was said and asked by the one that was best elsewhere; and in how many folds which was."""
    count = len(on.truths)
    said: list[str | None] = [None] * count
    calls: dict[str, list[int]] = {}
    picked: dict[str, int] = {}
    for fold in folds(on.groups):
        name, best = choose(np.setdiff1d(np.arange(count), fold))
        picked[name] = picked.get(name, 0) + 1
        for n in fold:
            said[n] = best.said[n]
            for model, asked in best.calls.items():
                calls.setdefault(model, [0] * count)[n] = asked[n]
    return Played(said, calls), picked


def agreeing(tried: Mapping[str, Played], on: Stakes) -> Choice:
    """Return the choice of the highest kappa."""

    def choose(rows: Places) -> tuple[str, Played]:
        name = max(tried, key=lambda each: kappa_on(tried[each], on, rows))
        return name, tried[name]

    return choose


def sparing(
    tried: Mapping[str, Played], on: Stakes, dear: str, alone: Played, *, slack: float = 0.0
) -> Choice:
    """Return the choice of the fewest calls of the dear judge at its own kappa, less a slack; else it alone."""

    def choose(rows: Places) -> tuple[str, Played]:
        least = kappa_on(alone, on, rows) - slack
        good = {dear: alone} | {
            name: each for name, each in tried.items() if kappa_on(each, on, rows) >= least
        }
        name = min(good, key=lambda each: sum(good[each].spent([dear])[n] for n in rows))
        return name, good[name]

    return choose


def panelling(tried: Mapping[str, Played], on: Stakes, size: int) -> Choice:
    """Return the choice of the panel whose kappa is highest, made of those that are best alone."""

    def choose(rows: Places) -> tuple[str, Played]:
        order = sorted(tried, key=lambda each: -kappa_on(tried[each], on, rows))[:SHORT]
        panels = {
            " + ".join(names): panel([tried[name] for name in names])
            for names in combinations(order, size)
        }
        return agreeing(panels, on)(rows)

    return choose


def panel(judges: Sequence[Played]) -> Played:
    """Return a vote of several: a tie and a silence of all leave it open."""
    said: list[str | None] = []
    for words in zip(*(each.said for each in judges), strict=True):
        given = [word for word in words if word is not None]
        most = sorted({(given.count(word), word) for word in given}, reverse=True)
        tied = len(most) > 1 and most[0][0] == most[1][0]
        said.append(None if tied or not most else most[0][1])
    calls: dict[str, list[int]] = {}
    for each in judges:
        for model, asked in each.calls.items():
            before = calls.get(model, [0] * len(said))
            calls[model] = [a + b for a, b in zip(before, asked, strict=True)]
    return Played(said, calls)


def cascade(first: Played, second: Played) -> Played:
    """Return what the first says, and where it leaves it open the second."""
    said = [b if a is None else a for a, b in zip(first.said, second.said, strict=True)]
    calls = {model: list(asked) for model, asked in first.calls.items()}
    for model, asked in second.calls.items():
        before = calls.get(model, [0] * len(said))
        calls[model] = [
            was + (more if word is None else 0)
            for was, more, word in zip(before, asked, first.said, strict=True)
        ]
    return Played(said, calls)


def kappa_on(played: Played, on: Stakes, rows: Places) -> float:
    """Return Cohen's kappa with people on those of some rows that were decided; -1 where there is none."""
    some = [n for n in rows if played.said[n] is not None]
    if not some:
        return -1.0
    truths = np.array([on.truths[n] for n in some])
    said = np.array([played.said[n] == on.yes for n in some])
    chance = truths.mean() * said.mean() + (1 - truths.mean()) * (1 - said.mean())
    return float(((truths == said).mean() - chance) / (1 - chance)) if chance < 1 else -1.0
