"""Repeated judgements: the trials of one metric on one case to one outcome, and how far they differ.

The spread of a judge that is asked the same again is its repeatability (ISO 5725): the standard
deviation within a case, pooled over the cases,

    repeat_sd = sqrt( sum over cases and trials of (x - mean of the case)^2 / sum over cases of (n - 1) ).

It is the judge's own noise; how far cases differ from each other does not enter it.
"""

import math
from collections.abc import Iterable, Mapping

from acidtest.data.outcomes import Failure, Outcome, Score


def merged(trials: Mapping[int, Outcome]) -> Outcome:
    """Join the trials of one metric on one case: the mean of those that scored.

    Where none scored it is the first failure, or, when all of them skip, the first skip.
    """
    ordered = [trials[t] for t in sorted(trials)]
    if len(ordered) == 1:
        return ordered[0]
    scores = [o for o in ordered if isinstance(o, Score)]
    if not scores:
        return next((o for o in ordered if isinstance(o, Failure)), ordered[0])
    values = tuple(s.value for s in scores)
    parts: dict[str, float] = {}
    for each in ordered:
        # A judge that left every claim of one trial open skips it, and its claims still count.
        for key, count in getattr(each, "parts", {}).items():
            parts[key] = parts.get(key, 0.0) + count
    # Evidence and reason are shown of one trial: the one that is nearest to the mean.
    mean = math.fsum(values) / len(values)
    typical = min(scores, key=lambda s: abs(s.value - mean))
    told = _told(values, len(ordered))
    reason = f"{told}; {typical.reason}" if typical.reason else told
    return Score(mean, reason, typical.evidence, parts, values)


def _told(values: tuple[float, ...], asked: int) -> str:
    of = f"{len(values)} of {asked}" if len(values) < asked else f"{asked}"
    low, high = min(values), max(values)
    spread = f"each {low:.3g}" if low == high else f"{low:.3g} to {high:.3g}"
    return f"mean of {of} trials, {spread}"


def repeat_spread(outcomes: Iterable[Outcome]) -> tuple[float | None, float | None]:
    """Return `repeat_sd` and the share of repeated cases whose trials are not all the same.

    Both None where no case was scored twice.
    """
    squares, freedom, cases, wavering = 0.0, 0, 0, 0
    for outcome in outcomes:
        if isinstance(outcome, Score) and len(outcome.trials) > 1:
            values = outcome.trials
            mean = math.fsum(values) / len(values)
            squares += math.fsum((x - mean) ** 2 for x in values)
            freedom += len(values) - 1
            cases += 1
            wavering += max(values) - min(values) > 1e-9
    if not cases:
        return None, None
    return math.sqrt(squares / freedom), wavering / cases
