"""What attributes hold, whatever it is: looked up, parsed and bounded, never trusted."""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import msgspec

from acidtest.data.outcomes import LARGEST
from acidtest.text.surrogates import without_halves

MAX_TEXT = 1_000_000
"""Characters of one text (a question, an answer, a chunk): as long as answer files may hold."""

MAX_JSON = 8_000_000
"""Characters of a JSON text that is still parsed: a prompt with its chunks is far below."""

MAX_DEPTH = 12
"""How deep values are looked into; chat payloads nest about six deep."""

RECORD = (dict, Mapping)
"""For `isinstance`: nearly all records are plain dicts, and to ask for any Mapping takes fifteen times as long."""

LIST = (list, tuple)
_NUMBER = (int, float)
_MAX_MEMBERS = 200
_MAX_PIECE = 10_000
_LARGEST_COUNT = 2**53


class Flat(dict[str, Any]):
    """Attributes none of which is a record: a name that is not there is nowhere else either."""

    @cached_property
    def names(self) -> str:
        """All names in one text: what does not stand in it is none of them, and begins none."""
        return "\n".join(key for key in self if isinstance(key, str))


def flat(record: dict[str, Any]) -> dict[str, Any]:
    """Return the same record, as a `Flat` one if it is: much is looked up in it that is not there."""
    if type(record) is Flat or any(isinstance(value, dict) for value in record.values()):
        return record
    return Flat(record)


def at(record: Any, path: str) -> Any:
    """Return the value under a dotted name, whether the names are flat or nested; None if absent."""
    if not isinstance(record, dict):
        return None
    found = record.get(path)
    if found is not None or type(record) is Flat:
        return found
    for head, rest in _splits(path):
        inner = record.get(head)
        if isinstance(inner, dict):
            found = at(inner, rest)
            if found is not None:
                return found
    return None


@lru_cache(maxsize=4096)
def _splits(path: str) -> tuple[tuple[str, str], ...]:
    """Return the ways to cut a dotted name in two; looked up a hundred times for each span."""
    steps = path.split(".")
    cuts = range(1, len(steps))
    return tuple((".".join(steps[:cut]), ".".join(steps[cut:])) for cut in cuts)


def first(record: Any, *paths: str) -> Any:
    """Return the first value that is there and says something."""
    if not isinstance(record, dict):
        return None
    nested = type(record) is not Flat
    for path in paths:
        found = record.get(path)
        if found is None and nested and "." in path:
            found = at(record, path)
        if found is None:
            continue
        if found if isinstance(found, str) else found not in ([], {}, ()):
            return found
    return None


def entries(record: Mapping[str, Any], path: str) -> list[dict[str, Any]]:
    """Return the records of a list: `path.0.a`, `path.1.a` ..., or a list (also as JSON) at `path`."""
    if type(record) is Flat and path not in record.names:
        return []
    whole = parsed(at(record, path))
    if isinstance(whole, RECORD):
        whole = [whole[key] for key in sorted(filter(_is_index, whole), key=int)]
    if isinstance(whole, LIST):
        return [dict(each) if isinstance(each, RECORD) else {"": each} for each in whole]
    lead = path + "."
    found: dict[int, dict[str, Any]] = {}
    for key, value in record.items():
        if isinstance(key, str) and key.startswith(lead):
            index, _, rest = key[len(lead) :].partition(".")
            if _is_index(index):
                found.setdefault(int(index), {})[rest] = value
    return [found[index] for index in sorted(found)]


def below(record: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Return what stands under `path.`: name -> value, from flat names or one nested record."""
    if type(record) is Flat and path not in record.names:
        return {}
    whole = parsed(at(record, path))
    found = dict(whole) if isinstance(whole, RECORD) else {}
    lead = path + "."
    for key, value in record.items():
        if isinstance(key, str) and key.startswith(lead):
            found[key[len(lead) :]] = value
    return found


def parsed(value: Any) -> Any:
    """Return what a JSON text holds, and anything else as it is."""
    if not isinstance(value, str) or len(value) > MAX_JSON:
        return value
    if value.lstrip()[:1] not in ("{", "[", '"'):
        return value
    try:
        return msgspec.json.decode(value.encode())
    except (ValueError, RecursionError):
        return value


def text(value: Any) -> str | None:
    """Return a text, cut at `MAX_TEXT`; None for what is no text or only white space."""
    if not isinstance(value, str):
        return None
    cut = without_halves(value[:MAX_TEXT])
    return cut if cut and not cut.isspace() else None


def name(value: Any) -> str | None:
    """Return a name or an id: a short text, or a whole number as text."""
    if isinstance(value, str):
        found = text(value)
        return found.strip()[:_MAX_PIECE] if found else None
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**128:
        return str(value)
    return None


def names(value: Any) -> tuple[str, ...]:
    """Return a list of names, each once; a lone one is a list of one."""
    value = parsed(value)
    many: Sequence[Any] = value if isinstance(value, LIST) else [value]
    found = (name(each) for each in many[:_MAX_MEMBERS])
    return tuple(dict.fromkeys(each for each in found if each))


def number(value: Any) -> float | None:
    """Return a finite number; also from its text, as some exporters write it."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and len(value) <= 40:
        try:
            value = float(value)
        except ValueError:
            return None
    if not isinstance(value, _NUMBER):
        return None
    if isinstance(value, int) and abs(value) > LARGEST:
        return None
    return float(value) if math.isfinite(value) and abs(value) <= LARGEST else None


def count(value: Any) -> int | None:
    """Return a whole number from 0 on, such as of tokens."""
    found = number(value)
    if found is None or found < 0 or found > _LARGEST_COUNT or found != int(found):
        return None
    return int(found)


def flag(value: Any) -> bool | None:
    """Return true or false, also in words."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower())
    return None


def plain(value: Any, depth: int = 0) -> Any:
    """Return a value as JSON can hold it, small enough to keep: for metadata."""
    if isinstance(value, str):
        return without_halves(value[:_MAX_PIECE])
    if isinstance(value, _NUMBER):
        # Stores keep whole numbers of 64 bits; JSON has no NaN.
        return value if _keeps(value) else None
    if depth >= MAX_DEPTH:
        return None
    if isinstance(value, RECORD):
        kept = [key for key in value if isinstance(key, str)][:_MAX_MEMBERS]
        return {without_halves(key[:200]): plain(value[key], depth + 1) for key in kept}
    if isinstance(value, LIST):
        return [plain(each, depth + 1) for each in value[:_MAX_MEMBERS]]
    return None


def _keeps(value: float) -> bool:
    return abs(value) < 2**63 if isinstance(value, int) else math.isfinite(value)


def record(value: Any) -> dict[str, Any]:
    """Return metadata: a mapping, also as JSON; empty for anything else."""
    value = parsed(value)
    found = plain(value) if isinstance(value, RECORD) else {}
    return {key: found[key] for key in sorted(found) if found[key] is not None}


def strings(value: Any, depth: int = 0) -> list[str]:
    """Return every text inside a value, in order: what a prompt holds, however it was packed."""
    value = parsed(value)
    if isinstance(value, str):
        return [value]
    if depth >= MAX_DEPTH:
        return []
    if isinstance(value, RECORD):
        value = list(value.values())
    if isinstance(value, LIST):
        return [piece for each in value for piece in strings(each, depth + 1)]
    return []


def _is_index(key: Any) -> bool:
    return isinstance(key, str) and key.isascii() and key.isdecimal() and len(key) <= 6
