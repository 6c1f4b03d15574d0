"""Many runs of one golden set, ranked: which are best, and at what price."""

from msgspec import Struct

from acidtest.data.runs import RunInfo
from acidtest.data.terms import Direction


class Contender(Struct, frozen=True, kw_only=True):
    """One run of a sweep.

    Attributes:
        run: What it was made of.
        value: The mean of the metric over the cases that all runs scored.
        ci: Its 95 % interval.
        rank: The best and the worst rank that it may have, by what is clear between each two.
        best: Whether no other is clearly better.
        p_best: The adjusted p-value of being as good as the highest mean; None for that one itself.
        cost_usd: Of a query; None where no case tells it.
        latency_ms: The 95th percentile; None where no case tells it.
        front: Whether no other has at least its value, cost and latency, and more of one.
        values: The means of the other metrics over their own scored cases.
    """

    run: RunInfo
    value: float
    ci: tuple[float, float] | None
    rank: tuple[int, int]
    best: bool
    p_best: float | None
    cost_usd: float | None = None
    latency_ms: float | None = None
    front: bool = True
    values: dict[str, float] = {}


class Sweep(Struct, frozen=True, kw_only=True):
    """Runs ranked by one metric, the best first.

    Attributes:
        metric: What they are ranked by.
        direction: Which way is better.
        cases: The cases that all runs scored.
        contenders: The runs.
        words: What follows, in sentences: the winner or that there is none, and the cheapest that is
            not clearly worse.
        notes: What must be known beside it.
    """

    metric: str
    direction: Direction
    cases: int
    contenders: tuple[Contender, ...]
    words: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
