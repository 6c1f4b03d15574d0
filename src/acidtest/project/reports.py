"""Runs to what people read: the scorecard read against the targets, in every form."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from acidtest.comparison.change import changes
from acidtest.comparison.pair import caveats
from acidtest.comparison.scorecard import scorecard
from acidtest.data.compared import Change
from acidtest.data.runs import Run
from acidtest.errors import Incomparable
from acidtest.project.config import Config
from acidtest.project.thresholds import Check

if TYPE_CHECKING:
    from rich.console import Console


def show(runs: Sequence[Run], config: Config, console: "Console") -> None:
    """Print the scorecard of each run and, for several, what changed against the first."""
    from acidtest.report.terminal import print_changes, print_scorecard

    for run in runs:
        print_scorecard(run, scorecard(run, config.targets), console)
    found, notes = _against_first(runs)
    for candidate, some, told in zip(runs[1:], found, notes, strict=True):
        print_changes(runs[0], candidate, some, console, told)


def run_json(runs: Sequence[Run]) -> bytes:
    """Return one run as JSON, or several in one document."""
    from acidtest.report.documents import runs_json

    return runs[0].to_json() if len(runs) == 1 else runs_json(runs)


def html(runs: Sequence[Run], config: Config) -> bytes:
    """Return the self-contained HTML report."""
    from acidtest.report.html import html_report

    cards = [scorecard(run, config.targets) for run in runs]
    return html_report(runs, cards, *_against_first(runs)).encode()


def markdown(runs: Sequence[Run], config: Config) -> bytes:
    """Return the report for a pull request or a step summary."""
    from acidtest.report.markdown import markdown_report

    cards = [scorecard(run, config.targets) for run in runs]
    return markdown_report(runs, cards, *_against_first(runs)).encode()


def junit(runs: Sequence[Run], checks: Sequence[Check], config: Config) -> bytes:
    """Return JUnit XML of the floors and the cases."""
    from acidtest.report.junit import junit_report

    cards = [scorecard(run, config.targets) for run in runs]
    return junit_report(runs, cards, [check.thresholds for check in checks]).encode()


def _against_first(
    runs: Sequence[Run],
) -> tuple[list[tuple[Change, ...]], list[tuple[str, ...]]]:
    """Return what changed from the first run to each other one, and what to know beside it."""
    found: list[tuple[Change, ...]] = []
    notes: list[tuple[str, ...]] = []
    for candidate in runs[1:]:
        try:
            found.append(changes(runs[0], candidate))
            notes.append(caveats(runs[0], candidate))
        except Incomparable as error:
            found.append(())
            notes.append((str(error),))
    return found, notes
