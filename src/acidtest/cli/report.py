"""`acidtest report`: runs to a page, a table or a file."""

from pathlib import Path

import click

from acidtest.cli.output import stdout, write


@click.command(name="report")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("--html", "html_to", metavar="F", help="Write the self-contained HTML report.")
@click.option("--markdown", "markdown_to", metavar="F|-", help="Write Markdown.")
@click.option("--json", "json_to", metavar="F|-", is_flag=False, flag_value="-", help="Write JSON.")
@click.option("--store", metavar="URL", help="Where runs are kept.")
@click.option("--config", "config_path", metavar="F", help="The configuration file.")
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
    from acidtest.project.config import load_config
    from acidtest.project.reports import html, markdown, run_json, show
    from acidtest.project.stores import find_run

    config = load_config(Path(config_path) if config_path else None)
    found = [find_run(config, name, store) for name in runs or ("latest",)]
    if html_to:
        write(html_to, html(found, config), what="HTML report")
    if markdown_to:
        write(markdown_to, markdown(found, config), what="Markdown")
    if json_to:
        write(json_to, run_json(found), what="JSON")
    if not (html_to or markdown_to or json_to):
        show(found, config, stdout())
    return 0
