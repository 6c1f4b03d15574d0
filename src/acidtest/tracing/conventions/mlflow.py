"""MLflow: `mlflow.spanType`, `mlflow.spanInputs`, `mlflow.spanOutputs`, each a JSON text.

Source: MLflow's pages on the span's schema and its attribute mapping.
"""

from acidtest.data.spans import Span
from acidtest.tracing.conventions import chat
from acidtest.tracing.conventions.documents import documents
from acidtest.tracing.conventions.said import Kind, Said
from acidtest.tracing.conventions.values import at, count, first, name, number, parsed, record

NAME = "mlflow"
FAMILY = frozenset({"mlflow"})

_KINDS: dict[str, Kind] = {
    "CHAIN": "chain",
    "WORKFLOW": "chain",
    "TASK": "chain",
    "LLM": "llm",
    "CHAT_MODEL": "llm",
    "RETRIEVER": "retriever",
    "RERANKER": "reranker",
    "EMBEDDING": "embedding",
    "AGENT": "agent",
    "TOOL": "tool",
    "GUARDRAIL": "guardrail",
    "EVALUATOR": "evaluator",
}


def read(span: Span) -> Said | None:
    """Return what a span says in MLflow's names; None when it says nothing of it."""
    told = span.attributes
    kind = _KINDS.get(str(parsed(at(told, "mlflow.spanType"))).upper())
    into, out = first(told, "mlflow.spanInputs"), first(told, "mlflow.spanOutputs")
    if kind is None and into is None and out is None:
        return None
    usage = record(at(told, "mlflow.chat.tokenUsage"))
    cost = number(at(record(at(told, "mlflow.llm.cost")), "total_cost"))
    ranks = kind in {"retriever", "reranker"}
    return Said(
        conventions=(NAME,),
        kind=kind,
        input=into,
        output=out,
        messages=chat.turns(into) if kind == "llm" else (),
        replies=chat.turns(out) if kind == "llm" else (),
        prompt=into if kind == "llm" else None,
        documents=documents(out, texts=True) if ranks else None,
        given=documents(into) if kind == "reranker" else None,
        model=name(parsed(at(told, "mlflow.llm.model"))),
        provider=name(parsed(at(told, "mlflow.llm.provider"))),
        input_tokens=count(usage.get("input_tokens")),
        output_tokens=count(usage.get("output_tokens")),
        cost_usd=cost if cost is not None and cost >= 0 else None,
        session=name(parsed(first(told, "mlflow.trace.session"))),
        user=name(parsed(first(told, "mlflow.trace.user"))),
    )
