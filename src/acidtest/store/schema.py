"""Opening a store: connect, and bring its tables to the revision that this code knows."""

import sqlite3
import time
from functools import partial
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import StaticPool

from acidtest.errors import MissingExtra, StoreError
from acidtest.extras import need
from acidtest.store.checkpoints import pages_of
from acidtest.store.faults import passing
from acidtest.store.migrate import migrate
from acidtest.store.names import file_of, path_in, shown, url_of
from acidtest.store.texts import mend_texts

_PATIENCE = 30.0
"""Seconds to wait for another process that holds the store."""

_LOG_BYTES = 64 << 20
"""What SQLite's log keeps of the disk once it has been moved; who reads for long makes it grow."""


def connect(url: str) -> Engine:
    """Open the database at a URL, creating and migrating its tables where needed.

    Args:
        url: `sqlite:///path/to/store.db`, a plain path, `sqlite://` for one in memory, or
            `postgresql://user:password@host/name`.

    Raises:
        StoreError: It is no name of a store, or the database cannot be opened or written.
        FormatTooNew: A later acidtest has migrated it.
        MissingExtra: The database needs a driver that is not installed.
    """
    engine = _engine(url)
    try:
        with engine.connect() as connection:
            migrate(connection, shown(url))
    except BaseException as error:
        engine.dispose()
        if isinstance(error, DatabaseError | OSError):
            raise store_error(error, url) from error
        raise
    return engine


def store_error(error: Exception, url: str) -> StoreError:
    """Say what a database error means for a person."""
    reason = str(getattr(error, "orig", None) or error)
    fix = "Check the folder's permissions, or name another store with --store."
    if "full" in reason or "No space left" in reason:
        fix = "Free some space and run the same command again: what was stored is kept."
    elif "locked" in reason:
        fix = "Another process holds the store; wait for it, or name another store with --store."
    elif "no such column" in reason or "no such table" in reason:
        fix = "It was made before the first release; name another store with --store."
    elif "connection" in reason and "failed" in reason:
        fix = "Check that the database server runs, and the user, password and name in the URL."
    elif "disk i/o error" in reason.lower():
        fix = "Check that the disk has space and is sound, or name another store with --store."
    elif "permission denied" in reason or "read-only transaction" in reason:
        fix = "Give this user the right to read and write all tables, or name another store with --store."
    elif "not a database" in reason or "malformed" in reason:
        fix = "The file is not a store, or is damaged; name another with --store."
    told = StoreError(f"the store cannot be used: {reason}", where=shown(url), fix=fix)
    told.passing = passing(error)
    return told


def _engine(url: str) -> Engine:
    parsed = url_of(url)
    if parsed.get_backend_name() == "postgresql":
        return _postgres(parsed)
    path = path_in(parsed)
    if path is None:
        engine = create_engine(
            "sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False}
        )
    else:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"the folder {str(path.parent)!r} cannot be made: {error.strerror}",
                where=shown(url),
                fix="Name a store in a folder that you may write with --store.",
            ) from error
        engine = create_engine(parsed, connect_args={"timeout": _PATIENCE})
    event.listen(engine, "connect", partial(_pragmas, file_of(parsed)))
    mend_texts(engine)
    return engine


def _postgres(url: URL) -> Engine:
    """Open a PostgreSQL database with psycopg 3, whatever driver SQLAlchemy would take for its URL."""
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    if url.get_driver_name() == "psycopg":
        need("psycopg", extra="postgres")
    try:
        engine = create_engine(url, pool_pre_ping=True)
    except ModuleNotFoundError as error:
        raise MissingExtra(
            f"this store needs the package {error.name!r}, which is not installed",
            where=url.render_as_string(),
            fix=f"Install it with: pip install {error.name}",
        ) from error
    mend_texts(engine)
    return engine


def _pragmas(path: str | None, connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    _write_ahead(cursor)
    # A commit must survive a power cut: what was paid for is on disk before it is used.
    for pragma in ("synchronous=FULL", "foreign_keys=ON", f"journal_size_limit={_LOG_BYTES}"):
        cursor.execute(f"PRAGMA {pragma}")
    pages = pages_of(path)
    if pages is not None:
        cursor.execute(f"PRAGMA wal_autocheckpoint={pages}")
    cursor.close()


def _write_ahead(cursor: Any) -> None:
    # SQLite does not wait for its lock here, as it does elsewhere: of several that open a new store
    # at once, all but one would fail.
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return
