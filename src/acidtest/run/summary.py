"""Outcomes to aggregates: one `Summary` a metric, means by tag, operations.

Formulas: mean over scored cases; p10 is element n // 10 of the scores from worst to best (ascending,
or descending where lower is better); p50 the median; the interval of the mean by bootstrap over cases
or groups (`stats.bootstrap`). Shares of claims are pooled over cases: sum / sum.
"""

import statistics
from collections.abc import Iterable, Sequence

from acidtest.data.outcomes import Failure, MetricSpec, Outcome, Score, Skip
from acidtest.data.runs import CaseResult, Summary
from acidtest.data.use import JudgeUse, Operations, Percentiles, Tokens
from acidtest.run.repeats import repeat_spread


def summary(spec: MetricSpec, outcomes: Sequence[Outcome], groups: Sequence[str | None]) -> Summary:
    """Return the summary of one metric.

    Args:
        spec: The metric.
        outcomes: One a case.
        groups: The case's group, or None where it stands alone.
    """
    from acidtest.stats.bootstrap import mean_interval

    scored = [(o.value, g) for o, g in zip(outcomes, groups, strict=True) if isinstance(o, Score)]
    values = [value for value, _ in scored]
    worst_first = sorted(values, reverse=spec.direction == "lower")
    # A case without a group is a group of its own: its place tells it from all others.
    keys = [g if g is not None else n for n, (_, g) in enumerate(scored)]
    undecided, contradicted, not_against = shares(outcomes)
    repeat_sd, wavering = repeat_spread(outcomes)
    return Summary(
        stage=spec.stage,
        direction=spec.direction,
        mean=sum(values) / len(values) if values else None,
        p10=worst_first[len(values) // 10] if values else None,
        p50=statistics.median(values) if values else None,
        ci=mean_interval(values, keys),
        n=len(outcomes),
        scored=len(values),
        skipped=sum(isinstance(o, Skip) for o in outcomes),
        failed=sum(isinstance(o, Failure) for o in outcomes),
        cost=spec.cost,
        version=spec.version,
        undecided=undecided,
        contradicted=contradicted,
        # Only of what the generator claimed is silence no charge; elsewhere the mean stands.
        floor_value=not_against if spec.stage == "generation" else None,
        repeat_sd=repeat_sd,
        wavering=wavering,
    )


def shares(outcomes: Iterable[Outcome]) -> tuple[float | None, float | None, float | None]:
    """Return undecided, contradicted and 1 - unsupported claims, each / claims, pooled over cases.

    None of them where no claim was counted. The first and the last are None too unless a judge left
    something open: then the mean is over decided claims only, and floors on the generator's claims
    compare the last figure instead.
    """
    totals = dict.fromkeys(("claims", "unsupported", "contradicted", "undecided"), 0.0)
    for outcome in outcomes:
        if not isinstance(outcome, Failure):
            for key in totals:
                totals[key] += outcome.parts.get(key, 0.0)
    claims = totals["claims"]
    if not claims:
        return None, None, None
    contradicted = totals["contradicted"] / claims
    if not totals["undecided"]:
        return None, contradicted, None
    against = totals["unsupported"] + totals["contradicted"]
    return totals["undecided"] / claims, contradicted, 1 - against / claims


def tag_means(cases: Sequence[CaseResult], metrics: Iterable[str]) -> dict[str, dict[str, float]]:
    """Return the mean of each metric over the cases of each tag; absent where none was scored."""
    names = tuple(metrics)
    tags: dict[str, dict[str, list[float]]] = {}
    for case in cases:
        for tag in case.tags:
            columns = tags.setdefault(tag, {})
            for name in names:
                outcome = case.scores.get(name)
                if isinstance(outcome, Score):
                    columns.setdefault(name, []).append(outcome.value)
    return {
        tag: {name: sum(v) / len(v) for name, v in columns.items()}
        for tag, columns in sorted(tags.items())
    }


def operations(cases: Sequence[CaseResult], judge: JudgeUse | None) -> Operations:
    """Return latency percentiles, tokens and money of a run; what no case reports is absent."""
    latency: dict[str, Percentiles] = {}
    for part in ("retrieve", "generate", "total"):
        times = sorted(
            t for c in cases if c.latency_ms and (t := getattr(c.latency_ms, part)) is not None
        )
        if times:
            latency[part] = Percentiles(percentile(times, 0.50), percentile(times, 0.95))
    usages = [c.usage for c in cases if c.usage is not None]
    counted = [u for u in usages if u.input_tokens is not None or u.output_tokens is not None]
    costs = [u.cost_usd for u in usages if u.cost_usd is not None]
    return Operations(
        latency_ms=latency,
        tokens=Tokens(
            input=sum(u.input_tokens or 0 for u in counted),
            output=sum(u.output_tokens or 0 for u in counted),
        )
        if counted
        else None,
        cost_usd=sum(costs) if costs else None,
        judge=judge,
    )


def percentile(ascending: Sequence[float], share: float) -> float:
    """Return a percentile by linear interpolation between neighbours (type 7 of Hyndman and Fan)."""
    place = share * (len(ascending) - 1)
    below = int(place)
    above = min(below + 1, len(ascending) - 1)
    return ascending[below] + (ascending[above] - ascending[below]) * (place - below)
