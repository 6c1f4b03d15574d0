"""A judge's report card in terminal, Markdown and page."""

import io
import re

import pytest
from msgspec.structs import replace
from rich.console import Console
from tests.report.judged import whole
from tests.report.pages import Page

from acidtest.data.judge_card import JudgeCard
from acidtest.data.runs import JudgeRef
from acidtest.report.judge_card_markdown import judge_card_markdown
from acidtest.report.judge_card_page import headline, judge_card_html, kappa_bar
from acidtest.report.judge_card_terminal import print_judge_card

FACTS = (
    "kappa 0.70 (0.60-0.80)",
    "1,200 labelled cases of x, by 2 people, 2026-11-20",
    "kappa 0.80 (0.70-0.90), alpha -, judge less people -0.10 (-0.20 to +0.05)",
    "x 0.30 (0.10-0.50), beaten; majority -, not shown to be beaten",
    "praise (expert): x; nothing found in 1 of 2 changes (praise, self-preference)",
    "number 1 of 19",
    "the same in 97% (90-100%) of 40 items, asked 3 times, standard deviation 0.010",
    "6 of 7 right, 0 wrong, 1 left open; no valid reply to 1 more",
    "no valid reply to any of 24",
    "95 of 100 cases, 25% of the claims left open",
    "2 of 20 attacks moved a verdict: 10% (2-30%); x, tags.",
    "1 look at 50 cases",
    "1,200, and 3 known from before",
    "$0.1000 for 1,000 calls",
    "840 ms",
    "acidtest judge probe --injection",
)


@pytest.fixture
def bare():
    """A judge of whom nothing is known."""
    return JudgeCard(
        created="2026-11-30T08:00:00Z",
        acidtest="0.1.0",
        judge=JudgeRef(model="m", fingerprint="sha256:1"),
        metrics=(),
    )


def terminal(card, width, encoding="utf-8"):
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n")
    print_judge_card(card, Console(file=out, width=width, color_system=None))
    out.flush()
    return out.buffer.getvalue().decode(encoding)


def plain(text):
    return " ".join(text.split())


def test_terminal_tells_everything():
    text = plain(terminal(whole(), 200))
    for fact in FACTS:
        assert fact in text
    assert "faithfulness gate 0.70 (0.60-0.80) 0.80 0.30 x 1,200" in text
    assert "correctness compare only - - - -" in text
    assert "appropriateness do not use" in text
    assert "Neither gate nor compare by it: people disagree." in text


@pytest.mark.parametrize("width", [30, 40, 60, 88, 110, 200])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_terminal_fits_and_obeys_nothing(nasty_run, width, encoding):
    text = terminal(whole(nasty_run.name), width, encoding)
    assert all(len(line) <= width for line in text.splitlines())
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\u202e" not in text
    assert "[red]" in plain(text).replace(" ", "")


def test_markdown_tells_everything():
    text = re.sub(r"&#(\d+);", lambda m: chr(int(m[1])), judge_card_markdown(whole()))
    for fact in FACTS:
        assert fact in plain(text)
    assert "| `faithfulness` | gate | 0.70 (0.60-0.80) | 0.80 | 0.30 x | 1,200 |" in text


def test_markdown_obeys_nothing(nasty_run):
    text = judge_card_markdown(whole(nasty_run.name))
    assert "<script>" not in text
    assert "<img" not in text
    assert "\x1b" not in text
    assert not re.search(r"(?<![`\w])@someone", re.sub(r"`[^`]*`", "", text))
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert {line.count("|") for line in rows if "gate" in line} == {7}


def test_page_tells_everything():
    page = Page(judge_card_html(whole()))
    assert (page.faults, page.open, page.raw["script"]) == ([], [], [])
    for fact in FACTS:
        assert fact in page.text
    assert "Gate on faithfulness. Compare runs by correctness. Trust none of the other 3 yet." in (
        page.text
    )
    assert "rewording: quotes not measured" in page.text
    labels = [attributes.get("aria-label") or "" for _, attributes in page.tags]
    assert "kappa 0.70 (0.60-0.80), people 0.80 (0.70-0.90), without a judge 0.30 x" in labels
    ids = {attributes["id"] for _, attributes in page.tags if attributes.get("id")}
    links = [a["href"] for tag, a in page.tags if tag == "a" and a.get("href")]
    assert len(links) > 8
    assert all(link.startswith("#") and link[1:] in ids for link in links)


def test_page_escapes(nasty_run):
    page = Page(judge_card_html(whole(nasty_run.name)))
    assert (page.faults, page.open, page.raw["script"]) == ([], [], [])
    assert "<script>alert(1)</script>" in page.text
    assert "\x1b" not in page.text
    assert "img" not in {tag for tag, _ in page.tags}


def test_nothing_known_is_said_and_never_zero(bare):
    for text in (
        terminal(bare, 100),
        judge_card_markdown(bare),
        Page(judge_card_html(bare)).text,
    ):
        assert "No metric was measured" in text
        assert "Not measured: no run of this judge was given." in text
        assert "Not measured: no anchor was given or found." in text
        assert not re.search(r"\b0\.0|\b0 of|\$0", text.replace("acidtest 0.1.0", ""))


def test_attacks_that_told_nothing_are_no_attacks_that_failed(bare):
    card = replace(bare, attacks=replace(whole().attacks, moved=0, of=0, share=None, turned=()))
    assert "nothing could be measured" in terminal(card, 100)


@pytest.mark.parametrize(
    ("calls", "told"), [(5, "not told by this judge"), (0, "every reply was known from before")]
)
def test_a_time_that_nobody_told(bare, calls, told):
    took = replace(whole().took, calls=calls, ms_per_call=None, cost_usd=None)
    text = plain(terminal(replace(bare, took=took), 200))
    assert told in text
    assert "price unknown" in text


def test_headline_counts_what_is_left(bare):
    one, compare, no, *_ = whole().metrics
    assert headline(bare) == "No metric was measured."
    assert headline(replace(bare, metrics=(one,))) == "Gate on faithfulness."
    assert headline(replace(bare, metrics=(compare,))) == (
        "Gate on nothing. Compare runs by correctness."
    )
    assert headline(replace(bare, metrics=(no,))) == "Gate on nothing. Trust none yet."
    many = tuple(replace(one, metric=f"m{n}") for n in range(6))
    assert headline(replace(bare, metrics=many)) == "Gate on m0, m1, m2, m3 and 2 more."


def test_a_kappa_below_zero_stays_on_its_scale():
    first = whole().metrics[0]
    agreed = first.agreed
    low = replace(agreed, measures={"kappa": replace(agreed.ceiling, value=-0.2, ci=(-0.5, 0.1))})
    bar = kappa_bar(replace(first, agreed=low))
    assert (bar.low, bar.width) == (0.0, pytest.approx(20.0))
    assert bar.mean is None or 0 <= bar.mean <= 200
