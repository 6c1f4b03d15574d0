"""One open database: transactions, reading, and writing what may be there already.

What goes wrong in it is told in words, as `StoreError`.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from sqlalchemy import RowMapping
from sqlalchemy.exc import DatabaseError

from acidtest.store.names import file_of, shown
from acidtest.store.place import Place
from acidtest.store.schema import connect, store_error
from acidtest.store.turns import Turn
from acidtest.text.surrogates import without_halves

_AT_ONCE = 200  # rows of a big query that are held at a time
_RAW_AT_ONCE = 2_000
PATIENCE_S = 30.0
"""After this time a writer no longer waits for others of this process."""

IN = 500
"""Values in one IN (...): under every database's limit."""


class Database:
    """What the rooms of a store share; use it as a context.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._where = shown(url)
        self._engine = connect(url)
        self._file = file_of(self._engine.url)
        self._place = Place(self._engine, self._where)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the database."""
        self._engine.dispose()

    def _begin(self) -> "_Transaction":
        return _Transaction(self)

    def _rows(self, query: Any) -> Sequence[RowMapping]:
        try:
            with self._engine.connect() as connection:
                return connection.execute(query).mappings().all()
        except DatabaseError as error:
            raise store_error(error, self.url) from error

    def _tuples(self, query: Any) -> Sequence[Any]:
        """Return rows as tuples, which many are quicker to read as."""
        try:
            with self._engine.connect() as connection:
                return connection.execute(query).all()
        except DatabaseError as error:
            raise store_error(error, self.url) from error

    def _each(self, query: Any) -> Iterator[RowMapping]:
        """Yield the rows of a big query, without holding all that is read at once."""
        try:
            with self._engine.connect() as connection:
                yield from (
                    connection.execution_options(yield_per=_AT_ONCE).execute(query).mappings()
                )
        except DatabaseError as error:
            raise store_error(error, self.url) from error

    def _raw(self, query: Any) -> Iterator[Sequence[Any]]:
        """Yield the rows of a big query, some at a time; SQLite's as the driver gives them: three times as quick.

        Its booleans are 0 and 1 then.
        """
        failures = self._engine.dialect.loaded_dbapi.Error
        try:
            with self._engine.connect() as connection:
                if self._engine.dialect.name != "sqlite":
                    # These would hand over all rows at once, and the driver hold them.
                    some = connection.execution_options(yield_per=_RAW_AT_ONCE)
                    yield from some.execute(query).partitions()
                    return
                cursor: Any = connection.execute(query).cursor
                while rows := cursor.fetchmany(_RAW_AT_ONCE):
                    yield rows
        except (DatabaseError, failures) as error:
            raise store_error(error, self.url) from error

    def _insert(self, table: Any) -> Any:
        # Imported when it is needed: PostgreSQL's takes a tenth of a second.
        if self._engine.dialect.name == "postgresql":
            from sqlalchemy.dialects import postgresql

            return postgresql.insert(table)
        from sqlalchemy.dialects import sqlite

        return sqlite.insert(table)

    def _put(
        self, connection: Any, table: Any, rows: Iterable[dict[str, Any]], *, over: bool = False
    ) -> None:
        # The same answer may be written again by a run that resumes: the first one stands.
        listed = [storable(row) for row in rows]
        if not listed:
            return
        query = self._insert(table)
        if over:
            query = query.on_conflict_do_update(
                index_elements=list(table.primary_key), set_={"body": query.excluded.body}
            )
        else:
            query = query.on_conflict_do_nothing()
        connection.execute(query, listed)


class _Transaction:
    """A transaction whose database errors are told in words."""

    def __init__(self, database: Database) -> None:
        self._url = database.url
        self._place = database._place  # noqa: SLF001
        self._context = database._engine.begin()  # noqa: SLF001 - half of Database, in the same file
        self._turn = Turn(database._file, PATIENCE_S)  # noqa: SLF001

    def __enter__(self) -> Any:
        self._turn.take()
        try:
            with ExitStack() as stack:
                connection = stack.enter_context(self._context)
                if connection.dialect.name == "sqlite":
                    # The driver begins one by itself only at a statement whose first word is INSERT, UPDATE or
                    # DELETE: what is read, or begins with WITH, before it would stand alone.
                    self._turn.others.begin(connection, PATIENCE_S)
                stack.pop_all()
                return connection
        except BaseException as error:
            self._turn.give()
            if isinstance(error, DatabaseError):
                raise store_error(error, self._url) from error
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._context.__exit__(kind, error, trace)
        except DatabaseError as failure:
            raise store_error(failure, self._url) from failure
        finally:
            self._turn.others.ended()
            self._turn.give()
        if isinstance(error, DatabaseError):
            raise store_error(error, self._url) from error
        if error is None:
            self._place.check()


def storable(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row that every database takes."""
    # Ids and names may hold halves of surrogate pairs, which no database takes.
    return {key: without_halves(v) if isinstance(v, str) else v for key, v in row.items()}
