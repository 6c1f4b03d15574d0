"""Runs against a baseline, found by name, compared, and turned into what people and programs read."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from acidtest.codec.lossy import encoded
from acidtest.comparison.ranking import rank
from acidtest.comparison.side_by_side import compare_each
from acidtest.data.compared import Comparison
from acidtest.data.runs import Run
from acidtest.data.sweep import Sweep
from acidtest.project.config import Config
from acidtest.project.limit_names import column_of

if TYPE_CHECKING:
    from rich.console import Console

FORMAT = "acidtest/comparison"
SEVERAL = "acidtest/comparisons"
VERSION = 1


def compared(
    base: Run, candidates: Sequence[Run], *, unpaired: bool = False
) -> tuple[Comparison, ...]:
    """Compare each candidate with the baseline; p-values are corrected over all of them.

    Raises:
        Incomparable: The runs share no case and `unpaired` is false, or have a case twice.
    """
    return compare_each(base, candidates, unpaired=unpaired)


def ranked(runs: Sequence[Run], metric: str, config: Config) -> Sweep:
    """Rank runs by a metric, under any of its names; see `ranking.rank` for what is raised."""
    known = (name for run in runs for name in run.metrics)
    return rank(runs, column_of(metric, known, config, where="--by"))


def comparison_json(found: Sequence[Comparison], ranking: Sweep | None = None) -> bytes:
    """Return one comparison as JSON, or several in one document; a ranking makes it several."""
    documents = [
        {"format": FORMAT, "version": VERSION, **msgspec.to_builtins(one)} for one in found
    ]
    whole: dict[str, Any] = {"format": SEVERAL, "comparisons": documents}
    if ranking is not None:
        whole["ranking"] = msgspec.to_builtins(ranking)
    elif len(documents) == 1:
        whole = documents[0]
    return msgspec.json.format(encoded(whole), indent=1)


def comparison_html(
    base: Run,
    candidates: Sequence[Run],
    found: Sequence[Comparison],
    ranking: Sweep | None = None,
) -> bytes:
    """Return a self-contained page: the ranking, or each comparison with every case in both runs."""
    if ranking is not None:
        from acidtest.report.ranking_page import ranking_html

        return ranking_html(ranking).encode()
    from acidtest.report.compare_page import comparisons_html

    whole = [(run, one, None) for run, one in zip(candidates, found, strict=True)]
    return comparisons_html(base, whole).encode()


def comparison_markdown(found: Sequence[Comparison], ranking: Sweep | None = None) -> bytes:
    """Return Markdown for a pull request or a step summary: the ranking, or each comparison."""
    if ranking is not None:
        from acidtest.report.terminal_ranking import ranking_markdown

        return ranking_markdown(ranking).encode()
    from acidtest.report.compare_markdown import comparisons_markdown

    return comparisons_markdown(found).encode()


def show_comparison(
    base: Run,
    candidates: Sequence[Run],
    found: Sequence[Comparison],
    console: "Console",
    ranking: Sweep | None = None,
) -> None:
    """Print the ranking, or each comparison."""
    if ranking is not None:
        from acidtest.report.terminal_ranking import print_ranking

        print_ranking(ranking, console)
        return
    from acidtest.report.compare_terminal import print_comparison

    for candidate, one in zip(candidates, found, strict=True):
        print_comparison(base, candidate, one, console)
