"""Whether a store can be written: asked before a program relies on it, not at the first span that is lost."""

from sqlalchemy import delete, false, insert, select, text, update

import acidtest.store.trace_tables  # noqa: F401 - its tables are asked, too
from acidtest.store.database import Database
from acidtest.store.tables import metadata


class Writable(Database):
    """A store that is to be written."""

    def check(self) -> None:
        """Make sure that every table may be written, and that there is space to.

        Nothing is changed: databases look at rights also where no row is meant. Space is known only by
        writing, so one row of an SQLite file is written as it is.

        Raises:
            StoreError: It cannot be written: a file or folder without permission, a full disk, a user without
                rights.
        """
        with self._begin() as connection:
            if self._engine.dialect.name == "sqlite":
                connection.execute(text("UPDATE alembic_version SET version_num = version_num"))
            for table in metadata.sorted_tables:
                column = next(iter(table.primary_key))
                columns = list(table.columns)
                connection.execute(delete(table).where(false()))
                connection.execute(update(table).values({column: column}).where(false()))
                connection.execute(
                    insert(table).from_select(columns, select(*columns).where(false()))
                )
