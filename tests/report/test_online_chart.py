"""Charts over days: gaps are gaps, marks stay within, and every value is told in words."""

import pytest

from acidtest.data.watching import Estimate
from acidtest.report.online_chart import HEIGHT, WIDTH, columns, lines
from acidtest.report.online_dashboard import duration, moment, teller, tile

DAYS = ("d1", "d2", "d3", "d4")


def est(value, low=None, high=None, n=9):
    return Estimate(value=value, low=low, high=high, n=n)


def words(value):
    return f"{value:.2f}"


def test_a_day_without_a_value_is_a_gap():
    some = (est(0.5, 0.4, 0.6), est(0.6, 0.5, 0.7), None, est(0.7))
    chart = lines("m", [("mean", some)], DAYS, words, unit=True)
    line = chart.lines[0]
    assert len(line.strokes) == 1
    assert len(line.strokes[0].split()) == 2
    assert [d.text for d in line.dots] == [
        "d1: 0.50 (0.40 to 0.60, n\u00a09)",
        "d2: 0.60 (0.50 to 0.70, n\u00a09)",
        "d4: 0.70 (n\u00a09)",
    ]
    assert len(line.bands) == 1
    assert len(line.bands[0].split()) == 4


def test_higher_values_stand_higher_and_all_marks_are_inside():
    some = (est(0.2, 0.1, 0.4), est(0.9, 0.7, 1.0), est(0.0, 0.0, 0.2), est(1.0, 0.9, 1.0))
    chart = lines("m", [("mean", some)], DAYS, words, unit=True)
    ys = [d.y for d in chart.lines[0].dots]
    assert ys[3] < ys[1] < ys[0] < ys[2]
    points = [p.split(",") for b in chart.lines[0].bands for p in b.split()]
    assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= HEIGHT for x, y in points)
    assert (chart.bottom, chart.top) == ("0.00", "1.00")


def test_scores_are_looked_at_closely_and_rates_from_zero():
    some = (est(0.90, 0.88, 0.92), est(0.91, 0.89, 0.93))
    close = lines("m", [("mean", some)], DAYS[:2], words, unit=True)
    whole = lines("m", [("rate", some)], DAYS[:2], words, unit=False)
    assert (close.bottom, whole.bottom) == ("0.87", "0.00")


def test_shares_end_at_the_whole():
    some = (est(0.9, 0.5, 0.99), est(0.5, 0.2, 0.8))
    assert lines("m", [("rate", some)], DAYS[:2], words, unit=False, most=1.0).top == "1.00"
    assert lines("m", [("p50", some)], DAYS[:2], words, unit=False).top == "1.04"


@pytest.mark.parametrize("values", [(), (None, None), (est(0.0),), (est(5.0), est(5.0))])
def test_nothing_one_value_and_equal_values_have_a_scale(values):
    chart = lines("m", [("mean", values)], DAYS[: len(values)], words, unit=False)
    assert len(chart.lines[0].dots) == sum(v is not None for v in values)


def test_bars_are_as_tall_as_their_share_of_the_tallest():
    chart = columns("n", [10.0, 5.0, 0.0], [5.0, 5.0, 0.0], ["a", "b", "c"], "10")
    first, second, third = chart.columns
    assert first.height == pytest.approx(2 * second.height, abs=0.2)
    assert first.part_height == pytest.approx(first.height / 2, abs=0.2)
    assert second.part_height == second.height
    assert third.height == 0
    assert columns("n", [0.0], None, ["a"], "0").columns[0].height == 0


def test_a_tile_says_figure_interval_and_days():
    shown = tile(
        "thumbs_down",
        "rate",
        [("rate", est(0.051, 0.04, 0.07))],
        [("rate", (est(0.05, 0.01, 0.2), None))],
        [0, 86_400_000],
        "all 90 traces",
    )
    assert (shown.title, shown.figure) == ("Thumbs down", "5.1%")
    assert shown.interval == "95% interval 4.0% to 7.0%"
    assert shown.rows == (
        ("1970-01-01", ("5.0% (1.0% to 20.0%, n\u00a09)",)),
        ("1970-01-02", ("-",)),
    )
    assert "1970-01-01 to 1970-01-02" in shown.chart.label


def test_too_few_have_no_interval_and_latency_has_two_figures():
    both = [("p50", est(900.0)), ("p95", est(2100.0))]
    shown = tile("latency_ms", "size", both, [(s, (e,)) for s, e in both], [0], "")
    assert shown.figure == "900\u00a0ms, p95 2.1\u00a0s"
    assert shown.interval == "too few to give an interval"


@pytest.mark.parametrize(
    ("ms", "words_"),
    [(0, "0 s"), (45_400, "45 s"), (119_000, "119 s"), (150_000, "2.5 min"), (9e6, "2.5 h"),
     (4 * 86_400_000, "4 days")],
)  # fmt: skip
def test_durations(ms, words_):
    assert duration(int(ms)).replace("\u00a0", " ") == words_


def test_moments():
    assert moment(1_767_571_200_000) == "2026-01-05 00:00"
    assert moment(2**62) == "-"
    assert teller("m", "score")(0.8765) == "0.88"
