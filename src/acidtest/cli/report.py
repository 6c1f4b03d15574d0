"""`acidtest report`: runs to a page, a table or a file."""

from pathlib import Path

import click

from acidtest.cli.options import filled, target
from acidtest.cli.output import stdout, told_errors, write_each
from acidtest.cli.targets import check_targets, store_files


@click.command(name="report")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option(
    "--html", "html_to", type=target, metavar="F", help="Write the self-contained HTML report."
)
@click.option("--markdown", "markdown_to", type=target, metavar="F|-", help="Write Markdown.")
@click.option(
    "--json",
    "json_to",
    type=target,
    metavar="F|-",
    is_flag=False,
    flag_value="-",
    help="Write JSON.",
)
@click.option("--store", type=filled, metavar="URL", help="Where runs are kept.")
@click.option("--config", "config_path", type=filled, metavar="F", help="The configuration file.")
def command(
    *,
    runs: tuple[str, ...],
    html_to: str | None,
    markdown_to: str | None,
    json_to: str | None,
    store: str | None,
    config_path: str | None,
) -> int:
    """Report on one run, or on several against the first.

    RUN is an id, a name, `latest` (which is also the default) or a JSON file. Without --html,
    --markdown or --json the scorecard is printed.
    """
    from msgspec.structs import replace

    from acidtest.project.config import load_config
    from acidtest.project.reports import html, markdown, run_json, show
    from acidtest.project.sources import files_read
    from acidtest.project.stores import find_run, store_url
    from acidtest.project.tiers import canonical

    config = load_config(Path(config_path) if config_path else None)
    targets = canonical(config.targets, config, where=f"{config.path}: [targets]")
    config = replace(config, targets=targets)
    check_targets(
        {"--html": html_to, "--markdown": markdown_to, "--json": json_to},
        [
            *files_read(config, None, None, ()),
            *store_files(store_url(config, store)),
            *(("a run that is read", name) for name in runs if name.endswith(".json")),
        ],
    )
    found = [find_run(config, name, store) for name in runs or ("latest",)]
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
