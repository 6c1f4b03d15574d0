"""What a plan will take, before anything is spent."""

from msgspec import Struct

from acidtest.run.plan import Plan


class Estimate(Struct, frozen=True, kw_only=True):
    """What a plan will take at most, told by `--dry-run` before anything is spent.

    `judgements` counts judged metrics over all cases; one for which its metric does not apply asks
    nothing.
    """

    cases: int
    pipeline_calls: int
    judgements: int
    metrics: tuple[str, ...]
    judged: tuple[str, ...]


def estimate(plan: Plan) -> Estimate:
    """Say what a plan will take."""
    judged = tuple(m.name for m in plan.judged)
    return Estimate(
        cases=len(plan.cases),
        pipeline_calls=len(plan.cases),
        judgements=len(judged) * len(plan.cases) * plan.repeat,
        metrics=tuple(m.name for m in plan.metrics),
        judged=judged,
    )
