"""Ids of dictionaries as text: what stands beside them comes from a file or a table, where all ids are."""

from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import Any

from acidtest.codec.rows.row import shown
from acidtest.errors import BadData

_TEXT = frozenset({str})


def with_text_ids(given: Any, where: str) -> Any:
    """Return judgements or a run in which ids that are whole numbers are text.

    What is no mapping by query id is returned as it is, and so is every id that is neither.

    Raises:
        BadData: An id stands there as a number and as text.
    """
    if not isinstance(given, Mapping):
        return given
    if not {*map(type, given)} <= _TEXT:
        given = _renamed(given, where)
    found = {query: _texts(ids, query) for query, ids in given.items()}
    return given if all(found[query] is ids for query, ids in given.items()) else found


def _texts(ids: Any, query: object) -> Any:
    if isinstance(ids, str) or not isinstance(ids, Iterable) or {*map(type, ids)} <= _TEXT:
        return ids
    if isinstance(ids, Mapping):
        return _renamed(ids, f"query {shown(query)}")
    return list(map(_text, ids))


def _renamed(given: Mapping[Any, Any], where: str) -> dict[Any, Any]:
    renamed: dict[Any, Any] = {}
    for id_, value in given.items():
        if (text := _text(id_)) in renamed:
            raise BadData(
                f"the id {shown(text)} stands there as a number and as text",
                where=where,
                fix="Make all ids text.",
            )
        renamed[text] = value
    return renamed


def _text(id_: Any) -> Any:
    if isinstance(id_, bool):
        return id_
    return str(int(id_)) if isinstance(id_, Integral) else id_
