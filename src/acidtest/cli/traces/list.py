"""`acidtest traces list`: traces, the newest first."""

from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.options import json_option
from acidtest.cli.output import note, stdout, write_parts
from acidtest.cli.targets import check_targets, store_files
from acidtest.cli.traces.options import choice, configured, filter_of, place

if TYPE_CHECKING:
    from acidtest.project.config import Config

_ROWS = 50


@click.command(name="list")
@choice
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Only the newest N; by default {_ROWS}, and with --json all.",
)
@place
@json_option
def command(**given: Any) -> int:
    """List traces, the newest first: those that fit all that is said."""
    from acidtest.project.stores import store_url
    from acidtest.project.traces import each_trace

    config = configured(given["config_path"])
    json_to, store = given["json_to"], given["store"]
    check_targets({"--json": json_to}, store_files(store_url(config, store)))
    chosen = filter_of(config, given)
    if json_to is not None:
        from acidtest.report.traces_json import traces_json

        found = each_trace(config, chosen, limit=given["limit"], store=store)
        write_parts(json_to, traces_json(found), what="JSON")
        return 0
    limit = given["limit"] or _ROWS
    rows = list(each_trace(config, chosen, limit=limit + 1, store=store))
    if not rows:
        note(_nothing(config, store))
        return 0
    from acidtest.project.tiers import lower_is_better
    from acidtest.report.traces_terminal import print_traces

    lower = lower_is_better({name for each in rows for name in each.scores}, config)
    print_traces(rows[:limit], stdout(), lower=lower)
    if len(rows) > limit:
        note(f"These are the newest {limit}; there are more (--limit).")
    return 0


def _nothing(config: "Config", store: str | None) -> str:
    from acidtest.project.traces import each_trace
    from acidtest.store.trace_filter import TraceFilter

    if next(each_trace(config, TraceFilter(), limit=1, store=store), None) is not None:
        return "No trace is like that."
    return "There is no trace yet. Send some to acidtest serve, or: acidtest traces import FILE"
