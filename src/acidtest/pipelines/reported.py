"""What a pipeline reports beside text and contexts: its own word on abstaining, citations, latency, usage.

What is not of its kind (a negative latency, a NaN cost) is left out with a note: it must not fail an
answer that is good.
"""

from typing import Any

from acidtest.data.answers import Latency, Usage
from acidtest.data.outcomes import LARGEST
from acidtest.pipelines.chunks import MAX_ID_CHARS
from acidtest.pipelines.lookup import MISSING, clean, first, is_record, number, shown


def abstained_of(record: Any, notes: list[str]) -> bool | None:
    """Return the pipeline's own word on whether it declined."""
    value = first(record, ("abstained",))
    if value is MISSING or isinstance(value, bool):
        return None if value is MISSING else value
    notes.append(f'"abstained" is {shown(value)}, not true or false, and was left out')
    return None


def citations_of(value: Any, notes: list[str]) -> tuple[str, ...] | None:
    """Return the cited ids or numbers as strings."""
    if value is MISSING:
        return None
    items = value if isinstance(value, list | tuple) else [value]
    cited = []
    for item in items[:1000]:
        name = first(item, ("id", "chunk_id", "doc_id", "number")) if is_record(item) else item
        if isinstance(name, bool) or not isinstance(name, str | int):
            notes.append(f"a citation is {shown(item)}, not an id, and was left out")
            continue
        cited.append(clean(str(name), limit=MAX_ID_CHARS, what="a citation", notes=notes))
    return tuple(cited)


def latency_of(record: Any, notes: list[str]) -> Latency | None:
    """Return the milliseconds that it reports: a number, or retrieve, generate and total."""
    value = first(record, ("latency_ms",))
    if value is MISSING:
        return None
    if number(value) is not None:
        total = _amount(value, "latency_ms", notes)
        return None if total is None else Latency(total=total)
    if not is_record(value):
        notes.append(f'"latency_ms" is {shown(value)} and was left out')
        return None
    parts = {
        name: _amount(first(value, (name,)), f"latency_ms.{name}", notes)
        for name in ("retrieve", "generate", "total")
    }
    return Latency(**parts) if any(x is not None for x in parts.values()) else None


def usage_of(value: Any, notes: list[str]) -> Usage | None:
    """Return tokens, cost and model under the names of the common providers."""
    if value is MISSING:
        return None
    if not is_record(value):
        notes.append(f'"usage" is {shown(value)} and was left out')
        return None
    tokens = {
        name: _amount(first(value, names), f"usage.{name}", notes)
        for name, names in (
            ("input_tokens", ("input_tokens", "prompt_tokens", "input")),
            ("output_tokens", ("output_tokens", "completion_tokens", "output")),
        )
    }
    model = first(value, ("model",))
    usage = Usage(
        input_tokens=None if tokens["input_tokens"] is None else int(tokens["input_tokens"]),
        output_tokens=None if tokens["output_tokens"] is None else int(tokens["output_tokens"]),
        cost_usd=_amount(first(value, ("cost_usd", "cost")), "usage.cost_usd", notes),
        model=clean(model, limit=200, what="usage.model", notes=notes)
        if isinstance(model, str)
        else None,
    )
    return usage if usage != Usage() else None


def _amount(value: Any, what: str, notes: list[str]) -> float | None:
    if value is MISSING:
        return None
    amount = number(value)
    if amount is None or not 0 <= amount <= LARGEST:
        notes.append(f"{what} is {shown(value)} and was left out")
        return None
    return amount
