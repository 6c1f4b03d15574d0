"""`acidtest traces delete`: traces with everything that was derived from them."""

import sys
from typing import TYPE_CHECKING

import click

from acidtest.cli.options import filled
from acidtest.cli.output import note
from acidtest.cli.streams import results
from acidtest.cli.traces.options import configured, place

if TYPE_CHECKING:
    from acidtest.store.trace_lookup import Held

_PARTS = ("traces", "spans", "scores", "feedback", "jobs", "verdicts")


@click.command(name="delete")
@click.option(
    "--trace",
    "trace_ids",
    multiple=True,
    type=filled,
    metavar="ID",
    help="This one, by its whole id. May be given several times.",
)
@click.option("--session", type=filled, metavar="S", help="All of this conversation.")
@click.option("--user", type=filled, metavar="U", help="All of this user.")
@click.option(
    "--before", type=filled, metavar="T", help="All that began or came before: a day, or 30d ago."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@place
def command(
    *,
    trace_ids: tuple[str, ...],
    session: str | None,
    user: str | None,
    before: str | None,
    yes: bool,
    store: str | None,
    config_path: str | None,
) -> int:
    """Delete traces: their spans, scores, feedback, jobs, and the verdicts that quote them alone."""
    import time

    from acidtest.errors import UsageError
    from acidtest.project.traces import names_of
    from acidtest.project.traces_delete import delete_traces, doomed
    from acidtest.project.traces_times import moment
    from acidtest.store.trace_lookup import Which

    config = configured(config_path)
    given = (bool(trace_ids), session is not None, user is not None, before is not None)
    if sum(given) != 1:
        raise UsageError(
            "say which traces, in one way", fix="Give --trace, --session, --user or --before."
        )
    now = time.time_ns() // 1_000_000
    which = Which(
        trace_ids=tuple(dict.fromkeys(trace_ids)),
        sessions=names_of(config, session),
        users=names_of(config, user),
        before_ms=None if before is None else moment(before, "--before", now_ms=now),
    )
    found = doomed(config, which, store)
    if not found:
        note("No trace is like that: nothing is deleted.")
        return 0
    if not yes:
        if not sys.stdin.isatty():
            raise UsageError("nobody is there to ask", fix="Say --yes to delete.")
        click.confirm(f"Delete {_told(found.held)}?", abort=True, err=True)
    delete_traces(config, found, store)
    click.echo(f"Deleted {_told(found.held)}", file=results())
    return 0


def _told(held: "Held") -> str:
    from acidtest.report.figures import count

    words = {"feedback": ("piece of feedback", "pieces of feedback")}
    parts = [
        count(getattr(held, name), *words.get(name, (name.removesuffix("s"), name)))
        for name in _PARTS
        if getattr(held, name) or name == "traces"
    ]
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
