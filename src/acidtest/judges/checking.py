"""Checking a decoded reply against the closed lists and lengths of its schema.

The schema is read once and turned into one function, which looks only where words or lengths can be
wrong. What the parts of a schema without such limits hold is never looked at.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[Any], str | None]
"""Says where and what is wrong, from this node on; None when nothing is."""


def checking(form: Mapping[str, Any]) -> Check | None:
    """Return the check of a schema; None when there is nothing to check."""
    defs = form.get("$defs", {})
    # What is referred to may hold itself: it is read when it is first met in a reply.
    later: dict[str, Check | None] = {}

    def referred(name: str) -> Check:
        def check(value: Any) -> str | None:
            if name not in later:
                later[name] = _check(defs[name], referred)
            there = later[name]
            return there(value) if there else None

        return check

    return _check(form, referred)


def _check(node: Mapping[str, Any], referred: Callable[[str], Check]) -> Check | None:
    if "$ref" in node:
        return referred(node["$ref"].rpartition("/")[2])
    if "anyOf" in node:
        return _any(node["anyOf"], referred)
    members = {
        name: check
        for name, inner in node.get("properties", {}).items()
        if (check := _check(inner, referred))
    }
    each = _check(node["items"], referred) if "items" in node else None
    checks = [
        check
        for check in (
            _words(node["enum"]) if "enum" in node else None,
            _length(node) if "minItems" in node or "maxItems" in node else None,
            _members(members) if members else None,
            _items(each) if each else None,
        )
        if check
    ]
    return checks[0] if len(checks) == 1 else _first(checks) if checks else None


def _first(checks: list[Check]) -> Check:
    def check(value: Any) -> str | None:
        return next((fault for each in checks if (fault := each(value)) is not None), None)

    return check


def _any(options: list[Mapping[str, Any]], referred: Callable[[str], Check]) -> Check | None:
    checks = [_check(option, referred) for option in options if option.get("type") != "null"]
    if not checks or None in checks:
        return None

    def check(value: Any) -> str | None:
        if value is None:
            return None
        faults = [each(value) for each in checks if each]
        return None if None in faults else faults[0]

    return check


def _words(words: list[Any]) -> Check:
    def check(value: Any) -> str | None:
        if value in words:
            return None
        said = json.dumps(value, ensure_ascii=False, default=str)
        return f" is {said[:60]}, and must be one of {', '.join(map(str, words))}"

    return check


def _length(node: Mapping[str, Any]) -> Check:
    least, most = node.get("minItems", 0), node.get("maxItems")

    def check(value: Any) -> str | None:
        if not isinstance(value, list | tuple):
            return None
        if least <= len(value) and (most is None or len(value) <= most):
            return None
        return f" has {len(value)} items, and {least or most} were asked for"

    return check


def _members(members: dict[str, Check]) -> Check:
    def check(value: Any) -> str | None:
        if not isinstance(value, dict):
            return None
        for name, each in members.items():
            if name in value and (fault := each(value[name])) is not None:
                return f".{name}{fault}"
        return None

    return check


def _items(each: Check) -> Check:
    def check(value: Any) -> str | None:
        if not isinstance(value, list | tuple):
            return None
        for n, item in enumerate(value):
            if (fault := each(item)) is not None:
                return f"[{n}]{fault}"
        return None

    return check
