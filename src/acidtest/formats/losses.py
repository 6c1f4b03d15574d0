"""Counting what a reader or a writer leaves behind."""

from acidtest.data.exchange import Loss


class Losses:
    """Losses, counted by field and reason, in the order in which they were first met."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}
        self._firsts: dict[tuple[str, str], str | None] = {}

    def add(self, field: str, why: str, first: str | None = None) -> None:
        """Count one row that had something in a field.

        Args:
            field: The field in the words of what was read.
            why: What became of it: one phrase, the same for all rows.
            first: Where: `file:line`, or a case's id.
        """
        key = field, why
        self._counts[key] = self._counts.get(key, 0) + 1
        self._firsts.setdefault(key, first)

    def told(self) -> tuple[Loss, ...]:
        """Return them."""
        return tuple(
            Loss(field=field, why=why, count=count, first=self._firsts[field, why])
            for (field, why), count in self._counts.items()
        )
