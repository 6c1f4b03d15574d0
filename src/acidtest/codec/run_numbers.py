"""The numbers of a saved run: each must be one that can stand there.

A score outside its metric's range, a time below 0 or a number that no sum can hold would be counted with
in silence.
"""

from collections.abc import Iterator

from acidtest.data.outcomes import LARGEST, Score
from acidtest.data.ranges import Range, inside, range_of
from acidtest.data.runs import Run
from acidtest.data.use import Operations
from acidtest.errors import BadData

_ANY: Range = (-LARGEST, LARGEST)
_AMOUNT: Range = (0.0, LARGEST)

Numbers = tuple[float | None, ...]
Held = tuple[str, Numbers, Range, str]
"""Where numbers stand, the numbers, what they may be, and the metric of ours that says so ("" for none)."""


def check_numbers(run: Run, where: str) -> None:
    """Refuse a run with a number that cannot be.

    Raises:
        BadData: There is one; the message names its field, and the case and metric where it has one.
    """
    for held in (_of_metrics(run), _of_cases(run), _of_operations(run.operations)):
        for field, numbers, bounds, metric in held:
            for number in numbers:
                if number is not None and not inside(number, bounds):
                    raise _fault(field, number, bounds, metric, where)


def _fault(field: str, number: float, bounds: Range, metric: str, where: str) -> BadData:
    fix = "Correct the number."
    if not abs(number) <= LARGEST:
        what = f"a number beyond {LARGEST:g} is too large to count with"
    elif metric:
        what = f"{metric} is from {bounds[0]:g} to {bounds[1]:g}, not {number:g}"
        fix = f"Correct the number; a score on another scale needs another name than {metric}."
    else:
        what = f"it is {number:g}, and cannot be below 0"
    return BadData(f"{field}: {what}", where=where, fix=fix)


def _of_metrics(run: Run) -> Iterator[Held]:
    for name, s in run.metrics.items():
        field = f"metrics {name!r}"
        yield (field, (s.mean, s.p10, s.p50, s.floor_value), *_range(name))
        yield field, (*(s.ci or ()), s.repeat_sd), _ANY, ""
        if s.corrected:
            yield (
                f"{field}, corrected",
                (s.corrected.mean, *(s.corrected.ci or ())),
                *_range(name),
            )
    for tag, means in run.tags.items():
        for name, value in means.items():
            yield (f"tags {tag!r}, {name!r}", (value,), *_range(name))


def _of_cases(run: Run) -> Iterator[Held]:
    ranges = {name: _range(name) for case in run.cases for name in case.scores}
    for case in run.cases:
        at = f"case {case.id!r}"
        for name, outcome in case.scores.items():
            if isinstance(outcome, Score):
                field = f"{at}, score {name!r}"
                yield (field, (outcome.value, *outcome.trials), *ranges[name])
                if outcome.parts:
                    yield field, tuple(outcome.parts.values()), _ANY, ""
        if (took := case.latency_ms) is not None:
            times = (took.retrieve, took.generate, took.total)
            yield f"{at}, latency_ms", times, _AMOUNT, ""
        if (used := case.usage) is not None:
            amounts = (used.input_tokens, used.output_tokens, used.cost_usd)
            yield f"{at}, usage", amounts, _AMOUNT, ""


def _of_operations(operations: Operations) -> Iterator[Held]:
    for part, took in operations.latency_ms.items():
        yield f"operations, latency_ms {part!r}", (took.p50, took.p95), _AMOUNT, ""
    if (tokens := operations.tokens) is not None:
        yield "operations, tokens", (tokens.input, tokens.output), _AMOUNT, ""
    yield "operations, cost_usd", (operations.cost_usd,), _AMOUNT, ""
    if (use := operations.judge) is not None:
        amounts = (use.calls, use.cached, use.tokens, use.cost_usd, use.seconds or None)
        yield "operations, judge", amounts, _AMOUNT, ""


def _range(metric: str) -> tuple[Range, str]:
    known = range_of(metric)
    return (_ANY, "") if known is None else (known, metric)
