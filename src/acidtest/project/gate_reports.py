"""A gate to what people and programs read."""

from typing import TYPE_CHECKING

import msgspec

from acidtest.codec.lossy import encoded
from acidtest.comparison.side_by_side import compare
from acidtest.data.compared import Comparison
from acidtest.data.gate import Gate
from acidtest.data.runs import Run
from acidtest.errors import Incomparable

if TYPE_CHECKING:
    from rich.console import Console


def show_gate(gate: Gate, run: Run, baseline: Run | None, console: "Console") -> None:
    """Print the gate."""
    from acidtest.report.gate_terminal import print_gate

    print_gate(gate, console, baseline=_called(baseline), candidate=_called(run))


def gate_json(gate: Gate) -> bytes:
    """Return the gate as JSON: `result`, `mode`, `metrics`, `reasons`, `trades`, `notes`."""
    document = {"format": gate.format, "version": gate.version, **msgspec.to_builtins(gate)}
    return msgspec.json.format(encoded(document), indent=1)


def gate_html(gate: Gate, run: Run, baseline: Run) -> bytes:
    """Return the page that holds a run against its baseline, with the gate on top.

    Files that have no cases, such as summaries, leave it with the gate and with why no more can be
    shown.
    """
    from acidtest.report.compare_page import comparison_html

    try:
        comparison = compare(baseline, run)
    except Incomparable as error:
        comparison = Comparison(
            base=baseline.info, candidate=run.info, cases=0, notes=(str(error),)
        )
    return comparison_html(baseline, run, comparison, gate).encode()


def gate_markdown(gate: Gate, run: Run, baseline: Run | None) -> bytes:
    """Return the gate as Markdown for a pull request or a step summary."""
    from acidtest.report.gate_markdown import gate_markdown as made

    return made(gate, baseline=_called(baseline), candidate=_called(run)).encode()


def gate_junit(gate: Gate, run: Run, baseline: Run | None) -> bytes:
    """Return the gate as JUnit XML."""
    from acidtest.report.gate_junit import gate_junit as made

    return made(
        gate, baseline=_called(baseline), candidate=_called(run), created=run.info.created
    ).encode()


def _called(run: Run | None) -> str:
    return "" if run is None else f"{run.name} ({run.id})" if run.id != run.name else run.name
