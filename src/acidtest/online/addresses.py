"""Addresses that people are told at: `${VARIABLE}` filled in, shown without what is secret, and checked."""

import hashlib
import os
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from acidtest.errors import BadConfig
from acidtest.extras import folder
from acidtest.online.config import AlertsConfig

TABLE = "[online.alerts]"

_VARIABLE = re.compile(r"\$\{(\w+)\}")


def check_channels(
    config: AlertsConfig, where: str = TABLE, environment: Mapping[str, str] = os.environ
) -> None:
    """Refuse to begin where somebody could never be told: found out at the first alert, it is too late.

    Args:
        config: Where people are told.
        where: The file and the table, for messages.
        environment: Where `${VARIABLE}` comes from.

    Raises:
        BadConfig: A variable is not set, or what it holds is no web address. The message never shows it.
        MissingExtra: There are addresses for apprise, which is not installed.
    """
    if config.webhook:
        place = f"{where} webhook"
        if not _is_web(filled(config.webhook, environment, place)):
            raise BadConfig(
                "with its variables filled in it is no address",
                where=place,
                fix="It must be a whole one, such as https://hooks.example.org/KEY.",
            )
    for each in config.apprise:
        filled(each, environment, f"{where} apprise")
    if config.apprise:
        folder("apprise", extra="alerts")


def reached(config: AlertsConfig, environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return where people are told, each address without what is secret.

    Raises:
        BadConfig: A variable is not set, or empty.
    """
    listed = [config.webhook, *config.apprise] if config.webhook else config.apprise
    return [shown(filled(each, environment)) for each in listed]


def filled(address: str, environment: Mapping[str, str], where: str = TABLE) -> str:
    """Return an address with its `${VARIABLES}` filled in.

    Raises:
        BadConfig: A variable is not set, or empty.
    """

    def value(found: re.Match[str]) -> str:
        name = found[1]
        if not environment.get(name):
            why = "is empty" if name in environment else "is not set"
            raise BadConfig(
                f"the variable {name} {why}",
                where=where,
                fix=f"Set it where this is started: export {name}=...",
            )
        return environment[name]

    return _VARIABLE.sub(value, address)


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


def mark_of(raw: str) -> str:
    """Return what tells an address of the configuration from the others, and nothing of it."""
    return hashlib.sha256(raw.encode(errors="replace")).hexdigest()[:16]


def _is_web(address: str) -> bool:
    try:
        parts = urlsplit(address)
        # Asking for the port checks it.
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
