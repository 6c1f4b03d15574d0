"""Halves of surrogate pairs: JSON and Python can hold them, no UTF-8 file, store or wire can."""

import re
from typing import Any

_HALF = re.compile("[\ud800-\udfff]")


def without_halves(text: str) -> str:
    """Return the text with every half of a pair as U+FFFD; the same text where there is none."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _HALF.sub("\ufffd", text)
    return text


def without_halves_in(value: Any) -> Any:
    """Return JSON-like data with that done to every text and key in it; tuples become lists."""
    if isinstance(value, str):
        return without_halves(value)
    if isinstance(value, list | tuple):
        return [without_halves_in(each) for each in value]
    if isinstance(value, dict):
        return {without_halves(k): without_halves_in(each) for k, each in value.items()}
    return value
