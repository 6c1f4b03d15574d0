"""Counts what is compared with reference values, and says so at the end of the tests."""

from collections import Counter
from pathlib import Path

import pytest

COUNTS: Counter[str] = Counter()
DIFFERENCES: Counter[str] = Counter()


class Tally:
    """Compares values one by one and keeps count, by source."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.wrong: list[str] = []

    def equal(self, where: str, got: object, expected: object) -> None:
        COUNTS[self.source] += 1
        if got != expected:
            DIFFERENCES[self.source] += 1
            self.wrong.append(f"{where}: {got!r} instead of {expected!r}")

    def close(self, where: str, got: float, expected: float, within: float) -> None:
        self.equal(where, got if abs(got - expected) > within else expected, expected)


@pytest.fixture
def tally(request: pytest.FixtureRequest):
    count = Tally(request.module.SOURCE)
    yield count
    assert count.wrong == []


@pytest.fixture(scope="session")
def ir(shared: Path) -> Path:
    return shared / "conformance" / "ir"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for source, compared in sorted(COUNTS.items()):
        terminalreporter.write_line(
            f"conformance with {source}: {compared} values compared, "
            f"{DIFFERENCES[source]} differences"
        )
