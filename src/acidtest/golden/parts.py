"""The nested parts of a case: evidence, history, tags, reference."""

from typing import Any

from acidtest.codec.fields import Given
from acidtest.codec.rows.row import Row, kind, shown
from acidtest.codec.values import identifier, listed, mapping, text, unpacked
from acidtest.data.golden import Evidence, Turn
from acidtest.errors import suggestion

_EVIDENCE = {
    "text": "text",
    "content": "text",
    "page_content": "text",
    "chunk_id": "chunk_id",
    "id": "chunk_id",
    "doc_id": "doc_id",
    "document_id": "doc_id",
    "doc_version": "doc_version",
    "start": "start",
    "end": "end",
}
_SAID = ("content", "text")


def reference(row: Row, given: Given) -> tuple[str | None, list[str]]:
    """Return the expected answer, and all of them where a list gives alternatives.

    An empty one is none. One of spaces stays: it is a slip, which the metrics skip, and no reason to
    refuse the other cases.
    """
    value = unpacked(row, given) if not isinstance(given.value, str) else given.value
    if isinstance(value, str) and not value.strip():
        return value or None, []
    if not isinstance(value, list):
        return text(row, Given(given.name, value)), []
    alternatives = [
        text(row, Given(f"{given.name}[{place}]", one)) for place, one in enumerate(value)
    ]
    if len(alternatives) <= 1:
        return (alternatives[0] if alternatives else None), []
    return alternatives[0], alternatives


def evidence(row: Row, given: Given) -> tuple[Evidence, ...]:
    """Return the texts of relevant chunks: bare texts, or mappings with text and ids."""
    return tuple(
        _evidence(row, Given(f"{given.name}[{place}]", item))
        for place, item in enumerate(_members(row, given))
    )


def _members(row: Row, given: Given) -> list[Any]:
    value = unpacked(row, given)
    return [value] if isinstance(value, dict) else listed(row, given)


def _evidence(row: Row, given: Given) -> Evidence:
    if not isinstance(given.value, dict):
        return Evidence(text=text(row, given))
    found: dict[str, Given] = {}
    for name, value in given.value.items():
        field = _EVIDENCE.get(name)
        if field is None:
            raise row.fault(
                f"unknown field {shown(name)}", field=given.name, fix=suggestion(name, _EVIDENCE)
            )
        if field in found:
            raise row.fault(f"{field} is given under two names", field=given.name)
        if value is not None:
            found[field] = Given(f"{given.name}.{name}", value)
    if "text" not in found:
        raise row.fault("has no text", field=given.name, fix='Write {"text": ...}.')
    names = {
        name: identifier(row, found[name])
        for name in ("chunk_id", "doc_id", "doc_version")
        if name in found
    }
    edges = {name: _offset(row, found[name]) for name in ("start", "end") if name in found}
    start, end = edges.get("start"), edges.get("end")
    if start is not None and end is not None and start > end:
        raise row.fault("the end is before the start", field=given.name)
    return Evidence(
        text=text(row, found["text"]),
        chunk_id=names.get("chunk_id"),
        doc_id=names.get("doc_id"),
        doc_version=names.get("doc_version"),
        start=start,
        end=end,
    )


def _offset(row: Row, given: Given) -> int:
    if type(given.value) is not int or given.value < 0:
        raise row.fault(
            f"must be a whole number of characters, not {shown(given.value)}", field=given.name
        )
    return given.value


def history(row: Row, given: Given) -> tuple[Turn, ...]:
    """Return the earlier turns: mappings of role and content, or bare texts.

    Bare texts alternate and end with the assistant, since the question that follows is the user's.
    """
    items = _members(row, given)
    bare = [isinstance(item, str) for item in items]
    if all(bare):
        roles = [("assistant", "user")[(len(items) - 1 - place) % 2] for place in range(len(items))]
        return tuple(
            Turn(role, text(row, Given(f"{given.name}[{place}]", item)))
            for place, (role, item) in enumerate(zip(roles, items, strict=True))
        )
    return tuple(
        _turn(row, Given(f"{given.name}[{place}]", item)) for place, item in enumerate(items)
    )


def _turn(row: Row, given: Given) -> Turn:
    turn = given.value
    fix = 'Write {"role": "user", "content": "..."}.'
    if not isinstance(turn, dict):
        raise row.fault(f"a turn is not {kind(turn)}", field=given.name, fix=fix)
    for name in turn:
        if name not in ("role", *_SAID):
            raise row.fault(f"unknown field {shown(name)}", field=given.name, fix=fix)
    said = [name for name in _SAID if turn.get(name) is not None]
    if not isinstance(turn.get("role"), str) or not turn["role"].strip() or len(said) != 1:
        raise row.fault("a turn has a role and a content", field=given.name, fix=fix)
    return Turn(turn["role"], text(row, Given(f"{given.name}.{said[0]}", turn[said[0]])))


def tags(row: Row, given: Given) -> tuple[str, ...]:
    """Return the tags, each once: a list, or one text with commas (in a table also | and ;)."""
    value = unpacked(row, given)
    if isinstance(value, str):
        marks = ",|;" if row.flat else ","
        for mark in marks:
            value = value.replace(mark, ",")
        value = [part for part in value.split(",") if part.strip()]
    if not isinstance(value, list):
        raise row.fault(f"must be a list of texts, not {kind(value)}", field=given.name)
    names = [text(row, Given(given.name, name)).strip() for name in value]
    return tuple(dict.fromkeys(names))


def metadata(row: Row, given: Given) -> dict[str, Any]:
    """Return anything that stands under a case's metadata."""
    return mapping(row, given)
