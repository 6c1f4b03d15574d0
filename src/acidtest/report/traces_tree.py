"""The terminal: one trace, with its contexts, scores, and spans as a tree."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Failure, Score
from acidtest.data.spans import Span
from acidtest.report.clean import clip
from acidtest.report.figures import milliseconds, money, score
from acidtest.report.paper import Paper
from acidtest.report.traces_json import when_ms
from acidtest.report.traces_order import tree
from acidtest.store.trace_rows import StoredTrace

_TEXT = 2_000
_CHUNK = 300
_CHUNKS = 20
_SPANS = 300
_WHY = 400
_DEPTH = 20


def print_trace(
    stored: StoredTrace, spans: Sequence[Span], console: Console, *, unread: str = ""
) -> None:
    """Print a trace: what was asked, found and answered, what it scored, and what took how long.

    Args:
        stored: The trace with its scores.
        spans: Its spans.
        console: Where to print.
        unread: Why not all spans are there.
    """
    paper = Paper(console)
    trace = stored.trace
    paper.line(paper.text(f"Trace {trace.id}", "bold"))
    about = (trace.service, trace.name, trace.environment, when_ms(stored.started)[:19])
    paper.line(" · ".join(each for each in about if each))
    _facts(paper, stored)
    for title, text, part in (
        ("Question", trace.question, "question"),
        ("Answer", trace.answer, "answer"),
    ):
        paper.heading(title)
        paper.line(_long(text, _TEXT) if text is not None else _missing(stored, part))
    _contexts(paper, stored)
    _scores(paper, stored)
    for heading, lines in (
        ("Missing", [f"{name}: {why}" for name, why in trace.missing.items()]),
        ("Notes", [*trace.notes, *([unread] if unread else [])]),
    ):
        if lines:
            paper.heading(heading)
            for line in lines:
                paper.lead("-", line)
    _tree(paper, spans)


def _facts(paper: Paper, stored: StoredTrace) -> None:
    trace, usage, latency = stored.trace, stored.trace.usage, stored.trace.latency_ms
    tokens = None
    if usage is not None and (usage.input_tokens, usage.output_tokens) != (None, None):
        tokens = f"{_number(usage.input_tokens)} in, {_number(usage.output_tokens)} out"
    parts = {
        "model": trace.model,
        "prompt": trace.prompt_version,
        "tokens": tokens,
        "cost": money(usage.cost_usd) if usage and usage.cost_usd is not None else None,
        "took": milliseconds(latency.total) if latency and latency.total is not None else None,
        "session": trace.session,
        "user": trace.user,
        "tags": ", ".join(trace.tags) or None,
        "abstained": None if trace.abstained is None else "yes" if trace.abstained else "no",
        "feedback": "; ".join(filter(None, map(_said, trace.feedback))) or None,
    }
    told = [f"{name} {value}" for name, value in parts.items() if value is not None]
    if told:
        paper.line(" · ".join(told))
    if trace.error is not None:
        paper.line(paper.text(f"Failed: {_long(trace.error, _CHUNK)}", "red"))


def _contexts(paper: Paper, stored: StoredTrace) -> None:
    chunks = stored.trace.retrieved
    paper.heading("Contexts" if chunks is None else f"Contexts ({len(chunks)})")
    if chunks is None:
        paper.line(_missing(stored, "retrieved"))
    for rank, chunk in enumerate((chunks or ())[:_CHUNKS], 1):
        label = paper.text(_label(chunk), "bold").append(" ")
        paper.lead(f"{rank}.", label, _long(chunk.text or "(no text)", _CHUNK))
    if chunks and len(chunks) > _CHUNKS:
        paper.line(f"and {len(chunks) - _CHUNKS} more")


def _scores(paper: Paper, stored: StoredTrace) -> None:
    if not stored.scores:
        return
    paper.heading("Scores")
    table = paper.grid([("metric", False), ("score", True), ("why", False)], gap=2)
    for name, each in sorted(stored.scores.items()):
        outcome = each.outcome
        if isinstance(outcome, Score):
            value, why = score(outcome.value), outcome.reason
        else:
            value = "failed" if isinstance(outcome, Failure) else "n/a"
            why = outcome.why
        table.add_row(paper.clipped(name, 28), paper.text(value), paper.text(clip(why, _WHY)))
    paper.table(table)


def _tree(paper: Paper, spans: Sequence[Span]) -> None:
    paper.heading(f"Spans ({len(spans)})")
    begins = [span.start_ns for span in spans if span.start_ns is not None]
    first = min(begins, default=0)
    table = paper.grid([("span", False), ("after", True), ("took", True)], gap=2)
    for n, (depth, span) in enumerate(tree(spans)):
        if n == _SPANS:
            table.add_row(paper.text(f"and {len(spans) - _SPANS} more"), Text(), Text())
            break
        failed = span.status == "error"
        name = f"{'  ' * min(depth, _DEPTH)}{span.name or span.span_id}"
        if failed:
            name += f" failed{': ' if span.status_message else ''}{span.status_message}"
        after = None if span.start_ns is None else (span.start_ns - first) / 1e6
        took = (
            (span.end_ns - span.start_ns) / 1e6
            if span.start_ns is not None and span.end_ns is not None
            else None
        )
        indent = len(name) - len(name.lstrip())
        shown = Text(" " * indent).append_text(
            paper.clipped(name.strip(), max(8, paper.width - indent - 24), "red" if failed else "")
        )
        table.add_row(shown, paper.text(milliseconds(after)), paper.text(milliseconds(took)))
    paper.table(table)


def _label(chunk: Chunk) -> str:
    names = [name for name in (chunk.id, chunk.doc_id) if name]
    told = " of ".join(dict.fromkeys(names)) or "(no id)"
    return f"{told}, {score(chunk.score)}:" if chunk.score is not None else f"{told}:"


def _said(feedback: object) -> str:
    good, name, label, comment, value = (
        getattr(feedback, part) for part in ("good", "name", "label", "comment", "score")
    )
    word = (
        {True: "good", False: "bad"}.get(good) or label or (None if value is None else score(value))
    )
    told = f"{name}: {word}" if word else ""
    return f"{told} ({_long(comment, 80)})" if comment and told else told or (comment or "")


def _missing(stored: StoredTrace, part: str) -> str:
    return f"Not known: {stored.trace.missing.get(part, 'the trace does not say')}"


def _long(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def _number(value: int | None) -> str:
    return "?" if value is None else f"{value:,}"
