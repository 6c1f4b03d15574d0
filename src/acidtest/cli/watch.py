"""`acidtest watch`: understand and score live traces."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from acidtest.cli.options import filled, json_option
from acidtest.cli.output import note, stdout, write
from acidtest.cli.signals import interruptible
from acidtest.cli.streams import set_apart
from acidtest.cli.targets import check_targets, store_files

if TYPE_CHECKING:
    from acidtest.data.watching import Alert, Reference
    from acidtest.online.notify import Sent
    from acidtest.online.summary import Summary

_SHOWN = 20
"""Open alerts that are printed; JSON has a hundred."""
_WORST = 3


class _Open(NamedTuple):
    """An open alert, and where it did not arrive."""

    alert: "Alert"
    lost: "list[Sent]"


@click.command(name="watch")
@click.option("--once", is_flag=True, help="Do what is due, print a summary, and end.")
@click.option(
    "--revive",
    is_flag=True,
    help="First put back what failed too often, or was left out for the budget.",
)
@click.option("--store", type=filled, metavar="URL", help="Where traces are kept.")
@json_option
@click.option("--config", "config_path", type=filled, metavar="F", help="The configuration file.")
def command(
    *, once: bool, revive: bool, store: str | None, json_to: str | None, config_path: str | None
) -> int:
    """Understand and score the live traces of a store, as [online] says.

    Works until it is interrupted; then what is not finished goes to other workers. With --once, made for
    cron, status 1: an alert is open. Status 3: something that was due could not be scored.
    """
    import msgspec

    from acidtest.cli.told import counted
    from acidtest.project.config import load_config
    from acidtest.project.online import revived, watch
    from acidtest.project.stores import store_url
    from acidtest.store.names import shown

    set_apart()
    config = load_config(Path(config_path) if config_path else None)
    url = store_url(config, store)
    check_targets({"--json": json_to}, store_files(url))
    if json_to is not None and not once:
        raise click.UsageError("--json needs --once: without it there is no end to tell of.")
    if revive:
        note(f"Put back: {counted(revived(url), 'trace')}")
    if not once:
        note(f"Watching {shown(url)}; Ctrl-C ends it")
    summary = interruptible(watch(config, url, once=once, told=note))
    alerts = _open(url) if summary.alerts else []
    known = _references(url)
    week = _week(url) if config.online.alerts.digest else []
    if json_to is not None:
        document = {
            "format": "acidtest/watch",
            "version": 1,
            **msgspec.to_builtins(summary),
            "open_alerts": [_told(one) for one in alerts],
            "references": msgspec.to_builtins(known),
            "digest": [_arrived(each) for each in week],
        }
        write(json_to, msgspec.json.format(msgspec.json.encode(document), indent=1), what="JSON")
    if json_to != "-":
        console = stdout()
        for line in [*_lines(summary), *_alert_lines(alerts), *_week_lines(week), *_told_by(known)]:
            console.print(line, markup=False)
    if summary.alerts:
        return 1
    return 3 if summary.incomplete else 0


def _lines(summary: "Summary") -> list[str]:
    from acidtest.cli.told import counted, money, tokens

    spent = summary.spent
    cost = [counted(spent.calls, "call"), f"{tokens(spent.tokens)} tokens", money(spent.usd)]
    again = f", {summary.failed} to be tried again" if summary.failed else ""
    did = f"Understood {counted(summary.traces, 'trace')}, scored {summary.scored}{again}"
    lines = [
        f"{did}; {counted(summary.skipped, 'score')} did not apply, {summary.waiting} wait",
        f"Spent today: {', '.join(filter(None, cost))}, {counted(spent.traces, 'trace')}",
    ]
    if summary.away and summary.waiting:
        lines.append("The judge is away: what waits is scored when it is back")
    if summary.left_out:
        lines.append(f"Left out for the budget: {counted(summary.left_out, 'trace')}")
    if summary.dead:
        lines.append(f"Failed too often: {counted(summary.dead, 'trace')}")
    if summary.deleted:
        lines.append(f"Deleted as too old: {counted(summary.deleted, 'trace')}")
    if summary.sent or summary.unsent:
        lines.append(f"Results sent back: {summary.sent}, not sent: {summary.unsent}")
    if summary.alerts:
        lines.append(f"Open alerts: {summary.alerts}")
    return lines


def _open(url: str) -> "list[_Open]":
    from acidtest.online.delivery import undelivered
    from acidtest.store.alerts import Alerts

    with Alerts(url) as kept:
        lost = undelivered(kept)
        found = [each.alert for each in kept.listed(state="open")]
    return [_Open(alert, lost.get((alert.key, alert.state), [])) for alert in found]


def _told(one: "_Open") -> dict[str, object]:
    # The names of the whole alert, as a webhook is posted it.
    return {
        "key": one.alert.key,
        "title": one.alert.title,
        "opened_ms": one.alert.opened_ms,
        "worst": list(one.alert.worst),
        "undelivered": [{"to": each.to, "error": each.error} for each in one.lost],
    }


def _arrived(one: "Sent") -> dict[str, object]:
    return {"key": one.key, "to": one.to, "at_ms": one.at_ms, "error": one.error}


def _alert_lines(alerts: "list[_Open]") -> list[str]:
    # A mail from cron is all that its reader has: what moved, and where to look.
    from acidtest.report.clean import one_line

    lines = []
    for alert, lost in alerts[:_SHOWN]:
        lines.append(f"- {one_line(alert.title)}")
        if alert.worst:
            lines.append(f"  such as: {', '.join(map(one_line, alert.worst[:_WORST]))}")
        lines += [f"  not told to {one_line(each.to)}: {one_line(each.error)}" for each in lost]
    return lines


def _references(url: str) -> "list[Reference]":
    from acidtest.online.look import read_state
    from acidtest.store.alerts import Alerts

    with Alerts(url) as kept:
        return list(read_state(kept).references)


def _told_by(known: "list[Reference]") -> list[str]:
    from acidtest.report.reference_words import reference_lines

    return reference_lines(known)


def _week(url: str) -> "list[Sent]":
    from acidtest.online.weekly import read_weekly
    from acidtest.store.alerts import Alerts

    with Alerts(url) as kept:
        return list(read_weekly(kept).sent)


def _week_lines(week: "list[Sent]") -> list[str]:
    from acidtest.report.clean import one_line

    return [
        f"The week's digest did not reach {one_line(each.to)}: {one_line(each.error)}"
        for each in week
        if each.error
    ]
