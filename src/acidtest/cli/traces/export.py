"""`acidtest traces export`: traces as recorded outputs."""

from typing import Any

import click

from acidtest.cli.options import target
from acidtest.cli.output import note, write
from acidtest.cli.targets import check_targets, store_files
from acidtest.cli.traces.options import choice, configured, filter_of, place


@click.command(name="export")
@click.option(
    "--to", "to", type=target, metavar="F|-", default="-", help="Where to; by default stdout."
)
@choice
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the newest N.")
@place
def command(**given: Any) -> int:
    """Write traces as recorded outputs, one JSON a line: for `run --outputs` and other tools."""
    from acidtest.codec.lossy import encoded
    from acidtest.project.stores import store_url
    from acidtest.project.traces import each_trace
    from acidtest.report.traces_json import output_row

    config = configured(given["config_path"])
    check_targets({"--to": given["to"]}, store_files(store_url(config, given["store"])))
    chosen = filter_of(config, given)
    lines: list[bytes] = []
    empty = 0
    for stored in each_trace(config, chosen, limit=given["limit"], store=given["store"]):
        row = output_row(stored.trace)
        if row is None:
            empty += 1
        else:
            lines.append(encoded(row) + b"\n")
    if empty:
        note(f"Left out {empty} that tell neither answer nor contexts")
    if not lines:
        note("No trace is like that: nothing is written.")
        return 0
    write(given["to"], b"".join(lines), what=f"{len(lines)} recorded outputs")
    return 0
