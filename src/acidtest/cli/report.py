"""`acidtest report`: runs to a page, a table or a file."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from acidtest.cli.options import filled, json_option, target
from acidtest.cli.output import stdout, told_errors, write_each
from acidtest.cli.swallowed import check_swallowed
from acidtest.cli.targets import check_targets, store_files

if TYPE_CHECKING:
    from acidtest.project.config import Config


@click.command(name="report")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option(
    "--html", "html_to", type=target, metavar="F", help="Write the self-contained HTML report."
)
@click.option("--markdown", "markdown_to", type=target, metavar="F|-", help="Write Markdown.")
@json_option
@click.option("--history", is_flag=True, help="Runs over time instead: one line a commit.")
@click.option("--name", type=filled, metavar="NAME", help="With --history: the runs of this name.")
@click.option(
    "-m", "--metric", "metrics", multiple=True, metavar="METRIC", help="With --history: a column."
)
@click.option(
    "--limit", type=click.IntRange(min=1), metavar="N", help="With --history: the newest N lines."
)
@click.option("--store", type=filled, metavar="URL", help="Where runs are kept.")
@click.option("--config", "config_path", type=filled, metavar="F", help="The configuration file.")
def command(
    *,
    runs: tuple[str, ...],
    html_to: str | None,
    markdown_to: str | None,
    json_to: str | None,
    history: bool,
    name: str | None,
    metrics: tuple[str, ...],
    limit: int | None,
    store: str | None,
    config_path: str | None,
) -> int:
    """Report on one run, or on several against the first.

    RUN is an id, a name, `latest` (which is also the default) or a JSON file. Without --html,
    --markdown or --json the scorecard is printed.
    """
    from msgspec.structs import replace

    from acidtest.codec.runs import file_of
    from acidtest.project.config import load_config
    from acidtest.project.reports import html, markdown, run_json, show
    from acidtest.project.sources import files_read
    from acidtest.project.stores import find_run, store_url
    from acidtest.project.tiers import canonical

    if not history:
        check_swallowed(json_to, "report", run_named=bool(runs), over_run=True)
    config = load_config(Path(config_path) if config_path else None)
    targets = canonical(config.targets, config, where=f"{config.path}: [targets]")
    config = replace(config, targets=targets)
    check_targets(
        {"--html": html_to, "--markdown": markdown_to, "--json": json_to},
        [
            *files_read(config, None, None, ()),
            *store_files(store_url(config, store)),
            *(("a run that is read", file) for name in runs if (file := file_of(name))),
        ],
    )
    if history:
        if runs:
            raise click.UsageError("--history takes no RUN: name the runs with --name.")
        asked = (name, metrics, limit, store)
        return _history(config, asked, html_to=html_to, markdown_to=markdown_to, json_to=json_to)
    if name or metrics or limit:
        raise click.UsageError("--name, -m and --limit go with --history.")
    found = [find_run(config, run, store) for run in runs or ("latest",)]
    errors = write_each(
        [
            (html_to, "HTML report", lambda: html(found, config)),
            (markdown_to, "Markdown", lambda: markdown(found, config)),
            (json_to, "JSON", lambda: run_json(found)),
        ]
    )
    if not (html_to or markdown_to or json_to):
        show(found, config, stdout())
    return told_errors(errors)


def _history(
    config: "Config",
    asked: tuple[str | None, tuple[str, ...], int | None, str | None],
    *,
    html_to: str | None,
    markdown_to: str | None,
    json_to: str | None,
) -> int:
    import msgspec

    from acidtest.codec.lossy import encoded
    from acidtest.project.history import LIMIT, history
    from acidtest.report.history_page import history_html, history_markdown
    from acidtest.report.terminal_history import print_history

    name, metrics, limit, store = asked
    told = history(config, name=name, metrics=metrics, limit=limit or LIMIT, store=store)
    errors = write_each(
        [
            (html_to, "HTML history", lambda: history_html(told).encode()),
            (markdown_to, "Markdown", lambda: history_markdown(told).encode()),
            (json_to, "JSON", lambda: msgspec.json.format(encoded(told), indent=1)),
        ]
    )
    if not (html_to or markdown_to or json_to):
        print_history(told, stdout())
    return told_errors(errors)
