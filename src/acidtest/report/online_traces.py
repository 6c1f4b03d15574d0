"""Live traces as the list of them shows: one line each, with its scores as figures, or why there is none."""

from collections.abc import Iterable

from msgspec import Struct

from acidtest.data.outcomes import Failure, Score
from acidtest.data.traces import Feedback, Trace
from acidtest.report.clean import clip, one_line
from acidtest.report.figures import milliseconds, score
from acidtest.report.online_dashboard import moment
from acidtest.store.trace_rows import StoredTrace

_QUESTION = 240
_ANSWER = 200
_NAME = 80
_WHY = 300
_MOST = 12
"""Scores and tags of one trace that a line shows."""


class Figure(Struct, frozen=True, kw_only=True):
    """What one metric gave: a figure, `skipped` or `failed`; and why."""

    metric: str
    figure: str
    kind: str
    why: str


class TraceLine(Struct, frozen=True, kw_only=True):
    """One trace; `marks` are pairs of tone and word."""

    id: str
    when: str
    question: str
    answer: str
    model: str
    service: str
    latency: str
    marks: tuple[tuple[str, str], ...]
    tags: tuple[str, ...]
    figures: tuple[Figure, ...]
    more: int


def trace_line(stored: StoredTrace) -> TraceLine:
    """Return the line of one trace."""
    trace = stored.trace
    latency = trace.latency_ms.total if trace.latency_ms else None
    return TraceLine(
        id=trace.id,
        when=moment(stored.started),
        question=_short(trace.question, _QUESTION) or f"({_missing(trace, 'question')})",
        answer=_short(trace.answer, _ANSWER) or f"({_missing(trace, 'answer')})",
        model=_short(trace.model, _NAME),
        service=_short(trace.service, _NAME),
        latency=milliseconds(latency) if latency is not None else "",
        marks=tuple(marks_of(trace)),
        tags=tuple(_short(tag, _NAME) for tag in trace.tags[:_MOST]),
        figures=tuple(figures_of(stored))[:_MOST],
        more=max(0, len(stored.scores) - _MOST),
    )


def figures_of(stored: StoredTrace) -> Iterable[Figure]:
    """Yield what each metric gave, by its name."""
    for name, each in sorted(stored.scores.items()):
        outcome = each.outcome
        if isinstance(outcome, Score):
            figure, kind, why = score(outcome.value, 2), "score", outcome.reason
        else:
            kind = "failure" if isinstance(outcome, Failure) else "skip"
            figure, why = ("failed" if kind == "failure" else "skipped"), outcome.why
        yield Figure(metric=name, figure=figure, kind=kind, why=clip(one_line(why), _WHY))


def marks_of(trace: Trace) -> Iterable[tuple[str, str]]:
    """Yield what is to be seen at once of a trace: tone and word."""
    if trace.error is not None:
        yield "bad", "failed"
    if trace.abstained:
        yield "warn", "abstained"
    good = {given.good for given in trace.feedback}
    if False in good:
        yield "bad", "thumbs down"
    if True in good:
        yield "good", "thumbs up"


def feedback_word(given: Feedback) -> str:
    """Return what a piece of feedback says, without its comment."""
    if given.good is not None:
        return "good" if given.good else "bad"
    if given.label:
        return clip(one_line(given.label), _NAME)
    return score(given.score) if given.score is not None else "said"


def _short(text: str | None, most: int) -> str:
    # Only a beginning is looked at: a text may be megabytes.
    return clip(one_line((text or "")[: most * 4]), most)


def _missing(trace: Trace, part: str) -> str:
    return clip(one_line(trace.missing.get(part, "none")), _WHY)
