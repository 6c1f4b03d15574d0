"""What an HTTP or command pipeline is asked, and how its reply is read: one JSON object each.

Asked is {"id", "question", "history"}, with "contexts" in golden-context mode, "k" where it is
configured, and "mode" in retrieval-only mode alone: nothing else tells such a pipeline that it must
not generate, so a reply that brings an answer all the same is refused.
"""

import json
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from acidtest.data.answers import Answer, Chunk, Latency
from acidtest.data.golden import Case
from acidtest.data.terms import Mode
from acidtest.errors import PipelineError
from acidtest.pipelines.attempt import Hopeless
from acidtest.pipelines.calls import history_of
from acidtest.pipelines.lookup import shown
from acidtest.pipelines.normalise import ranked, to_answer
from acidtest.pipelines.passage import OTHER_CONTEXTS

FORM = 'A reply is one JSON object: {"answer": ..., "retrieved": [{"id", "text", "score"}]}.'


class Generated(Hopeless):
    """An answer where only contexts were asked for: once seen, it is not paid for again."""

    def __init__(self, *, where: str) -> None:
        super().__init__(
            "it was asked for retrieval only and generated an answer",
            where=where,
            fix='Honour "mode": "retrieval-only" in the question, or run it in live mode.',
        )


def question_of(
    case: Case, *, mode: Mode, contexts: Sequence[Chunk] | None, k: int | None
) -> dict[str, Any]:
    """Return the question as it goes over the wire."""
    asked: dict[str, Any] = {
        "id": case.id,
        "question": case.question,
        "history": history_of(case),
    }
    if mode == "golden-context":
        asked["contexts"] = [
            {"id": c.id, "text": c.text, "doc_id": c.doc_id} for c in contexts or ()
        ]
    if mode == "retrieval-only":
        asked["mode"] = mode
    if k is not None:
        asked["k"] = k
    return asked


def parse(raw: bytes | str, *, where: str) -> Any:
    """Read JSON as generously as programs write it (NaN is read, and dropped later).

    Raises:
        PipelineError: It is not JSON; the message shows how it begins.
    """
    try:
        text = raw.decode("utf-8-sig") if isinstance(raw, bytes) else raw
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        kind = "nested too deeply" if isinstance(error, RecursionError) else "not JSON"
        raise PipelineError(
            f"its reply is {kind}: {shown(raw)}" if raw.strip() else "its reply is empty",
            where=where,
            fix=FORM,
            detail=raw[:2000].decode("utf-8", "replace") if isinstance(raw, bytes) else raw[:2000],
        ) from None


def answer_of(
    row: Any,
    case: Case,
    *,
    mode: Mode,
    contexts: Sequence[Chunk] | None,
    ms: float,
    where: str,
) -> Answer:
    """Turn a reply into an answer.

    Args:
        row: The reply.
        case: What was asked.
        mode: How it was asked.
        contexts: What was handed over in golden-context mode.
        ms: How long it took; a latency that the pipeline reports wins.
        where: The pipeline, for messages.

    Raises:
        PipelineError: It is no answer.
    """
    if not isinstance(row, dict | str):
        raise PipelineError(f"its reply is {shown(row)}, not an object", where=where, fix=FORM)
    answer = to_answer(row, case.id, where=where, text_needed=mode != "retrieval-only")
    if mode == "retrieval-only":
        if answer.text:
            raise Generated(where=where)
        if answer.retrieved is None:
            raise PipelineError("its reply holds no contexts", where=where, fix=FORM)
        answer = replace(answer, text=None)
    if mode == "golden-context":
        notes = (*answer.notes, *_strange(answer, contexts or ()))
        given = ranked(contexts or (), [])
        answer = replace(answer, retrieved=given, candidates=None, notes=notes)
    own = answer.latency_ms or Latency()
    return replace(answer, latency_ms=replace(own, total=ms if own.total is None else own.total))


def _strange(answer: Answer, given: Sequence[Chunk]) -> tuple[str, ...]:
    """Say that a reply names contexts that were not given; naming some of the given ones is its right."""
    known = {c.id for c in given} | {c.text for c in given}
    if all(c.id in known or c.text in known for c in answer.retrieved or ()):
        return ()
    return (f"the reply {OTHER_CONTEXTS}; the given ones count",)
