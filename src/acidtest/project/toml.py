"""A TOML document that is to be a record: read, and checked for what nothing here could use.

Every error names the file and the key.
"""

import math
import re
import tomllib
from collections.abc import Collection
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin

import msgspec
from msgspec import Struct

from acidtest.errors import BadConfig, UnknownName

MAX_BYTES = 1_000_000
"""A larger file is no configuration."""

_PLACE = re.compile(r" \(at line (?P<line>\d+), column \d+\)$")

_MAX_DEPTH = 20
_MAX_INTEGER = 2**63 - 1  # TOML's own bound


def read_toml(path: Path) -> dict[str, Any]:
    """Return the document of a file.

    Raises:
        BadConfig: It is not there, cannot be read, or is none.
    """
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise BadConfig(
                f"over {MAX_BYTES:,} bytes: this is no configuration",
                where=str(path),
                fix="Check the path: --config names the configuration file.",
            )
        return tomllib.loads(content.decode("utf-8-sig"))
    except FileNotFoundError as error:
        raise BadConfig("no such file", where=str(path), fix="Make one: acidtest init") from error
    except OSError as error:
        raise BadConfig(
            f"cannot be read: {error.strerror}", where=str(path), fix="Check that you may read it."
        ) from error
    except UnicodeDecodeError as error:
        raise BadConfig(
            f"not UTF-8 (byte {error.start})", where=str(path), fix="Save the file as UTF-8."
        ) from error
    except tomllib.TOMLDecodeError as error:
        what, line = _placed(str(error))
        raise BadConfig(
            f"not TOML: {what}",
            where=f"{path}:{line}" if line else str(path),
            fix="Texts stand in quotes, a table begins with [NAME], and no name is given twice.",
        ) from error
    except RecursionError:
        raise BadConfig(
            "nested too deeply",
            where=str(path),
            fix="Write it flatter: nothing that is read here nests so deep.",
        ) from None
    except ValueError as error:  # an integer of thousands of digits
        raise BadConfig(
            f"holds a value that cannot be read: {error}",
            where=str(path),
            fix="Mend the value; a number may be too long.",
        ) from error


def _placed(told: str) -> tuple[str, str]:
    """Return what the parser says, and its line apart; empty where it names none."""
    found = _PLACE.search(told)
    return (told[: found.start()], found["line"]) if found else (told, "")


def check_usable(document: dict[str, Any], where: str) -> None:
    """Refuse what TOML can say and nothing here can use, wherever it stands.

    Raises:
        BadConfig: Nesting without end, a NUL character, a number that is not finite or too large.
    """
    left: list[tuple[str, Any, int]] = [("", document, 0)]
    while left:
        key, value, depth = left.pop()
        at = f"{where}: {key[:200]}"
        if depth > _MAX_DEPTH:
            raise BadConfig(
                "nested too deeply",
                where=at,
                fix="Write it flatter: nothing that is read here nests so deep.",
            )
        if isinstance(value, dict):
            if any("\0" in name for name in value):
                raise BadConfig(
                    "a key holds a NUL character", where=at, fix="Take the NUL character out."
                )
            left += [(f"{key}.{n}" if key else n, v, depth + 1) for n, v in value.items()]
        elif isinstance(value, list):
            left += [(key, item, depth + 1) for item in value]
        elif isinstance(value, str) and "\0" in value:
            raise BadConfig("holds a NUL character", where=at, fix="Take the NUL character out.")
        elif isinstance(value, float) and not math.isfinite(value):
            raise BadConfig(f"is {value}", where=at, fix="Give a finite number.")
        elif isinstance(value, int) and abs(value) > _MAX_INTEGER:
            raise BadConfig("the integer is too large", where=at, fix="Give a smaller number.")


def check_keys(
    document: dict[str, Any],
    kind: type[Struct],
    where: str,
    *,
    table: str = "",
    but: Collection[str] = (),
) -> None:
    """Refuse keys that are no field, in the document and in its tables.

    Args:
        document: The document, or one table of it.
        kind: The record that it is to be.
        where: The file, for messages.
        table: Which table it is.
        but: Fields that no file sets.

    Raises:
        UnknownName: There is no such key; the nearest one is suggested.
    """
    at = f"{where}: [{table}]" if table else where
    fields = {f.name: f.type for f in msgspec.structs.fields(kind) if f.name not in but}
    for key, value in document.items():
        if key not in fields:
            raise UnknownName("key", key, fields, where=at)
        if not isinstance(value, dict):
            continue
        inside = f"{table}.{key}" if table else key
        inner = _struct(fields[key])
        if inner is not None:
            check_keys(value, inner, where, table=inside)
        entries = _struct_of_entries(fields[key])
        if entries is not None:
            for name, entry in value.items():
                if isinstance(entry, dict):
                    check_keys(entry, entries, where, table=f"{inside}.{name}")


def told_key(document: dict[str, Any], path: str, kind: type[Struct]) -> str:
    """Return a faulty key in full: msgspec writes `pipelines[...].k`, we `[pipelines.NAME] k`.

    Args:
        document: The document.
        path: The key, as msgspec writes it.
        kind: What the document could not be made.
    """
    table, several, rest = path.partition("[...]")
    parts = table.split(".")
    entries: Any = document
    for part in parts:
        entries = entries.get(part) if isinstance(entries, dict) else None
    if several and isinstance(entries, dict):
        for name, value in entries.items():
            alone: Any = {name: value}
            for part in reversed(parts):
                alone = {part: alone}
            try:
                msgspec.convert(alone, kind)
            except msgspec.ValidationError:
                key = rest.replace("[...]", "").lstrip(".")
                return f"[{table}.{name}] {key}" if key else f"[{table}] {name}"
    return path.replace("[...]", "")


def _struct(kind: Any) -> type[Struct] | None:
    """Return the Struct that a field holds, also where it may be missing."""
    choices = get_args(kind) if isinstance(kind, UnionType) else (kind,)
    return next((k for k in choices if isinstance(k, type) and issubclass(k, Struct)), None)


def _struct_of_entries(kind: Any) -> type[Struct] | None:
    """Return the Struct that each entry of a field's table is, by whatever name."""
    return _struct(get_args(kind)[1]) if get_origin(kind) is dict else None
