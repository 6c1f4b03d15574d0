"""Bringing a store's tables to the revision that this code knows: once, whoever comes at a time."""

import os
import threading
from pathlib import Path

from sqlalchemy import Connection, inspect, text

from acidtest.errors import FormatTooNew, StoreError
from acidtest.store.alone import alone
from acidtest.store.migrations import HEAD
from acidtest.store.tables import metadata

_MIGRATIONS = Path(__file__).parent / "migrations"

_ALONE = threading.Lock()
"""Alembic keeps what it works on in module globals: one migration a process at a time."""


def migrate(connection: Connection, where: str) -> None:
    """Create or migrate the tables where needed.

    The revision is read again under a lock (the process's, and the file's write lock or the
    server's), and all of it is one transaction: others find it done or not begun.

    Raises:
        FormatTooNew: A later acidtest has migrated them.
        StoreError: The database holds tables of these names that are not acidtest's.
    """
    revision = _revision(connection, where)
    connection.rollback()
    if revision == HEAD:
        return
    with _ALONE, connection.begin():
        if connection.dialect.name == "sqlite":
            # The driver itself begins a transaction at the first INSERT only, which is after the DDL.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        alone(connection, "migration")
        revision = _revision(connection, where)
        if revision != HEAD:
            _upgrade(connection, revision, where)


def _revision(connection: Connection, where: str) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if revision is not None and not _knows(revision):
        raise FormatTooNew(
            f"the store has revision {revision}; this acidtest knows up to {HEAD}",
            where=where,
            fix="Upgrade acidtest, or name another store with --store.",
        )
    return revision


def _knows(revision: str) -> bool:
    files = (_MIGRATIONS / "versions").glob("0*.py")
    return any(file.name.partition("_")[0] == revision for file in files)


def _upgrade(connection: Connection, revision: str | None, where: str) -> None:
    # Alembic takes a while to import: only a store that is new or old needs it.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", os.fspath(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    if revision is None and _completed(connection, where):
        command.stamp(config, HEAD)
    else:
        command.upgrade(config, HEAD)


def _completed(connection: Connection, where: str) -> bool:
    """Complete tables that were made without their revision being noted; False where there are none.

    A database whose DDL is not part of its transactions is left so by a crash in between.
    """
    import acidtest.store.trace_tables  # noqa: F401 - imported where they are made: not by every run

    found = inspect(connection)
    there = set(found.get_table_names()) & set(metadata.tables)
    for name in sorted(there):
        if {c["name"] for c in found.get_columns(name)} != set(
            metadata.tables[name].columns.keys()
        ):
            raise StoreError(
                f"the database holds a table {name!r} that is not acidtest's",
                where=where,
                fix="Name another store with --store.",
            )
    if there:
        metadata.create_all(connection)
        for table in metadata.sorted_tables:
            for index in table.indexes:
                index.create(connection, checkfirst=True)
    return bool(there)
