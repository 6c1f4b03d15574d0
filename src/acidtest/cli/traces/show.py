"""`acidtest traces show`: one trace."""

import click

from acidtest.cli.options import filled, json_option
from acidtest.cli.output import stdout, write
from acidtest.cli.targets import check_targets, store_files
from acidtest.cli.traces.options import configured, place


@click.command(name="show")
@click.argument("trace", type=filled, metavar="ID")
@place
@json_option
def command(*, trace: str, store: str | None, config_path: str | None, json_to: str | None) -> int:
    """Show a trace: what was asked, found and answered, what it scored, and its spans as a tree.

    ID may be the beginning of one.
    """
    from acidtest.project.stores import store_url
    from acidtest.project.traces import look

    config = configured(config_path)
    check_targets({"--json": json_to}, store_files(store_url(config, store)))
    looked = look(config, trace, store)
    if json_to is not None:
        from acidtest.report.traces_json import trace_json

        write(json_to, trace_json(looked.stored, looked.spans), what="JSON")
        return 0
    from acidtest.report.traces_tree import print_trace

    print_trace(looked.stored, looked.spans, stdout(), unread=looked.unread)
    return 0
