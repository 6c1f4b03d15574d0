"""`acidtest gate`: may this run be released?"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.corrected import label_options
from acidtest.cli.options import filled, json_option, target
from acidtest.cli.output import note, stdout, told_errors, write_each
from acidtest.cli.swallowed import check_swallowed
from acidtest.cli.targets import check_targets, store_files
from acidtest.errors import AcidtestError, UsageError

if TYPE_CHECKING:
    from acidtest.project.config import Config

TARGETS = {
    "--json": "json_to",
    "--html": "html_to",
    "--markdown": "markdown_to",
    "--junit": "junit_to",
}
"""The options that write, and what their values are called here."""

SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable that names the file whose Markdown a build shows on its page."""


@click.command(name="gate")
@click.argument("candidate", metavar="CAND", required=False)
@click.option(
    "--baseline", type=filled, metavar="BASE", help="The run that it must not be worse than."
)
@click.option(
    "--min",
    "floors",
    multiple=True,
    metavar="M=X",
    help="Fail when M is below X; where lower is better, when it is above.",
)
@click.option(
    "--max-drop",
    "drops",
    multiple=True,
    metavar="[M=]X",
    help="Fail when it is worse than the baseline by more than X, or X%; without M all shared metrics.",
)
@click.option(
    "--mode",
    type=click.Choice(["strict", "statistical"]),
    help="Statistical fails only drops that the cases show; strict by default.",
)
@click.option(
    "--stale",
    type=click.Choice(["warn", "refuse"]),
    help="A baseline with another golden set, judge or version: warn by default.",
)
@label_options
@click.option(
    "--baseline-labels",
    type=filled,
    metavar="F",
    help="People's labels of the baseline's answers; by default those of the run where both answer alike.",
)
@json_option
@click.option(
    "--html", "html_to", type=target, metavar="F", help="Write both runs side by side as HTML."
)
@click.option("--markdown", "markdown_to", type=target, metavar="F|-", help="Write Markdown.")
@click.option("--junit", "junit_to", type=target, metavar="F", help="Write JUnit XML.")
@click.option(
    "--summary", is_flag=True, help=f"Append the Markdown to the file that {SUMMARY} names."
)
@click.option("--store", type=filled, metavar="URL", help="Where runs are kept.")
@click.option("--config", "config_path", type=filled, metavar="F", help="The configuration file.")
def command(**given: Any) -> int:
    """Decide whether the run CAND may be released: its floors, and its drop from a baseline.

    CAND and BASE are an id, a name, `latest` or a JSON file. M is a metric (`faithfulness`), its worst
    tenth (`faithfulness.p10`), the cases of a tag (`faithfulness[faq]`), `latency_ms.total.p95`,
    `tokens.output` or `cost_usd`. Exit status: 0 pass, 1 fail, 3 inconclusive, 2 bad input.
    """
    from acidtest.project.config import load_config
    from acidtest.project.correcting import labels_of
    from acidtest.project.gate_reports import (
        gate_html,
        gate_json,
        gate_junit,
        gate_markdown,
        show_gate,
    )
    from acidtest.project.gating import Asked, gated, parse_drops
    from acidtest.project.stores import find_run
    from acidtest.project.thresholds import parse_floors

    check_swallowed(
        given["json_to"], "gate", run_named=given["candidate"] is not None, over_run=False
    )
    given["candidate"] = given["candidate"] or "latest"
    config = load_config(Path(given["config_path"]) if given["config_path"] else None)
    asked = Asked(
        floors=parse_floors(given["floors"]),
        drops=parse_drops(given["drops"]),
        mode=given["mode"],
        stale=given["stale"],
        labels=labels_of(given["labels"], given["correct"]),
        baseline_labels=labels_of(
            given["baseline_labels"], given["correct"], option="--baseline-labels"
        ),
    )
    _check_targets(config, given)
    if given["html_to"] and not given["baseline"]:
        raise UsageError(
            "--html shows a run beside its baseline, and there is none",
            fix="Give --baseline, or write the run's own page: acidtest report RUN --html F",
        )
    if given["baseline_labels"] and not (given["baseline"] and given["labels"]):
        raise UsageError(
            "labels of the baseline serve to correct a drop, and that takes --baseline and --labels, too",
            where="--baseline-labels",
            fix="Give both, or leave --baseline-labels out.",
        )
    run = find_run(config, given["candidate"], given["store"])
    baseline = find_run(config, given["baseline"], given["store"]) if given["baseline"] else None
    made, told = gated(run, baseline, config, asked)
    for line in told:
        note(line)
    errors = write_each(
        [
            (given["json_to"], "JSON", lambda: gate_json(made)),
            (given["html_to"], "HTML page", lambda: gate_html(made, run, baseline or run)),
            (given["markdown_to"], "Markdown", lambda: gate_markdown(made, run, baseline)),
            (given["junit_to"], "JUnit XML", lambda: gate_junit(made, run, baseline)),
        ]
    )
    if given["summary"]:
        errors += _summarised(gate_markdown(made, run, baseline))
    if "-" not in (given[key] for key in TARGETS.values()):
        show_gate(made, run, baseline, stdout())
    return told_errors(errors) or made.exit_status


def _check_targets(config: "Config", given: dict[str, Any]) -> None:
    from acidtest.codec.runs import file_of
    from acidtest.project.sources import files_read
    from acidtest.project.stores import store_url

    runs = [name for name in (given["candidate"], given["baseline"]) if name]
    check_targets(
        {option: given[key] for option, key in TARGETS.items()},
        [
            *files_read(config, None, None, ()),
            *store_files(store_url(config, given["store"])),
            *(("the labels", Path(f)) for f in (given["labels"], given["baseline_labels"]) if f),
            *(("a run that is read", file) for name in runs if (file := file_of(name))),
        ],
    )


def _summarised(markdown: bytes) -> list[AcidtestError]:
    """Append to the step summary; other steps write there, too."""
    path = os.environ.get(SUMMARY)
    if not path:
        note(f"No step summary: {SUMMARY} is not set.")
        return []
    try:
        with Path(path).open("ab") as stream:
            stream.write(markdown + b"\n")
    except OSError as error:
        return [UsageError(f"the step summary cannot be written: {error.strerror}", where=path)]
    note(f"Wrote step summary to {path}")
    return []
