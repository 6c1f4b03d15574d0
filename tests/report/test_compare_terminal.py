"""A comparison in a terminal and in Markdown: any width, without colour, hostile text."""

import io

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console

from acidtest.comparison.side_by_side import compare
from acidtest.data.answers import Latency
from acidtest.data.compared import Comparison
from acidtest.data.outcomes import Score
from acidtest.data.runs import Diagnosis
from acidtest.report.compare_markdown import comparisons_markdown
from acidtest.report.compare_terminal import print_comparison

NASTY = "<script>\x1b[31m `|* @someone #1 \u202e {{7*7}} [red]x[/red] \x00"


def printed(width, base, new, found, **console):
    file = io.StringIO()
    print_comparison(base, new, found, Console(file=file, width=width, **console))
    return file.getvalue()


@pytest.fixture
def two(make_run):
    """Two runs of 20 cases: the second retrieves better and breaks one case."""
    base = make_run("baseline")
    case = base.cases[0]

    def side(name, recall, faithful, verdict):
        cases = tuple(
            replace(
                case,
                id=f"case-{n}",
                question=f"What does plan {n} cost, and when may one leave it? " * 3,
                scores={"recall@5": Score(recall(n)), "faithfulness": Score(faithful(n))},
                tags=("hard",) if n % 2 else ("easy",),
                latency_ms=Latency(total=600.0 + 10 * n),
                diagnosis=Diagnosis(verdict=verdict(n)),
            )
            for n in range(20)
        )
        return replace(make_run(name), cases=cases)

    before = side("baseline", lambda n: n % 2 / 2, lambda n: 0.75, lambda n: "ok")
    after = side(
        "reranked",
        lambda n: 1.0,
        lambda n: 0.25 if n == 7 else 0.75,
        lambda n: "good context but unfaithful" if n == 7 else "ok",
    )
    return before, after


@pytest.fixture
def found(two) -> Comparison:
    return compare(*two)


def test_figures_words_tags_and_the_worst(two, found):
    flat = " ".join(printed(100, *two, found).split())
    assert "baseline → reranked" in flat
    assert "recall@5 0.250 1.000 +0.750" in flat
    assert "<0.001 20/0/0 better" in flat
    assert "faithfulness 0.750 0.725 -0.025" in flat
    assert "1.000 0/1/19 noise" in flat
    assert "latency_ms.total 695 ms 695 ms 0" in flat
    assert "hard recall@5 10 +0.500 better" in flat
    assert "good context but unfaithful 0 1" in flat
    assert "Worst changes (1 of 1 case worse)" in flat
    assert "case-7 ok → good context but unfaithful" in flat
    assert "faithfulness 0.75 → 0.25" in flat


@pytest.mark.parametrize("width", [40, 60, 80, 110, 200])
def test_it_fits(two, found, width):
    noted = replace(found, notes=("a note " * 30,), words=("words " * 40,))
    shown = printed(width, *two, noted)
    assert max(cell_len(line) for line in shown.splitlines()) <= width
    assert "p10" in shown


def test_how_many_got_better_and_worse_stands_at_80_columns_with_latency_in_parts(two):
    parts = Latency(retrieve=1234.0, generate=23456.0, total=34567.0)
    slow = [
        replace(run, cases=tuple(replace(c, latency_ms=parts) for c in run.cases)) for run in two
    ]
    for width in (80, 100):
        shown = printed(width, *slow, compare(*slow))
        assert "20/0/0" in shown
        assert "0/1/19" in shown
        assert shown.count("20/0/0") == 1
        assert max(cell_len(line) for line in shown.splitlines()) <= width


def test_without_colour_every_finding_is_a_word(two, found):
    plain = printed(80, *two, found, no_color=True)
    assert "\x1b" not in plain
    assert "better" in plain


def test_what_only_the_interval_tells_is_perhaps(two, found):
    doubtful = {
        name: replace(c, p_adjusted=0.2) if name == "recall@5" else c
        for name, c in found.metrics.items()
    }
    assert "perhaps" in printed(80, *two, replace(found, metrics=doubtful))
    assert "| perhaps |" in comparisons_markdown([replace(found, metrics=doubtful)])


def test_nothing_to_compare(two, found):
    bare = replace(found, metrics={}, tags={}, verdicts={})
    assert "No metric was scored in both runs." in printed(80, *two, bare)
    assert "No metric was scored in both runs." in comparisons_markdown([bare])


def test_unpaired_runs_have_no_wins(two):
    apart = compare(*two, unpaired=True)
    shown = " ".join(printed(100, *two, apart).split())
    assert "Not paired. p is corrected" in shown
    assert "Worst changes" not in shown
    assert "<0.001 - better" in shown


def test_hostile_text_does_nothing(two):
    base, new = (
        replace(
            run,
            info=replace(run.info, name=NASTY),
            cases=tuple(replace(c, question=NASTY, tags=(NASTY,)) for c in run.cases),
        )
        for run in two
    )
    found = compare(base, new)
    shown = printed(80, base, new, found)
    for harm in ("\x1b", "\x00", "\u202e"):
        assert harm not in shown
    assert "[red]x[/red]" in shown
    text = comparisons_markdown([found])
    assert "<script>" not in text
    assert "@someone" not in text


def test_markdown_has_words_first_and_is_cut_where_it_is_too_long(found):
    text = comparisons_markdown([found])
    lines = text.splitlines()
    assert lines[0] == "## acidtest: `baseline` → `reranked`"
    assert lines[2].startswith("**Contexts and answers are the same")
    assert "| `recall@5` | 0.250 | 1.000 | +0.750 |" in text
    assert "Verdicts: good context but unfaithful 0 → 1, ok 20 → 19." in text
    many = replace(found, metrics={f"m{n}": found.metrics["recall@5"] for n in range(900)})
    assert comparisons_markdown([many]).endswith("HTML reports have the rest.\n")
