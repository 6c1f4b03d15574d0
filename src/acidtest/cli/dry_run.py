"""`acidtest run --dry-run`: what a run would take, before anything is spent."""

import asyncio
import textwrap
from typing import TYPE_CHECKING

import click

from acidtest.cli.output import write
from acidtest.cli.streams import results

if TYPE_CHECKING:
    from acidtest.project.config import Config
    from acidtest.run.amounts import Range, Span
    from acidtest.run.estimate import Embeddings, Estimate
    from acidtest.run.plan import Plan

FORMAT = "acidtest/estimates"
VERSION = 1
_WIDTH = 78
_UNKNOWN = "unknown; give [judge.price] input and output, or install acidtest[prices]"


def tell_estimates(
    plans: "list[Plan]",
    config: "Config",
    *,
    store: str | None,
    fresh: bool,
    use_cache: bool,
    json_to: str | None,
) -> int:
    """Say what plans would take; nothing is asked, and nothing is stored."""
    from acidtest.codec.lossy import encoded
    from acidtest.project.estimates import estimates
    from acidtest.project.stores import open_existing

    opened = open_existing(config, store)
    try:
        found = asyncio.run(estimates(plans, opened, fresh=fresh, use_cache=use_cache))
    finally:
        if opened is not None:
            opened.close()
    if json_to is not None:
        document = {"format": FORMAT, "version": VERSION, "estimates": found}
        write(json_to, encoded(document), what="estimate")
    if json_to == "-":
        return 0
    for each in found:
        for line in lines(each):
            click.echo(line, file=results())
    click.echo("Nothing was run.", file=results())
    return 0


def lines(estimate: "Estimate") -> list[str]:
    """Return an estimate in words, for 80 columns."""
    e = estimate
    asks = "no pipeline calls" if not e.pipeline_calls else _n(e.pipeline_calls, "pipeline call")
    told = textwrap.wrap(
        f"{e.name}: {_n(e.cases, 'case')}, {asks}", _WIDTH, subsequent_indent="    "
    )
    told += _wrapped(f"metrics: {', '.join(e.metrics)}")
    if e.judged:
        told += _wrapped(f"calls: {_calls(e)}")
        told += [line for name, m in e.models.items() if not m.local for line in _spent(e, name)]
        if any(not m.local for m in e.models.values()):
            told += _wrapped(f"time: {_time(e)}")
    if e.embeddings is not None:
        told += _wrapped(f"embeddings: {_embeddings(e.embeddings)}")
    if sum(not m.local and m.calls.high > 0 for m in e.models.values()) + bool(e.embeddings) > 1:
        told += _wrapped(
            f"price in all: {money_in_words(e.cost_usd) if e.cost_usd is not None else 'unknown'}"
        )
    if e.judged or e.embeddings is not None:
        told += _wrapped(f"how sure: {e.sure}")
    return [*told, *_budget(e)]


def _budget(e: "Estimate") -> list[str]:
    if e.budget_usd is None or e.cost_usd is None:
        return []
    left = e.budget_usd - e.spent_usd
    if e.cost_usd.high <= left:
        return []
    word = "exceeds" if e.cost_usd.low > left else "may exceed"
    gone = f", of which ${e.spent_usd:.2g} is spent" if e.spent_usd else ""
    return _wrapped(f"this {word} the budget of ${e.budget_usd:g}{gone}: the run would stop there")


def _embeddings(embeddings: "Embeddings") -> str:
    e = embeddings
    text = f"{span_in_words(e.texts)} texts in {span_in_words(e.calls)} calls, {span_in_words(e.tokens)} tokens"
    if e.local:
        return f"{text}, computed here: they cost nothing"
    unknown = "price unknown; give usd_per_million_tokens in [embedder]"
    return f"{text}, {money_in_words(e.cost_usd) if e.cost_usd is not None else unknown}"


def _calls(e: "Estimate") -> str:
    parts = []
    for name, model in e.models.items():
        if model.local:
            parts.append(
                f"{span_in_words(model.calls)} to {name}, which computes here and costs nothing"
            )
        else:
            parts.append(f"{span_in_words(model.calls)} to {name}")
    text = ", ".join(parts) or "none: no question comes up"
    each = [f"{name} {span_in_words(calls)}" for name, calls in e.by_metric.items() if calls.high]
    if len(e.by_metric) > 1 and each:
        text += f" ({', '.join(each)})"
    if e.cached:
        text += f"; {e.cached:,} answered before"
    if e.shared:
        text += f"; {e.shared:,} asked once for several"
    return text


def _spent(e: "Estimate", name: str) -> list[str]:
    model = e.models[name]
    if not model.calls.high:
        return []
    counted = "as its earlier replies were" if model.measured_tokens else "counted by characters"
    tokens = f"{span_in_words(model.tokens.input)} in, {span_in_words(model.tokens.output)} out, {counted}"
    return [
        *_wrapped(f"tokens of {name}: {tokens}"),
        *_wrapped(f"price: {money_in_words(model.cost_usd)}"),
    ]


def _time(e: "Estimate") -> str:
    if not e.calls.high:
        return "none for judging"
    waited = [m for m in e.models.values() if m.seconds_a_call is not None and m.calls.high]
    how = "as measured" if all(m.measured_seconds for m in waited) else "assumed"
    spans = [m.seconds_a_call for m in waited if m.seconds_a_call is not None]
    seconds = f"{min(s.low for s in spans):.2g}-{max(s.high for s in spans):.2g} s a call"
    return (
        f"{minutes_in_words(e.minutes)} for judging ({seconds}, {how}; {e.concurrency} at a time)"
    )


def money_in_words(cost: "Range | None") -> str:
    """Return a price, or how to make it known."""
    if cost is None:
        return _UNKNOWN
    if not cost.high:
        return "nothing"
    low, high = (f"{end:.2f}" if cost.high >= 1 else f"{end:.2g}" for end in (cost.low, cost.high))
    return f"${high}" if low == high else f"${low} to ${high}"


def minutes_in_words(minutes: "Range") -> str:
    """Return a time in the unit that reads best."""
    if minutes.high < 1:
        low, high = (max(1, round(end * 60)) for end in (minutes.low, minutes.high))
        return f"about {_n(low, 'second')}" if low == high else f"{low} to {high} seconds"
    if minutes.high >= 120:
        return f"{minutes.low / 60:.1f} to {minutes.high / 60:.1f} hours"
    return f"{minutes.low:.1f} to {minutes.high:.1f} minutes"


def span_in_words(span: "Span") -> str:
    """Return 12, or 12 to 24."""
    return f"{span.low:,}" if span.low == span.high else f"{span.low:,} to {span.high:,}"


def _n(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(
        text, _WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
    )
