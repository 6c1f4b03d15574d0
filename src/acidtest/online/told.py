"""Telling of alerts: what a webhook is posted of one, and what people read."""

import re
from collections.abc import Sequence
from typing import Any

from acidtest.codec.lossy import encoded
from acidtest.data.watching import Alert
from acidtest.online.config import AlertsConfig
from acidtest.online.notify import LONGEST, Parcel, Sent, send
from acidtest.report.alert_words import explained, sides
from acidtest.report.clean import one_line

_ACTS = re.compile(r"@|<(?=[!@#/a-zA-Z])|#(?=\w)|:(?=//)")


async def tell(alerts: Sequence[Alert], config: AlertsConfig, **more: Any) -> list[Sent]:
    """Tell of alerts, each as it now is; see `send`."""
    return await send([parcel_of(alert) for alert in alerts], config, **more)


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
