"""Telling of alerts: what a webhook is posted of one, and what people read."""

import asyncio
import re
from collections.abc import Sequence
from typing import Any

from acidtest.codec.lossy import encoded
from acidtest.data.watching import Alert
from acidtest.online.config import AlertsConfig
from acidtest.online.notify import LONGEST, Parcel, Sent, send
from acidtest.report.alert_words import explained, sides
from acidtest.report.clean import one_line

_ACTS = re.compile(
    r"@|<(?=[!@#/a-zA-Z])|#(?=[\w*])|:(?=//)|\](?=\()|(?<!\w)[~!](?=\w)|(?i:\bwww)(?=\.)|/(?=/)"
)


async def tell(
    alerts: Sequence[Alert], config: AlertsConfig, *, before: Sequence[Sent] = (), **more: Any
) -> list[Sent]:
    """Tell of alerts, each as it now is; see `send`.

    Args:
        alerts: What to tell.
        config: Where to.
        before: What came of earlier tries: where an alert has arrived as it is, it is not sent again.
        more: As for `send`.
    """
    by_arrived: dict[frozenset[str], list[Parcel]] = {}
    for alert in alerts:
        by_arrived.setdefault(_arrived(alert, before), []).append(parcel_of(alert))
    work = [send(some, config, without=without, **more) for without, some in by_arrived.items()]
    return [sent for some in await asyncio.gather(*work) for sent in some]


def _arrived(alert: Alert, before: Sequence[Sent]) -> frozenset[str]:
    # What is missed again later has the same key.
    since = alert.opened_ms if alert.ended_ms is None else alert.ended_ms
    return frozenset(
        each.channel
        for each in before
        if (each.key, each.state) == (alert.key, alert.state)
        and each.channel
        and not each.error
        and each.at_ms >= since
    )


def parcel_of(alert: Alert) -> Parcel:
    """Return an alert as it is told."""
    return Parcel(
        key=alert.key,
        state=alert.state,
        body=encoded({"format": "acidtest/alert", "version": 1, "alert": alert}),
        title="acidtest: over" if alert.state == "ended" else "acidtest: alert",
        text=message(alert),
    )


def message(alert: Alert) -> str:
    """Return an alert as a short text for people."""
    begins = "Over" if alert.state == "ended" else "Alert"
    lines = [f"{begins}: {alert.title}", *filter(None, map(sides, alert.drifts))]
    if alert.cause is not None:
        lines.append(explained(alert.cause, alert.drifts))
    if alert.worst:
        lines.append(f"traces: {', '.join(alert.worst)}")
    return "\n".join(map(inert, lines))[:LONGEST]


def inert(text: str) -> str:
    """Return a text from outside on one line, in which a chat finds nobody to call and nothing to open.

    A joiner that is not seen stands after what begins a mention, a channel or a link.
    """
    return _ACTS.sub("\\g<0>\u2060", one_line(text))
