"""Why a part of a trace could not be told, in plain words."""

from collections.abc import Sequence

from acidtest.data.answers import Chunk, Latency, Usage
from acidtest.tracing.understand.calls import Call, judging
from acidtest.tracing.understand.steps import Ranking
from acidtest.tracing.understand.turns import Scope

_SILENT = "No span carries a text: perhaps the instrumentation leaves out what was said."
_UNKNOWN = "No span has attributes in the names of a convention that is known."


def reasons(
    scope: Scope,
    steps: Sequence[Ranking],
    calls: Sequence[Call],
    question: str | None,
    answer: str | None,
    retrieved: Sequence[Chunk] | None,
    model: str | None,
    usage: Usage | None,
    latency: Latency | None,
) -> dict[str, str]:
    """Return part -> why it is missing, for each part that is."""
    if all(judging(node) for node in scope.nodes):
        why = "Only spans of an evaluator are there." if scope.nodes else "There are no spans."
        found = dict.fromkeys(("question", "retrieved", "answer", "model", "usage"), why)
        return found if latency is not None else {**found, "latency": why}
    found = {}
    if question is None:
        found["question"] = _question(scope)
    if retrieved is None:
        found["retrieved"] = _retrieved(steps, calls)
    elif retrieved and not any(chunk.text for chunk in retrieved):
        found["texts"] = "The retriever tells ids and scores, and no texts."
    if retrieved and not any(chunk.id or chunk.doc_id for chunk in retrieved):
        found["ids"] = "The retriever tells texts, and no ids of chunks or documents."
    if answer is None:
        found["answer"] = _answer(scope, calls)
    if model is None:
        found["model"] = _of_calls(calls, "names its model")
    if usage is None:
        named = model is not None and not calls
        found["usage"] = (
            "What names the model tells no tokens."
            if named
            else _of_calls(calls, "tells its tokens")
        )
    if latency is None:
        found["latency"] = "No span has both a start and an end."
    return found


def _question(scope: Scope) -> str:
    return _silence(scope) or (
        "No chain or agent has an input that is a question, and no retriever a query."
    )


def _silence(scope: Scope) -> str | None:
    """Return why no span says a word; None where one does, were it only what was embedded."""
    said = [node.said for node in scope.nodes]
    if any(s.input is not None or s.output is not None or s.messages or s.replies for s in said):
        return None
    return _SILENT if any(s.conventions for s in said) else _UNKNOWN


def _retrieved(steps: Sequence[Ranking], calls: Sequence[Call]) -> str:
    if steps:
        names = ", ".join(dict.fromkeys(step.node.span.name[:80] for step in steps[:5]))
        return f"No retriever says what it found: {names}."
    rest = ", and no tool or output lists documents" if calls else ""
    return f"No span is a retriever{rest}."


def _answer(scope: Scope, calls: Sequence[Call]) -> str:
    if any(node.span.status == "error" for node in scope.nodes):
        return "The answer failed before it was given."
    if calls and any(call.node.said.output is not None for call in calls):
        return "The last calls of the model gave no text: only calls of tools, or nothing."
    return _silence(scope) or "No span has an output that is an answer."


def _of_calls(calls: Sequence[Call], tells: str) -> str:
    if not calls:
        return "No span is a call of a language model."
    return f"No call of a model {tells}."
