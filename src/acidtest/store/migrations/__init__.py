"""Alembic migrations of the store; `HEAD` is the revision that this code reads and writes."""

HEAD = "0003"
