"""What trends and drift read of traces: columns alone, so that a hundred thousand take seconds."""

from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct
from sqlalchemy import func, select

from acidtest.store.database import Database
from acidtest.store.trace_tables import trace_scores, trace_tags, traces

_QUESTION = 2_000  # characters of a question that are read


class TraceRow(Struct, frozen=True, kw_only=True):
    """One trace: what its columns hold, its tags, and the values of its scores by metric.

    `feedback` is 1 for good, -1 for bad, 0 for both; None where nobody said either.
    """

    id: str
    started: int
    session: str | None
    service: str | None
    model: str | None
    prompt_version: str | None
    question: str | None
    failed: bool
    abstained: bool | None
    feedback: int | None
    latency_ms: float | None
    cost_usd: float | None
    tags: tuple[str, ...]
    scores: dict[str, float]


class TraceReadings(Database):
    """The traces of one store as rows of numbers. Methods raise `StoreError` when it fails.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    def first(self) -> int | None:
        """Return when the oldest trace began, in milliseconds since 1970; None where there is none."""
        found = self._rows(select(func.min(traces.c.started).label("first")))[0]["first"]
        return None if found is None else int(found)

    def between(self, since_ms: int, until_ms: int) -> Iterator[TraceRow]:
        """Yield the traces that began in a span of time, its end excluded, the oldest first."""
        t = traces.c
        inside = (t.started >= since_ms, t.started < until_ms)
        tags: dict[str, list[str]] = defaultdict(list)
        tagged = select(trace_tags).join(traces, traces.c.id == trace_tags.c.trace_id)
        for row in self._each(tagged.where(*inside).order_by(trace_tags.c.tag)):
            tags[row["trace_id"]].append(row["tag"])
        scores: dict[str, dict[str, float]] = defaultdict(dict)
        scored = select(trace_scores.c.trace_id, trace_scores.c.metric, trace_scores.c.value)
        scored = scored.join(traces, traces.c.id == trace_scores.c.trace_id)
        for row in self._each(scored.where(*inside, trace_scores.c.value.is_not(None))):
            scores[row["trace_id"]][row["metric"]] = float(row["value"])
        columns = (
            *(t.id, t.started, t.service, t.model, t.prompt_version, t.failed, t.abstained),
            *(t.feedback, t.latency_ms, t.cost_usd),
            t.session_id.label("session"),
            func.substr(t.question, 1, _QUESTION).label("question"),
        )
        for row in self._each(select(*columns).where(*inside).order_by(t.started, t.id)):
            name = row["id"]
            yield TraceRow(**row, tags=tuple(tags.get(name, ())), scores=dict(scores.get(name, {})))
