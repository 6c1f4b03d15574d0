"""When something was measured."""

from datetime import UTC, datetime


def now() -> str:
    """Return this moment: UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
