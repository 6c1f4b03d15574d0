"""The retrieved chunks of one row: texts, ids, pairs of id and score, mappings.

A list of bare strings is read in one way: as texts where the field's name says so (`contexts`), else
as ids when every one looks like an id (ASCII, no white space, at most 200 characters), else as texts.
"""

import re
from collections.abc import Mapping
from typing import Any

from acidtest.codec.fields import Given
from acidtest.codec.names import DOCUMENTS, TEXTS, fold
from acidtest.codec.rows.row import Row, kind, shown
from acidtest.codec.values import identifier, listed, mapping, number, unpacked
from acidtest.data.answers import Chunk

MAX_CHUNKS = 10_000
MAX_TEXT = 1_000_000
ID = ("id", "chunk_id", "_id", "passage_id", "node_id", "context_id")
TEXT = ("text", "content", "page_content", "excerpt", "chunk_text", "passage", "snippet", "body")
SCORE = ("score", "similarity", "relevance_score")
DOC_ID = ("doc_id", "document_id")
SOURCE = ("source", "url")
_OWN = frozenset((*ID, *TEXT, *SCORE, *DOC_ID, *SOURCE, "rank", "span", "metadata"))
_ID_LIKE = re.compile(r"[!-~]{1,200}")
_FIX = 'Write {"id": ..., "text": ..., "score": ...}, a text, an id, or [id, score].'


def chunks(row: Row, given: Given) -> tuple[Chunk, ...]:
    """Return the chunks of one field, in their order.

    Raises:
        DataError: One is neither of what the module names, or has a score that is not a number.
    """
    value = unpacked(row, given)
    items: list[Any]
    if isinstance(value, dict):
        pairs = [[key, score] for key, score in value.items()]
        items = sorted(pairs, key=lambda pair: _order(row, given, pair), reverse=True)
    else:
        items = listed(row, given)
    if len(items) > MAX_CHUNKS:
        raise row.fault(f"has {len(items):,} chunks, over {MAX_CHUNKS:,}", field=given.name)
    strings = [item for item in items if isinstance(item, str)]
    field = fold(given.name)
    texts = field in TEXTS or not all(map(_ID_LIKE.fullmatch, strings))
    docs = field in DOCUMENTS
    return tuple(
        _chunk(row, Given(f"{given.name}[{place}]", item), texts=texts, docs=docs)
        for place, item in enumerate(items)
    )


def named(row: Row, given: Given) -> tuple[Chunk, ...]:
    """Return the chunks that a list of bare ids stands for."""
    docs = fold(given.name) in DOCUMENTS
    return tuple(
        _bare(identifier(row, Given(f"{given.name}[{place}]", item)), docs=docs)
        for place, item in enumerate(listed(row, given, marks="|;"))
    )


def _order(row: Row, given: Given, pair: list[Any]) -> tuple[float, str]:
    # Equal scores: the larger id first, as trec_eval breaks ties.
    return number(row, Given(f"{given.name}[{shown(pair[0])}]", pair[1])), pair[0]


def _chunk(row: Row, given: Given, *, texts: bool, docs: bool) -> Chunk:
    item = given.value
    if isinstance(item, dict):
        return _record(row, given)
    if isinstance(item, list) and len(item) == 2:
        name = identifier(row, Given(given.name, item[0]))
        score = number(row, Given(given.name, item[1]))
        return Chunk(id=name, doc_id=name if docs else None, score=score)
    if isinstance(item, str) and texts:
        return Chunk(text=_text(row, given))
    if isinstance(item, str | int) and not isinstance(item, bool):
        return _bare(identifier(row, given), docs=docs)
    raise row.fault(f"a chunk is not {kind(item)}", field=given.name, fix=_FIX)


def _bare(name: str, *, docs: bool) -> Chunk:
    return Chunk(id=name, doc_id=name if docs else None)


def _record(row: Row, given: Given) -> Chunk:
    record = given.value
    inner = record.get("metadata")
    extra = inner if isinstance(inner, dict) else {}
    name = _first(given, ID, record, extra)
    text = _first(given, TEXT, record)
    score = _first(given, SCORE, record)
    doc_id = _first(given, DOC_ID, record, extra)
    source = _first(given, SOURCE, record, extra)
    if name is None and text is None and doc_id is None:
        raise row.fault("a chunk has neither an id nor a text", field=given.name, fix=_FIX)
    return Chunk(
        id=None if name is None else identifier(row, name),
        text=None if text is None else _text(row, text),
        score=None if score is None else number(row, score),
        doc_id=None if doc_id is None else identifier(row, doc_id),
        source=source.value if source is not None and isinstance(source.value, str) else None,
        span=_span(row, given.name, record.get("span")),
        metadata=_metadata(row, given, record, extra),
    )


def _first(given: Given, names: tuple[str, ...], *places: Mapping[str, Any]) -> Given | None:
    for place in places:
        for name in names:
            if (value := place.get(name)) is not None:
                return Given(f"{given.name}.{name}", value)
    return None


def _metadata(
    row: Row, given: Given, record: Mapping[str, Any], extra: Mapping[str, Any]
) -> dict[str, Any]:
    if not extra and record.keys() <= _OWN:
        return {}
    more = {name: value for name, value in record.items() if name not in _OWN}
    return mapping(row, Given(f"{given.name}.metadata", {**extra, **more}))


def _span(row: Row, field: str, value: Any) -> tuple[int, int] | None:
    if value is None:
        return None
    whole = isinstance(value, list) and all(type(edge) is int and edge >= 0 for edge in value)
    if not whole or len(value) != 2 or value[0] > value[1]:
        raise row.fault(
            "a span is two whole numbers, [start, end] in characters", field=f"{field}.span"
        )
    return value[0], value[1]


def _text(row: Row, given: Given) -> str:
    if not isinstance(given.value, str):
        raise row.fault(f"must be text, not {kind(given.value)}", field=given.name)
    if len(given.value) > MAX_TEXT:
        raise row.fault(f"has {len(given.value):,} characters, over {MAX_TEXT:,}", field=given.name)
    return given.value
