"""What trends and drift read of traces: columns alone, so that a hundred thousand take seconds."""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import func, select

from acidtest.store.database import Database
from acidtest.store.trace_tables import trace_scores, trace_tags, traces

_DAY_MS = 86_400_000
_QUESTION = 2_000  # characters of a question that are read


class TraceRow(Struct, frozen=True, kw_only=True):
    """One trace: what its columns hold, its tags, and by metric the values of its scores and what scored.

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
    scorers: dict[str, str]


class TraceReadings(Database):
    """The traces of one store as rows of numbers. Methods raise `StoreError` when it fails.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    def days(self) -> list[tuple[int, int]]:
        """Return the days on which traces began, counted since 1970, UTC, each with how many; in order."""
        day = (traces.c.started // _DAY_MS).label("day")
        n = func.count().label("n")
        rows = self._rows(select(day, n).group_by(day).order_by(day))
        return [(int(row["day"]), int(row["n"])) for row in rows]

    def count(self, since_ms: int, until_ms: int) -> int:
        """Return how many traces began in a span of time, its end excluded."""
        t = traces.c
        query = select(func.count().label("n")).select_from(traces)
        return int(self._rows(query.where(t.started >= since_ms, t.started < until_ms))[0]["n"])

    def between(
        self, since_ms: int, until_ms: int, *, keep: Callable[[str], bool] | None = None
    ) -> Iterator[TraceRow]:
        """Yield the traces that began in a span of time, its end excluded, the oldest first.

        Args:
            since_ms: The beginning.
            until_ms: The end.
            keep: Says by its id whether a trace is wanted; None: all are.
        """
        t = traces.c
        inside = (t.started >= since_ms, t.started < until_ms)
        wanted: Callable[[str], bool] = _all
        if keep is not None:
            # Asked once of each trace, not with each of its tags and scores.
            ids = (name for (name,) in self._one_by_one(select(t.id).where(*inside)))
            wanted = frozenset(filter(keep, ids)).__contains__
        tags: dict[str, list[str]] = defaultdict(list)
        tagged = select(trace_tags.c.trace_id, trace_tags.c.tag)
        tagged = tagged.join(traces, traces.c.id == trace_tags.c.trace_id)
        for name, tag in self._one_by_one(tagged.where(*inside).order_by(trace_tags.c.tag)):
            if wanted(name):
                tags[name].append(sys.intern(tag))
        scores: dict[str, dict[str, float]] = defaultdict(dict)
        scorers: dict[str, dict[str, str]] = defaultdict(dict)
        s = trace_scores.c
        scored = select(s.trace_id, s.metric, s.value, s.judge, s.version)
        scored = scored.join(traces, traces.c.id == trace_scores.c.trace_id)
        for name, metric, value, judge, version in self._one_by_one(
            scored.where(*inside, trace_scores.c.value.is_not(None))
        ):
            if not wanted(name):
                continue
            scores[name][sys.intern(metric)] = float(value)
            scorers[name][metric] = sys.intern(f"{judge or ''} {version or ''}")
        columns = (
            *(t.id, t.started, t.session_id, t.service, t.model, t.prompt_version),
            func.substr(t.question, 1, _QUESTION),
            *(t.failed, t.abstained, t.feedback, t.latency_ms, t.cost_usd),
        )
        for row in self._one_by_one(select(*columns).where(*inside).order_by(t.started, t.id)):
            name, started, session, service, model, prompt_version, question, *facts = row
            if not wanted(name):
                continue
            failed, abstained, feedback, latency_ms, cost_usd = facts
            yield TraceRow(
                id=name,
                started=started,
                session=session,
                service=_one(service),
                model=_one(model),
                prompt_version=_one(prompt_version),
                question=question,
                failed=bool(failed),
                abstained=None if abstained is None else bool(abstained),
                feedback=feedback,
                latency_ms=latency_ms,
                cost_usd=cost_usd,
                tags=tuple(tags.get(name, ())),
                scores=scores.get(name, {}),
                scorers=scorers.get(name, {}),
            )

    def _one_by_one(self, query: Any) -> Iterator[Sequence[Any]]:
        for some in self._raw(query):
            yield from some


def _one(text: str | None) -> str | None:
    """Return a text that many traces share once for all of them."""
    return None if text is None else sys.intern(text)


def _all(_name: str) -> bool:
    return True
