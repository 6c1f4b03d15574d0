"""Figures of a comparison where there is little room, and where they are small."""

import io

import pytest
from rich.console import Console

from acidtest.data.compared import Change, Comparison
from acidtest.report.compare_figures import between, signed
from acidtest.report.compare_terminal import print_comparison
from acidtest.report.figures import milliseconds, money
from acidtest.report.gate_rows import amount
from acidtest.report.paper import Paper

NBSP = "\u00a0"


@pytest.fixture
def slow(make_run):
    """A comparison of times only, with figures as wide as they come."""
    base, new = make_run("baseline"), make_run("other")
    figures = {
        "base": 991.0, "candidate": 998.0, "delta": 7.0, "ci": (-105.0, 112.0), "wins": 120,
        "losses": 130, "ties": 0, "n": 250, "p": 0.75, "p_adjusted": 0.75, "min_detectable": 31.0,
        "needed": 49_021, "base_p10": 760.0, "candidate_p10": 763.0, "p10_ci": (-115.0, 113.0),
    }  # fmt: skip
    names = [f"latency_ms.{part}" for part in ("retrieve", "generate", "total")]
    metrics = {
        name: Change(metric=name, stage="operations", direction="lower", **figures)
        for name in names
    }
    return base, new, Comparison(base=base.info, candidate=new.info, cases=250, metrics=metrics)


@pytest.mark.parametrize("width", [40, 60, 80, 110])
def test_no_two_rows_are_called_the_same(slow, width):
    file = io.StringIO()
    print_comparison(*slow, Console(file=file, width=width))
    lines = file.getvalue().splitlines()
    assert all(len(line) <= width for line in lines)
    assert "…" not in file.getvalue()
    for part in ("retrieve", "generate", "total"):
        assert sum(part in line for line in lines) >= 2, part


def folded(text, cells):
    return Paper(Console(file=io.StringIO(), width=80)).folded(text, cells).plain.split("\n")


def test_a_long_name_is_folded_where_it_has_joints():
    assert folded("mrr", 12) == ["  mrr"]
    assert folded("latency_ms.generate", 15) == ["  latency_ms.", "  generate"]
    assert folded("x" * 25, 12) == ["  " + "x" * 10, "  " + "x" * 10, "  " + "x" * 5]
    assert folded("検索の再現率", 8) == ["  検索の", "  再現率"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0.0"),
        (0.0342, "0.03"),
        (0.00342, "0.003"),
        (0.342, "0.34"),
        (3.42, "3.4"),
        (34.2, "34"),
    ],
)
def test_short_times_are_not_nothing(value, shown):
    assert milliseconds(value) == f"{shown}{NBSP}ms"
    assert amount("latency_ms.total.p95", value) == f"{shown} ms"


@pytest.mark.parametrize(
    ("value", "shown"), [(0.0000312, "$0.000031"), (0.00081, "$0.00081"), (0.0123, "$0.0123")]
)
def test_small_sums_keep_two_digits(value, shown):
    assert money(value) == shown


def test_a_difference_that_rounds_to_zero_has_no_sign():
    assert signed(-0.0001, "ms") == f"0.000{NBSP}ms"
    assert signed(-0.02, "ms") == f"-0.02{NBSP}ms"
    assert signed(0.0, "usd") == "$0.00"


def test_an_interval_names_its_unit_once():
    assert between((-12.0, 30.0), "ms") == f"-12 to +30{NBSP}ms"
    assert between((-120.0, 1300.0), "ms") == f"-120{NBSP}ms to +1.3{NBSP}s"
    assert between((-0.01, 0.02), "usd") == "-$0.0100 to +$0.0200"
