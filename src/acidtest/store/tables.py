"""The tables of the store. What they hold is written as JSON of the records in `data`.

Rows are the truth: a run is assembled from them whenever it is asked for. A golden set is kept once a
version, so that a run stays readable when the file it came from has changed or gone.
"""

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

runs = Table(
    "runs",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("created", String(40), nullable=False),
    Column("status", String(20), nullable=False),
    Column("plan_hash", String(80), nullable=False),
    Column("golden_version", String(80), nullable=False),
    Column("owner", String(200)),  # who is making it, see `owner`
    Column("touched", String(40), nullable=False),  # when something was last stored for it
    Column("info", LargeBinary, nullable=False),  # RunInfo
    Column("specs", LargeBinary, nullable=False),  # list[MetricSpec]
    Column("case_ids", LargeBinary, nullable=False),  # list[str], in golden order
    Column("judge_use", LargeBinary),  # JudgeUse
    Index(None, "plan_hash"),
    Index(None, "created"),
)

golden_cases = Table(
    "golden_cases",
    metadata,
    Column("version", String(80), primary_key=True),
    Column("case_id", String(400), primary_key=True),
    Column("body", LargeBinary, nullable=False),  # Case
)

answers = Table(
    "answers",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("case_id", String(400), primary_key=True),
    Column("body", LargeBinary, nullable=False),  # Answer
)

results = Table(
    "results",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("case_id", String(400), primary_key=True),
    Column("metric", String(200), primary_key=True),
    Column("trial", Integer, primary_key=True),
    Column("body", LargeBinary, nullable=False),  # Outcome
)

verdicts = Table(
    "verdicts",
    metadata,
    Column("key", String(80), primary_key=True),  # of the whole question
    Column("model", String(200), nullable=False),
    Column("created", String(40), nullable=False),
    Column("body", LargeBinary, nullable=False),  # JSON of the verdict
)
