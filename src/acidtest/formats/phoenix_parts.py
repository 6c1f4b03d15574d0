"""Parts of a span: its documents, how long it took, the tokens of all spans of a trace."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from acidtest.codec.fields import Given
from acidtest.codec.rows.row import Row
from acidtest.codec.values import unpacked
from acidtest.data.answers import Chunk, Latency, Usage
from acidtest.formats.scores import number_of

_TOKENS = (
    ("input_tokens", "attributes.llm.token_count.prompt"),
    ("output_tokens", "attributes.llm.token_count.completion"),
)


def documents(row: Row, *names: str) -> tuple[Chunk, ...]:
    """Return the documents under the first of the names: mappings with `document.content`, or texts.

    Raises:
        DataError: A document is neither.
    """
    name = next((name for name in names if row.values.get(name)), None)
    if name is None:
        return ()
    value = row.values[name]
    if isinstance(value, str):
        if not value.lstrip().startswith("["):
            return (Chunk(text=value),)
        flat = Row(where=row.where, values={}, error=row.error, flat=True)
        value = unpacked(flat, Given(name, value))
    if not isinstance(value, list):
        raise row.fault("must be a list of documents", field=name)
    return tuple(_document(row, name, number, one) for number, one in enumerate(value))


def _document(row: Row, name: str, number: int, one: object) -> Chunk:
    if isinstance(one, str):
        return Chunk(text=one)
    if not isinstance(one, dict):
        raise row.fault("a document is a mapping or a text", field=f"{name}[{number}]")
    inner = one.get("document") if isinstance(one.get("document"), dict) else one
    given = {str(key).removeprefix("document."): value for key, value in (inner or {}).items()}
    told, score = given.get("id"), number_of(given.get("score"))
    metadata = given.get("metadata")
    if isinstance(metadata, str):
        metadata = {"metadata": metadata}
    return Chunk(
        id=None if told is None else str(told),
        text=_text(given.get("content"), known=told is not None),
        score=score if score is not None and abs(score) < 1e100 else None,
        metadata=metadata if isinstance(metadata, dict) else {},
    )


def _text(content: object, *, known: bool) -> str | None:
    """Return the text; a document without one and without an id keeps its place with an empty text."""
    return content if isinstance(content, str) else None if known else ""


def latency(row: Row) -> Latency | None:
    """Return how long a span took, from its start to its end; None where that is not known."""
    start, end = (_time(row.values.get(name)) for name in ("start_time", "end_time"))
    if start is None or end is None or (start.tzinfo is None) != (end.tzinfo is None):
        return None
    took = (end - start).total_seconds() * 1000
    return Latency(total=took) if took >= 0 else None


def _time(value: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


def usage(spans: Iterable[Row]) -> Usage | None:
    """Return the tokens of all spans; None where none is counted."""
    sums: dict[str, int] = {}
    for row in spans:
        for ours, name in _TOKENS:
            number = number_of(row.values.get(name))
            if number is not None and 0 <= number < 1e15:
                sums[ours] = sums.get(ours, 0) + int(number)
    if not sums:
        return None
    return Usage(input_tokens=sums.get("input_tokens"), output_tokens=sums.get("output_tokens"))
