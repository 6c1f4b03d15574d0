"""`acidtest traces digest`: what is asked that the golden set lacks, what fails alike, what moved."""

import time
from typing import Any

import click

from acidtest.cli.options import filled, json_option
from acidtest.cli.output import note, write
from acidtest.cli.streams import harmless, results, set_apart
from acidtest.cli.targets import check_targets, store_files
from acidtest.cli.traces.options import configured, place


@click.command(name="digest")
@click.option(
    "--since",
    type=filled,
    metavar="T",
    default="7d",
    show_default=True,
    help="Begun then or later: a day, or 12h, 7d. It is held against as long a time before.",
)
@click.option("--until", type=filled, metavar="T", help="Begun before then; by default now.")
@click.option(
    "--golden", type=filled, metavar="G", help="The golden set; by default the configured one."
)
@click.option("--markdown", "markdown_to", type=filled, metavar="F", help="Write it as Markdown.")
@place
@json_option
def command(**given: Any) -> int:
    """Say what the live traces of a week brought.

    Kinds of questions that the golden set lacks, failures that are alike, each with the command that makes
    cases of them, and what moved.
    """
    import msgspec

    from acidtest.errors import UsageError
    from acidtest.online.digest_words import INTO, document_of, markdown, text
    from acidtest.project.digest import digest_of, golden_path
    from acidtest.project.stores import store_url
    from acidtest.project.traces_times import moment

    set_apart()
    config = configured(given["config_path"])
    json_to, markdown_to, store = given["json_to"], given["markdown_to"], given["store"]
    targets = {"--json": json_to, "--markdown": markdown_to}
    golden = golden_path(config, given["golden"])
    inputs = [] if golden is None else [("the golden set", golden)]
    check_targets(targets, [*store_files(store_url(config, store)), *inputs])
    now = time.time_ns() // 1_000_000
    until = now if given["until"] is None else moment(given["until"], "--until", now_ms=now)
    since = moment(given["since"], "--since", now_ms=until)
    if since >= until:
        raise UsageError("it is not before the end", where="--since", fix="Give an earlier time.")
    found = digest_of(config, since_ms=since, until_ms=until, golden=given["golden"], store=store)
    if golden is None:
        note("No golden set is configured: all that is asked is new to it. Name one with --golden.")
    into = golden or INTO
    if json_to is not None:
        document = msgspec.json.encode(document_of(found, into=into))
        write(json_to, msgspec.json.format(document, indent=1), what="JSON")
    if markdown_to is not None:
        write(markdown_to, markdown(found, into=into).encode(), what="Markdown")
    if "-" not in (json_to, markdown_to):
        click.echo(harmless(text(found, into=into)), file=results())
    return 0
