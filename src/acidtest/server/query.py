"""What an address asks for after its `?`: read with care, and refused where any of it is not understood.

A filter that is left out because it was misspelt shows more than was asked for, and nobody notices.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

from litestar.exceptions import ValidationException

from acidtest.server.render import AnyRequest

LONGEST = 500
"""Characters that one value may have."""

OWN = {"own_query": True}
"""`opt` of handlers that read the query themselves, or that do not care; all others take none."""

_MOST = 100
_NAME = 60


class Asked(NamedTuple):
    """What was asked for: values that are not empty, as they were typed, and what is wrong with some, by field."""

    given: dict[str, str]
    errors: dict[str, str]

    def understood(self) -> dict[str, str]:
        """Return the values.

        Raises:
            ValidationException: Any of it is not understood.
        """
        if self.errors:
            raise not_understood(self.errors)
        return self.given


def asked(request: AnyRequest, *names: str) -> Asked:
    """Read the fields that an address may have; any other is an error, and so is one that is given twice."""
    query: bytes = request.scope["query_string"]
    try:
        pairs = parse_qsl(
            query.decode("utf-8", "surrogateescape"),
            keep_blank_values=True,
            errors="surrogateescape",
            max_num_fields=_MOST,
        )
    except ValueError:
        return Asked({}, {"?": f"Write up to {_MOST} fields."})
    given: dict[str, str] = {}
    errors: dict[str, str] = {}
    for raw_name, raw_value in pairs:
        name, value = _text(raw_name), _text(raw_value).strip()
        if not (name or value):
            continue
        if name not in names:
            errors[name[:_NAME]] = f"There is no such field{_known(names)}."
        elif value and given.setdefault(name, value) != value:
            errors[name] = "It is given twice: say it once."
        elif len(value) > LONGEST:
            errors[name] = f"Write up to {LONGEST} characters."
        elif _text(raw_value) != raw_value:
            errors[name] = "It is not UTF-8."
    return Asked(given, errors)


def not_understood(errors: Mapping[str, str]) -> ValidationException:
    """Return the refusal of an address, which names its fields."""
    told = "; ".join(f"{name}: {why}" for name, why in errors.items())
    return ValidationException(told, extra={"fields": dict(errors)})


def check_query(request: AnyRequest) -> None:
    """Refuse a query where the handler takes none.

    Raises:
        ValidationException: There is one.
    """
    if not request.route_handler.opt.get("own_query"):
        asked(request).understood()


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


def _text(raw: str) -> str:
    return raw.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _known(names: tuple[str, ...]) -> str:
    return f"; there are {', '.join(names)}" if names else " here"
