"""A store's name is read in one place: what is none is refused before a file or a folder is made for it."""

import pytest

from acidtest.errors import StoreError
from acidtest.store.checkpoints import Checkpoints
from acidtest.store.names import file_of, path_of, shown, url_of
from acidtest.store.spending import Spending

REFUSED = {
    "sqlite:///file:/x/store.db?uri=true": "file alone",
    "sqlite:///file:/x/store.db?mode=ro&uri=true": "file alone",
    "sqlite:///store.db?mode=ro": "file alone",
    "sqlite:///store?.db": "file alone",
    "sqlite:///file:store.db": "neither a path nor",
    "file:store.db": "neither a path nor",
    "kept/FILE:store.db": "neither a path nor",
    "sqlite:store.db": "neither a path nor",
    "sqlite+pysqlite:/store.db": "neither a path nor",
    "postgresql:/host/name": "neither a path nor",
    "sqlite://store.db": "three slashes",
    "sqlite://kept/store.db": "three slashes",
    "sqlite+aiosqlite:///store.db": "aiosqlite",
    "sqlite+pysqlcipher:///store.db": "pysqlcipher",
    "postgresql+asyncpg://u@h/n": "asyncpg",
    "postgresql://u:geheim@h:port/n": "not a database URL",
    "nothing://x": "not a database URL",
    "://": "not a database URL",
    "mysql://u:geheim@h/n": "SQLite or in PostgreSQL",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_name_of_a_store_is_refused_and_makes_nothing(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match=REFUSED[name]) as caught:
        Spending(name)
    assert "sqlite:///path/to/store.db" in str(caught.value)
    assert "geheim" not in str(caught.value)
    with pytest.raises(StoreError):
        path_of(name)
    with Checkpoints(name):
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("store.db", "store.db"),
        ("sqlite:///store.db", "store.db"),
        ("sqlite+pysqlite:///kept/store.db", "kept/store.db"),
        ("what?100%&x=1.db", "what?100%&x=1.db"),
        ("sqlite:///one two%3F.db", "one two?.db"),
        ("a:b/profile:store.db", "a:b/profile:store.db"),
    ],
)
def test_a_store_is_where_its_name_says(name, path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert str(path_of(name)) == path
    with Spending(name) as room:
        room.took(now_ms=1, calls=1)
        assert room._file == str(tmp_path / path) == file_of(url_of(name))
    assert (tmp_path / path).stat().st_size > 0


def test_one_from_the_root_has_four_slashes(tmp_path):
    assert path_of(f"sqlite:///{tmp_path}/s.db") == path_of(f"{tmp_path}/s.db") == tmp_path / "s.db"


@pytest.mark.parametrize(
    "name", ["sqlite://", "sqlite:///:memory:", ":memory:", "postgresql://u@h/n"]
)
def test_one_in_memory_or_at_a_server_is_in_no_file(name):
    assert path_of(name) is None
    assert file_of(url_of(name)) is None


def test_it_is_shown_without_its_password():
    assert shown("postgresql://u:geheim@h/n") == "postgresql://u:***@h/n"
    assert shown("postgresql://u:geheim@h:port/n") == "the store's URL"
