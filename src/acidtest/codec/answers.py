"""What a pipeline gave, read from the fields of one row of a file."""

from collections.abc import Mapping

from msgspec.structs import replace

from acidtest.codec.chunks import MAX_TEXT, chunks, named
from acidtest.codec.fields import Given
from acidtest.codec.rows.row import Row, kind
from acidtest.codec.values import flag, ids, number, unpacked
from acidtest.data.answers import Answer, Chunk, Latency, Usage
from acidtest.data.outcomes import Failure

FIELDS = frozenset(
    {
        "answer",
        "retrieved",
        "retrieved_ids",
        "retrieved_doc_ids",
        "candidates",
        "citations",
        "abstained",
        "latency_ms",
        "usage",
        "failure",
    }
)
_TOKENS = (
    ("input_tokens", ("input_tokens", "prompt_tokens", "input")),
    ("output_tokens", ("output_tokens", "completion_tokens", "output")),
)


def answer(row: Row, fields: Mapping[str, Given], case_id: str) -> Answer:
    """Return the answer that a row's fields hold; see `acidtest.codec.names` for the names.

    Raises:
        DataError: A field is not of its type; the message names file, line and field.
    """
    candidates, cited, abstained = (
        fields.get(name) for name in ("candidates", "citations", "abstained")
    )
    latency, usage, failure = (fields.get(name) for name in ("latency_ms", "usage", "failure"))
    return Answer(
        case_id=case_id,
        text=_text(row, fields.get("answer")),
        retrieved=_retrieved(row, fields),
        candidates=None if candidates is None else chunks(row, candidates),
        citations=None if cited is None else tuple(ids(row, cited)),
        abstained=None if abstained is None else flag(row, abstained),
        latency_ms=None if latency is None else _latency(row, latency),
        usage=None if usage is None else _usage(row, usage),
        failure=None if failure is None else _failure(row, failure),
    )


def _text(row: Row, given: Given | None) -> str | None:
    if given is None:
        return None
    if not isinstance(given.value, str):
        raise row.fault(f"an answer must be text, not {kind(given.value)}", field=given.name)
    if len(given.value) > MAX_TEXT:
        raise row.fault(f"has {len(given.value):,} characters, over {MAX_TEXT:,}", field=given.name)
    return given.value


def _retrieved(row: Row, fields: Mapping[str, Given]) -> tuple[Chunk, ...] | None:
    given = fields.get("retrieved")
    found = None if given is None else chunks(row, given)
    for name in ("retrieved_ids", "retrieved_doc_ids"):
        listed = fields.get(name)
        if listed is not None:
            found = _joined(row, found, listed, named(row, listed))
    return found


def _joined(
    row: Row, found: tuple[Chunk, ...] | None, listed: Given, names: tuple[Chunk, ...]
) -> tuple[Chunk, ...]:
    if found is None:
        return names
    if len(found) != len(names):
        raise row.fault(
            f"has {len(names)} ids for {len(found)} retrieved chunks", field=listed.name
        )
    return tuple(
        replace(
            chunk,
            id=chunk.id if chunk.id is not None or name.doc_id is not None else name.id,
            doc_id=chunk.doc_id if chunk.doc_id is not None else name.doc_id,
        )
        for chunk, name in zip(found, names, strict=True)
    )


def _latency(row: Row, given: Given) -> Latency:
    value = unpacked(row, given)
    if not isinstance(value, dict):
        return Latency(total=number(row, given, least=0))
    known = ("retrieve", "generate", "total")
    for name in value:
        if name not in known:
            raise row.fault(
                "latency is a number of milliseconds, or has retrieve, generate and total",
                field=f"{given.name}.{name[:40]}",
            )
    return Latency(
        **{
            name: number(row, Given(f"{given.name}.{name}", value[name]), least=0)
            for name in known
            if value.get(name) is not None
        }
    )


def _usage(row: Row, given: Given) -> Usage:
    # Providers' usage objects hold many more counts; those that are not ours are passed over.
    value = unpacked(row, given)
    if not isinstance(value, dict):
        raise row.fault(
            f"usage is a mapping, not {kind(value)}",
            field=given.name,
            fix='Write {"input_tokens": ..., "output_tokens": ..., "cost_usd": ...}.',
        )
    tokens: dict[str, int] = {}
    for field, names in _TOKENS:
        name = next((name for name in names if value.get(name) is not None), None)
        if name is not None:
            tokens[field] = int(number(row, Given(f"{given.name}.{name}", value[name]), least=0))
    cost, model = value.get("cost_usd"), value.get("model")
    return Usage(
        **tokens,
        cost_usd=None
        if cost is None
        else number(row, Given(f"{given.name}.cost_usd", cost), least=0),
        model=model[:200] if isinstance(model, str) else None,
    )


def _failure(row: Row, given: Given) -> Failure:
    value = given.value
    if isinstance(value, dict):
        value = value.get("failure") or value.get("message") or "an error without a message"
    if not isinstance(value, str):
        raise row.fault(f"an error must be text, not {kind(value)}", field=given.name)
    return Failure(why=value.strip()[:1000] or "an error without a message")
