"""Shared set-up: where the reference data is, and what may be left out where."""

import gc
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# The same examples every time, however slow the machine: a red test stays red until it is mended.
settings.register_profile("project", deadline=None, derandomize=True, database=None)
settings.load_profile("project")

# Before any of these packages is imported: no test tells anybody anything.
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
os.environ["LANGSMITH_TRACING"] = os.environ["LANGCHAIN_TRACING_V2"] = "false"


def _in_memory() -> str | None:
    """A folder in memory, where there is one with room from which programs may be started, too."""
    place = Path("/dev/shm")  # noqa: S108 - each test gets a folder of its own below
    try:
        about = os.statvfs(place)
    except OSError:
        return None
    roomy = about.f_bavail * about.f_frsize > 2 << 30
    return str(place) if roomy and not about.f_flag & os.ST_NOEXEC else None


# Every commit of a store waits for its disk, thousands of times: most of the time of many tests.
if "TMPDIR" not in os.environ and (_MEMORY := _in_memory()):
    os.environ["TMPDIR"] = tempfile.tempdir = _MEMORY

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect ten thousand tests without looking for garbage among them; nor later, at each test."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Iterator[object]:
    """Look for garbage between tests alone.

    Tests of what nests too deep have no room left to end what another test left behind: it would be theirs
    that fail.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        if gc.get_count()[0] > _MUCH:
            gc.collect()
        gc.enable()


_MUCH = 100_000
"""Objects that came and did not go since garbage was last looked for."""


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference values and real data, where it is present."""
    if not SHARED.is_dir():
        pytest.skip("the folder shared/ with reference data is not beside the project")
    return SHARED


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep a developer's own store and colours out of the tests."""
    for name in ("ACIDTEST_STORE", "NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    # A pipeline's folder stays on the path, and a test's `numbers.py` would be every later child's.
    monkeypatch.setattr(sys, "path", list(sys.path))


@pytest.fixture
def real_migrations() -> None:
    """For tests of the migrations themselves: each new store goes through them."""


_MADE: list[str] = []
"""The statements that make a new SQLite store, as the migrations left the first of this process."""


@pytest.fixture(autouse=True)
def _quick_stores(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the migrations for one new SQLite store a process, and what they came to for all others."""
    if "real_migrations" in request.fixturenames:
        return
    from acidtest.store import migrate

    upgrade = migrate._upgrade

    def quick(connection: Any, revision: str | None, where: str) -> None:
        kept = "SELECT count(*) FROM sqlite_master"
        if connection.dialect.name != "sqlite" or connection.exec_driver_sql(kept).scalar():
            upgrade(connection, revision, where)
        elif _MADE:
            for statement in _MADE:
                connection.exec_driver_sql(statement)
        else:
            upgrade(connection, revision, where)
            # Without the transaction around them: the caller has one.
            _MADE.extend([*connection.connection.driver_connection.iterdump()][1:-1])

    monkeypatch.setattr(migrate, "_upgrade", quick)


@pytest.fixture(scope="session")
def _postgres() -> Iterator[Path]:
    """The folder of a real PostgreSQL server's socket: its own, with nothing in it, gone at the end."""
    place = shutil.which("initdb")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if place is None and not found:
        pytest.skip("PostgreSQL's server (initdb, postgres) is not installed")
    binaries = Path(place).resolve().parent if place else found[-1]
    folder = Path(tempfile.mkdtemp(prefix="acidtest-pg-"))
    user: dict[str, str | list[str]] = {}
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        shutil.chown(folder, "postgres")
        user = {"user": "postgres", "group": "postgres", "extra_groups": []}
    quick = ["-c", "fsync=off", "-c", "listen_addresses=", "-c", "max_connections=60"]
    log = (folder / "log").open("wb")
    try:
        initdb = [binaries / "initdb", "-D", folder / "data", "-U", "acidtest", "-A", "trust"]
        subprocess.run(
            [*initdb, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
            check=True,
            stdout=log,
            stderr=log,
            cwd="/",
            **user,
        )
        command = [binaries / "postgres", "-D", folder / "data", "-k", folder, *quick]
        server = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", **user)
        try:
            _await_postgres(folder, server)
            yield folder
        finally:
            server.terminate()
            try:
                server.wait(3)
            except subprocess.TimeoutExpired:  # somebody is still connected
                server.send_signal(2)
                server.wait(20)
    finally:
        log.close()
        shutil.rmtree(folder, ignore_errors=True)


def _await_postgres(folder: Path, server: "subprocess.Popen[bytes]") -> None:
    import psycopg

    until = time.monotonic() + 30
    while True:
        try:
            psycopg.connect(f"host={folder} user=acidtest dbname=postgres").close()
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return


_NUMBERS = count(1)


@pytest.fixture(scope="session")
def _new_postgres_url(_postgres: Path) -> Callable[..., str]:
    """Make a new store's database: empty, or a copy of what the migrations made of the first."""
    import psycopg

    from acidtest.store.runs import Store

    def url_of(name: str) -> str:
        return f"postgresql://acidtest@/{name}?host={_postgres}"

    where = f"host={_postgres} user=acidtest dbname=postgres"
    made: list[str] = []

    def new(name: str, *, empty: bool = False) -> str:
        with psycopg.connect(where, autocommit=True) as connection:
            if empty:
                connection.execute(f"CREATE DATABASE {name}")
                return url_of(name)
            if not made:
                connection.execute("CREATE DATABASE made")
                Store(url_of("made")).close()
                made.append("made")
            connection.execute(f"CREATE DATABASE {name} TEMPLATE made")
        return url_of(name)

    return new


@pytest.fixture
def postgres_url(_new_postgres_url: Callable[..., str], request: pytest.FixtureRequest) -> str:
    """The URL of a new store with nothing in it, on a real PostgreSQL server."""
    empty = "real_migrations" in request.fixturenames
    return _new_postgres_url(f"d{next(_NUMBERS)}", empty=empty)


@pytest.fixture(params=["sqlite", "postgres"])
def any_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new store on either database."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_url"))
    return str(tmp_path / "any.db")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped and os.environ.get("CI"):
        terminalreporter.write_line("CI leaves nothing out, and tests were skipped.", red=True)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and os.environ.get("CI") and reporter.stats.get("skipped") and exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
