"""Traces as rows and back: what is looked up by stands in columns, all of it in a body apart from them."""

import hashlib
import math
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from acidtest.codec.lossy import encoded
from acidtest.data.outcomes import Outcome
from acidtest.data.traces import Feedback, Trace
from acidtest.errors import StoreError
from acidtest.store.database import storable

T = TypeVar("T")

WIDTH = 200
"""Characters of a name, session or user that are looked up by."""

SEARCHED = 10_000
"""Characters of a question, and of an answer, that are looked through; the body has all of them."""

_LARGEST = 2**63 - 1
_HASH = 64

_TRACE = msgspec.json.Decoder(Trace)
_FEEDBACK = msgspec.json.Decoder(Feedback)
_OUTCOME = msgspec.json.Decoder(Outcome)
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, TypeError, RecursionError)


class StoredScore(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What one metric gave for a trace.

    `digest` is that of the trace as it was scored, `judge` the fingerprint of who judged, `created` when,
    in milliseconds since 1970.
    """

    metric: str
    outcome: Outcome
    digest: str
    created: int
    judge: str | None = None


class StoredTrace(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A trace with what is derived from it.

    `started` and `updated` are milliseconds since 1970: when it began, and when it was last understood.
    """

    trace: Trace
    digest: str
    started: int
    updated: int
    scores: dict[str, StoredScore] = {}


def fitted(text: str | None, width: int = WIDTH) -> str | None:
    """Return a text as a column holds it; one that is too long keeps its beginning and gets its hash.

    So two that begin alike are not one.
    """
    if text is None:
        return None
    text = str(storable({"text": text})["text"]).replace("\0", "\ufffd")
    if len(text) <= width:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()
    return f"{text[: width - _HASH - 1]}:{digest}"


def trace_row(
    trace: Trace, digest: str, now_ms: int, *, declined: bool | None = None
) -> dict[str, Any]:
    """Return what a trace is found by; one that does not say when it began began now.

    Args:
        trace: What was understood.
        digest: The hash of what metrics read of it.
        now_ms: The time.
        declined: Whether the answer declines, where the system itself does not say.
    """
    usage, latency = trace.usage, trace.latency_ms
    started = None if trace.started_ns is None else trace.started_ns // 1_000_000
    return {
        "id": trace.id,
        "digest": digest,
        "started": now_ms if started is None else max(min(started, _LARGEST), 0),
        "updated": now_ms,
        "name": fitted(trace.name) or "",
        "question": _text(trace.question),
        "answer": _text(trace.answer),
        "session_id": fitted(trace.session),
        "user_id": fitted(trace.user),
        "service": fitted(trace.service),
        "environment": fitted(trace.environment),
        "model": fitted(trace.model),
        "prompt_version": fitted(trace.prompt_version),
        "failed": trace.error is not None,
        "abstained": declined if trace.abstained is None else trace.abstained,
        "feedback": feedback_sign(trace.feedback),
        "latency_ms": _finite(latency.total if latency else None),
        "cost_usd": _finite(usage.cost_usd if usage else None),
        "input_tokens": _whole(usage.input_tokens if usage else None),
        "output_tokens": _whole(usage.output_tokens if usage else None),
    }


class TraceRows(NamedTuple):
    """The rows of a trace: what it is found by, all of it, and its tags."""

    columns: dict[str, Any]
    body: dict[str, Any]
    tags: list[dict[str, Any]]


def rows_of(trace: Trace, digest: str, now_ms: int, *, declined: bool | None = None) -> TraceRows:
    """Return the rows of a trace, ready to be stored; the arguments are those of `trace_row`."""
    return TraceRows(
        storable(trace_row(trace, digest, now_ms, declined=declined)),
        {"trace_id": trace.id, "body": encoded(trace)},
        [{"trace_id": trace.id, "tag": tag} for tag in tags_of(trace)],
    )


def tags_of(trace: Trace) -> list[str]:
    """Return the tags of a trace as they are looked up by, each once."""
    return sorted({tag for tag in map(fitted, trace.tags) if tag})


def feedback_sign(feedback: tuple[Feedback, ...]) -> int | None:
    """Return 1 for good, -1 for bad, 0 for both; None where nobody said either."""
    signs = {given.good for given in feedback if given.good is not None}
    if not signs:
        return None
    return 0 if len(signs) > 1 else 1 if signs == {True} else -1


def stored_trace(row: Mapping[Any, Any], scores: dict[str, StoredScore], where: str) -> StoredTrace:
    """Read the row of a trace beside its body.

    Raises:
        StoreError: It is damaged.
    """
    return StoredTrace(
        trace=_decoded(row["body"], _TRACE, f"trace {row['id']!r}", where),
        digest=row["digest"],
        started=row["started"],
        updated=row["updated"],
        scores=scores,
    )


def stored_score(row: Mapping[Any, Any], where: str) -> StoredScore:
    """Read the row of a score.

    Raises:
        StoreError: It is damaged.
    """
    what = f"the score {row['metric']!r} of trace {row['trace_id']!r}"
    return StoredScore(
        metric=row["metric"],
        outcome=_decoded(row["body"], _OUTCOME, what, where),
        digest=row["digest"],
        created=row["created"],
        judge=row["judge"],
    )


def stored_feedback(row: Mapping[Any, Any], where: str) -> Feedback:
    """Read the row of a piece of feedback.

    Raises:
        StoreError: It is damaged.
    """
    return _decoded(row["body"], _FEEDBACK, f"feedback on trace {row['trace_id']!r}", where)


def _decoded(body: Any, decoder: "msgspec.json.Decoder[T]", what: str, where: str) -> T:
    try:
        return decoder.decode(body)
    except _UNREADABLE as error:
        reason = str(error).replace("`", "'")
        raise StoreError(
            f"{what} is damaged: {reason}", where=where, fix="Delete that trace."
        ) from error


def _text(text: str | None) -> str | None:
    # PostgreSQL takes no NUL in text; the body has it as it came.
    return None if text is None else text[:SEARCHED].replace("\0", "\ufffd")


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _whole(value: int | None) -> int | None:
    return value if value is not None and abs(value) <= _LARGEST else None
