"""`acidtest compare`: what changed from one run to others, and which stage changed it."""

from pathlib import Path
from typing import Any

import click

from acidtest.cli.crossing import check_crossing, crossed_each, crossing_options, estimate_crossing
from acidtest.cli.options import filled, json_option, target
from acidtest.cli.output import stdout, told_errors, write_each
from acidtest.cli.targets import check_targets, store_files


@click.command(name="compare")
@click.argument("base", metavar="BASE")
@click.argument("candidates", metavar="CAND...", nargs=-1, required=True)
@crossing_options
@click.option(
    "--by",
    "metric",
    type=filled,
    metavar="METRIC",
    help="Rank BASE and all CAND by this metric: which are best, and at what price.",
)
@click.option("--unpaired", is_flag=True, help="Compare runs whose cases are not the same.")
@json_option
@click.option("--html", "html_to", type=target, metavar="F", help="Write the HTML page.")
@click.option("--markdown", "markdown_to", type=target, metavar="F|-", help="Write Markdown.")
@click.option("--store", type=filled, metavar="URL", help="Where runs are kept.")
@click.option("--config", "config_path", type=filled, metavar="F", help="The configuration file.")
def command(
    *,
    base: str,
    candidates: tuple[str, ...],
    metric: str | None,
    unpaired: bool,
    json_to: str | None,
    html_to: str | None,
    markdown_to: str | None,
    store: str | None,
    config_path: str | None,
    **crossing: Any,
) -> int:
    """Compare the runs CAND with the run BASE, case by case.

    A run is an id, a name, `latest` or a JSON file. Each candidate is held against BASE. Without --json,
    --html or --markdown the comparison is printed; with --by the ranking of all runs instead. Exit status: 0, or 2 for bad input.
    """
    from acidtest.codec.runs import file_of
    from acidtest.project.comparing import (
        compared,
        comparison_html,
        comparison_json,
        comparison_markdown,
        ranked,
        show_comparison,
    )
    from acidtest.project.config import load_config
    from acidtest.project.sources import files_read
    from acidtest.project.stores import find_run, store_url

    check_crossing(crossing, unpaired=unpaired)
    config = load_config(Path(config_path) if config_path else None)
    names = (base, *candidates)
    check_targets(
        {"--json": json_to, "--html": html_to, "--markdown": markdown_to},
        [
            *files_read(config, None, None, (), crossing["judge"]),
            *store_files(store_url(config, store)),
            *(("a run that is read", file) for name in names if (file := file_of(name))),
        ],
    )
    first, *others = (find_run(config, name, store) for name in names)
    if crossing["dry_run"]:
        return estimate_crossing(config, first, others, crossing, store=store, json_to=json_to)
    ranking = ranked([first, *others], metric, config) if metric else None
    found = compared(first, others, unpaired=unpaired)
    if crossing["cross"]:
        found = crossed_each(config, first, others, found, crossing, store=store)
    errors = write_each(
        [
            (json_to, "JSON", lambda: comparison_json(found, ranking)),
            (html_to, "HTML page", lambda: comparison_html(first, others, found, ranking)),
            (markdown_to, "Markdown", lambda: comparison_markdown(found, ranking)),
        ]
    )
    if not (json_to or html_to or markdown_to):
        show_comparison(first, others, found, stdout(), ranking)
    return told_errors(errors)
