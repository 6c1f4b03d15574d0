"""The table `[online]` of acidtest.toml: which live traces are scored, with what, and for how much."""

import re
from collections.abc import Mapping
from datetime import date
from urllib.parse import urlsplit

from msgspec import Struct

from acidtest.errors import BadConfig, UnknownName
from acidtest.online.redact_own import check_redaction

RULES = ("thumbs-down", "error", "abstained", "slow", "new-document")
"""Rules by name; `tag:NAME` and `model:NAME` are rules too."""

NAMED = ("tag", "model")

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

METRICS = ("faithfulness", "answer_relevance", "context_usefulness", "citation_validity")
"""What is scored by default, as far as the judge can answer it: what says most without a reference."""

_VARIABLE = re.compile(r"\$\{\w+\}")
_MOST_TRACES = 256
_MOST_TRIES = 50
_LONGEST_S = 86_400.0
_LONGEST_DAYS = 36_525.0
_LEAST_DAYS = 7
_DAY_MS = 86_400_000


class AlertsConfig(Struct, frozen=True, kw_only=True):
    """Where alerts go: a `webhook` that is posted JSON, and addresses that `apprise` understands.

    Both may hold `${VARIABLE}`: secrets come from the environment. On `digest`, a weekday of UTC, what the week
    before it brought is sent there too; None: it is not.
    """

    webhook: str | None = None
    apprise: tuple[str, ...] = ()
    digest: str | None = None


class OnlineConfig(Struct, frozen=True, kw_only=True):
    """What is done with live traces.

    Attributes:
        sample: The share of traces that is scored, from 0 to 1, chosen by their ids.
        always: Rules whose traces are scored whatever the share is.
        slow_ms: What the rule `slow` calls slow; by default slower than 95 % of the latest.
        metrics: What is scored; none may need a reference. None: those of `METRICS` that the judge can answer.
        budget_usd_per_day: US dollars that judging may cost on a day of UTC; None for no bound.
        calls_per_day: Calls of judges likewise.
        traces_per_day: Traces likewise.
        concurrency: Traces that are scored at a time, and calls of judges in flight.
        attempts: How often a trace is tried.
        lease_s: After this time another worker takes what a worker has that is silent.
        quiet_s: A trace whose root did not end is understood when so long nothing came.
        ended_s: One whose root has ended, so long after its last span.
        retention_days: After so many days a trace is deleted with all that was derived; None: never.
        redact: Names of patterns (`email`, `phone`, ...), or `re:` and a regular expression; what matches
            is not stored.
        redact_with: `module:function` or `path.py:function` that texts go through before they are stored.
        hash_users: Ids of users and sessions are hashed with the key in ACIDTEST_HASH_KEY.
        emit: An OTLP/HTTP address that results are sent back to.
        targets: Metric and value, as in `[targets]`, for alerts.
        reference: The first and the last day (UTC, such as 2026-10-01) of what drift is held against; by
            default the first 28 days.
        look_every_s: Seconds between two looks for alerts.
        alerts: Where these go.
    """

    sample: float = 0.1
    always: tuple[str, ...] = ("thumbs-down", "error", "abstained")
    slow_ms: float | None = None
    metrics: tuple[str, ...] | None = None
    budget_usd_per_day: float | None = None
    calls_per_day: int | None = None
    traces_per_day: int | None = None
    concurrency: int = 8
    attempts: int = 8
    lease_s: float = 120.0
    quiet_s: float = 30.0
    ended_s: float = 2.0
    retention_days: float | None = None
    redact: tuple[str, ...] = ()
    redact_with: str | None = None
    hash_users: bool = False
    emit: str | None = None
    targets: dict[str, float] = {}
    reference: tuple[str, str] | None = None
    look_every_s: float = 900.0
    alerts: AlertsConfig = AlertsConfig()


def check_online(config: OnlineConfig, where: str) -> None:
    """Refuse what is not possible.

    Args:
        config: The table.
        where: The file and the table, for messages.

    Raises:
        BadConfig: A number is out of its range, or a pattern or address is none.
        UnknownName: There is no such rule.
    """
    if not 0 <= config.sample <= 1:
        raise BadConfig(f"sample is {config.sample}", where=where, fix="Give a share from 0 to 1.")
    for rule in config.always:
        _check_rule(rule, where)
    _check_ranges(config, where)
    if config.reference is not None:
        reference_of(config.reference, f"{where} reference")
    _check_digest(config.alerts, f"{where} alerts.digest")
    check_redaction(config.redact, f"{where} redact")
    if not all(address.strip() for address in config.alerts.apprise):
        raise BadConfig(
            "alerts.apprise has an empty address",
            where=where,
            fix="Leave it out: nobody would be told.",
        )
    for name, address in (("emit", config.emit), ("alerts.webhook", config.alerts.webhook)):
        _check_address(name, address, where)


def reference_of(days: tuple[str, str], where: str) -> tuple[int, int]:
    """Return when a first and a last day begin and end, in milliseconds since 1970, UTC; the end is excluded.

    Raises:
        BadConfig: One is no day, or there are fewer than seven.
    """
    try:
        first, last = (date.fromisoformat(day) for day in days)
    except ValueError as error:
        raise BadConfig(
            f"{' to '.join(days)!r} are no days",
            where=where,
            fix='Give the first and the last: ["2026-10-01", "2026-10-28"].',
        ) from error
    count = (last - first).days + 1
    if count < _LEAST_DAYS:
        raise BadConfig(
            f"{first} to {last} are {max(count, 0)} days",
            where=where,
            fix=f"Give {_LEAST_DAYS} days or more, four weeks at best.",
        )
    start = (first - date(1970, 1, 1)).days
    return start * _DAY_MS, (start + count) * _DAY_MS


def _check_digest(config: AlertsConfig, where: str) -> None:
    if config.digest is None:
        return
    if config.digest not in WEEKDAYS:
        raise UnknownName("weekday", config.digest, WEEKDAYS, where=where)
    if not (config.webhook or config.apprise):
        raise BadConfig(
            "there is nowhere to send it",
            where=where,
            fix="Give a webhook or addresses for apprise beside it.",
        )


def _check_rule(rule: str, where: str) -> None:
    kind, colon, name = rule.partition(":")
    if colon and kind in NAMED and name.strip():
        return
    if rule not in RULES:
        known = (*RULES, "tag:NAME", "model:NAME")
        raise UnknownName("rule", rule, known, where=f"{where} always")


def _check_ranges(config: OnlineConfig, where: str) -> None:
    ranges: Mapping[str, tuple[float, float]] = {
        "budget_usd_per_day": (0, float("inf")),
        "calls_per_day": (0, float("inf")),
        "traces_per_day": (0, float("inf")),
        "concurrency": (1, _MOST_TRACES),
        "attempts": (1, _MOST_TRIES),
        "lease_s": (1, _LONGEST_S),
        "quiet_s": (0, _LONGEST_S),
        "ended_s": (0, _LONGEST_S),
        "retention_days": (0, _LONGEST_DAYS),
        "look_every_s": (60, _LONGEST_S),
    }
    for name, (least, most) in ranges.items():
        value = getattr(config, name)
        if value is not None and not least <= value <= most:
            more = f" to {most:g}" if most < float("inf") else " or more"
            raise BadConfig(f"{name} is {value}", where=where, fix=f"Give {least:g}{more}.")
    for name in ("slow_ms", "retention_days"):
        value = getattr(config, name)
        if value is not None and not value > 0:
            raise BadConfig(f"{name} is {value}", where=where, fix="Give a number above 0.")


def _check_address(name: str, address: str | None, where: str) -> None:
    if address is None:
        return
    try:
        parts = urlsplit(address)
        # Asking for the port checks it.
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        good = known and not any(c.isspace() for c in address)
    except ValueError:
        good = False
    if not good and not _VARIABLE.match(address):
        raise BadConfig(
            f"{name} is no address", where=where, fix="Write it like http://127.0.0.1:4318."
        )
