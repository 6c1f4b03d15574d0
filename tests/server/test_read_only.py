"""A store that cannot be written: told at the start, and waited for when it becomes so later."""

import os
import shutil
import subprocess
import sys

import pytest
from sqlalchemy import event
from tests.server.test_serve import as_json

from acidtest.store.runs import Store
from acidtest.store.spans import SpanStore

JSON = "application/json"
PAGES = ("/", "/traces", "/alerts", "/queue", "/runs", "/health", "/metrics", "/api/traces")


def without_privilege():
    """Return what begins a command that may not write everywhere; None where that is not possible."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        return None
    rights = "-dac_override,-dac_read_search"
    return ["setpriv", f"--bounding-set={rights}", f"--inh-caps={rights}"]


@pytest.mark.parametrize("kind", ["file", "folder", "nothing"])
def test_what_cannot_be_written_is_told_at_the_start(tmp_path, kind):
    before = without_privilege()
    if before is None:
        pytest.skip("root writes everywhere")
    place = tmp_path / "place"
    place.mkdir()
    if kind != "nothing":
        Store(str(place / "s.db")).close()
    (place / "s.db" if kind == "file" else place).chmod(0o444 if kind == "file" else 0o555)
    try:
        done = subprocess.run(
            [*before, sys.executable, "-m", "acidtest", "serve", "--port", "0", "--store", str(place / "s.db")],
            capture_output=True, text=True, timeout=60, cwd=tmp_path,
        )  # fmt: skip
    finally:
        place.chmod(0o755)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the store cannot be used" in done.stderr
    assert "Traceback" not in done.stderr


async def test_a_store_that_becomes_read_only_is_waited_for_and_its_pages_are_readable(opened):
    async with opened() as client:

        def locked(connection, _record, _proxy):
            connection.execute("PRAGMA query_only=ON")

        def free(connection, _record, _proxy):
            connection.execute("PRAGMA query_only=OFF")

        async def send():
            body = as_json("a" * 32, ["b" * 16])
            return await client("POST", "/v1/traces", body, content_type=JSON)

        pool = client.site.open(SpanStore)._engine.pool
        event.listen(pool, "checkout", locked)
        refused = await send()
        assert (refused.status, refused.header("retry-after")) == (503, "5")
        for path in PAGES:
            assert (await client("GET", path)).status == 200
        event.remove(pool, "checkout", locked)
        event.listen(pool, "checkout", free)
        assert (await send()).status == 200


async def test_a_user_who_loses_rights_is_waited_for(opened, postgres_url):
    import psycopg

    Store(postgres_url).close()
    role = f"served_{postgres_url.partition('@/')[2].partition('?')[0]}"
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute(f"CREATE ROLE {role} LOGIN")
        owner.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {role}")
        owner.execute(f"GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO {role}")
        try:
            async with opened(store=postgres_url.replace("acidtest@", f"{role}@")) as client:
                body = as_json("a" * 32, ["b" * 16])
                owner.execute(f"REVOKE INSERT ON spans FROM {role}")
                assert (await client("POST", "/v1/traces", body, content_type=JSON)).status == 503
                for path in PAGES:
                    assert (await client("GET", path)).status == 200
                owner.execute(f"GRANT INSERT ON spans TO {role}")
                assert (await client("POST", "/v1/traces", body, content_type=JSON)).status == 200
        finally:
            owner.execute(f"DROP OWNED BY {role}")
            owner.execute(f"DROP ROLE {role}")
