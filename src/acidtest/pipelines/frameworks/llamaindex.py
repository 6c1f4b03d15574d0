"""LlamaIndex: query engines, chat engines, retrievers and response synthesizers.

A query engine answers by `query`, in one call. Where it can also retrieve and synthesise apart, it runs in
the other two modes as well, by those methods.
"""

import asyncio
import inspect
import threading
from collections.abc import Callable, Sequence
from typing import Any

from acidtest.errors import UsageError
from acidtest.pipelines.frameworks.either import Either
from acidtest.pipelines.frameworks.kin import Kin
from acidtest.pipelines.frameworks.parts import Parts


def llamaindex_parts(thing: Any, kin: Kin, inputs: Sequence[str], where: str) -> Parts:
    """Return the parts of an object of LlamaIndex.

    Raises:
        UsageError: Inputs are named: these objects take a question as it is.
    """
    if inputs:
        raise UsageError(
            f"{type(thing).__name__} takes the question as it is",
            where=where,
            fix="Leave inputs out.",
        )
    if ("llama_index", "BaseQueryEngine") in kin:
        return Parts(
            respond=_asking(Either(thing.query, thing.aquery)),
            retrieve=_retrieving(thing) if _own(thing, "retrieve") else None,
            generate=_synthesising(thing, "query_bundle") if _own(thing, "synthesize") else None,
        )
    if ("llama_index", "BaseChatEngine") in kin:
        return Parts(respond=_Chat(thing), alone=True)
    if ("llama_index", "BaseRetriever") in kin:
        return Parts(retrieve=_retrieving(thing))
    return Parts(generate=_synthesising(thing, "query"))


def _own(thing: Any, name: str) -> bool:
    """Say whether a method is more than the base class's, which only raises."""
    owner = next((cls for cls in type(thing).__mro__ if name in vars(cls)), None)
    return owner is not None and owner.__name__ != "BaseQueryEngine"


def _asking(call: Either) -> Callable[[str], Any]:
    def respond(question: str) -> Any:
        return call(_read, question)

    return respond


def _retrieving(thing: Any) -> Callable[[str], Any]:
    call = Either(thing.retrieve, getattr(thing, "aretrieve", thing.retrieve))

    def retrieve(question: str) -> Any:
        return call(_nodes, _query(question))

    return retrieve


def _synthesising(thing: Any, first: str) -> Callable[[str, Any], Any]:
    call = Either(thing.synthesize, thing.asynthesize)

    def generate(question: str, contexts: Any) -> Any:
        nodes = [_node(one.chunk) for one in contexts]
        return call(_said, **{first: _query(question), "nodes": nodes})

    return generate


class _Chat:
    """A chat engine: it remembers, so each question begins anew and has it to itself."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self._call = Either(engine.chat, engine.achat)
        self._alone = threading.Lock()

    def __call__(self, question: str, history: Any) -> Any:
        from llama_index.core.llms import ChatMessage

        turns = [ChatMessage(role=turn["role"], content=turn["content"]) for turn in history]
        with self._alone:
            self._engine.reset()
            # Some engines take an empty list for none, and some must be given none.
            given = self._call(_read, question, turns or None)
            # Awaited here and not in the run's loop: nobody else may ask before it is done.
            return asyncio.run(given) if inspect.iscoroutine(given) else given


def _query(question: str) -> Any:
    from llama_index.core.schema import QueryBundle

    return QueryBundle(question)


def _read(response: Any) -> Any:
    answer = _said(response)
    nodes = _nodes(getattr(response, "source_nodes", None) or ())
    if isinstance(answer, dict):
        return {**answer, "retrieved": nodes}
    return _with_nodes(answer, nodes)


async def _with_nodes(answer: Any, nodes: Any) -> Any:
    return {**(await answer), "retrieved": nodes}


def _said(response: Any) -> Any:
    """Return the answer's text; of a stream that has to be awaited, something to await."""
    pieces = getattr(response, "response_gen", None)
    name = type(response).__name__
    if name == "AsyncStreamingResponse":
        return _gathered(response)
    if name == "StreamingResponse" and pieces is not None:
        return {"answer": response.response_txt or "".join(pieces)}
    text = getattr(response, "response", None)
    if text is not None and not isinstance(
        text, str
    ):  # a pydantic object that the engine was to fill
        text = str(response)
    return {"answer": text}


async def _gathered(response: Any) -> dict[str, Any]:
    return {"answer": "".join([piece async for piece in response.async_response_gen()])}


def _nodes(found: Any) -> list[dict[str, Any]]:
    return [_context(one) for one in found]


def _context(scored: Any) -> dict[str, Any]:
    node = getattr(scored, "node", scored)
    return {
        "id": node.node_id,
        "text": node.get_content(),
        "score": getattr(scored, "score", None),
        "doc_id": getattr(node, "ref_doc_id", None),
        "metadata": node.metadata,
    }


def _node(chunk: Any) -> Any:
    from llama_index.core.schema import (
        NodeRelationship,
        NodeWithScore,
        RelatedNodeInfo,
        TextNode,
    )

    named = {} if chunk.id is None else {"id_": chunk.id}
    node = TextNode(text=chunk.text or "", metadata=chunk.metadata, **named)
    if chunk.doc_id is not None:
        node.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(node_id=chunk.doc_id)
    return NodeWithScore(node=node, score=chunk.score)
