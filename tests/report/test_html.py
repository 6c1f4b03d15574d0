"""The HTML report: one file, nothing fetched, hostile text inert, readable as it stands."""

import base64
import hashlib
import re
import time

import pytest
from tests.report.compared import comparison_of
from tests.report.pages import Page

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Score
from acidtest.data.readings import Scorecard
from acidtest.data.runs import Run
from acidtest.report.html import MOST_CASES, html_report


@pytest.fixture
def page(run, card):
    return Page(html_report([run], [card]))


def test_the_page_is_well_formed(page, run, card):
    two = Page(html_report([run, run], [card, card], [comparison_of(run, run)]))
    for one in (page, two):
        assert one.faults == []
        assert one.open == []


def test_ids_are_unique_and_links_have_their_target(run, card):
    page = Page(html_report([run, run], [card, card], [comparison_of(run, run)]))
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    links = [attrs["href"] for tag, attrs in page.tags if tag == "a"]
    assert links
    assert {link[1:] for link in links} <= set(ids)


def test_it_says_what_was_run_and_what_breaks_first(page):
    text = page.text
    for words in (
        "baseline",
        "20261129-215400-7f3a",
        "golden.jsonl · 42 cases · 3f9a2c41d0",
        "local · cafe001122",
        "ab94dad77c on main, uncommitted changes",
        "Retrieval breaks first: recall@5 is 0.81, below its target 0.90.",
        "hybrid search",
        "the labels allow at most 0.31",
        "not to be trusted before recall@5 meets its target",
        "Over-retrieval: 10 chunks",
        "41% undecided",
        "120 calls, 14 from the cache",
    ):
        assert words in text


def test_a_case_shows_claims_passages_and_what_is_missing(page):
    text = page.text
    for words in (
        "≠ contradicted Accidental damage such as drops is included for the first year. passage 1",
        "relevant, grade 3",
        "missing warranty#5",
        "was 3 before reranking",
        "€49 per month.",
        "the judge cannot judge a free rubric",
        "retrieve 11 ms, generate 812 ms, total 824 ms",
        "Traceback (most recent call last): ...",
    ):
        assert words in text.replace("\u00a0", " ")
    marks = [attrs.get("class") for tag, attrs in page.tags if tag == "mark"]
    assert marks.count("quote") == 2
    assert {"good", "bad"} <= set(marks)


def test_verdicts_are_words_and_symbols_and_not_only_colours(page):
    badges = re.findall(r"([✓✗≠!–?]) (\w[\w ]*)", page.text)
    assert (
        "≠",
        "contradicted Accidental damage such as drops is included for the first year",
    ) in badges
    assert any(symbol == "✗" and words.startswith("missing") for symbol, words in badges)


def test_nothing_is_fetched_and_the_policy_allows_only_our_own(run, card):
    html = html_report([run, run], [card, card], [comparison_of(run, run)])
    page = Page(html)
    policy = next(
        a["content"] for t, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none';")
    for kind in ("style", "script"):
        (source,) = page.raw[kind]
        digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    for _, attrs in page.tags:
        assert "style" not in attrs
        assert not any(name.startswith("on") for name in attrs)
        for name in ("src", "href", "action", "srcset"):
            assert (attrs.get(name) or "#").startswith(("#", "data:,"))
    assert "url(" not in html
    assert "@import" not in html


def test_hostile_text_is_text(nasty_run, nasty_card):
    html = html_report(
        [nasty_run, nasty_run],
        [nasty_card, nasty_card],
        [comparison_of(nasty_run, nasty_run, words=(nasty_run.name,), notes=(nasty_run.name,))],
    )
    page = Page(html)
    html.encode()
    assert page.faults == []
    assert len(page.raw["script"]) == len(page.raw["style"]) == 1
    tags = {tag for tag, _ in page.tags}
    assert "img" not in tags
    assert (
        "<script>alert(1)</script> ]]> {{ 7 * 7 }} {% raw %} %s %(x)d red [red]markup" in page.text
    )
    assert "49" not in re.findall(r"\{\{ 7 \* 7 \}\}|\b49\b", page.text)
    for harm in ("\x1b", "\x9b", "\x00", "\x08", "\u202e", "\ud800"):
        assert harm not in html


def test_several_runs_stand_on_one_page_with_the_changes_on_top(run, card, make_run):
    new = make_run("reranked")
    page = Page(html_report([run, new], [card, card], [comparison_of(run, new)]))
    text = page.text
    assert text.index("What changed") < text.index("Metrics")
    assert "baseline → to reranked" in text
    assert "The retriever changed: recall@5 +0.10." in text
    assert "note The judges differ." in text
    assert "0.812 → 0.910 +0.098 0.02-0.18" in text
    assert "perhaps" in text
    assert text.count("Diagnosis, top to bottom") == 2


def test_a_run_without_cases_metrics_or_findings_has_a_page(run):
    page = Page(html_report([Run(info=run.info)], [Scorecard()]))
    assert page.faults == []
    assert "baseline" in page.text
    assert Page(html_report([], [])).faults == []


def test_a_case_that_must_decline_says_so(run, card, make_run):
    base = run.cases[1]
    case = type(base)(
        **{f: getattr(base, f) for f in base.__struct_fields__}
        | {"answerable": False, "relevant": {}}
    )
    assert "must decline" in Page(html_report([make_run(cases=(case,))], [card])).text


def test_a_large_run_is_bounded_and_says_what_was_left_out(run, card, make_run):
    chunk = Chunk(id="c", text="word " * 400)
    base = run.cases[0]
    fields = {f: getattr(base, f) for f in base.__struct_fields__}
    cases = tuple(
        type(base)(**fields | {"id": f"case-{n}", "retrieved": (chunk,) * 20}) for n in range(5_000)
    )
    start = time.process_time()
    html = html_report([make_run(cases=cases)], [card])
    assert time.process_time() - start < 30
    assert len(html) < 25_000_000
    assert html.count('<details class="case') == MOST_CASES
    assert f"The {MOST_CASES} worst of 5000 cases are shown" in " ".join(html.split())


def test_one_huge_answer_does_not_make_a_huge_page(run, card, make_run):
    base = run.cases[0]
    huge = {
        "answer": "word " * 1_000_000,
        "reference": "x" * 5_000_000,
        "question": "y" * 5_000_000,
    }
    case = type(base)(**{f: getattr(base, f) for f in base.__struct_fields__} | huge)
    assert len(html_report([make_run(cases=(case,))], [card])) < 300_000


def test_odd_evidence_does_not_break_a_case(run, card, make_run):
    base = run.cases[0]
    odd = Score(
        0.5,
        "",
        (None, 3, "text", {"verdict": None}, {"verdict": "new", "sentence": "x", "passage": -1}),
    )
    case = type(base)(
        **{f: getattr(base, f) for f in base.__struct_fields__} | {"scores": {"faithfulness": odd}}
    )
    page = Page(html_report([make_run(cases=(case,))], [card]))
    assert page.faults == []
    assert "new" in page.text
