"""The tables of the online part: spans as they came, traces as understood, their scores, queue and alerts.

Times that are only compared are whole milliseconds since 1970, UTC; a span's own are nanoseconds. What is
derived from a trace names it, and goes when it goes.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from acidtest.store.tables import metadata

_COUNTER = BigInteger().with_variant(Integer, "sqlite")
"""SQLite counts up in INTEGER alone."""


def _few(name: str, column: str, known: str) -> Index:
    """Return an index of the rows alone in which a column is known."""
    where = text(f"{known} IS NOT NULL")
    return Index(name, column, sqlite_where=where, postgresql_where=where)


origins = Table(
    "origins",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("body", LargeBinary, nullable=False),  # Origin
)

spans = Table(
    "spans",
    metadata,
    Column("id", _COUNTER, primary_key=True),
    Column("trace_id", String(64), nullable=False),
    Column("span_id", String(64), nullable=False),
    Column("parent_id", String(64)),
    Column("name", String(200), nullable=False),
    Column("start_ns", BigInteger, nullable=False),
    Column("end_ns", BigInteger, nullable=False),
    Column("received", BigInteger, nullable=False),
    Column("form", String(10), nullable=False),  # see data.spans.Form
    Column("origin", String(64), nullable=False),  # hash of an origin
    Column("body", LargeBinary, nullable=False),
    UniqueConstraint("trace_id", "span_id", name="uq_spans_trace_id_span_id"),
    Index(None, "received"),  # what is too old is looked for while all who write wait
)

pending_traces = Table(
    "pending_traces",
    metadata,
    Column("trace_id", String(64), primary_key=True),
    Column("first", BigInteger, nullable=False),  # when its first span of these came
    Column("last", BigInteger, nullable=False),  # when its last one came
    Column("ended", Boolean, nullable=False),  # its root is among them
    Column("due", BigInteger, nullable=False),  # when it is to be assembled
    Index(None, "due"),
)

traces = Table(
    "traces",
    metadata,
    Column("id", String(64), primary_key=True),
    Column(
        "digest", String(80), nullable=False
    ),  # of what metrics read: another one is scored again
    Column("started", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Column("name", String(200), nullable=False),
    Column("question", Text),  # no more of it and of the answer than is searched
    Column("answer", Text),
    Column("session_id", String(200)),
    Column("user_id", String(200)),
    Column("service", String(200)),
    Column("environment", String(200)),
    Column("model", String(200)),
    Column("prompt_version", String(200)),
    Column("failed", Boolean, nullable=False),
    Column("abstained", Boolean),
    Column("feedback", SmallInteger),  # 1 good, -1 bad, 0 both
    Column("latency_ms", Float),
    Column("cost_usd", Float),
    Column("input_tokens", BigInteger),
    Column("output_tokens", BigInteger),
    Index(None, "started"),
    # All that trends read: SQLite would go through every text. PostgreSQL keeps these apart, and bounds indexes.
    Index(
        "ix_traces_figures",
        "started",
        "id",
        "session_id",
        "service",
        "model",
        "prompt_version",
        "failed",
        "abstained",
        "feedback",
        "latency_ms",
        "cost_usd",
    ).ddl_if(dialect="sqlite"),
    Index(None, "session_id"),
    Index(None, "user_id"),
)

# Apart from what is searched and counted: SQLite would go through every body on its way.
trace_bodies = Table(
    "trace_bodies",
    metadata,
    Column("trace_id", ForeignKey("traces.id", ondelete="CASCADE"), primary_key=True),
    Column("body", LargeBinary, nullable=False),  # Trace
)

trace_tags = Table(
    "trace_tags",
    metadata,
    Column("trace_id", ForeignKey("traces.id", ondelete="CASCADE"), primary_key=True),
    Column("tag", String(200), primary_key=True),
    Index(None, "tag"),
)

trace_feedback = Table(
    "trace_feedback",
    metadata,
    Column("id", _COUNTER, primary_key=True),
    Column("trace_id", String(64), nullable=False),  # may come before its trace
    Column("created", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),  # Feedback
    Index(None, "trace_id"),
)

trace_scores = Table(
    "trace_scores",
    metadata,
    Column("trace_id", ForeignKey("traces.id", ondelete="CASCADE"), primary_key=True),
    Column("metric", String(200), primary_key=True),
    Column("digest", String(80), nullable=False),  # of the trace that was scored
    Column("judge", String(80)),  # the judge's fingerprint
    Column("version", String(200)),  # the metric's
    Column("created", BigInteger, nullable=False),
    Column("value", Float),  # None for a skip and a failure
    Column("body", LargeBinary, nullable=False),  # Outcome
    Index("ix_trace_scores_values", "trace_id", "metric", "value", "judge", "version"),
)

trace_verdicts = Table(
    "trace_verdicts",
    metadata,
    Column("trace_id", ForeignKey("traces.id", ondelete="CASCADE"), primary_key=True),
    Column("key", String(80), primary_key=True),  # of a verdict that quotes this trace
    Index(None, "key"),
)

trace_jobs = Table(
    "trace_jobs",
    metadata,
    Column("trace_id", ForeignKey("traces.id", ondelete="CASCADE"), primary_key=True),
    Column("digest", String(80), nullable=False),
    Column("why", String(200), nullable=False),  # by which rule it was chosen
    Column("priority", SmallInteger, nullable=False),  # smaller first
    Column("created", BigInteger, nullable=False),
    Column("due", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("leased", BigInteger),  # until when a worker has it
    Column("worker", String(200)),
    Column("state", String(10), nullable=False),  # waiting, dead, out (of the budget)
    Column("error", Text),
    Index(None, "state", "priority", "due", "trace_id"),  # as they are taken
    # Few have these, and looking for them must not go through all.
    _few("ix_trace_jobs_leased", "leased", "leased"),
    _few("ix_trace_jobs_failed", "state", "error"),
)

seen_documents = Table(
    "seen_documents",
    metadata,
    Column("hash", String(64), primary_key=True),  # of a document that some trace retrieved
    Column("first", BigInteger, nullable=False),  # when one did first
)

spending = Table(
    "spending",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("usd", Float, nullable=False),
    Column("calls", BigInteger, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("traces", BigInteger, nullable=False),
)

watch_state = Table(
    "watch_state",
    metadata,
    Column("key", String(200), primary_key=True),
    Column("body", LargeBinary, nullable=False),
)

alerts = Table(
    "alerts",
    metadata,
    Column("id", _COUNTER, primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("key", String(200), nullable=False),  # what it is about; one open alert each
    Column("state", String(10), nullable=False),  # open, ended
    Column("body", LargeBinary, nullable=False),
    Index(None, "created"),
    Index(None, "key", "state"),
)
