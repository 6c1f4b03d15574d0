"""Traces of live systems: spans, what was understood of them, scores, queue and alerts."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


_LZ4 = "SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'default_toast_compression'"

_FIGURES = [
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
]


def upgrade() -> None:
    """Create the tables of the online part."""
    op.create_table(
        "origins",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_origins"),
    )
    op.create_table(
        "spans",
        sa.Column("id", _COUNTER, nullable=False),
        sa.Column("trace_id", sa.String(64), nullable=False),
        sa.Column("span_id", sa.String(64), nullable=False),
        sa.Column("parent_id", sa.String(64)),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("start_ns", sa.BigInteger, nullable=False),
        sa.Column("end_ns", sa.BigInteger, nullable=False),
        sa.Column("received", sa.BigInteger, nullable=False),
        sa.Column("form", sa.String(10), nullable=False),
        sa.Column("origin", sa.String(64), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_spans"),
        sa.UniqueConstraint("trace_id", "span_id", name="uq_spans_trace_id_span_id"),
    )
    op.create_index("ix_spans_received", "spans", ["received"])
    connection = op.get_bind()
    lz4 = connection.dialect.name == "postgresql" and connection.scalar(sa.text(_LZ4))
    if lz4:
        # Half the time of storing a span went into the compression that is PostgreSQL's default.
        op.execute("ALTER TABLE spans ALTER COLUMN body SET COMPRESSION lz4")
    op.create_table(
        "pending_traces",
        sa.Column("trace_id", sa.String(64), nullable=False),
        sa.Column("first", sa.BigInteger, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.Boolean, nullable=False),
        sa.Column("due", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("trace_id", name="pk_pending_traces"),
    )
    op.create_index("ix_pending_traces_due", "pending_traces", ["due"])
    op.create_table(
        "traces",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(80), nullable=False),
        sa.Column("started", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("question", sa.Text),
        sa.Column("answer", sa.Text),
        sa.Column("session_id", sa.String(200)),
        sa.Column("user_id", sa.String(200)),
        sa.Column("service", sa.String(200)),
        sa.Column("environment", sa.String(200)),
        sa.Column("model", sa.String(200)),
        sa.Column("prompt_version", sa.String(200)),
        sa.Column("failed", sa.Boolean, nullable=False),
        sa.Column("abstained", sa.Boolean),
        sa.Column("feedback", sa.SmallInteger),
        sa.Column("latency_ms", sa.Float),
        sa.Column("cost_usd", sa.Float),
        sa.Column("input_tokens", sa.BigInteger),
        sa.Column("output_tokens", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_traces"),
    )
    op.create_index("ix_traces_session_id", "traces", ["session_id"])
    op.create_index("ix_traces_started", "traces", ["started"])
    if op.get_bind().dialect.name == "sqlite":
        op.create_index("ix_traces_figures", "traces", _FIGURES)
    op.create_index("ix_traces_user_id", "traces", ["user_id"])
    op.create_table(
        "trace_bodies",
        sa.Column("trace_id", sa.String(64), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("trace_id", name="pk_trace_bodies"),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["traces.id"], name="fk_trace_bodies_trace_id", ondelete="CASCADE"
        ),
    )
    if lz4:
        op.execute("ALTER TABLE trace_bodies ALTER COLUMN body SET COMPRESSION lz4")
    op.create_table(
        "trace_tags",
        sa.Column("trace_id", sa.String(64), nullable=False),
        sa.Column("tag", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("trace_id", "tag", name="pk_trace_tags"),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["traces.id"], name="fk_trace_tags_trace_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_trace_tags_tag", "trace_tags", ["tag"])
    op.create_table(
        "trace_feedback",
        sa.Column("id", _COUNTER, nullable=False),
        sa.Column("trace_id", sa.String(64), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_trace_feedback"),
    )
    op.create_index("ix_trace_feedback_trace_id", "trace_feedback", ["trace_id"])
    op.create_table(
        "trace_scores",
        sa.Column("trace_id", sa.String(64), nullable=False),
        sa.Column("metric", sa.String(200), nullable=False),
        sa.Column("digest", sa.String(80), nullable=False),
        sa.Column("judge", sa.String(80)),
        sa.Column("version", sa.String(200)),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("value", sa.Float),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("trace_id", "metric", name="pk_trace_scores"),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["traces.id"], name="fk_trace_scores_trace_id", ondelete="CASCADE"
        ),
    )
    op.create_index(
        "ix_trace_scores_values",
        "trace_scores",
        ["trace_id", "metric", "value", "judge", "version"],
    )
    op.create_table(
        "trace_verdicts",
        sa.Column("trace_id", sa.String(64), nullable=False),
        sa.Column("key", sa.String(80), nullable=False),
        sa.PrimaryKeyConstraint("trace_id", "key", name="pk_trace_verdicts"),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["traces.id"], name="fk_trace_verdicts_trace_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_trace_verdicts_key", "trace_verdicts", ["key"])
    op.create_table(
        "trace_jobs",
        sa.Column("trace_id", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(80), nullable=False),
        sa.Column("why", sa.String(200), nullable=False),
        sa.Column("priority", sa.SmallInteger, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("leased", sa.BigInteger),
        sa.Column("worker", sa.String(200)),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("error", sa.Text),
        sa.PrimaryKeyConstraint("trace_id", name="pk_trace_jobs"),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["traces.id"], name="fk_trace_jobs_trace_id", ondelete="CASCADE"
        ),
    )
    op.create_index(
        "ix_trace_jobs_state_priority_due_trace_id",
        "trace_jobs",
        ["state", "priority", "due", "trace_id"],
    )
    for name, column, known in (
        ("ix_trace_jobs_leased", "leased", "leased"),
        ("ix_trace_jobs_failed", "state", "error"),
    ):
        where = sa.text(f"{known} IS NOT NULL")
        op.create_index(name, "trace_jobs", [column], sqlite_where=where, postgresql_where=where)
    op.create_table(
        "seen_documents",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("first", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_seen_documents"),
    )
    op.create_table(
        "spending",
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("usd", sa.Float, nullable=False),
        sa.Column("calls", sa.BigInteger, nullable=False),
        sa.Column("tokens", sa.BigInteger, nullable=False),
        sa.Column("traces", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("day", name="pk_spending"),
    )
    op.create_table(
        "watch_state",
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_watch_state"),
    )
    op.create_table(
        "alerts",
        sa.Column("id", _COUNTER, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_alerts"),
    )
    op.create_index("ix_alerts_created", "alerts", ["created"])
    op.create_index("ix_alerts_key_state", "alerts", ["key", "state"])
