"""Telling people of alerts: a webhook that is posted JSON, and whatever `apprise` reaches.

Nothing here raises for what the other side does, and no address is ever shown whole: paths and queries of
webhooks are secrets, and so are addresses of apprise. What came of it is returned, to be kept and shown.
"""

import asyncio
import hashlib
import hmac
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from acidtest.codec.lossy import encoded
from acidtest.data.watching import Alert
from acidtest.errors import BadConfig, MissingExtra
from acidtest.extras import need
from acidtest.online.config import AlertsConfig

SECRET = "ACIDTEST_WEBHOOK_SECRET"  # noqa: S105 - the name of a variable
"""The variable of the environment whose value signs what a webhook is posted."""

SIGNATURE = "Acidtest-Signature"

_TRIES = 4
_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0
_TIMEOUT_S = 10.0
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_LONGEST = 2_000  # characters of a message to people


class Sent(Struct, frozen=True, kw_only=True):
    """What came of telling somebody of one alert.

    Attributes:
        key: The alert's key.
        state: Its state that was told.
        to: Where, without what is secret.
        at_ms: When.
        tries: How often it was tried.
        error: Why it did not arrive; empty if it did.
    """

    key: str
    state: str
    to: str
    at_ms: int
    tries: int
    error: str = ""


async def tell(
    alerts: Sequence[Alert],
    config: AlertsConfig,
    *,
    now_ms: int,
    environment: Mapping[str, str] = os.environ,
    pause_s: float = _PAUSE_S,
    timeout_s: float = _TIMEOUT_S,
) -> list[Sent]:
    """Tell of alerts wherever the configuration says; all addresses at the same time.

    Args:
        alerts: What to tell, each as it now is.
        config: Where to.
        now_ms: The time.
        environment: Where `${VARIABLE}` and the webhook's secret come from.
        pause_s: Before the second try; twice as long before each next one.
        timeout_s: How long one try may take.
    """
    if not alerts:
        return []
    work = []
    if config.webhook:
        work.append(
            _webhook(
                alerts, config.webhook, now_ms, environment, pause_s=pause_s, timeout_s=timeout_s
            )
        )
    work += [_apprise(alerts, each, now_ms, environment, timeout_s) for each in config.apprise]
    return [sent for some in await asyncio.gather(*work) for sent in some]


def shown(address: str) -> str:
    """Return an address without what may be secret in it: its scheme, and a web address's host."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "an address"
    if parts.scheme in ("http", "https"):
        return f"{parts.scheme}://{host}{f':{port}' if port else ''}/..."
    return f"{parts.scheme}://..." if parts.scheme else "an address"


def signature(secret: str, seconds: int, body: bytes) -> str:
    """Return what is sent as `Acidtest-Signature`: the time, and HMAC-SHA256 of "time.body" in hex."""
    digest = hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={digest}"


def message(alert: Alert) -> str:
    """Return an alert as a short text for people."""
    begins = "Over" if alert.state == "ended" else "Alert"
    lines = [f"{begins}: {alert.title}"]
    for drift in alert.drifts:
        for name, side in (("before", drift.before), ("after", drift.after)):
            if side is None:
                continue
            edges = ""
            if side.low is not None and side.high is not None:
                edges = f" ({side.low:.3g} to {side.high:.3g})"
            lines.append(f"{drift.metric} {name}: {side.value:.3g}{edges}, {side.n} traces")
    if alert.worst:
        lines.append(f"traces: {', '.join(alert.worst)}")
    return "\n".join(lines)[:_LONGEST]


def filled(address: str, environment: Mapping[str, str]) -> str:
    """Return an address with its `${VARIABLES}` filled in.

    Raises:
        BadConfig: A variable is not set.
    """

    def value(found: re.Match[str]) -> str:
        name = found[1]
        if name not in environment:
            raise BadConfig(f"the variable {name} is not set", where="[online.alerts]")
        return environment[name]

    return _VARIABLE.sub(value, address)


async def _webhook(
    alerts: Sequence[Alert],
    raw: str,
    now_ms: int,
    environment: Mapping[str, str],
    *,
    pause_s: float,
    timeout_s: float,
) -> list[Sent]:
    import aiohttp

    try:
        url = filled(raw, environment)
    except BadConfig as unset:
        return [_sent(alert, "webhook", now_ms, 0, unset.what) for alert in alerts]
    secret = environment.get(SECRET)
    found = []
    timeout = aiohttp.ClientTimeout(total=timeout_s)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        for alert in alerts:
            body = encoded({"format": "acidtest/alert", "version": 1, "alert": alert})
            headers = {"Content-Type": "application/json", "User-Agent": "acidtest"}
            if secret:
                headers[SIGNATURE] = signature(secret, now_ms // 1000, body)
            tries, error = await _posted(session, url, body, headers, pause_s)
            found.append(_sent(alert, shown(url), now_ms, tries, error))
    return found


async def _posted(
    session: Any, url: str, body: bytes, headers: Mapping[str, str], pause_s: float
) -> tuple[int, str]:
    import aiohttp

    error = ""
    for tried in range(1, _TRIES + 1):
        wait = pause_s * 2 ** (tried - 1)
        try:
            # A redirect could lead to another host, which then had the alert and its signature.
            async with session.post(
                url, data=body, headers=headers, allow_redirects=False
            ) as response:
                if 200 <= response.status < 300:
                    return tried, ""
                if 300 <= response.status < 400:
                    return tried, f"it answered {response.status}; redirects are not followed"
                error = f"it answered {response.status}"
                if response.status not in _AGAIN:
                    return tried, error
                wait = max(wait, _seconds(response.headers.get("Retry-After")))
        except TimeoutError:
            error = "it did not answer in time"
        except ValueError:  # of aiohttp, or of the encoding of a host's name
            return tried, "it is no address"
        except (aiohttp.ClientError, OSError) as failure:
            error = f"it could not be reached ({type(failure).__name__})"
        if tried < _TRIES:
            await asyncio.sleep(min(wait, _LONGEST_PAUSE_S))
    return _TRIES, error


def _seconds(text: str | None) -> float:
    return float(text) if text and text.isascii() and text.isdigit() else 0.0


async def _apprise(
    alerts: Sequence[Alert],
    raw: str,
    now_ms: int,
    environment: Mapping[str, str],
    timeout_s: float,
) -> list[Sent]:
    try:
        address = filled(raw, environment)
        # It loads a hundred services, which takes seconds.
        service = await asyncio.to_thread(_opened, address)
    except (BadConfig, MissingExtra) as lacking:
        return [_sent(alert, shown(raw), now_ms, 0, str(lacking)) for alert in alerts]
    to = shown(address)
    if service is None:
        return [_sent(a, to, now_ms, 0, "apprise knows no such address") for a in alerts]
    found = []
    for alert in alerts:
        title = "acidtest: over" if alert.state == "ended" else "acidtest: alert"
        work = asyncio.to_thread(service.notify, body=message(alert), title=title)
        try:
            done = await asyncio.wait_for(work, timeout_s * _TRIES)
            error = "" if done else "it did not arrive"
        except TimeoutError:
            error = "it did not answer in time"
        except Exception as failure:  # noqa: BLE001 - plugins raise what they like
            error = f"apprise failed ({type(failure).__name__})"
        found.append(_sent(alert, to, now_ms, 1, error))
    return found


def _opened(address: str) -> Any:
    """Return what apprise sends with to an address; None where it knows no such address."""
    service = need("apprise", extra="alerts").Apprise()
    return service if service.add(address) else None


def _sent(alert: Alert, to: str, now_ms: int, tries: int, error: str) -> Sent:
    return Sent(key=alert.key, state=alert.state, to=to, at_ms=now_ms, tries=tries, error=error)
