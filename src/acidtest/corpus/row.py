"""One row of a chunk file to a `CorpusChunk`.

A name that means no field is kept in the chunk's metadata, since every index has columns of its own. What
a framework keeps in the metadata (the document, the place in it) is read from there where the row itself
does not say it.
"""

from typing import Any

from acidtest.codec.chunks import MAX_TEXT
from acidtest.codec.fields import Given
from acidtest.codec.rows.row import Row, kind, shown
from acidtest.codec.values import identifier, mapping
from acidtest.corpus.names import FIELDS, INNER, is_bulk, meaning
from acidtest.data.corpus import CorpusChunk
from acidtest.errors import suggestion

_PLACES = ("start", "end")


def read_chunk(row: Row) -> CorpusChunk | None:
    """Return the chunk that a row holds; None where its text is blank.

    Raises:
        DataError: It has no id or no text, or a field cannot be what it must be.
    """
    fields, extra = _sorted_out(row)
    inner = mapping(row, fields["metadata"]) if "metadata" in fields else {}
    for name, given in _from_metadata(row, inner).items():
        fields.setdefault(name, given)
    if "id" not in fields and "doc_id" in fields:
        fields["id"] = fields["doc_id"]  # a corpus of whole documents
    if "id" not in fields:
        raise _missing(row, "id", "Give every chunk the id that the retriever returns.")
    text = _text(row, fields)
    if text is None:
        return None
    start, end = _place(row, fields, text)
    return CorpusChunk(
        id=identifier(row, fields["id"]),
        text=text,
        doc_id=identifier(row, fields["doc_id"]) if "doc_id" in fields else None,
        doc_version=identifier(row, fields["doc_version"]) if "doc_version" in fields else None,
        start=start,
        end=end,
        title=_words(row, fields.get("title")),
        section=_words(row, fields.get("section")),
        metadata={**inner, **mapping(row, Given("metadata", extra))} if extra else inner,
    )


def _sorted_out(row: Row) -> tuple[dict[str, Given], dict[str, Any]]:
    # Fields of a chunk, and the columns that are none; null is the same as absent.
    fields: dict[str, Given] = {}
    late: list[tuple[int, str, Given]] = []
    extra: dict[str, Any] = {}
    for name, value in row.values.items():
        if value is None or is_bulk(name):
            continue
        means = meaning(name)
        if means is None:
            extra[name] = value
        elif means[1]:
            late.append((means[1], means[0], Given(name, value)))
        else:
            given = fields.setdefault(means[0], Given(name, value))
            if given.value != value:
                raise row.fault(
                    f"{shown(given.name)} and {shown(name)} mean the same field ({means[0]}) and "
                    "are filled differently",
                    fix="Keep one of them.",
                )
    for _, field, given in sorted(late, key=lambda each: each[0]):
        if field in fields or not _usable(given.value):
            extra[given.name] = given.value
        else:
            fields[field] = given
    return fields, extra


def _from_metadata(row: Row, inner: dict[str, Any]) -> dict[str, Given]:
    found: dict[str, tuple[int, Given]] = {}
    for name, value in inner.items():
        means = meaning(name)
        if means is None or means[0] not in INNER:
            continue
        field, order = means
        # Other tools' metadata is theirs: what does not fit our field means something else there.
        fits = _whole(value, flat=row.flat) is not None if field in _PLACES else _usable(value)
        if fits and (field not in found or order < found[field][0]):
            found[field] = order, Given(f"metadata.{name}", value)
    return {field: given for field, (_, given) in found.items()}


def _usable(value: Any) -> bool:
    return (isinstance(value, str) and bool(value.strip())) or type(value) is int


def _text(row: Row, fields: dict[str, Given]) -> str | None:
    given = fields.get("text")
    if given is None:
        raise _missing(row, "text", "Write the chunk's text into the field `text`.")
    value = given.value
    if not isinstance(value, str):
        raise row.fault(f"must be text, not {kind(value)}", field=given.name)
    if len(value) > MAX_TEXT:
        raise row.fault(
            f"has {len(value):,} characters, over {MAX_TEXT:,}",
            field=given.name,
            fix="A chunk is what a retriever returns: cut whole documents first.",
        )
    if value.strip():
        return value
    # BEIR's corpora have documents that are nothing but a title.
    return _words(row, fields.get("title"))


def _missing(row: Row, field: str, fix: str) -> Exception:
    known = ", ".join(shown(name) for name in list(row.values)[:12])
    near = [suggestion(name, FIELDS[field]) for name in list(row.values)[:50]]
    means = any(hint.startswith("Did you mean") for hint in near)
    if field == "text" and meaning("text") and means:
        fix = f"{fix} It is also read under the names: {', '.join(FIELDS[field])}."
    return row.fault(f"the chunk has no {field}: its fields are {known}", fix=fix)


def _words(row: Row, given: Given | None) -> str | None:
    if given is None:
        return None
    if not isinstance(given.value, str):
        raise row.fault(f"must be text, not {kind(given.value)}", field=given.name)
    return given.value.strip() or None


def _place(row: Row, fields: dict[str, Given], text: str) -> tuple[int | None, int | None]:
    if "span" in fields:
        return _span(row, fields["span"])
    start, end = (_edge(row, fields.get(name)) for name in _PLACES)
    if start is not None and end is None:
        end = start + len(text)
    if start is not None and end is not None and start > end:
        raise row.fault(f"starts at {start:,} and ends before that, at {end:,}", field="start")
    return start, end


def _edge(row: Row, given: Given | None) -> int | None:
    if given is None:
        return None
    edge = _whole(given.value, flat=row.flat)
    if edge is None:
        raise row.fault(
            f"must be a whole number from 0 on, in characters, not {shown(given.value)}",
            field=given.name,
        )
    return edge


def _span(row: Row, given: Given) -> tuple[int, int]:
    value = given.value
    edges = [_whole(edge, flat=True) for edge in value] if isinstance(value, list) else []
    if len(edges) != 2 or edges[0] is None or edges[1] is None or edges[0] > edges[1]:
        raise row.fault("a span is two whole numbers, [start, end] in characters", field=given.name)
    return edges[0], edges[1]


def _whole(value: Any, *, flat: bool) -> int | None:
    # Tables write whole numbers as text, and as fractions where a column has gaps.
    if flat and isinstance(value, str) and value.strip().isdecimal() and len(value) < 16:
        return int(value)
    if flat and isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if type(value) is int and value >= 0 else None
