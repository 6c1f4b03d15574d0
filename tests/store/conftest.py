"""A store on either database whose tables are made once a file, and emptied for each test."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from acidtest.store.tables import metadata

_NUMBERS = count(1)


@pytest.fixture(scope="module")
def _kept_postgres_url(
    _new_postgres_url: Callable[..., str], request: pytest.FixtureRequest
) -> str:
    # By number, too: a worker may be given tests of a file again when it has done others.
    return _new_postgres_url(f"kept_{request.module.__name__.rpartition('.')[2]}_{next(_NUMBERS)}")


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty store on either database."""
    if request.param == "sqlite":
        yield str(tmp_path / "any.db")
        return
    url = str(request.getfixturevalue("_kept_postgres_url"))
    yield url
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        names = ", ".join(table.name for table in metadata.sorted_tables)
        connection.execute(text(f"TRUNCATE {names} CASCADE"))
    engine.dispose()
