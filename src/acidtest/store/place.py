"""The file of an SQLite store, known again: one that is deleted while it is open goes on taking what is lost."""

import os

from sqlalchemy import Engine

from acidtest.errors import StoreError
from acidtest.store.names import path_in


class Place:
    """Where a store is.

    Args:
        engine: SQLAlchemy's, of a store that was opened; one that is not on a file is never gone.
        where: The store, for messages.
    """

    def __init__(self, engine: Engine, where: str) -> None:
        path = path_in(engine.url)
        self._where = where
        self._path = None if path is None else str(path.absolute())
        self._was = self._now()

    def check(self) -> None:
        """Make sure that the file is still there.

        Raises:
            StoreError: It is gone, or another stands in its place.
        """
        if self._was is not None and self._now() != self._was:
            error = StoreError(
                "the store's file was moved or deleted while it was open",
                where=self._where,
                fix="Put it back, or begin anew: then a new store is made.",
            )
            error.passing = True
            raise error

    def _now(self) -> tuple[int, int] | None:
        if self._path is None:
            return None
        try:
            found = os.stat(self._path)  # noqa: PTH116 - at every commit: a path object takes longer
        except OSError:
            return None
        return found.st_dev, found.st_ino
