"""Runs, golden cases, answers and results."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "runs",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("plan_hash", sa.String(80), nullable=False),
        sa.Column("golden_version", sa.String(80), nullable=False),
        sa.Column("owner", sa.String(200)),
        sa.Column("touched", sa.String(40), nullable=False),
        sa.Column("info", sa.LargeBinary, nullable=False),
        sa.Column("specs", sa.LargeBinary, nullable=False),
        sa.Column("case_ids", sa.LargeBinary, nullable=False),
        sa.Column("judge_use", sa.LargeBinary),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
    )
    op.create_index("ix_runs_plan_hash", "runs", ["plan_hash"])
    op.create_index("ix_runs_created", "runs", ["created"])
    op.create_table(
        "golden_cases",
        sa.Column("version", sa.String(80), nullable=False),
        sa.Column("case_id", sa.String(400), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("version", "case_id", name="pk_golden_cases"),
    )
    op.create_table(
        "answers",
        sa.Column("run_id", sa.String(40), nullable=False),
        sa.Column("case_id", sa.String(400), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("run_id", "case_id", name="pk_answers"),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name="fk_answers_run_id", ondelete="CASCADE"
        ),
    )
    op.create_table(
        "results",
        sa.Column("run_id", sa.String(40), nullable=False),
        sa.Column("case_id", sa.String(400), nullable=False),
        sa.Column("metric", sa.String(200), nullable=False),
        sa.Column("trial", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("run_id", "case_id", "metric", "trial", name="pk_results"),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name="fk_results_run_id", ondelete="CASCADE"
        ),
    )
