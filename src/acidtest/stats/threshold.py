"""The threshold from which on a score is best taken for yes, and how good it is on cases it was not fitted on.

It maximises balanced accuracy. Quality on the cases that it was fitted on is flattered; so groups are dealt
into folds, each fold's verdicts are made with the threshold that fits the others best, and the verdicts of all
folds together are what is reported. Intervals of those leave out that another sample would have given other
thresholds.

Source: M. Stone, "Cross-Validatory Choice and Assessment of Statistical Predictions", JRSS B 36 (1974).
"""

from collections.abc import Hashable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from acidtest.data.outcomes import Skip
from acidtest.stats.balanced import Bits
from acidtest.stats.units import Column, places

FOLDS = 10


class Fitted(Struct, frozen=True, kw_only=True):
    """A fitted threshold.

    Attributes:
        threshold: From here on it is yes; fitted on all cases.
        lowest: The lowest of the folds' thresholds.
        highest: The highest of them.
        folds: How many folds there were.
        verdicts: For each case the verdict with a threshold that was fitted without its fold.
    """

    threshold: float
    lowest: float
    highest: float
    folds: int
    verdicts: Bits


def best_threshold(
    scores: Column, labels: Bits, weights: Column, *, near: float = 0.5
) -> float | None:
    """Return the threshold of the highest balanced accuracy, half way between two scores.

    Args:
        scores: One a case.
        labels: Whether each case is a yes.
        weights: How much each counts.
        near: Of several that are as good the one that is nearest to this.

    Returns:
        The threshold; None where labels or scores are all the same.
    """
    values, at = np.unique(scores, return_inverse=True)
    yes = np.bincount(at, weights=weights * labels, minlength=len(values))
    no = np.bincount(at, weights=weights * ~labels, minlength=len(values))
    if len(values) < 2 or not yes.sum() or not no.sum():
        return None
    # Cut k parts the k + 1 lowest values from the rest.
    kept = 1 - np.cumsum(yes)[:-1] / yes.sum()
    refused = np.cumsum(no)[:-1] / no.sum()
    quality = kept + refused
    cuts = values[:-1] + (values[1:] - values[:-1]) / 2
    good = cuts[quality >= quality.max() - 1e-12]
    return float(good[np.argmin(np.abs(good - near))])


def cross_validated(
    scores: Sequence[float] | Column,
    labels: Sequence[bool] | Bits,
    *,
    weights: Sequence[float] | Column | None = None,
    groups: Sequence[Hashable] | None = None,
    near: float = 0.5,
    seed: int = 0,
) -> Fitted | Skip:
    """Fit a threshold, and give every case a verdict by a threshold that has not seen it.

    Args:
        scores: One a case.
        labels: Whether each case is a yes.
        weights: How much each counts, above 0; by default all the same.
        groups: What stays in one fold; by default each case alone.
        near: Of thresholds that are as good the one that is nearest to this.
        seed: The same seed deals the same folds.

    Returns:
        What was fitted, or why nothing can be: labels or scores are the same throughout, or so in some
        fold's rest.
    """
    x, yes = np.asarray(scores, np.float64), np.asarray(labels, bool)
    n = len(x)
    w = np.ones(n) if weights is None else np.asarray(weights, np.float64)
    whole = best_threshold(x, yes, w, near=near) if n else None
    if whole is None:
        return Skip(
            "labels or scores are the same throughout: no threshold fits better than another"
        )
    fold = _dealt(np.arange(n) if groups is None else places(groups), yes, seed)
    verdicts = np.zeros(n, bool)
    thresholds: list[float] = []
    for number in range(int(fold.max()) + 1):
        out = fold == number
        fitted = best_threshold(x[~out], yes[~out], w[~out], near=near)
        if fitted is None:
            return Skip("too few labels of one kind to fit on some and to check on others")
        thresholds.append(fitted)
        verdicts[out] = x[out] >= fitted
    return Fitted(
        threshold=whole,
        lowest=min(thresholds),
        highest=max(thresholds),
        folds=len(thresholds),
        verdicts=verdicts,
    )


def _dealt(where: NDArray[np.int64], yes: Bits, seed: int) -> NDArray[np.int64]:
    """Return each case's fold: groups are shuffled, and dealt in the order of their share of yes."""
    groups = int(where.max()) + 1
    share = np.bincount(where, weights=yes, minlength=groups) / np.bincount(where, minlength=groups)
    order = np.random.default_rng(seed).permutation(groups)
    order = order[np.argsort(share[order], kind="stable")]
    fold = np.empty(groups, np.int64)
    fold[order] = np.arange(groups) % min(FOLDS, groups)
    return fold[where]
