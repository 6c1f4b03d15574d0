"""Runs to what people read: the scorecard read against the targets, in every form."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from acidtest.comparison.pair import shared_cases
from acidtest.comparison.scorecard import scorecard
from acidtest.data.compared import Comparison
from acidtest.data.runs import Run
from acidtest.errors import Incomparable
from acidtest.project.config import Config
from acidtest.project.thresholds import Check

if TYPE_CHECKING:
    from rich.console import Console


def show(runs: Sequence[Run], config: Config, console: "Console") -> None:
    """Print the scorecard of each run and, for several, what changed against the first."""
    from acidtest.report.terminal import print_scorecard

    for run in runs:
        print_scorecard(run, scorecard(run, config.targets), console)
    if len(runs) == 1:
        return
    from acidtest.report.compare_terminal import print_comparison

    for candidate, found in zip(runs[1:], _against_first(runs), strict=True):
        print_comparison(runs[0], candidate, found, console)


def run_json(runs: Sequence[Run]) -> bytes:
    """Return one run as JSON, or several in one document."""
    from acidtest.report.documents import runs_json

    return runs[0].to_json() if len(runs) == 1 else runs_json(runs)


def html(runs: Sequence[Run], config: Config) -> bytes:
    """Return the self-contained HTML report."""
    from acidtest.report.html import html_report

    cards = [scorecard(run, config.targets) for run in runs]
    return html_report(runs, cards, _against_first(runs)).encode()


def markdown(runs: Sequence[Run], config: Config) -> bytes:
    """Return the report for a pull request or a step summary."""
    from acidtest.report.markdown import markdown_report

    cards = [scorecard(run, config.targets) for run in runs]
    return markdown_report(runs, cards, _against_first(runs)).encode()


def junit(runs: Sequence[Run], checks: Sequence[Check], config: Config) -> bytes:
    """Return JUnit XML of the floors and the cases."""
    from acidtest.report.junit import junit_report

    cards = [scorecard(run, config.targets) for run in runs]
    return junit_report(runs, cards, [check.thresholds for check in checks]).encode()


def _against_first(runs: Sequence[Run]) -> tuple[Comparison, ...]:
    """Return what changed from the first run to each other one; of what cannot be compared, why."""
    base, others = runs[0], runs[1:]
    if not others:
        return ()
    from acidtest.comparison.side_by_side import compare_each

    faults = {n: why for n, run in enumerate(others) if (why := _fault(base, run))}
    fit = [run for n, run in enumerate(others) if n not in faults]
    found = iter(compare_each(base, fit))
    return tuple(
        Comparison(base=base.info, candidate=run.info, cases=0, notes=(faults[n],))
        if n in faults
        else next(found)
        for n, run in enumerate(others)
    )


def _fault(base: Run, candidate: Run) -> str:
    try:
        shared_cases(base, candidate)
    except Incomparable as error:
        return str(error)
    return ""
