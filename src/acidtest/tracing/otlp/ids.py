"""Ids of traces and spans in OTLP: 32 and 16 hex digits, not all zero."""

import re

NO_TRACE = "0" * 32
NO_SPAN = "0" * 16

_TRACE = re.compile(r"[0-9a-fA-F]{32}").fullmatch
_SPAN = re.compile(r"[0-9a-fA-F]{16}").fullmatch


def is_trace_id(text: str) -> bool:
    """Say whether a text is a trace id, in upper or lower case."""
    return _TRACE(text) is not None and text != NO_TRACE


def is_span_id(text: str) -> bool:
    """Say whether a text is a span id, in upper or lower case."""
    return _SPAN(text) is not None and text != NO_SPAN


def fault_of_id(field: str, text: str, digits: int) -> str:
    """Say what is wrong with an id that is none; hostile text stays short."""
    if not text:
        return f"it has no {field}"
    if text.strip("0") == "" and len(text) == digits:
        return f"its {field} is all zeros, which means none"
    shown = repr(text[:40]) + ("..." if len(text) > 40 else "")
    base64 = len(text) == -(-digits // 6) * 4 and not text.isalnum()
    looks = ", and looks like base64, which OTLP does not use for ids" if base64 else ""
    return f"its {field} {shown} has {len(text)} characters{looks}; it must be {digits} hex digits"
