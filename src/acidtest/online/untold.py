"""Which alerts are still to be told: marks of an alert and its state, with at how many more looks it is sent."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from acidtest.data.watching import Alert
from acidtest.online.notify import Sent

_TRIES = 5
"""Looks at which one that did not arrive is sent again."""


def _mark(alert: Alert) -> str:
    return f"{alert.key} {alert.opened_ms} {alert.state}"


def is_news(alert: Alert, told: Mapping[str, int]) -> bool:
    """Say whether it is still to be told that an alert is over."""
    if (mark := _mark(alert)) in told:
        return told[mark] > 0
    return _mark(replace(alert, state="open")) in told


def to_tell(found: Iterable[Alert], told: dict[str, int]) -> list[Alert]:
    """Return the alerts of a look that are still to be told."""
    return [alert for alert in found if told.get(_mark(alert), _TRIES) > 0]


def told_after(found: list[Alert], told: dict[str, int], sent: list[Sent]) -> dict[str, int]:
    """Return what is still to be told, and how often it may be tried."""
    lost = {(each.key, each.state) for each in sent if each.error}
    marks: dict[str, int] = {}
    for alert in found:
        left = told.get(_mark(alert), _TRIES)
        failed = (alert.key, alert.state) in lost
        marks[_mark(alert)] = max(left - 1, 0) if failed else 0
    return marks
