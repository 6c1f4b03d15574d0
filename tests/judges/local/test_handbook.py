"""The page of the handbook says what was measured."""

from pathlib import Path

import pytest

from acidtest.judges.local.levels import Level, levels
from acidtest.judges.local.measured import Mean, Row, Side, measured
from acidtest.judges.local.rules import THRESHOLDS

PAGE = Path(__file__).resolve().parents[3] / "docs" / "judges-local.md"


@pytest.fixture(scope="module")
def page() -> str:
    return " ".join(PAGE.read_text(encoding="utf-8").split())


def told(value: float, ci: tuple[float, float]) -> str:
    return f"{value:.0%} ({100 * ci[0]:.0f}-{100 * ci[1]:.0f})"


def side(given: Side) -> str:
    assert given.right is not None
    assert given.ci is not None
    return told(given.right, given.ci)


@pytest.mark.parametrize("row", measured().rows, ids=lambda row: row.data)
def test_every_row(page: str, row: Row):
    assert (
        f"| {row.data} | {row.labels} | {row.n} | {row.base:.0%} | {row.decided:.0%} "
        f"| {side(row.against)} | {side(row.in_favour)} |"
    ) in page


@pytest.mark.parametrize(
    "mean", [m for m in measured().means if m.over != "all"], ids=lambda mean: mean.over
)
def test_every_mean(page: str, mean: Mean):
    assert (
        f"| mean of {mean.sets} sets | | | | {told(mean.decided, mean.decided_ci)} "
        f"| {told(mean.against, mean.against_ci)} | {told(mean.in_favour, mean.in_favour_ci)} |"
    ) in page


def test_what_is_said_in_words(page: str):
    claims = next(m for m in measured().means if m.over == "faithfulness")
    assert f'"unsupported" would be right in {claims.against_even:.0%}' in page
    assert f'"supported" in {claims.in_favour_even:.0%}' in page
    ranking = measured().ranking
    assert f"Over {ranking.n} answers" in page
    assert f"is {ranking.score:.2f}, and" in page
    assert f"share {ranking.floor:.2f}." in page
    assert f"reaches {ranking.llm_judge:.2f}." in page
    assert f"under {THRESHOLDS.low:.0%}".replace("%", " %") in page
    assert f"at least {THRESHOLDS.high:.0%}".replace("%", " %") in page


@pytest.mark.parametrize(
    "level",
    [level for task in levels().tasks.values() for level in task],
    ids=lambda level: f"{level.coverage:.2f}",
)
def test_every_level(page: str, level: Level):
    shares = (
        told(level.coverage, level.coverage_ci),
        told(level.risk, level.risk_ci),
        told(level.against, level.against_ci),
        told(level.in_favour, level.in_favour_ci),
    )
    assert f"| {' | '.join(shares)} | {'default' if level.factor == 1 else ''} |" in page.replace(
        "| |", "|  |"
    )
