"""What can be gated, by name: a metric's mean or p10, of all cases or of a tag, and operations.

`faithfulness`, `faithfulness.p10`, `faithfulness[faq]`, `faithfulness[faq].p10`,
`latency_ms.total.p95`, `tokens.output`, `cost_usd`. Operations are per question, and lower is better.
"""

import re
from collections.abc import Collection, Iterable
from typing import Literal, get_args

from msgspec import Struct

from acidtest.data.outcomes import Outcome, Score
from acidtest.data.runs import CaseResult, Run
from acidtest.data.terms import Direction, Stage
from acidtest.errors import Incomparable, UnknownName

Statistic = Literal["mean", "p10", "p50", "p95"]

OPERATIONS = (
    "latency_ms.retrieve",
    "latency_ms.generate",
    "latency_ms.total",
    "tokens.input",
    "tokens.output",
    "cost_usd",
)

_FORM = re.compile(
    r"(?P<head>.+?)(?:\[(?P<tag>[^\[\]]+)\])?(?:\.(?P<statistic>p\d+|mean))?", re.DOTALL
)


class Quantity(Struct, frozen=True):
    """A metric or an operation, of the cases with a tag or of all, and which figure of it."""

    head: str
    tag: str | None = None
    statistic: Statistic = "mean"
    stage: Stage = "operations"
    direction: Direction = "lower"

    @property
    def name(self) -> str:
        """The name that it is gated under."""
        tag = f"[{self.tag}]" if self.tag is not None else ""
        return f"{self.head}{tag}" + ("" if self.statistic == "mean" else f".{self.statistic}")

    @property
    def is_operation(self) -> bool:
        """Whether it is time, tokens or money."""
        return self.stage == "operations"

    def read(self, case: CaseResult) -> Outcome | None:
        """Return what one case has of it; None where the case lacks the tag or does not tell."""
        if self.tag is not None and self.tag not in case.tags:
            return None
        if not self.is_operation:
            return case.scores.get(self.head)
        value = _operation(self.head, case)
        return None if value is None else Score(float(value))

    def told(self, value: float) -> str:
        """Return a value in words: 0.8667, 340 ms, $0.0021."""
        figure = f"{value + 0.0:.4g}"
        if self.head == "cost_usd":
            return f"${figure}" if value >= 0 else f"-${figure[1:]}"
        if self.is_operation:
            shown = f"{value:,.0f}" if abs(value) >= 10 else figure
            return f"{shown} ms" if self.head.startswith("latency_ms") else f"{shown} tokens"
        return figure


LATENCY = Quantity("latency_ms.total", statistic="p95")
"""The total time that 95 of 100 questions stay under."""

COST = Quantity("cost_usd")
"""What a question costs."""


def split_name(name: str) -> tuple[str, str | None, str | None]:
    """Return the parts of a name: what, tag, statistic; the last two are None where not given."""
    found = _FORM.fullmatch(name)
    if found is None:
        return name, None, None
    return found["head"], found["tag"], found["statistic"]


def quantity(name: str, runs: Iterable[Run], *, where: str) -> Quantity:
    """Return what a name means in these runs.

    Args:
        name: As it was given.
        runs: The runs that must have it: the candidate, and the baseline where a drop is meant.
        where: Which option or argument named it, for errors.

    Raises:
        UnknownName: No run has such a metric, there is no such statistic of it, or no case has the tag.
        Incomparable: One of the runs lacks it.
    """
    held = list(runs)
    known = {metric for run in held for metric in run.metrics}
    head, tag, statistic = (name, None, None) if name in known else split_name(name)
    if head not in known and head not in OPERATIONS:
        raise UnknownName("metric in this run", name, [*known, *_operations(held)], where=where)
    tags = {t for run in held for t in (*run.tags, *(t for case in run.cases for t in case.tags))}
    check_form(name, known, tags, where=where)
    missing = [run for run in held if not has(run, head)]
    if missing:
        raise Incomparable(
            f"{name} is not in the run {missing[0].name!r}",
            where=where,
            fix=f"Score it there too: acidtest run -m {head}"
            if head not in OPERATIONS
            else "Its pipeline does not report it.",
        )
    statistics: dict[str | None, Statistic] = {s: s for s in get_args(Statistic)}
    chosen = statistics.get(statistic, "mean")
    for run in held:
        if head in run.metrics:
            summary = run.metrics[head]
            return Quantity(head, tag, chosen, summary.stage, summary.direction)
    return Quantity(head, tag, chosen)


def check_form(name: str, metrics: Collection[str], tags: Collection[str], *, where: str) -> None:
    """Check the tag and the figure of a name whose metric or operation is known.

    Raises:
        UnknownName: There is no such tag, or no such figure of it.
    """
    if name in metrics:
        return
    head, tag, statistic = split_name(name)
    possible = ("mean", "p50", "p95") if head in OPERATIONS else ("mean", "p10", "p50")
    if statistic is not None and statistic not in possible:
        raise UnknownName(f"figure of {head}", statistic, possible, where=where)
    if tag is not None and tag not in tags:
        raise UnknownName("tag", tag, tags, where=where)


def has(run: Run, head: str) -> bool:
    """Say whether a run has a metric or tells of an operation."""
    return head in run.metrics or head in _operations([run])


def _operations(runs: Collection[Run]) -> list[str]:
    found = []
    for name in OPERATIONS:
        first, _, part = name.partition(".")
        for run in runs:
            told = run.operations
            reported = {
                "latency_ms": part in told.latency_ms,
                "tokens": told.tokens is not None,
                "cost_usd": told.cost_usd is not None,
            }[first]
            if reported or any(_operation(name, case) is not None for case in run.cases):
                found.append(name)
                break
    return found


def _operation(name: str, case: CaseResult) -> float | None:
    kind, _, part = name.partition(".")
    if kind == "latency_ms":
        value: float | None = getattr(case.latency_ms, part) if case.latency_ms else None
        return value
    if case.usage is None:
        return None
    if kind == "cost_usd":
        return case.usage.cost_usd
    return case.usage.input_tokens if part == "input" else case.usage.output_tokens
