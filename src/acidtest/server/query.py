"""What an address asks for after its `?`, read with care: any of it may be missing, twice, or nonsense."""

from collections.abc import Mapping
from datetime import UTC, datetime
from urllib.parse import urlencode

from acidtest.server.render import AnyRequest

LONGEST = 500
"""Characters of one value that are looked at."""


def asked(request: AnyRequest, *names: str) -> dict[str, str]:
    """Return the values of some names that are given and not empty; of several the last."""
    given = {name: str(request.query_params.get(name) or "").strip() for name in names}
    return {name: value[:LONGEST] for name, value in given.items() if value}


def day_ms(text: str) -> int | None:
    """Return when a day begins, written 2026-11-30, UTC; None where it is none."""
    try:
        found = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        return None
    return max(int(found.timestamp()) * 1000, 0)


def address(path: str, wanted: Mapping[str, object | None]) -> str:
    """Return an address with what is asked for; what is None or empty is left out."""
    query = urlencode({k: str(v) for k, v in wanted.items() if v not in (None, "")})
    return f"{path}?{query}" if query else path
