import io

import pytest
from msgspec.structs import replace
from rich.console import Console
from tests.report.pages import Page
from tests.report.ranked import contender, ranked

from acidtest.report.ranking_chart import WIDTH, axis, scatter
from acidtest.report.ranking_page import ranking_html
from acidtest.report.ranking_words import standing
from acidtest.report.terminal_ranking import print_ranking, ranking_markdown


@pytest.fixture
def sweep():
    return ranked()


def test_two_runs_are_no_pairs(sweep):
    two = replace(sweep, contenders=sweep.contenders[:2])
    assert "The two runs were compared case by case" in ranking_markdown(two)


@pytest.mark.parametrize("width", [50, 60, 100])
def test_terminal(sweep, width):
    out = io.StringIO()
    print_ranking(sweep, Console(file=out, width=width))
    text = out.getvalue()
    assert all(len(line) <= width for line in text.splitlines())
    assert "[red]rerank" in text
    assert "The cheapest of them is k=3." in text
    assert ("$0.0200" in text) is (width >= 76)
    lines = text.splitlines()
    assert next(line for line in lines if "0.800" in line).startswith("*")
    assert not next(line for line in lines if "0.500" in line).startswith("*")


def test_markdown(sweep):
    text = ranking_markdown(sweep)
    assert (
        "| `k=3` | 0.790 | 0.74-0.84 | 1-2 | may be the best, level with 1 other | $0.0100 |"
        in text
    )
    assert (
        "| `k=1` | 0.500 | 0.45-0.55 | 3 | 2 clearly better, level with none | - | - |  |" in text
    )
    assert "All 3 pairs of runs were compared at once" in text


@pytest.mark.parametrize(
    ("rank", "said"),
    [
        ((1, 1), ("good", "the best", "level with none")),
        ((1, 3), ("good", "may be the best", "level with 2 others")),
        ((3, 4), ("mute", "2 clearly better", "level with 1 other")),
        ((5, 5), ("mute", "4 clearly better", "level with none")),
    ],
)
def test_a_standing_follows_from_the_places(rank, said):
    assert standing(contender("x", 0.5, rank=rank, best=rank[0] == 1), 5) == said


def test_page_says_ties_prices_and_how_many_were_compared(sweep):
    page = Page(ranking_html(sweep))
    assert page.faults == []
    assert page.open == []
    for words in (
        "3 runs ranked by mrr",
        "Over 40 cases that all of them scored. Higher is better.",
        "2 of 3 runs may be the best in mrr.",
        "Ranked on the 40 of 41 cases that all runs scored.",
        "may be the best level with 1 other",
        "2 clearly better level with none",
        "All 3 pairs of runs were compared at once",
        "1 run without cost of a query is not shown.",
    ):
        assert words in page.text
    labels = [attributes.get("aria-label") or "" for _, attributes in page.tags]
    assert "mean 0.790, 95% interval 0.74-0.84" in labels
    assert "2. k=3: mrr 0.790, cost of a query $0.0100, on the front" in labels
    ids = {attributes["id"] for _, attributes in page.tags if attributes.get("id")}
    links = [a["href"] for tag, a in page.tags if tag == "a" and a.get("href")]
    assert len(links) > 10
    assert all(link.startswith("#") and link[1:] in ids for link in links)


def test_page_escapes_what_a_run_is_called(sweep):
    nasty = "<script>alert(1)</script>\x1b[31m"
    bad = replace(sweep.contenders[0], run=replace(sweep.contenders[0].run, name=nasty))
    page = Page(
        ranking_html(replace(sweep, contenders=(bad, *sweep.contenders[1:]), words=(nasty,)))
    )
    assert page.faults == []
    assert page.raw["script"] == []
    assert "<script>alert(1)</script>" in page.text
    assert "\x1b" not in page.text


def test_page_without_prices_has_no_scatter(sweep):
    bare = tuple(replace(c, cost_usd=None, latency_ms=None) for c in sweep.contenders)
    page = Page(ranking_html(replace(sweep, contenders=bare)))
    assert "Quality and price" not in page.text
    assert "Front" not in page.text


def test_other_metrics_are_shown_up_to_a_dozen(sweep):
    many = {f"own_{n}": n / 100 for n in range(14)}
    one = replace(sweep.contenders[0], values=many)
    text = Page(ranking_html(replace(sweep, contenders=(one, *sweep.contenders[1:])))).text
    assert "own_11" in text
    assert "own_12" not in text
    assert "2 more are in the JSON" in text


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [
        ([0.52, 0.58], 0.52, 0.58),
        ([0.1, 0.93], 0.0, 1.0),
        ([0.5, 0.5], 0.5 - 0.02, 0.5 + 0.02),
        ([0.0, 0.0], -0.2, 0.2),
        ([-3.0, 12.0], -5.0, 15.0),
        ([1e-7, 3e-7], 1e-7, 3e-7),
        ([1200.0, 90000.0], 0.0, 100000.0),
    ],
)
def test_an_axis_is_round_and_holds_every_value(values, low, high):
    made = axis(values)
    assert (made.low, made.high) == pytest.approx((low, high))
    assert made.ticks[0] <= min(values)
    assert max(values) <= made.ticks[-1]
    assert 3 <= len(made.ticks) <= 12
    assert made.at(made.low, 200.0) == 0.0
    assert made.at(made.high, 200.0) == 200.0


def test_the_line_joins_what_nothing_beats_in_mean_and_price(sweep):
    made = [
        contender(name, value, rank=(1, 4), best=True, cost_usd=cost)
        for name, value, cost in (
            ("a", 0.9, 4.0),
            ("b", 0.8, 2.0),
            ("c", 0.7, 3.0),
            ("d", 0.6, 1.0),
        )
    ]
    found = scatter(replace(sweep, contenders=tuple(made)), "cost", lambda c: c.cost_usd, str, str)
    place = {p.number: p for p in found.points}
    corners = "M{0.x} {0.y}H{1.x}V{1.y}H{2.x}V{2.y}".format(place[4], place[2], place[1])
    assert found.line == corners
    lower = scatter(
        replace(sweep, contenders=tuple(made), direction="lower"),
        "cost",
        lambda c: c.cost_usd,
        str,
        str,
    )
    assert lower.line == f"M{place[4].x} {place[4].y}"  # the cheapest has the lowest value, too


def test_numbers_of_a_scatter_never_cover_each_other(sweep):
    crowd = tuple(
        contender(str(n), 0.5 + n % 23 / 1000, rank=(1, 400), best=True, cost_usd=1 + n % 31 / 1000)
        for n in range(400)
    )
    found = scatter(replace(sweep, contenders=crowd), "cost", lambda c: c.cost_usd, str, str)
    texts = [(p.text, len(str(p.number))) for p in found.points if p.text]
    assert 0 < len(texts) < 400
    for (x, _, anchor), digits in texts:
        start = x - {"start": 0, "end": 6.5 * digits, "middle": 3.25 * digits}[anchor]
        assert start >= 0
        assert start + 6.5 * digits <= WIDTH
    assert len({text for text, _ in texts}) == len(texts)


def test_one_priced_run_is_no_scatter(sweep):
    alone = (sweep.contenders[0], *(replace(c, cost_usd=None) for c in sweep.contenders[1:]))
    assert scatter(replace(sweep, contenders=alone), "cost", lambda c: c.cost_usd, str, str) is None
