"""Telling people: a webhook that is posted JSON, and whatever `apprise` reaches.

Nothing here raises for what the other side does, and no address is ever shown whole: paths and queries of
webhooks are secrets, and so are addresses of apprise. What came of it is returned, to be kept and shown.
"""

import asyncio
import hashlib
import hmac
import os
from collections.abc import Container, Mapping, Sequence
from typing import Any

from msgspec import Struct

from acidtest.errors import BadConfig, MissingExtra
from acidtest.online.addresses import filled, mark_of, shown
from acidtest.online.apart import UNKNOWN, handed_over
from acidtest.online.config import AlertsConfig

SECRET = "ACIDTEST_WEBHOOK_SECRET"  # noqa: S105 - the name of a variable
"""The variable of the environment whose value signs what a webhook is posted."""

SIGNATURE = "Acidtest-Signature"

_TRIES = 4
_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0
_TIMEOUT_S = 10.0
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
LONGEST = 2_000
"""Characters of a message to people."""


class Parcel(Struct, frozen=True, kw_only=True):
    """One thing to tell, as a program and as people read it.

    Attributes:
        key: What it is about.
        state: What is told of it.
        body: JSON for a webhook.
        title: For people, a few words.
        text: For people; it holds nothing that a chat would act on.
    """

    key: str
    state: str
    body: bytes
    title: str
    text: str


class Sent(Struct, frozen=True, kw_only=True):
    """What came of telling somebody of one thing.

    Attributes:
        key: Of the parcel, such as an alert's.
        state: Its state that was told.
        to: Where, without what is secret.
        at_ms: When.
        tries: How often it was tried.
        error: Why it did not arrive; empty if it did.
        channel: Which address of the configuration it was; see `mark_of`.
    """

    key: str
    state: str
    to: str
    at_ms: int
    tries: int
    error: str = ""
    channel: str = ""


async def send(
    parcels: Sequence[Parcel],
    config: AlertsConfig,
    *,
    now_ms: int,
    environment: Mapping[str, str] = os.environ,
    without: Container[str] = (),
    pause_s: float = _PAUSE_S,
    timeout_s: float = _TIMEOUT_S,
) -> list[Sent]:
    """Send parcels wherever the configuration says; to all addresses at the same time.

    Args:
        parcels: What to tell.
        config: Where to.
        now_ms: The time.
        environment: Where `${VARIABLE}` and the webhook's secret come from.
        without: Marks of addresses that are left out.
        pause_s: Before the second try; twice as long before each next one.
        timeout_s: How long one try may take.
    """
    if not parcels:
        return []
    work = []
    if config.webhook and mark_of(config.webhook) not in without:
        work.append(
            _webhook(
                parcels, config.webhook, now_ms, environment, pause_s=pause_s, timeout_s=timeout_s
            )
        )
    work += [
        _apprise(parcels, each, now_ms, environment, timeout_s)
        for each in config.apprise
        if mark_of(each) not in without
    ]
    return [sent for some in await asyncio.gather(*work) for sent in some]


def signature(secret: str, seconds: int, body: bytes) -> str:
    """Return what is sent as `Acidtest-Signature`: the time, and HMAC-SHA256 of "time.body" in hex."""
    digest = hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={digest}"


async def _webhook(
    parcels: Sequence[Parcel],
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
        return [_sent(one, raw, "webhook", now_ms, 0, unset.what) for one in parcels]
    secret = environment.get(SECRET)
    found = []
    timeout = aiohttp.ClientTimeout(total=timeout_s)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        for one in parcels:
            headers = {"Content-Type": "application/json", "User-Agent": "acidtest"}
            if secret:
                headers[SIGNATURE] = signature(secret, now_ms // 1000, one.body)
            tries, error = await _posted(session, url, one.body, headers, pause_s)
            found.append(_sent(one, raw, shown(url), now_ms, tries, error))
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
    parcels: Sequence[Parcel],
    raw: str,
    now_ms: int,
    environment: Mapping[str, str],
    timeout_s: float,
) -> list[Sent]:
    try:
        address = filled(raw, environment)
        messages = [(one.title, one.text) for one in parcels]
        errors = await handed_over(address, messages, timeout_s=timeout_s * _TRIES)
    except (BadConfig, MissingExtra) as lacking:
        return [_sent(one, raw, shown(raw), now_ms, 0, str(lacking)) for one in parcels]
    except OSError as failure:
        why = f"apprise could not be started ({type(failure).__name__})"
        return [_sent(one, raw, shown(raw), now_ms, 0, why) for one in parcels]
    return [
        _sent(one, raw, shown(address), now_ms, 0 if error == UNKNOWN else 1, error)
        for one, error in zip(parcels, errors, strict=True)
    ]


def _sent(one: Parcel, raw: str, to: str, now_ms: int, tries: int, error: str) -> Sent:
    return Sent(
        key=one.key,
        state=one.state,
        to=to,
        at_ms=now_ms,
        tries=tries,
        error=error,
        channel=mark_of(raw),
    )
