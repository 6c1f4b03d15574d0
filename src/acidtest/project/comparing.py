"""Runs against a baseline, found by name, compared, and turned into what people and programs read."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from acidtest.comparison.side_by_side import compare_each
from acidtest.data.compared import Comparison
from acidtest.data.runs import Run

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


def comparison_json(found: Sequence[Comparison]) -> bytes:
    """Return one comparison as JSON, or several in one document."""
    documents = [
        {"format": FORMAT, "version": VERSION, **msgspec.to_builtins(one)} for one in found
    ]
    whole = documents[0] if len(documents) == 1 else {"format": SEVERAL, "comparisons": documents}
    return msgspec.json.format(msgspec.json.encode(whole), indent=1)


def comparison_html(base: Run, candidates: Sequence[Run], found: Sequence[Comparison]) -> bytes:
    """Return the self-contained page with every case in both runs."""
    from acidtest.report.compare_page import comparisons_html

    whole = [(run, one, None) for run, one in zip(candidates, found, strict=True)]
    return comparisons_html(base, whole).encode()


def comparison_markdown(base: Run, candidates: Sequence[Run], found: Sequence[Comparison]) -> bytes:
    """Return Markdown for a pull request or a step summary."""
    from acidtest.report.compare_markdown import comparisons_markdown

    return comparisons_markdown(base, list(zip(candidates, found, strict=True))).encode()


def show_comparison(
    base: Run, candidates: Sequence[Run], found: Sequence[Comparison], console: "Console"
) -> None:
    """Print each comparison."""
    from acidtest.report.compare_terminal import print_comparison

    for candidate, one in zip(candidates, found, strict=True):
        print_comparison(base, candidate, one, console)
