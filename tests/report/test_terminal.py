"""The terminal: what is said, in any width, colour and encoding; hostile text stays text."""

import io
import re

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console
from tests.report.compared import comparison_of

from acidtest.data.outcomes import Failure, Skip
from acidtest.data.readings import Scorecard
from acidtest.data.runs import Diagnosis, JudgeRef, Run
from acidtest.report.compare_terminal import print_comparison
from acidtest.report.html import html_report
from acidtest.report.markdown import markdown_report
from acidtest.report.terminal import print_runs, print_scorecard
from acidtest.report.view import failures, headline


def printed(width=80, show=print_scorecard, *what, encoding="utf-8", **console):
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, newline="\n")
    show(*what, Console(file=file, width=width, **console))
    file.flush()
    return raw.getvalue().decode(encoding)


@pytest.fixture
def text(run, card):
    return printed(80, print_scorecard, run, card)


def test_metrics_stand_under_their_stage_with_counts_and_target(text):
    lines = [line.split() for line in text.splitlines()]
    assert ["Retrieval"] in lines
    assert ["End", "to", "end"] in lines
    assert ["recall@5", "0.812", "0.72-0.88", "0.41", "36/6/0", "0.90", "below"] in lines
    assert [
        "faithfulness",
        "0.778",
        "0.69-0.85",
        "0.38",
        "36/6/1",
        "41%",
        "0.85",
        "untrusted",
    ] in lines
    assert ["answer_relevance", "-", "-", "-", "0/42/0", "0.80", "missing"] in lines


def test_the_first_failing_line_is_told_with_look_and_mends(text):
    assert "Retrieval breaks first: recall@5 is 0.81, below its target 0.90." in text
    assert "look Take the cases that were not retrieved." in text
    assert "mend hybrid search" in text


def test_the_other_lines_and_notes_are_told(text):
    flat = " ".join(text.split())
    assert "precision@5 is 0.24 (target 0.70): the labels allow at most 0.31" in flat
    assert (
        "faithfulness is 0.87 (target 0.85): not to be trusted before recall@5 meets its target"
        in flat
    )
    assert "Over-retrieval: 10 chunks" in flat


def test_verdicts_table_tags_and_operations_are_there(text):
    flat = " ".join(text.split())
    assert "lost in reranking 1" in flat
    assert "faithful 1 1 unfaithful 0 1" in flat
    assert "faithful answers to a wrong context: pro-price" in flat
    assert "multi-part 1 0.61 0.66" in flat
    assert "Latency, total p50 640 ms, p95 2.1 s" in flat


def test_the_worst_cases_come_with_their_reasons_and_ok_cases_do_not(text):
    worst = text[text.index("Worst cases") :]
    assert "warranty-battery good context but unfaithful" in " ".join(worst.split())
    assert "the second part is the opposite of the reference" in " ".join(worst.split())
    assert "return-window" not in worst


@pytest.mark.parametrize("width", [40, 60, 80, 120, 300])
def test_no_line_is_wider_than_the_terminal(run, card, width):
    shown = printed(width, print_scorecard, run, card)
    assert max(cell_len(line) for line in shown.splitlines()) <= width


@pytest.mark.parametrize("width", [60, 80])
def test_wide_letters_do_not_break_the_width(run, card, make_run, width):
    case = run.cases[0]
    wide = type(case)(
        **{f: getattr(case, f) for f in case.__struct_fields__}
        | {"question": "質問" * 100, "id": "番号" * 60}
    )
    shown = printed(width, print_scorecard, make_run(cases=(wide,)), card)
    assert max(cell_len(line) for line in shown.splitlines()) <= width


def test_status_is_a_word_so_that_colour_is_not_needed(run, card):
    plain = printed(80, print_scorecard, run, card, no_color=True)
    assert "\x1b" not in plain
    assert "0.90 below" in plain
    coloured = printed(80, print_scorecard, run, card, force_terminal=True, color_system="standard")
    assert re.search(r"\x1b\[31mbelow", coloured)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_other_encodings_are_written_without_an_error(nasty_run, nasty_card, encoding):
    shown = printed(80, print_scorecard, nasty_run, nasty_card, encoding=encoding)
    assert "Verdicts" in shown
    found = comparison_of(nasty_run, nasty_run)
    for width in (44, 80):
        shown = printed(width, print_comparison, nasty_run, nasty_run, found, encoding=encoding)
        assert "->" in shown


def test_hostile_text_is_shown_as_text(nasty_run, nasty_card):
    shown = printed(100, print_scorecard, nasty_run, nasty_card)
    shown += printed(100, lambda c: print_runs([nasty_run.info], c))
    assert "[red]markup[/red]" in shown
    assert ":smile:" in shown
    for harm in ("\x1b", "\x9b", "\x00", "\x07", "\x08", "\u202e", "\ud800"):
        assert harm not in shown


def test_hostile_text_brings_no_escape_into_a_coloured_terminal(nasty_run, nasty_card):
    shown = printed(
        100, print_scorecard, nasty_run, nasty_card, force_terminal=True, color_system="truecolor"
    )
    left = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert "\x1b" not in left
    assert "]8;;" not in left


def test_a_run_with_nothing_in_it_prints(run):
    bare = Run(info=run.info)
    assert "No metric in this run." in printed(80, print_scorecard, bare, Scorecard())


def test_the_list_of_runs_keeps_ids_whole(run):
    for width in (60, 80, 120):
        shown = printed(width, lambda c: print_runs([run.info], c))
        assert run.id in shown
        assert "baseline" in shown
    assert "No runs yet" in printed(80, lambda c: print_runs([], c))


@pytest.mark.parametrize("width", [60, 76, 80, 100, 110, 140])
def test_the_list_of_runs_cuts_neither_judge_nor_status(run, width):
    judge = JudgeRef(model="claude-haiku-4-5-20251001 + openai:gpt-5-mini", fingerprint="f")
    info = replace(run.info, judge=judge, status="interrupted", name="a-name-that-is-too-long" * 2)
    lines = printed(width, lambda c: print_runs([info, run.info], c)).splitlines()
    assert max(map(len, lines)) <= width
    assert "interrupted" in lines[1]
    assert "2026-11-29" in lines[1]
    if width >= 76:
        column = lines[0].index("judge")
        told = "".join(line[column:].strip() for line in lines[1:-1])
        assert told.replace(" ", "") == judge.model.replace(" ", "")


def test_no_line_ends_in_spaces(text):
    assert [line for line in text.splitlines() if line != line.rstrip()] == []


def with_failures(run, *whys):
    failed = [
        replace(case, scores={**case.scores, "faithfulness": Failure(why=why)}, failure=None)
        for case, why in zip(run.cases, whys, strict=False)
    ]
    return replace(run, cases=(*failed, *run.cases[len(failed) :]))


def test_why_judgements_failed_is_told_once_a_reason(run, card):
    first = run.cases[0].id
    shown = printed(80, print_scorecard, with_failures(run, "it hung", "it hung"), card)
    assert f"2 times, first {first}, faithfulness: it hung" in " ".join(shown.split())


def test_why_a_metric_applies_to_no_case_is_told_everywhere(run, card):
    cases = [
        replace(c, scores=c.scores | {"answer_relevance": Skip("it has no <answer>")})
        for c in run.cases
    ]
    cases[0] = replace(cases[0], scores={"answer_relevance": Skip("it declined")})
    skipped = replace(run, cases=tuple(cases))
    n = len(cases)
    told = f"answer_relevance applies to none of {n} cases: it has no <answer> ({n - 1} of them)"
    assert f"- {told}" in " ".join(printed(80, print_scorecard, skipped, card).split())
    assert told.replace("<", "&lt;").replace(">", "&gt;") in html_report([skipped], [card])
    assert f"applies to none of {n} cases" in markdown_report([skipped], [card])
    assert "faithfulness applies to none" not in printed(80, print_scorecard, run, card)


def test_no_more_reasons_than_can_be_read(run, card):
    clean = replace(run, cases=tuple(replace(c, scores={}, failure=None) for c in run.cases))
    shown = printed(80, print_scorecard, with_failures(clean, *"abcd"), card)
    assert "Failed scores (4)" in shown
    assert "1 more reason in the full report" in shown
    assert "Failed scores" not in printed(80, print_scorecard, clean, card)


def test_a_case_that_the_pipeline_failed_is_told_by_its_verdict_alone(run):
    scores = {"mrr": Failure(why="it threw")}
    case = replace(run.cases[0], failure=Failure(why="it threw"), scores=scores)
    assert failures(replace(run, cases=(case,))) == []


@pytest.mark.parametrize(
    ("stages", "told"),
    [
        (["retrieval"], "; retrieval is to blame for what is left (1 case)."),
        (["retrieval", "generation"], "; retrieval is to blame for 1 of 2 cases."),
        (
            ["retrieval", "retrieval", "generation"],
            "; retrieval is to blame for most of what is left, 2 of 3 cases.",
        ),
    ],
)
def test_most_is_said_only_of_more_than_half(run, card, stages, told):
    cases = tuple(
        replace(case, failure=None, diagnosis=Diagnosis(verdict="not retrieved", stage=stage))
        for case, stage in zip(run.cases, stages, strict=False)
    )
    met = replace(card, findings=(), grave="")
    assert headline(replace(run, cases=cases), met).endswith(told)
