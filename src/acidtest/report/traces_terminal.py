"""The terminal: a list of traces, newest first."""

from collections.abc import Collection, Sequence

from rich.console import Console

from acidtest.data.outcomes import Failure, Score
from acidtest.report.figures import score
from acidtest.report.paper import Paper
from acidtest.report.traces_json import when_ms
from acidtest.store.trace_rows import StoredTrace

SHOWN = 12
"""Characters of a trace's id; as many are enough to name it."""

_GAP = 2
_WIDE = 100
_NARROW = 50
_EXTRA = (("worst", 24), ("", 16))


def print_traces(
    traces: Sequence[StoredTrace], console: Console, *, lower: Collection[str] = ()
) -> None:
    """Print a list of traces: when, what was asked and answered, and what is to be said of it.

    Args:
        traces: Which, in order.
        console: Where to print.
        lower: Metrics of which less is better.
    """
    paper = Paper(console)
    wide = paper.width >= _WIDE
    told = [(_worst(each, lower), _marks(each)) for each in traces]
    # What no trace has takes no room: it is the questions'.
    shown = _EXTRA if paper.width >= _NARROW else ()
    extra = [(title, n, most) for n, (title, most) in enumerate(shown) if any(t[n] for t in told)]
    began = 16 if wide else 11
    widths = [min(most, max(len(t[n]) for t in told)) for _, n, most in extra]
    columns = ["trace", "began (UTC)", "asked", *(["answered"] if wide else [])]
    room = paper.width - SHOWN - began - sum(widths) - (len(columns) - 1 + len(extra)) * _GAP
    asked = max(12, (room - (_GAP if wide else 0)) // (2 if wide else 1))
    table = paper.grid([(title, False) for title in (*columns, *(e[0] for e in extra))], gap=_GAP)
    for column in table.columns:
        column.no_wrap = True
    for each, said in zip(traces, told, strict=True):
        trace = each.trace
        cells = [
            paper.text(trace.id[:SHOWN]),
            paper.text(when_ms(each.started)[:16].replace("T", " ")[-began:]),
            paper.clipped(
                trace.question or _lacking(each, "question"), asked, _dim(trace.question)
            ),
        ]
        if wide:
            answer = trace.answer or _lacking(each, "answer")
            cells.append(paper.clipped(answer, asked, _dim(trace.answer)))
        cells += [paper.clipped(said[n], most) for _, n, most in extra]
        table.add_row(*cells)
    paper.table(table)


def _lacking(stored: StoredTrace, part: str) -> str:
    why = stored.trace.missing.get(part)
    return f"({why})" if why else "-"


def _dim(text: str | None) -> str:
    return "" if text else "dim"


def _worst(stored: StoredTrace, lower: Collection[str]) -> str:
    """Return the worst score with its metric's name, or why there is none."""
    outcomes = {name: each.outcome for name, each in stored.scores.items()}
    values = [
        (1 - o.value if name in lower else o.value, name, o.value)
        for name, o in outcomes.items()
        if isinstance(o, Score)
    ]
    if values:
        _, name, value = min(values)
        return f"{score(value, 2)} {name}"
    if any(isinstance(o, Failure) for o in outcomes.values()):
        return "not scored"
    return ""


def _marks(stored: StoredTrace) -> str:
    trace = stored.trace
    good = {given.good for given in trace.feedback}
    marks = {
        "failed": trace.error is not None,
        "bad": False in good,
        "good": True in good,
        "abstained": bool(trace.abstained),
    }
    return " ".join(mark for mark, said in marks.items() if said)
