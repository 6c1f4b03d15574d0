"""Reading named members off whatever a pipeline returns, and describing it when it is no good.

A pipeline may return mappings, dataclasses, records of a framework: all are read by name, mappings by
key and everything else by attribute. Methods are never taken for data.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

MISSING: Final[Any] = object()
"""What `first` gives when no name is there; None counts as not there."""

_SURROGATES = re.compile("[\ud800-\udfff]")
_SHOWN = 80


def first(value: Any, names: Sequence[str]) -> Any:
    """Return the first member that is there and not None, by key or attribute; else `MISSING`."""
    if isinstance(value, Mapping):
        for name in names:
            found = value.get(name)
            if found is not None:
                return found
        return MISSING
    for name in names:
        found = getattr(value, name, None)
        if found is not None and not callable(found):
            return found
    return MISSING


def first_name(value: Any, names: Sequence[str]) -> str | None:
    """Return the name under which `first` finds its member."""
    return next((name for name in names if first(value, (name,)) is not MISSING), None)


def is_record(value: Any) -> bool:
    """Say whether a value can carry named members: a mapping, or an object of some class.

    Plain values, text, bytes and collections cannot; a named tuple can.
    """
    if isinstance(value, Mapping):
        return True
    if isinstance(value, tuple):
        return hasattr(value, "_fields")
    plain = (str, bytes, bytearray, memoryview, int, float, complex, list, set, frozenset)
    return value is not None and not isinstance(value, (*plain, type)) and not callable(value)


def number(value: Any) -> float | None:
    """Return a real number of any kind (numpy's and tensors' scalars too) as float, else None.

    NaN and the infinities come back as they are; the caller says what becomes of them.
    """
    if isinstance(value, bool | str | bytes | bytearray | complex) or not hasattr(
        value, "__float__"
    ):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def clean(text: str, *, limit: int, what: str, notes: list[str]) -> str:
    """Return text that any file or store can hold, noting what had to be mended.

    Args:
        text: Anything; a subclass of str becomes plain.
        limit: The most characters that are kept.
        what: What the text is, for the note.
        notes: Gets a line when the text was cut or held half a surrogate pair.
    """
    plain = str.__str__(text)
    if len(plain) > limit:
        notes.append(f"{what} has {len(plain):,} characters and was cut to {limit:,}")
        plain = plain[:limit]
    if not plain.isascii() and _SURROGATES.search(plain):
        notes.append(f"{what} held halves of surrogate pairs, which were replaced")
        plain = _SURROGATES.sub("\ufffd", plain)
    return plain


def shown(value: Any) -> str:
    """Describe a value for an error message, briefly and whatever it is."""
    kind = type(value).__name__
    if value is None or isinstance(value, bool):
        return repr(value)
    if isinstance(value, str | bytes | bytearray):
        head = repr(value[:_SHOWN])
        return f"{kind} {head}{'...' if len(value) > _SHOWN else ''}"
    if isinstance(value, int | float):
        return f"{kind} {repr(value)[:_SHOWN] if abs(value) < 10**_SHOWN else '(huge)'}"
    if isinstance(value, Mapping):
        keys = [repr(key)[:_SHOWN] for key, _ in zip(value, range(8), strict=False)]
        more = ", ..." if len(value) > 8 else ""
        return f"{kind} with the keys {', '.join(keys)}{more}" if keys else f"empty {kind}"
    if isinstance(value, list | tuple | set | frozenset):
        return f"{kind} of {len(value)}"
    return f"{type(value).__module__}.{type(value).__qualname__}"
