"""`acidtest traces export`: traces as recorded outputs."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import click

from acidtest.cli.options import target
from acidtest.cli.output import note, write_parts
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
    left_out = 0

    def lines() -> Iterator[bytes]:
        nonlocal left_out
        for stored in each_trace(config, chosen, limit=given["limit"], store=given["store"]):
            row = output_row(stored.trace)
            if row is None:
                left_out += 1
            else:
                yield encoded(row) + b"\n"

    found = lines()
    first = next(found, None)
    if first is not None:
        write_parts(given["to"], chain((first,), found), what="recorded outputs")
    if left_out:
        note(f"Left out {left_out} that tell neither answer nor contexts")
    if first is None:
        note("No trace is like that: nothing is written.")
    return 0
