"""Whatever a pipeline returns, to one `Answer`.

Accepted are a text; a pair `(answer, contexts)`; and a mapping or object with named members (the
names below, the first that is there wins). What was mended on the way (ids that came twice, scores
that are no numbers, texts over the limit) is told in `Answer.notes`; what is no answer is refused with
a message that says what came and what would be one.
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from acidtest.codec.names import DOCUMENTS
from acidtest.data.answers import Answer, Chunk
from acidtest.errors import PipelineError
from acidtest.pipelines.chunks import to_chunks
from acidtest.pipelines.lookup import MISSING, clean, first, first_name, is_record, shown
from acidtest.pipelines.reported import abstained_of, citations_of, latency_of, usage_of

MAX_ANSWER_CHARS = 1_000_000
MAX_NOTES = 10

ANSWER = (
    "answer",
    "response",
    "generated_answer",
    "actual_output",
    "prediction",
    "output",
    "result",
    "completion",
    "text",
    "content",
)
CONTEXTS = (
    "retrieved",
    "chunks",
    "contexts",
    "retrieved_contexts",
    "retrieved_chunks",
    "retrieved_documents",
    "retrieval_context",
    "source_documents",
    "source_nodes",
    "documents",
    "passages",
    "sources",
    "context",
    "docs",
    "nodes",
    "hits",
    "results",
)
CONTEXT_IDS = (
    "retrieved_ids",
    "retrieved_chunk_ids",
    "retrieved_context_ids",
    "retrieved_doc_ids",
    "context_ids",
    "chunk_ids",
)
CANDIDATES = ("candidates",)

ACCEPTED = (
    'A pipeline returns (answer, contexts), {"answer": ..., "contexts": [...]} '
    '(or "chunks", "sources", "retrieved", "documents"), or the text of the answer.'
)


class Told(dict[str, Any]):
    """A mapping of our own making: its notes are taken over, where a pipeline's own are not.

    Attributes:
        given: What the pipeline gave, for messages.
    """

    given: Any = MISSING


def to_answer(
    value: Any,
    case_id: str,
    *,
    where: str = "the pipeline",
    text_needed: bool = True,
    spoken: str | None = None,
) -> Answer:
    """Turn what a pipeline returned into an `Answer`.

    Args:
        value: A text, a pair `(answer, contexts)`, a mapping, or an object with attributes.
        case_id: The case that was asked.
        where: What returned it, for messages.
        text_needed: False where no generation was asked for: the text may be missing.
        spoken: The text if the value has none, such as what was streamed before it.

    Returns:
        The answer; ranks are set from the order, ids are unique.

    Raises:
        PipelineError: It is none of these, or a part of it is not what it should be.
    """
    notes: list[str] = []
    record, text, contexts = _parts(value, where)
    abstained = abstained_of(record, notes)
    text = spoken if text is None else text
    if text is None and text_needed and not abstained:
        _refuse_textless(record, where)
    if text is not None:
        text = clean(text, limit=MAX_ANSWER_CHARS, what="the answer", notes=notes)
    candidates = first(record, CANDIDATES)
    said = first(record, ("notes",))
    answer = Answer(
        case_id=case_id,
        text=text,
        retrieved=_contexts(record, contexts, where, notes),
        candidates=None
        if candidates is MISSING
        else ranked(
            to_chunks(candidates, where=f"{where}: candidates", notes=notes, name="candidates"),
            notes,
        ),
        citations=citations_of(first(record, ("citations",)), notes),
        abstained=abstained,
        latency_ms=latency_of(record, notes),
        usage=usage_of(first(record, ("usage", "token_usage")), notes),
    )
    told = said if isinstance(value, Answer | Told) and isinstance(said, tuple) else ()
    return replace(answer, notes=_bounded((*told, *notes)))


def to_ranking(value: Any, *, where: str = "retrieve()") -> Answer:
    """Turn what a retriever returned into an answer without text and without case.

    Args:
        value: A list of contexts, or a mapping or object that holds one by name, which may carry
            candidates, latency and usage as well.
        where: What returned it, for messages.

    Raises:
        PipelineError: It is neither.
    """
    if is_record(value) and first(value, (*CONTEXTS, *CONTEXT_IDS)) is not MISSING:
        return to_answer(value, "", where=where, text_needed=False)
    notes: list[str] = []
    chunks = ranked(to_chunks(value, where=where, notes=notes), notes)
    return Answer(case_id="", retrieved=chunks, notes=_bounded(tuple(notes)))


def native_contexts(value: Any) -> Any:
    """Return what a generator is to be given of what the retriever returned, as it returned it."""
    found = first(value, CONTEXTS) if is_record(value) else MISSING
    return value if found is MISSING else found


def dedupe(chunks: Sequence[Chunk]) -> tuple[tuple[Chunk, ...], tuple[str, ...]]:
    """Count every chunk id once, at its first place.

    Chunks without an id all stay.

    Returns:
        The chunks that stay, and a note that names the ids that came more than once, if any did.
    """
    seen: set[str] = set()
    kept: list[Chunk] = []
    twice: dict[str, None] = {}
    for chunk in chunks:
        if chunk.id is not None and chunk.id in seen:
            twice[chunk.id] = None
            continue
        if chunk.id is not None:
            seen.add(chunk.id)
        kept.append(chunk)
    if not twice:
        return tuple(kept), ()
    names = ", ".join(name[:60] for name in list(twice)[:5])
    more = f" and {len(twice) - 5} more" if len(twice) > 5 else ""
    return tuple(kept), (f"chunk ids that came more than once were counted once: {names}{more}",)


def ranked(chunks: Sequence[Chunk], notes: list[str]) -> tuple[Chunk, ...]:
    """Return the chunks with unique ids and ranks from 1, in the order they came in."""
    unique, said = dedupe(chunks)
    notes.extend(said)
    return tuple(replace(chunk, rank=rank) for rank, chunk in enumerate(unique, 1))


def _bounded(notes: tuple[str, ...]) -> tuple[str, ...]:
    if len(notes) <= MAX_NOTES:
        return notes
    return (*notes[:MAX_NOTES], f"and {len(notes) - MAX_NOTES} more faults that were mended")


def _parts(value: Any, where: str) -> tuple[Any, str | None, Any]:
    """Split into (what has named members, the text, the contexts of a pair)."""
    if isinstance(value, str):
        return {}, value, MISSING
    if _is_pair(value):
        head, contexts = value
        record, text, inner = _parts(head, where) if head is not None else ({}, None, MISSING)
        return record, text, inner if contexts is None else contexts
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        size = f"a {type(value).__name__} of {len(value)}"
        swapped = len(value) == 2 and isinstance(value[1], str)
        hint = "The answer comes first, the contexts second. " if swapped else ""
        raise PipelineError(
            f"it returned {size}, which is no answer", where=where, fix=hint + ACCEPTED
        )
    if not is_record(value):
        raise PipelineError(
            f"it returned {shown(value)}, which is no answer", where=where, fix=ACCEPTED
        )
    text = first(value, ANSWER)
    if text is not MISSING and not isinstance(text, str):
        if not is_record(text) or first(text, ANSWER) is MISSING:
            raise PipelineError(
                f"its answer is {shown(text)}, not a text", where=where, fix=ACCEPTED
            )
        text = first(text, ANSWER)  # a chat message: answer.content
    if text is not MISSING and not isinstance(text, str):
        raise PipelineError(f"its answer is {shown(text)}, not a text", where=where, fix=ACCEPTED)
    return value, None if text is MISSING else text, MISSING


def _is_pair(value: Any) -> bool:
    if not isinstance(value, tuple) or len(value) != 2:
        return False
    if hasattr(value, "_fields") and first(value, ANSWER) is not MISSING:
        return False
    return not isinstance(value[0], list | tuple)


def _refuse_textless(record: Any, where: str) -> None:
    error = first(record, ("error", "failure"))
    if error is not MISSING:
        told = error if isinstance(error, str) else shown(error)
        raise PipelineError(f"it reported an error: {told[:300]}", where=where)
    found = first(record, (*CONTEXTS, *CONTEXT_IDS)) is not MISSING
    given = record.given if isinstance(record, Told) and record.given is not MISSING else record
    what = "contexts, but no answer" if found else f"{shown(given)}, which holds no answer"
    raise PipelineError(f"it returned {what}", where=where, fix=ACCEPTED)


def _contexts(record: Any, paired: Any, where: str, notes: list[str]) -> tuple[Chunk, ...] | None:
    name = None if paired is not MISSING else first_name(record, CONTEXTS)
    value = paired if name is None else first(record, (name,))
    found = (
        None if value is MISSING else to_chunks(value, where=where, notes=notes, name=name or "")
    )
    listed = first_name(record, CONTEXT_IDS)
    if listed is not None:
        found = _with_ids(found, first(record, (listed,)), where, notes, name=listed)
    return None if found is None else ranked(found, notes)


def _with_ids(
    chunks: tuple[Chunk, ...] | None, ids: Any, where: str, notes: list[str], *, name: str
) -> tuple[Chunk, ...]:
    if not isinstance(ids, list | tuple) or any(
        isinstance(x, bool) or not isinstance(x, str | int) for x in ids
    ):
        raise PipelineError(f"its {name} is {shown(ids)}, not a list of ids", where=where)
    named = to_chunks([{"id": x} for x in ids], where=where, notes=notes)
    if name in DOCUMENTS:
        named = tuple(replace(chunk, doc_id=chunk.id) for chunk in named)
    if chunks is None:
        return named
    if len(chunks) != len(named):
        notes.append(f"{len(named)} {name} for {len(chunks)} contexts: the ids were left out")
        return chunks
    return tuple(
        replace(
            chunk,
            id=chunk.id if chunk.id is not None or name in DOCUMENTS else own.id,
            doc_id=chunk.doc_id if chunk.doc_id is not None else own.doc_id,
        )
        for chunk, own in zip(chunks, named, strict=True)
    )
