"""Options of the commands on traces: which traces, and where they are kept."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.options import filled

if TYPE_CHECKING:
    from acidtest.project.config import Config
    from acidtest.store.trace_filter import TraceFilter

_CHOICE = (
    click.option("--text", type=filled, metavar="T", help="Question or answer holds this."),
    click.option("--service", type=filled, metavar="S", help="Of this service."),
    click.option("--model", type=filled, metavar="M", help="Answered by this model."),
    click.option("--session", type=filled, metavar="S", help="Of this conversation."),
    click.option("--user", type=filled, metavar="U", help="Of this user."),
    click.option("--tag", type=filled, metavar="T", help="With this tag."),
    click.option("--failed", is_flag=True, help="Where a step that counts failed."),
    click.option("--abstained", is_flag=True, help="Where the system declined."),
    click.option(
        "--feedback", type=click.Choice(["good", "bad"]), help="With a thumb up, or down."
    ),
    click.option(
        "--since", type=filled, metavar="T", help="Begun then or later: a day, or 12h, 7d."
    ),
    click.option("--until", type=filled, metavar="T", help="Begun before then."),
    click.option("--metric", type=filled, metavar="M", help="With a score of this metric."),
    click.option("--below", type=float, metavar="X", help="With --metric: below this."),
)


def choice(function: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options that say which traces are meant."""
    for option in reversed(_CHOICE):
        function = option(function)
    return function


def place(function: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options that say where traces are kept."""
    store = click.option("--store", type=filled, metavar="URL", help="Where traces are kept.")
    config = click.option(
        "--config", "config_path", type=filled, metavar="F", help="The configuration file."
    )
    return store(config(function))


def configured(path: str | None) -> "Config":
    """Return the configuration of `--config`."""
    from acidtest.project.config import load_config

    return load_config(Path(path) if path else None)


def filter_of(config: "Config", given: dict[str, Any]) -> "TraceFilter":
    """Return the filter that the options of `choice` say.

    Raises:
        UsageError: A time is none, or --below has no --metric.
    """
    import math
    import time

    from acidtest.errors import UsageError
    from acidtest.project.traces import kept_as
    from acidtest.project.traces_times import moment
    from acidtest.store.trace_filter import TraceFilter

    below = given["below"]
    if below is not None and (given["metric"] is None or math.isnan(below)):
        raise UsageError("say of which metric", where="--below", fix="Give --metric M too.")
    now = time.time_ns() // 1_000_000
    since, until = (
        None if given[name] is None else moment(given[name], f"--{name}", now_ms=now)
        for name in ("since", "until")
    )
    return TraceFilter(
        text=given["text"],
        service=given["service"],
        model=given["model"],
        session=kept_as(config, given["session"]),
        user=kept_as(config, given["user"]),
        tag=given["tag"],
        failed=given["failed"] or None,
        abstained=given["abstained"] or None,
        feedback=given["feedback"],
        since=since,
        until=until,
        metric=given["metric"],
        # Below, not at: the next smaller number.
        max_score=None if below is None else math.nextafter(below, -math.inf),
    )
