"""Looking spans and traces up by little: what is there already, ids by their beginnings, what would go."""

from collections.abc import Sequence

from msgspec import Struct
from sqlalchemy import ColumnElement, exists, func, or_, select

from acidtest.store.database import IN, Database
from acidtest.store.trace_rows import fitted
from acidtest.store.trace_tables import (
    spans,
    trace_feedback,
    trace_jobs,
    trace_scores,
    trace_verdicts,
    traces,
)


class Which(Struct, frozen=True, kw_only=True):
    """Traces that are meant: exactly one of these.

    Attributes:
        trace_ids: Their ids.
        sessions: Names of one conversation.
        users: Names of one user.
        before_ms: They began, or came, before this moment, in milliseconds since 1970.
    """

    trace_ids: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    users: tuple[str, ...] = ()
    before_ms: int | None = None


class Held(Struct, frozen=True, kw_only=True):
    """How much the store holds of some traces."""

    traces: int = 0
    spans: int = 0
    scores: int = 0
    feedback: int = 0
    jobs: int = 0
    verdicts: int = 0


class TraceLookup(Database):
    """Looks up in one store. Methods raise `StoreError` when it fails.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    def ends(self, trace_ids: Sequence[str]) -> dict[tuple[str, str], int]:
        """Return when each span of some traces ended, by trace and span id; 0 where it is not said."""
        found: dict[tuple[str, str], int] = {}
        for start in range(0, len(trace_ids), IN):
            some = trace_ids[start : start + IN]
            query = select(spans.c.trace_id, spans.c.span_id, spans.c.end_ns).where(
                spans.c.trace_id.in_(some)
            )
            found |= {(row["trace_id"], row["span_id"]): row["end_ns"] for row in self._rows(query)}
        return found

    def beginning(self, text: str, limit: int = 5) -> list[str]:
        """Return ids of traces that begin so."""
        begun = traces.c.id.startswith(text, autoescape=True)
        query = select(traces.c.id).where(begun).order_by(traces.c.id).limit(limit)
        return [row["id"] for row in self._rows(query)]

    def others(self, which: Which, trace_ids: Sequence[str]) -> list[str]:
        """Return which of these ids are of no trace that is meant."""
        ours: set[str] = set()
        for start in range(0, len(trace_ids), IN):
            some = trace_ids[start : start + IN]
            query = select(traces.c.id).where(traces.c.id.in_(some), _condition(which))
            ours |= {row["id"] for row in self._rows(query)}
        return [trace_id for trace_id in trace_ids if trace_id not in ours]

    def held(self, which: Which) -> Held:
        """Return how much there is of some traces and of what was derived from them."""
        if which.trace_ids:
            ids = list(dict.fromkeys(which.trace_ids))
            parts = [self._held_ids(ids[start : start + IN]) for start in range(0, len(ids), IN)]
            names = Held.__struct_fields__
            return Held(**{name: sum(getattr(part, name) for part in parts) for name in names})
        ours = select(traces.c.id).where(_condition(which))
        return self._held(
            {
                "traces": (traces.c.id, _condition(which)),
                "spans": (spans.c.id, spans.c.trace_id.in_(ours) | _orphans(which)),
                "scores": (trace_scores.c.metric, trace_scores.c.trace_id.in_(ours)),
                "feedback": (trace_feedback.c.id, trace_feedback.c.trace_id.in_(ours)),
                "jobs": (trace_jobs.c.trace_id, trace_jobs.c.trace_id.in_(ours)),
                "verdicts": (trace_verdicts.c.key, trace_verdicts.c.trace_id.in_(ours)),
            }
        )

    def _held_ids(self, ids: Sequence[str]) -> Held:
        return self._held(
            {
                "traces": (traces.c.id, traces.c.id.in_(ids)),
                "spans": (spans.c.id, spans.c.trace_id.in_(ids)),
                "scores": (trace_scores.c.metric, trace_scores.c.trace_id.in_(ids)),
                "feedback": (trace_feedback.c.id, trace_feedback.c.trace_id.in_(ids)),
                "jobs": (trace_jobs.c.trace_id, trace_jobs.c.trace_id.in_(ids)),
                "verdicts": (trace_verdicts.c.key, trace_verdicts.c.trace_id.in_(ids)),
            }
        )

    def _held(self, parts: dict[str, tuple[ColumnElement[object], ColumnElement[bool]]]) -> Held:
        queries = {
            name: select(func.count(column)).where(condition).scalar_subquery()
            for name, (column, condition) in parts.items()
        }
        row = self._rows(select(*(query.label(name) for name, query in queries.items())))[0]
        return Held(**{name: int(row[name]) for name in queries})


def _condition(which: Which) -> ColumnElement[bool]:
    if which.before_ms is not None:
        return or_(traces.c.started < which.before_ms, traces.c.updated < which.before_ms)
    if which.sessions:
        return traces.c.session_id.in_([fitted(each) for each in which.sessions])
    return traces.c.user_id.in_([fitted(each) for each in which.users])


def _orphans(which: Which) -> ColumnElement[bool]:
    """Return which spans are old and belong to no trace."""
    alone = ~exists(select(1).where(traces.c.id == spans.c.trace_id))
    return (spans.c.received < (which.before_ms or 0)) & alone
