"""What a store is called, read in one place: a path or a URL, and the file behind it.

An SQLite store is named by its file alone. SQLite's own URIs (`file:/x.db?mode=ro`) and what a driver takes
behind a `?` are refused: a store is written to by several processes that tell each other by the file's name.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from acidtest.errors import StoreError

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

# SQLAlchemy is imported inside: a command that is given a path asks for its file without it.

_FIX = "Write sqlite:///path/to/store.db, a plain path, or postgresql://user@host/name."
_URL_AFTER_ALL = re.compile(r"(?:\A|/)(?:file|sqlite\d?|postgres(?:ql)?)(?:\+\w+)?:", re.IGNORECASE)


def url_of(store: str) -> "URL":
    """Return the URL of a store that is named by one, or by a path.

    Raises:
        StoreError: It is none, or that of a database, or of a way to open one, that a store is not kept in.
    """
    from sqlalchemy.engine import URL, make_url
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError

    if "://" not in store:
        return URL.create("sqlite", database=_plain(store))
    try:
        url = make_url(store)
        backend, dialect = url.get_backend_name(), url.get_dialect()
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        raise _refused("not a database URL", store) from error
    if backend not in ("sqlite", "postgresql"):
        raise _refused("a store is kept in SQLite or in PostgreSQL", store)
    if dialect.is_async or (backend == "sqlite" and dialect.driver != "pysqlite"):
        raise _refused(f"a store is not reached through {dialect.driver}", store)
    if backend == "sqlite":
        if url.host or url.username or url.port:
            # These name no file: what is stored would be gone at the end.
            raise _refused(
                "an SQLite URL has three slashes, and four before a path from the root", store
            )
        if "?" in store:
            raise _refused(
                "an SQLite store is named by its file alone, with no `?` behind it", store
            )
        _plain(url.database or "")
    return url


def path_of(store: str) -> Path | None:
    """Return the path of the file that a store is in, as it is named; None where it is in none.

    Raises:
        StoreError: See `url_of`.
    """
    return path_in(url_of(store)) if "://" in store else _path(_plain(store))


def path_in(url: "URL") -> Path | None:
    """Return the path of the file that a database is in; None where it is in none, or not SQLite's."""
    return _path(url.database) if url.get_backend_name() == "sqlite" else None


def file_of(url: "URL") -> str | None:
    """Return that file by the one name that all have for it."""
    path = path_in(url)
    return None if path is None else str(path.resolve())


def shown(store: str) -> str:
    """Return the name as it may be shown: without its password."""
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        return make_url(store).render_as_string(hide_password=True) if "://" in store else store
    except (ArgumentError, ValueError):
        return "the store's URL"


def _path(name: str | None) -> Path | None:
    return None if name in (None, "", ":memory:") else Path(str(name))


def _plain(path: str) -> str:
    if _URL_AFTER_ALL.search(path):
        raise _refused("this is neither a path nor a database URL", path)
    return path


def _refused(why: str, store: str) -> StoreError:
    return StoreError(why, where=shown(store), fix=_FIX)
