"""The comparison page: what it says, that it holds together, and that nothing hostile gets through."""

import base64
import hashlib
import time

import pytest
from msgspec.structs import replace
from tests.report.compared import candidate_of, change, comparison_of, gate_of, skipped
from tests.report.pages import Page

from acidtest.data.answers import Chunk
from acidtest.data.compared import Comparison
from acidtest.data.outcomes import Score
from acidtest.data.runs import Diagnosis, Run
from acidtest.report.compare_page import MOST_CASES, MOST_LETTERS, comparison_html, comparisons_html


@pytest.fixture
def other(run):
    return candidate_of(run)


@pytest.fixture
def comparison(run, other):
    return comparison_of(run, other)


@pytest.fixture
def html(run, other, comparison):
    return comparison_html(run, other, comparison, gate_of())


@pytest.fixture
def page(html):
    return Page(html)


def test_it_is_well_formed_with_and_without_a_gate(page, run, other, comparison):
    for one in (page, Page(comparison_html(run, other, comparison))):
        assert one.faults == []
        assert one.open == []
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    links = [attrs["href"] for tag, attrs in page.tags if tag == "a"]
    assert len(links) > 10
    assert {link[1:] for link in links} <= set(ids)


def test_the_top_says_which_stage_changed_and_what_the_gate_says(page):
    text = page.text
    for words in (
        "baseline → to reranked",
        "4 shared cases, paired.",
        "The retriever changed: recall@5 +0.10. The generator changed too.",
        "✗ gate FAIL: faithfulness, latency_ms.total.p95 of 4 gated metrics fail. (strict)",
        "faithfulness is 0.70, below its floor 0.85.",
        "To decide: gains that have a price recall@5 +0.10 for 50 % more time.",
        "! note The baseline is two weeks old.",
        "! note The judges differ.",
        "faithfulness 0.778 0.700 -0.078 - - limit 0.850 ✗ BELOW FLOOR",
        "latency_ms.total.p95 640 ms 2,130 ms +1,490 ms - - drop 200 ms ✗ REGRESSION",
        "correctness - 0.644 - - - - ! open",
        "Run 20261129-215400-7f3a 20261130-080000-11aa",
        "Golden set golden.jsonl · 42 cases · 3f9a2c41d0 in both",
    ):
        assert words in text.replace("\u00a0", " ")
    assert text.index("REGRESSION") < text.index("! open")


def test_a_metric_has_its_figures_and_its_reading(page):
    text = page.text.replace("\u00a0", " ")
    for words in (
        "recall@5 0.812 → 0.910 +0.098 0.02-0.18 recall@5: +0.098, 95% interval +0.020 to +0.180",
        "9 / 2 / 25 0.20 → 0.40 by 0.00-0.30 ±0.060 31 needed ✓ better p 0.030",
        "! perhaps p 0.200",
        "25% judge's noise ✗ worse p <0.001 ✗ BELOW FLOOR",
        "grounding_leak lower is better 0.050 → 0.020 -0.030",
        "latency_ms.total lower is better 640 ms → 960 ms +320 ms +50% +200 to +400 ms",
        "- – same p 1.000 gate open: only 80 % scored",
    ):
        assert words in text


def test_stages_verdicts_and_tags(page):
    text = page.text
    for words in (
        "faithfulness -0.078",
        "retrieval +0.020 -0.02 to 0.06",
        "generation -0.098 -0.15 to -0.04",
        "Estimated from 20 of 36 cases whose contexts changed and 16 whose did not.",
        "Crossed over 36 cases",
        "lost in reranking 1 0",
        "1 ok → to not retrieved return-window",
        "1 lost in reranking → to ok pro-price",
        "hard recall@5 0.250 → 0.750",
        "1 other change by tag is not shown.",
    ):
        assert words in text
    assert "easy recall@5" not in text


def test_a_case_stands_side_by_side(page):
    text = page.text
    won = text[text.index("pro-price What") :]
    for words in (
        "✗ lost in reranking Retrieval. prices-2026#1 at 3 before reranking",
        "✓ ok prices-2026#1 at rank 1 of 3",
        "passage 1",
        "recall@5 0.000 1.000 +1.000 baseline: none of 1 relevant reranked: 1 of 1 relevant",
        "– → 1 + new prices-2026#1 ✓ relevant, grade 3 cited in reranked was 3 before reranking in baseline",
        "2 → 2 = same rank returns#0",
        "1 → 3 ↓ down 2 prices-2024#1",
    ):
        assert words in won
    lost = text[text.index("return-window Within") :]
    for words in (
        "1 → – – gone returns#0 ✓ relevant, grade 2",
        "2 → 1 ↑ up 1 warranty#2",
        "correctness 1.000 failed - reranked: the judge timed out",
    ):
        assert words in lost


def test_answers_differ_by_words_with_more_than_colour(html):
    assert "costs €<del>39</del> per month" in html
    assert "costs €<ins>49</ins> per month" in html
    assert "Within <del>30</del> days" in html
    style = html[html.index("<style>") : html.index("</style>")]
    assert "ins { background: var(--good-bg); color: inherit; text-decoration: underline" in style
    assert "del { background: var(--bad-bg); color: inherit; text-decoration: line-through" in style


def test_an_unchanged_case_says_so_and_comes_last(page):
    text = page.text
    order = [
        text.index(f" {cid} ") for cid in ("pro-price What", "boom What", "warranty-battery How")
    ]
    assert order[0] < min(order[1:])
    assert "Answer, the same in both" in text
    assert "Retrieved, the same in both" in text
    assert "missing" not in text[text.index("warranty-battery How") :].split("Scores")[0]
    assert "✗ in neither warranty#5" in text


def test_metrics_that_apply_in_neither_stand_together(run, comparison):
    cases = tuple(map(skipped, run.cases[1:2]))
    page = Page(comparison_html(replace(run, cases=cases), replace(run, cases=cases), comparison))
    assert "Not applicable in both: recall@5 , mrr (must abstain)" in page.text


def test_cases_carry_what_they_are_filtered_by(page):
    cases = [attrs for tag, attrs in page.tags if tag == "details" and "data-kind" in attrs]
    assert [c["data-kind"] for c in cases] == ["better", "worse", "same", "same"]
    assert [c["data-different"] for c in cases] == ["1", "1", "", ""]
    assert [c["data-flow"] for c in cases] == ["0", "1", "", ""]
    assert cases[0]["data-steps"].startswith("0:1 1:1")


def test_lower_is_better_counts_as_better(run, comparison):
    def leaking(value):
        scores = {"grounding_leak": Score(value)}
        return replace(run, cases=(replace(run.cases[1], scores=scores),))

    page = Page(comparison_html(leaking(0.5), leaking(0.1), comparison))
    (attrs,) = [a for tag, a in page.tags if tag == "details" and "data-kind" in a]
    assert attrs["data-kind"] == "better"
    assert attrs["data-steps"] == "0:0.4"
    assert "grounding_leak 0.500 0.100 -0.400" in page.text


def test_nothing_is_fetched_and_the_policy_allows_only_our_own(html, page):
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


def test_hostile_text_is_text(nasty_run):
    text = nasty_run.name
    changed = replace(
        nasty_run.cases[0],
        answer=f"Other. {text}",
        diagnosis=Diagnosis(verdict=text, stage="retrieval", why=text),
    )
    other = replace(nasty_run, cases=(changed, *nasty_run.cases[1:]))
    rows = {text: change(text, "retrieval", 0.2, 0.5, (0.1, 0.5), p=0.01)}
    comparison = comparison_of(
        nasty_run,
        other,
        metrics=rows,
        tags={text: rows},
        verdicts={text: (1, 2)},
        words=(text, text),
        notes=(text,),
    )
    gate = replace(gate_of(), reasons=(text,), trades=(text,), notes=(text,))
    gate = replace(gate, metrics={text: replace(gate.metrics["correctness"], open=text)})
    html = comparison_html(nasty_run, other, comparison, gate)
    page = Page(html)
    html.encode()
    assert page.faults == []
    assert len(page.raw["script"]) == len(page.raw["style"]) == 1
    assert "img" not in {tag for tag, _ in page.tags}
    assert page.text.count("<script>alert(1)</script> ]]> {{ 7 * 7 }} {% raw %}") > 20
    for harm in ("\x1b", "\x9b", "\x00", "\x08", "\u202e", "\ud800"):
        assert harm not in html
    for _, attrs in page.tags:
        assert "onerror" not in attrs


def test_several_candidates_stand_on_one_page(run, other, comparison):
    page = Page(comparisons_html(run, [(other, comparison, None), (other, comparison, gate_of())]))
    assert page.faults == []
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert page.text.count("baseline → to reranked") == 2


def test_runs_of_one_name_are_told_apart(run, comparison):
    page = Page(
        comparison_html(run, replace(run, info=replace(run.info, id="other-id")), comparison)
    )
    assert f"baseline {run.id} → to baseline other-id" in page.text


def test_little_to_compare_has_a_page(run):
    bare = Run(info=run.info)
    page = Page(comparison_html(bare, bare, Comparison(base=run.info, candidate=run.info, cases=0)))
    assert page.faults == []
    assert "No metric was scored in both runs." in page.text
    assert Page(comparisons_html(run, [])).faults == []


def test_a_gate_stands_on_top_and_says_its_notes_once(run, other, comparison):
    both = "Said by gate and comparison."
    gate = replace(gate_of(), notes=(both, "Said by the gate."))
    page = Page(comparison_html(run, other, replace(comparison, notes=(both,)), gate))
    assert page.text.count(both) == 1
    assert page.text.index("FAIL: ") < page.text.index(comparison.words[0])
    assert not any(tag == "details" and "open" in attrs for tag, attrs in page.tags)


def test_a_gate_of_summaries_has_its_table_open_and_claims_no_more(run):
    bare = Run(info=run.info)
    nothing = Comparison(base=run.info, candidate=run.info, cases=0)
    page = Page(comparison_html(bare, bare, nothing, gate_of()))
    assert page.faults == []
    assert "No metric was scored in both runs." not in page.text
    assert any(tag == "details" and "open" in attrs for tag, attrs in page.tags)


def test_runs_without_answers_and_with_unknown_contexts(run, comparison):
    cases = tuple(replace(c, answer=None, retrieved=None, diagnosis=None) for c in run.cases)
    page = Page(
        comparison_html(replace(run, cases=cases), run, replace(comparison, verdicts={}, words=()))
    )
    assert page.faults == []
    assert "baseline: not known, the pipeline does not say" in page.text.replace(f" {run.id}", "")
    assert "Which stage changed is not known." in page.text
    # Verdicts of one side only are still counted.
    assert "unknown → to ok" in page.text


def test_only_cases_that_ask_the_same_are_paired(run, other, comparison):
    asked = replace(other.cases[0], question="Something else?")
    page = Page(comparison_html(run, replace(other, cases=(asked, *other.cases[1:])), comparison))
    assert sum("data-kind" in attrs for _, attrs in page.tags) == 3


def test_a_large_comparison_is_bounded_and_says_what_was_left_out(run, comparison):
    chunk = Chunk(id="c", text="word " * 400)
    made = [
        replace(run.cases[0], id=f"case-{n}", retrieved=(chunk,) * 20, relevant={"c": 1})
        for n in range(2_000)
    ]
    base = replace(run, cases=tuple(made))
    start = time.process_time()
    html = comparison_html(base, base, comparison)
    assert time.process_time() - start < 20
    assert html.count('<details class="case') == MOST_CASES
    assert f"The {MOST_CASES} most changed of 2000 cases are shown; 1,700 cases" in html


def test_huge_cases_fill_the_page_and_no_more(run, comparison):
    answer = "".join(f"Sentence {n} says something. " for n in range(800))
    cases = tuple(
        replace(run.cases[0], id=f"case-{n}", answer=answer, reference=answer * 2)
        for n in range(MOST_CASES)
    )
    other = tuple(replace(c, answer=answer.replace("something", "else")) for c in cases)
    texts = tuple(Chunk(id=f"c{n}", text="word " * 1_000) for n in range(20))
    base = replace(run, cases=tuple(replace(c, retrieved=texts) for c in cases))
    html = comparison_html(base, replace(run, cases=other), comparison)
    assert MOST_LETTERS / 2 < len(html) < MOST_LETTERS * 1.1
    assert "most changed of 300 cases are shown" in html
