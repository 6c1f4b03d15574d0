"""`acidtest judge card`: what was measured of a judge, and what it may be used for."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.options import filled, json_option, target
from acidtest.cli.output import note, stdout, told_errors, write_each
from acidtest.cli.targets import check_targets, store_files

if TYPE_CHECKING:
    from acidtest.project.config import Config


@click.command(name="card")
@click.argument("evidence", metavar="[RUN|FILE]...", nargs=-1, type=filled)
@click.option(
    "--judge",
    type=filled,
    metavar="MODEL",
    help="Which judge; by default that of the run, else the only one that there is evidence of, else the "
    "configured one.",
)
@click.option(
    "--labels",
    type=filled,
    metavar="L",
    help="What people say of the run's cases: see `calibrate`.",
)
@click.option(
    "--anchor",
    type=filled,
    metavar="F",
    help="The anchor's file; by default anchor.jsonl beside the configuration, if it is there.",
)
@json_option
@click.option("--html", "html_to", type=target, metavar="F", help="Write the HTML page.")
@click.option("--markdown", "markdown_to", type=target, metavar="F|-", help="Write Markdown.")
@click.option("--store", type=filled, metavar="URL", help="Where runs are kept.")
@click.option("--config", "config_path", type=filled, metavar="F", help="The configuration file.")
def command(**given: Any) -> int:
    """Put together what was measured of a judge, and say what it may be used for.

    RUN is an id, a name, `latest` or a JSON file; FILE is what `judge calibrate`, `judge probe` and `judge
    check` wrote with --json. Without either it is the latest run that a judge scored; where there is none, the card
    says what is to be measured of the configured judge. Nobody is asked.
    """
    from acidtest.project.card.gather import card_json, gather
    from acidtest.project.config import load_config

    config = load_config(Path(given["config_path"]) if given["config_path"] else None)
    _check_targets(config, given)
    card, notes = gather(
        config,
        given["evidence"],
        judge=given["judge"],
        labels=given["labels"],
        anchor=given["anchor"],
        store=given["store"],
    )
    for told in notes:
        note(told)

    def html() -> bytes:
        from acidtest.report.judge_card_page import judge_card_html

        return judge_card_html(card).encode()

    def markdown() -> bytes:
        from acidtest.report.judge_card_markdown import judge_card_markdown

        return judge_card_markdown(card).encode()

    errors = write_each(
        [
            (given["json_to"], "JSON", lambda: card_json(card)),
            (given["html_to"], "HTML page", html),
            (given["markdown_to"], "Markdown", markdown),
        ]
    )
    if not (given["json_to"] or given["html_to"] or given["markdown_to"]):
        from acidtest.report.judge_card_terminal import print_judge_card

        print_judge_card(card, stdout())
    return told_errors(errors)


def _check_targets(config: "Config", given: dict[str, Any]) -> None:
    from acidtest.project.anchoring.files import anchor_path
    from acidtest.project.stores import store_url

    read: list[tuple[str, str | Path]] = [("the anchor", anchor_path(config, given["anchor"]))]
    read += [("the configuration", config.path)] if config.path else []
    read += [("the labels", given["labels"])] if given["labels"] else []
    read += [
        ("evidence", name.partition(".json#")[0])
        for name in given["evidence"]
        if Path(name).is_file()
    ]
    check_targets(
        {
            "--json": given["json_to"],
            "--html": given["html_to"],
            "--markdown": given["markdown_to"],
        },
        [*read, *store_files(store_url(config, given["store"]))],
    )
