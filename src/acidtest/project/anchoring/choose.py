"""Choosing the cases of an anchor: near the threshold, low, and spread over all scores.

A judge that changes shows first where it was in doubt, so a third of the cases are those nearest to the
threshold; it does harm where it lets bad answers pass, so a third are the lowest; and a third are spread
evenly over what is left, since a change may show anywhere. Each metric takes a case in turn. The choice
is the same every time: ties go by a hash of the case's id.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult, Run

DEFAULT_THRESHOLD = 0.5
"""Where no floor and no target is set for a metric."""


def choose(
    run: Run, metrics: Sequence[str], n: int, thresholds: Mapping[str, float]
) -> list[CaseResult]:
    """Return at most `n` cases of a run that at least one of the metrics scored, in the run's order.

    Args:
        run: A judged run.
        metrics: Which metrics count.
        n: How many cases are wanted.
        thresholds: Metric -> where good and bad part.
    """
    queues = [_queue(run, name, n, thresholds.get(name, DEFAULT_THRESHOLD)) for name in metrics]
    chosen: set[str] = set()
    while queues and len(chosen) < n:
        for queue in list(queues):
            found = next((i for i in queue if i not in chosen), None)
            if found is None:
                queues.remove(queue)
            elif len(chosen) < n:
                chosen.add(found)
    return [case for case in run.cases if case.id in chosen]


def _queue(run: Run, metric: str, n: int, threshold: float) -> Iterator[str]:
    """Yield the ids of a metric's cases, best to have first: near, low and spread by turns."""
    values = {
        case.id: outcome.value
        for case in run.cases
        if isinstance(outcome := case.scores.get(metric), Score)
    }
    turn = -1 if run.metrics[metric].direction == "lower" else 1
    by_hash = sorted(values, key=_hash)
    near = sorted(by_hash, key=lambda i: abs(values[i] - threshold))
    low = sorted(by_hash, key=lambda i: turn * values[i])
    step = max(1, 3 * len(low) // max(n, 1))  # every so many-th: about a third of the cases
    spread = [i for start in range(step) for i in low[start::step]]
    for three in zip(near, low, spread, strict=True):
        yield from three


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
