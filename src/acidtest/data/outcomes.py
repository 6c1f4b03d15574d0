"""What scoring gives: a number, "does not apply", or "should have been scored and was not".

There is no NaN and no stand-in zero.
"""

from typing import Any

from msgspec import Struct, field

from acidtest.data.terms import Cost, Direction, Stage

LARGEST = 1e100
"""No number of a run is larger: sums of squares over all cases stay finite then."""


class Failure(Struct, frozen=True, omit_defaults=True, tag_field="outcome", tag="failure"):
    """It should have been scored (or answered) and was not.

    `why` is one sentence; `detail` the raw evidence, such as a traceback or a judge's reply.
    """

    why: str = field(name="failure")
    detail: str | None = None


class Score(Struct, frozen=True, tag_field="outcome", tag="score"):
    """A number, why, and from what.

    `parts` are the counts behind the value (claims, supported, unsupported, undecided, ...), so that
    shares can be pooled over cases. `evidence` is JSON-like: for judged metrics one record a claim or
    a context. `trials` are the values of a judgement that was repeated, in order; `value` is their
    mean then.
    """

    value: float
    reason: str = ""
    evidence: tuple[Any, ...] = ()
    parts: dict[str, float] = {}
    trials: tuple[float, ...] = ()


class Skip(Struct, frozen=True, omit_defaults=True, tag_field="outcome", tag="skip"):
    """The metric does not apply to this case (no labels, must abstain, no answer).

    `parts` are counts as in `Score`: a judge that left every claim open skips the case, and its
    claims still count in the undecided share.
    """

    why: str = field(name="skip")
    parts: dict[str, float] = {}


Outcome = Score | Skip | Failure


class MetricSpec(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a metric is, kept with the run so that an old run compares without old code."""

    name: str
    stage: Stage
    direction: Direction = "higher"
    cost: Cost = "free"
    version: str = "1"


class Result(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The outcome of one metric on one case in one trial (trials count from 0)."""

    case_id: str
    metric: str
    outcome: Outcome
    trial: int = 0
