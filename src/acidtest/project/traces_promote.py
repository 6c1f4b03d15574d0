"""Live traces into a golden set: the question and history, what was found as proposed evidence, where it is from."""

from collections.abc import Sequence
from typing import Any

from acidtest.codec.rows.row import shown
from acidtest.data.outcomes import Score
from acidtest.data.traces import Trace
from acidtest.errors import UsageError
from acidtest.golden.grow.promote import Ruling, Seen
from acidtest.project.config import Config
from acidtest.project.golden_promote import Promotion, promote
from acidtest.project.traces import find_traces
from acidtest.report.traces_json import when_ms
from acidtest.store.trace_rows import StoredTrace

_COMMENT = 2_000
_COMMENTS = 5


def promote_traces(
    config: Config,
    names: Sequence[str],
    ruling: Ruling,
    into: str,
    *,
    replace: bool = False,
    store: str | None = None,
) -> Promotion:
    """Put live traces into a golden set; it is written once, whole, or not at all.

    Args:
        config: The configuration.
        names: Ids of traces, or beginnings that are only theirs.
        ruling: What a person says of them; of several, no reference and no labels can be said.
        into: The set, a JSONL file; a new one is made.
        replace: Put what is new into the case of the set that asks the same.
        store: The store's URL.

    Raises:
        UnknownName: There is no such trace.
        UsageError: A trace has no question, the set asks this already, or the ruling contradicts itself.
        BadGolden: The set cannot be read.
    """
    return promote(seen_in_traces(config, names, store), ruling, into, replace=replace)


def seen_in_traces(config: Config, names: Sequence[str], store: str | None = None) -> list[Seen]:
    """Return traces as what happened once.

    Raises:
        UnknownName: There is no such trace.
        UsageError: A trace has no question.
    """
    return [_seen(stored) for stored in find_traces(config, names, store)]


def _seen(stored: StoredTrace) -> Seen:
    trace = stored.trace
    if not (trace.question or "").strip():
        raise UsageError(
            f"trace {shown(trace.id)} has no question: {_why(trace)}",
            fix="Name traces whose question is known.",
        )
    return Seen(
        case=trace.as_case(),
        answer=trace.answer,
        retrieved=trace.retrieved or (),
        provenance=_provenance(stored),
        source="production",
    )


def _why(trace: Trace) -> str:
    return trace.missing.get("question", "it is empty").rstrip(".")


def _provenance(stored: StoredTrace) -> dict[str, Any]:
    """Say where a case is from; of the user nothing: a golden set goes further than the store."""
    trace = stored.trace
    found: dict[str, Any] = {
        "trace": trace.id,
        "session": trace.session,
        "service": trace.service,
        "model": trace.model,
        "prompt_version": trace.prompt_version,
        "date": when_ms(stored.started),
        "scores": {
            name: each.outcome.value
            for name, each in sorted(stored.scores.items())
            if isinstance(each.outcome, Score)
        },
        "feedback": _feedback(trace),
        "error": trace.error,
    }
    return {name: value for name, value in found.items() if value not in (None, {}, [])}


def _feedback(trace: Trace) -> list[dict[str, Any]]:
    told = [
        {"good": each.good, "comment": each.comment and each.comment[:_COMMENT]}
        for each in trace.feedback
        if each.by != "machine" and (each.good is not None or each.comment)
    ]
    return [{k: v for k, v in each.items() if v is not None} for each in told[:_COMMENTS]]
