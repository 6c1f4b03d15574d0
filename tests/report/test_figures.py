"""Figures as they are printed."""

from acidtest.report import figures


def test_scores_and_what_is_not_known():
    assert figures.score(0.8125) == "0.812"
    assert figures.score(-0.0) == "0.000"
    assert figures.score(None) == "-"


def test_intervals():
    assert figures.interval((0.744, 0.881)) == "0.74-0.88"
    assert figures.interval((-0.02, 0.1)) == "-0.02 to 0.10"
    assert figures.interval(None) == "-"


def test_deltas_carry_a_sign_unless_they_are_zero():
    assert [figures.delta(x) for x in (0.05, -0.05, 0.0, -0.0001)] == [
        "+0.050",
        "-0.050",
        "0.000",
        "0.000",
    ]


def test_times_and_money():
    assert [figures.milliseconds(x) for x in (8.42, 340.4, 2130.0, None)] == [
        "8.4\u00a0ms",
        "340\u00a0ms",
        "2.1\u00a0s",
        "-",
    ]
    assert [figures.money(x) for x in (0.00081, 0.0, 12.345, None)] == [
        "$0.00081",
        "$0.00",
        "$12.35",
        "price unknown",
    ]


def test_counts():
    assert figures.count(1, "case") == "1 case"
    assert figures.count(1200, "query", "queries") == "1,200 queries"
