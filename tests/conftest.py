"""Shared set-up: where the reference data is, and what may be left out where."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples every time, however slow the machine: a red test stays red until it is mended.
settings.register_profile("project", deadline=None, derandomize=True, database=None)
settings.load_profile("project")

# Before any of these packages is imported: no test tells anybody anything.
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
os.environ["LANGSMITH_TRACING"] = os.environ["LANGCHAIN_TRACING_V2"] = "false"

SHARED = Path(__file__).resolve().parents[2] / "shared"


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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped and os.environ.get("CI"):
        terminalreporter.write_line("CI leaves nothing out, and tests were skipped.", red=True)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and os.environ.get("CI") and reporter.stats.get("skipped") and exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
