import contextlib
import shutil
import subprocess

import psycopg
import pytest
from sqlalchemy import event

from acidtest.errors import StoreError
from acidtest.store.runs import Store
from acidtest.store.writable import Writable


def test_a_store_that_can_be_written_is_left_as_it_was(any_url):
    with Writable(any_url) as store:
        store.check()
        store.check()


def test_a_file_that_cannot_be_written_is_told(tmp_path):
    def locked(connection, _record, _proxy):
        connection.execute("PRAGMA query_only=ON")

    with Writable(str(tmp_path / "s.db")) as store:
        event.listen(store._engine, "checkout", locked)
        with pytest.raises(StoreError, match="readonly") as caught:
            store.check()
    assert caught.value.passing  # it may be given back


@pytest.fixture
def reader(postgres_url):
    """A user who may read all tables of a store, and the way to give rights."""
    Store(postgres_url).close()
    name = f"reader_{postgres_url.partition('@/')[2].partition('?')[0]}"
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute(f"CREATE ROLE {name} LOGIN")
        owner.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {name}")
        yield postgres_url.replace("acidtest@", f"{name}@"), owner, name
        owner.execute(f"DROP OWNED BY {name}")
        owner.execute(f"DROP ROLE {name}")


def test_a_user_without_rights_is_told(reader):
    url, owner, name = reader
    with Writable(url) as store:
        for right in ("INSERT", "UPDATE", "DELETE"):
            with pytest.raises(StoreError, match="permission denied for table") as caught:
                store.check()
            assert "Give this user the right" in str(caught.value)
            assert caught.value.passing
            owner.execute(f"GRANT {right} ON ALL TABLES IN SCHEMA public TO {name}")
        store.check()
        owner.execute(f"REVOKE INSERT ON spans FROM {name}")
        with pytest.raises(StoreError, match="spans"):
            store.check()


def test_a_server_that_only_reads_is_told(reader):
    url, owner, name = reader
    owner.execute(f"ALTER ROLE {name} SET default_transaction_read_only = on")
    owner.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {name}")
    with Writable(url) as store, pytest.raises(StoreError, match="read-only") as caught:
        store.check()
    assert caught.value.passing


@pytest.mark.skipif(shutil.which("mount") is None, reason="there is no mount")
def test_a_disk_that_is_full_is_told(tmp_path):
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("a small file system needs root")
    try:
        with Writable(str(place / "s.db")) as store:
            store.check()
            fill(place)
            with pytest.raises(StoreError) as caught:
                store.check()
            assert caught.value.passing
            (place / "fill").unlink()
            store.check()
    finally:
        subprocess.run(["umount", place], check=True)


def fill(place):
    with (place / "fill").open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"x" * 1024)
