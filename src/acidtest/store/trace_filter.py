"""Which traces are meant: a filter, and the conditions that it is in the database."""

from typing import Any, Literal

from msgspec import Struct
from sqlalchemy import ColumnElement, exists, or_, select

from acidtest.store.trace_rows import fitted
from acidtest.store.trace_tables import trace_jobs, trace_scores, trace_tags, traces

_SIGNS = {"good": (1, 0), "bad": (-1, 0)}


class TraceFilter(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Which traces are meant: those that fit all that is given.

    Attributes:
        text: Occurs in the question or the answer (of each the first 10,000 characters), upper or lower case.
        service: The program that sent it.
        model: Who generated.
        prompt_version: By which version of the prompt.
        session: Which conversation.
        user: Whose.
        tag: A tag that it bears.
        failed: Whether the root or a generation failed.
        abstained: Whether the system declined.
        feedback: `good` or `bad`; a trace that has both is both.
        since: It began at this moment or later, in milliseconds since 1970.
        until: It began before this moment.
        metric: It has a value of this metric,
        min_score: of this or more,
        max_score: of this or less.
        job: Its scoring waits, has failed for good (`dead`), or was left out for the budget (`out`).
    """

    text: str | None = None
    service: str | None = None
    model: str | None = None
    prompt_version: str | None = None
    session: str | None = None
    user: str | None = None
    tag: str | None = None
    failed: bool | None = None
    abstained: bool | None = None
    feedback: Literal["good", "bad"] | None = None
    since: int | None = None
    until: int | None = None
    metric: str | None = None
    min_score: float | None = None
    max_score: float | None = None
    job: Literal["waiting", "dead", "out"] | None = None


def conditions(chosen: TraceFilter) -> list[ColumnElement[bool]]:
    """Return what a row of `traces` must fulfil."""
    t = traces.c
    found: list[ColumnElement[bool]] = []
    if chosen.text:
        text = chosen.text.replace("\0", "\ufffd")
        found.append(
            or_(
                t.question.icontains(text, autoescape=True),
                t.answer.icontains(text, autoescape=True),
            )
        )
    named = {
        t.service: chosen.service,
        t.model: chosen.model,
        t.prompt_version: chosen.prompt_version,
        t.session_id: chosen.session,
        t.user_id: chosen.user,
    }
    found += [column == fitted(value) for column, value in named.items() if value is not None]
    flags = {t.failed: chosen.failed, t.abstained: chosen.abstained}
    found += [column.is_(value) for column, value in flags.items() if value is not None]
    if chosen.feedback is not None:
        found.append(t.feedback.in_(_SIGNS[chosen.feedback]))
    if chosen.since is not None:
        found.append(t.started >= chosen.since)
    if chosen.until is not None:
        found.append(t.started < chosen.until)
    if chosen.tag is not None:
        tagged = trace_tags.c.tag == fitted(chosen.tag)
        found.append(_has(trace_tags, tagged))
    if chosen.metric is not None:
        found.append(_has(trace_scores, *_scored(chosen)))
    if chosen.job is not None:
        found.append(_has(trace_jobs, trace_jobs.c.state == chosen.job))
    return found


def _scored(chosen: TraceFilter) -> list[ColumnElement[bool]]:
    scored: list[ColumnElement[bool]] = [
        trace_scores.c.metric == chosen.metric,
        trace_scores.c.value.is_not(None),
    ]
    if chosen.min_score is not None:
        scored.append(trace_scores.c.value >= chosen.min_score)
    if chosen.max_score is not None:
        scored.append(trace_scores.c.value <= chosen.max_score)
    return scored


def _has(table: Any, *which: ColumnElement[bool]) -> ColumnElement[bool]:
    return exists(select(1).where(table.c.trace_id == traces.c.id, *which))
