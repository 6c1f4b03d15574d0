"""Contexts of any kind to `Chunk`s: texts, ids, mappings, objects, and pairs with a score.

A list of strings is read in one way for the whole list: as texts where the member's name says so
(`contexts`), else as ids when every string looks like one (ASCII, no white space, at most 200
characters), else as texts. Recorded outputs are read by the same rule.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, ValuesView
from itertools import islice
from typing import Any

import msgspec

from acidtest.codec.names import DOCUMENTS, TEXTS
from acidtest.data.answers import Chunk
from acidtest.errors import PipelineError
from acidtest.pipelines.lookup import MISSING, clean, first, is_record, number, shown

MAX_CHUNKS = 10_000
MAX_CHUNK_CHARS = 1_000_000
MAX_TOTAL_CHARS = 16_000_000
MAX_ID_CHARS = 1_000
MAX_METADATA_BYTES = 16_384

ID = ("id", "chunk_id", "_id", "id_", "node_id", "passage_id", "docid", "uuid")
DOC_ID = ("doc_id", "document_id", "parent_id", "ref_doc_id")
TEXT = ("text", "content", "page_content", "excerpt", "chunk_text", "passage", "snippet", "body")
SCORE = ("score", "similarity", "relevance_score", "_score")
SOURCE = ("source", "url", "path", "file", "filename", "file_name", "title")
NESTED = ("chunk", "node", "document", "doc", "payload", "_source", "metadata", "meta")

ACCEPTED = (
    'A context is a text, an id, a mapping or an object with "id" or "text" '
    '("chunk_id", "doc_id", "content", "page_content", "excerpt", "score", ...), '
    "or a pair (context, score)."
)

_ID_LIKE = re.compile(r"[!-~]{1,200}")


def to_chunks(value: Any, *, where: str, notes: list[str], name: str = "") -> tuple[Chunk, ...]:
    """Turn contexts into chunks, in the order they came in.

    Args:
        value: A sequence or iterator of contexts; one text; or a mapping id -> score.
        where: What it is, for messages, such as "retrieve()".
        notes: Gets a line for every fault that was mended.
        name: The member that held it, such as "contexts".

    Raises:
        PipelineError: It is no list of contexts, or one item is no context.
    """
    items = _items(value, where, notes)
    strings = [text for item in items if (text := _leading_string(item)) is not None]
    ids = name not in TEXTS and all(_ID_LIKE.fullmatch(text) for text in strings)
    room = MAX_TOTAL_CHARS
    chunks = []
    for position, item in enumerate(items):
        place = f"context {position + 1}"
        try:
            chunk = _chunk(item, place, notes, ids=ids)
        except PipelineError as error:
            error.where = f"{where}: {place}"
            raise
        if name in DOCUMENTS and isinstance(item, str) and ids:
            chunk = msgspec.structs.replace(chunk, doc_id=chunk.id)
        if chunk.text is not None:
            if len(chunk.text) > room:
                notes.append(f"{place}: its text was cut, the contexts are over the size limit")
                chunk = msgspec.structs.replace(chunk, text=chunk.text[:room])
            room -= len(chunk.text or "")
        chunks.append(chunk)
    return tuple(chunks)


def _items(value: Any, where: str, notes: list[str]) -> list[Any]:
    if isinstance(value, str):
        return [{"text": value}]
    if isinstance(value, Mapping):
        return _scored_ids(value, where)
    if not isinstance(value, Sequence | Iterator | ValuesView) or isinstance(
        value, bytes | bytearray | memoryview
    ):
        raise PipelineError(
            f"the contexts are {shown(value)}, not a list", where=where, fix=ACCEPTED
        )
    items = list(islice(value, MAX_CHUNKS + 1))
    if len(items) > MAX_CHUNKS:
        notes.append(f"more than {MAX_CHUNKS:,} contexts: the rest were left out")
        del items[MAX_CHUNKS:]
    return items


def _scored_ids(value: Mapping[Any, Any], where: str) -> list[Any]:
    # A run of one query as IR tools write it: id -> score. Ties as trec_eval: larger id first.
    if not all(isinstance(key, str) and number(x) is not None for key, x in value.items()):
        raise PipelineError(
            f"the contexts are {shown(value)}, not a list",
            where=where,
            fix=f"{ACCEPTED} A mapping must be id -> score.",
        )
    pairs: Iterable[tuple[str, Any]] = value.items()
    scored = [(key, number(x) or 0.0) for key, x in pairs]
    scored.sort(key=lambda pair: pair[0], reverse=True)
    scored.sort(key=lambda pair: -math.inf if math.isnan(pair[1]) else pair[1], reverse=True)
    return [{"id": key, "score": score} for key, score in scored]


def _leading_string(item: Any) -> str | None:
    if isinstance(item, str):
        return item
    if _is_pair(item) and isinstance(item[0], str):
        return item[0]
    return None


def _is_pair(item: Any) -> bool:
    if not isinstance(item, tuple | list) or len(item) != 2 or hasattr(item, "_fields"):
        return False
    return number(item[1]) is not None and not isinstance(item[0], tuple | list)


def _chunk(item: Any, place: str, notes: list[str], *, ids: bool) -> Chunk:
    if isinstance(item, str):
        return _from_string(item, place, notes, ids=ids)
    if _is_pair(item):
        head, score = item
        base = (
            Chunk(id=_id(head, place, notes))
            if _is_int(head)
            else _chunk(head, place, notes, ids=ids)
        )
        return msgspec.structs.replace(base, score=_score(score, place, notes))
    if is_record(item):
        return _from_record(item, place, notes)
    raise PipelineError(f"this is {shown(item)}, not a context", where=place, fix=ACCEPTED)


def _from_string(item: str, place: str, notes: list[str], *, ids: bool) -> Chunk:
    if ids:
        return Chunk(id=str.__str__(item))
    return Chunk(text=clean(item, limit=MAX_CHUNK_CHARS, what=place, notes=notes))


def _from_record(item: Any, place: str, notes: list[str]) -> Chunk:
    levels = [item]
    for level in levels:  # grows: a point holds a payload, a scored node a node, that one metadata
        inner = (first(level, (name,)) for name in NESTED)
        levels += [x for x in inner if x is not MISSING and is_record(x) and len(levels) < 8]

    def find(names: tuple[str, ...], *, kinds: tuple[type, ...] = (object,)) -> Any:
        for level in levels:
            value = first(level, names)
            if value is not MISSING and isinstance(value, kinds):
                return value
        return None

    text = find((*TEXT, "chunk", "document"), kinds=(str,))
    ids = _named(find(ID))
    doc_id = _named(find(DOC_ID))
    if text is None and ids is None and doc_id is None:
        raise PipelineError(
            f"this is {shown(item)}, without an id and without a text", where=place, fix=ACCEPTED
        )
    source = find(SOURCE, kinds=(str,))
    return Chunk(
        id=None if ids is None else _id(ids, place, notes),
        text=None
        if text is None
        else clean(text, limit=MAX_CHUNK_CHARS, what=f"{place}: its text", notes=notes),
        score=_score(find(SCORE), place, notes),
        doc_id=None if doc_id is None else _id(doc_id, place, notes),
        source=None
        if source is None
        else clean(source, limit=MAX_ID_CHARS, what=f"{place}: its source", notes=notes),
        span=_span(find(("span",))),
        metadata=_metadata(first(item, ("metadata", "meta")), place, notes),
    )


def _named(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


def _is_int(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _id(value: Any, place: str, notes: list[str]) -> str:
    if _is_int(value):
        return str(int(value))
    text = str(value) if type(value).__name__ == "UUID" else value
    if not isinstance(text, str):
        raise PipelineError(
            f"its id is {shown(value)}", where=place, fix="An id is a string or a whole number."
        )
    if len(text) > MAX_ID_CHARS:
        raise PipelineError(
            f"its id has {len(text):,} characters, over {MAX_ID_CHARS:,}",
            where=place,
            fix="Is the text in the place of the id?",
        )
    return clean(text, limit=MAX_ID_CHARS, what=f"{place}: its id", notes=notes)


def _score(value: Any, place: str, notes: list[str]) -> float | None:
    if value is None:
        return None
    score = number(value)
    if score is None or not math.isfinite(score):
        kind = shown(value) if score is None else str(score)
        notes.append(f"{place}: its score is {kind} and was left out")
        return None
    return score


def _span(value: Any) -> tuple[int, int] | None:
    if isinstance(value, tuple | list) and len(value) == 2 and all(map(_is_int, value)):
        return int(value[0]), int(value[1])
    return None


def _metadata(value: Any, place: str, notes: list[str]) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        return {}
    kept = {}
    for key, member in islice(value.items(), 200):
        try:
            raw = msgspec.json.encode(member)
        except (TypeError, ValueError, msgspec.MsgspecError, RecursionError, OverflowError):
            continue  # vectors, clients, handles: nothing that a run could keep
        if isinstance(key, str) and len(raw) <= MAX_METADATA_BYTES:
            kept[clean(key, limit=200, what=f"{place}: metadata", notes=notes)] = (
                msgspec.json.decode(raw)
            )
    if len(msgspec.json.encode(kept)) > MAX_METADATA_BYTES:
        notes.append(f"{place}: its metadata is over {MAX_METADATA_BYTES:,} bytes, left out")
        return {}
    return kept
