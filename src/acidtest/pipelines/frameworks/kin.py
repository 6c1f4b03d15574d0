"""Which framework an object is of, told by the modules and names of its classes."""

from collections.abc import Mapping
from typing import Any

Kin = frozenset[tuple[str, str]]
"""Of each class of an object: the first part of its module's name, and its own name."""

NEITHER: Mapping[tuple[str, str], str] = {
    ("langchain_core", "VectorStore"): "Give its retriever: store.as_retriever().",
    ("langchain_core", "Embeddings"): "Give a retriever or a chain that uses it.",
    ("llama_index", "BaseIndex"): "Give index.as_query_engine(), or index.as_retriever().",
    ("llama_index", "BaseLLM"): "Give a function: lambda question: llm.complete(question).text.",
    ("llama_index", "BaseNodePostprocessor"): "Give the query engine that uses it.",
    (
        "workflows",
        "Workflow",
    ): "What a workflow takes cannot be told. Give an async function of the "
    "question that awaits workflow.run(...) and returns (answer, contexts).",
}
"""What is handed over by mistake, and what to hand over in its place."""


def kin_of(thing: Any) -> Kin:
    """Return what an object's class is and descends from."""
    return frozenset(
        (cls.__module__.partition(".")[0], cls.__name__) for cls in type(thing).__mro__
    )


def is_langchain(kin: Kin) -> bool:
    """Say whether it is a Runnable: a chain, a retriever, a model, a compiled graph."""
    return ("langchain_core", "Runnable") in kin


def is_llamaindex(kin: Kin) -> bool:
    """Say whether it is a query engine, a chat engine, a retriever or a response synthesizer."""
    names = ("BaseQueryEngine", "BaseChatEngine", "BaseRetriever", "BaseSynthesizer")
    return any(("llama_index", name) in kin for name in names)


def is_haystack(thing: Any, kin: Kin) -> bool:
    """Say whether it is a Haystack pipeline or a component."""
    component = hasattr(thing, "__haystack_input__") and hasattr(thing, "__haystack_output__")
    return component or ("haystack", "PipelineBase") in kin
