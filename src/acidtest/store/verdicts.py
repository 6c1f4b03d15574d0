"""The cache of judgements as a whole: how much of it there is by model, and deleting from it.

Single verdicts are read and written through `store.journal`. What is deleted here is asked and paid for
again when it is needed again; runs keep their scores, which do not depend on it.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, delete, func, select, text
from sqlalchemy.exc import DatabaseError

from acidtest.store import tables
from acidtest.store.database import Database
from acidtest.store.schema import store_error


class Kept(Struct, frozen=True, kw_only=True):
    """What is kept of one model.

    Attributes:
        model: As its provider reported it.
        verdicts: How many.
        bytes: Their size, without what the database adds.
        oldest: When the first was kept (ISO 8601, UTC).
        newest: When the last was.
    """

    model: str
    verdicts: int
    bytes: int
    oldest: str
    newest: str


class Space(Struct, frozen=True, kw_only=True):
    """The size of the store's file, and how much of it is free for what comes; in bytes."""

    file: int
    free: int


class Verdicts(Database):
    """The verdicts of one store; use it as a context.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    def by_model(
        self, models: Sequence[str] | None = None, before: datetime | None = None
    ) -> list[Kept]:
        """Return what is kept of each model, the largest first.

        Args:
            models: Only of these; None for all.
            before: Only what was kept before this moment.

        Raises:
            StoreError: The database failed.
        """
        table = tables.verdicts
        size = func.sum(func.length(table.c.body))
        query = (
            select(
                table.c.model,
                func.count(),
                size,
                func.min(table.c.created),
                func.max(table.c.created),
            )
            .where(*_which(models, before))
            .group_by(table.c.model)
            .order_by(size.desc(), table.c.model)
        )
        rows: Iterable[tuple[Any, ...]] = (tuple(row.values()) for row in self._rows(query))
        return [
            Kept(model=model, verdicts=count, bytes=int(total), oldest=oldest, newest=newest)
            for model, count, total, oldest, newest in rows
        ]

    def delete(self, models: Sequence[str] | None = None, before: datetime | None = None) -> int:
        """Delete verdicts, chosen as in `by_model`; return how many there were.

        Raises:
            StoreError: The database failed; nothing was deleted.
        """
        query = delete(tables.verdicts).where(*_which(models, before))
        with self._begin() as connection:
            return int(connection.execute(query).rowcount)

    def space(self) -> Space | None:
        """Return the size of an SQLite file; None for other databases, which see to it themselves.

        Raises:
            StoreError: The database failed.
        """
        if self._engine.dialect.name != "sqlite":
            return None
        try:
            with self._engine.connect() as connection:
                pages, free, size = (
                    int(connection.execute(text(f"PRAGMA {name}")).scalar_one())
                    for name in ("page_count", "freelist_count", "page_size")
                )
        except DatabaseError as error:
            raise store_error(error, self.url) from error
        return Space(file=pages * size, free=free * size)

    def shrink(self) -> None:
        """Give the free space of an SQLite file back to the disk; it needs room for a copy meanwhile.

        Raises:
            StoreError: The disk is full, or another process holds the store; nothing is lost.
        """
        if self._engine.dialect.name != "sqlite":
            return
        try:
            with self._engine.connect() as connection:
                alone = connection.execution_options(isolation_level="AUTOCOMMIT")
                alone.execute(text("VACUUM"))
                # The small copy is in the write-ahead log until then.
                alone.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
        except DatabaseError as error:
            raise store_error(error, self.url) from error


def _which(models: Sequence[str] | None, before: datetime | None) -> list[ColumnElement[bool]]:
    chosen: list[Any] = []
    if models is not None:
        chosen.append(tables.verdicts.c.model.in_(models))
    if before is not None:
        # Moments are kept as text in UTC, to the second: they sort as they come.
        moment = before.astimezone(UTC).isoformat(timespec="seconds")
        chosen.append(tables.verdicts.c.created < moment)
    return chosen
