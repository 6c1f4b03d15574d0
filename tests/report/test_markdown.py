"""Markdown: tables and words for a pull request; hostile text can neither link, mention nor break a table."""

import re

from msgspec.structs import replace
from tests.report.compared import comparison_of

from acidtest.data.outcomes import Failure
from acidtest.data.readings import Scorecard
from acidtest.data.runs import Run
from acidtest.report.markdown import markdown_report
from acidtest.report.markdown_text import MOST_BYTES, code


def test_the_table_has_means_counts_and_targets(run, card):
    text = markdown_report([run], [card])
    assert "| `recall@5` | 0.812 | 0.72-0.88 | 0.41 | 36 | 6 | 0 | 0.90 below |" in text
    assert "**Retrieval breaks first: recall@5 is 0.81, below its target 0.90.**" in text
    assert "  - mend: chunk by headings; a higher k, then a reranker; hybrid search" in text
    assert "Verdicts: pipeline failed 1, lost in reranking 1" in text
    assert "- `warranty-battery` **good context but unfaithful**" in text


def test_changes_come_first(run, card, make_run):
    new = make_run("reranked")
    text = markdown_report([run, new], [card, card], [comparison_of(run, new)])
    assert text.startswith("## acidtest: `baseline` → `reranked`")
    assert "> The judges differ." in text
    row = (
        "| `recall@5` | 0.812 | 0.910 | +0.098 | 0.02-0.18 | 0.030 | 9 / 2 / 25 | 0.060 | better |"
    )
    assert row in text


def test_every_row_of_a_table_has_its_cells(nasty_run, nasty_card):
    compared = [comparison_of(nasty_run, nasty_run)]
    text = markdown_report([nasty_run, nasty_run], [nasty_card, nasty_card], compared)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in rows} == {9, 10}


def test_hostile_text_does_nothing(nasty_run, nasty_card):
    text = markdown_report([nasty_run], [nasty_card])
    outside = re.sub(r"<code>.*?</code>|`[^`\n]*`", "", text)
    assert "<script" not in text
    assert "<img" not in text
    assert not re.search(r"(?<!\w)@\w", outside)
    assert not re.search(r"#\d", outside.replace("&#", ""))
    assert "](" not in outside
    assert "://" not in outside
    for harm in ("\x1b", "\x00", "\u202e"):
        assert harm not in text
    text.encode()


def test_code_keeps_plain_names_readable_and_escapes_what_ends_a_span():
    assert code("recall@5") == "`recall@5`"
    assert code("a|b") == "<code>a&#124;b</code>"
    assert code("a`b") == "<code>a&#96;b</code>"
    assert code("a\\") == "<code>a&#92;</code>"
    assert code("") == "<code></code>"
    assert code("line\nbreak") == "`line break`"


def test_an_empty_run_has_its_page(run):
    assert "## acidtest: `baseline`" in markdown_report([Run(info=run.info)], [Scorecard()])


def test_it_stays_under_the_size_of_a_comment(run, card, make_run):
    many = {f"metric_{n}": run.metrics["mrr"] for n in range(3_000)}
    text = markdown_report([make_run(metrics=many)], [card])
    assert len(text.encode()) <= MOST_BYTES
    assert "Shortened" in text


def test_why_scores_failed_is_told(run, card):
    failed = {"faithfulness": Failure(why="no answer within 5 s")}
    case = replace(run.cases[0], failure=None, scores=failed)
    told = markdown_report([replace(run, cases=(case,))], [card])
    assert f"- 1 × `no answer within 5 s`, first `{case.id}, faithfulness`" in told
