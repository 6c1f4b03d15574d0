"""Plain values to OTLP's JSON, the way back from `values.py`."""

from collections.abc import Mapping
from typing import Any

from acidtest.tracing.otlp.values import plain


def pairs(attributes: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return attributes as OTLP writes them; what is None is left out."""
    return [
        {"key": str(key), "value": any_value(each)}
        for key, each in attributes.items()
        if each is not None
    ]


def any_value(given: Any) -> dict[str, Any]:
    """Return one value as OTLP writes it: whole numbers as text, what JSON cannot hold as its text."""
    value = plain(given)
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        # An int64 by the protocol; a larger one is kept as what it says.
        return {"intValue": str(value)} if value < 1 << 63 else {"stringValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [any_value(each) for each in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": pairs(value)}}
    return {} if value is None else {"stringValue": value}
