"""Haystack: a pipeline, or a component by itself (a retriever, a generator, an agent), called by `run`.

Contexts are the documents of the last component that gives any; where a single one before it does too (the
retriever before a ranker), its documents are the candidates. The answer is that of an answer builder, else
a generator's first reply.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from acidtest.errors import UsageError
from acidtest.pipelines.frameworks.either import Either
from acidtest.pipelines.frameworks.haystack_graph import Graph, graph_of
from acidtest.pipelines.frameworks.haystack_inputs import Inputs, inputs_of
from acidtest.pipelines.frameworks.kin import Kin
from acidtest.pipelines.frameworks.parts import Parts
from acidtest.pipelines.normalise import Told

_SAYING = ("answers", "replies", "last_message")


def haystack_parts(thing: Any, kin: Kin, inputs: Sequence[str], where: str) -> Parts:
    """Return the parts of a pipeline or component.

    Raises:
        UsageError: Which input takes the question cannot be told, or it gives neither documents nor
            answers.
    """
    whole = ("haystack", "PipelineBase") in kin
    graph = graph_of(thing, pipeline=whole)
    speaks = any(graph.giving(name) for name in _SAYING)
    if not speaks and not graph.giving("documents"):
        raise UsageError(
            "it gives neither documents nor answers",
            where=where,
            fix=f"Looked for were outputs named documents, {', '.join(_SAYING)}. Is this the pipeline "
            "that writes the index?",
        )
    asked = _Asked(thing, graph, inputs_of(graph, inputs, where), whole=whole)

    def alone(question: str) -> Any:
        return asked(question)

    def talking(question: str, history: Any) -> Any:
        return asked(question, history)

    def given(question: str, contexts: Any) -> Any:
        return asked(question, contexts=contexts)

    if not speaks:
        return Parts(retrieve=alone)
    if asked.inputs.contexts:
        return Parts(generate=given)
    return Parts(respond=talking if asked.inputs.messages else alone)


class _Asked:
    """One way to ask, for what it retrieves and what it says."""

    def __init__(self, thing: Any, graph: Graph, inputs: Inputs, *, whole: bool) -> None:
        self.inputs = inputs
        self._thing = thing
        self._graph = graph
        self._whole = whole
        self._warm = whole  # a pipeline warms its components up itself
        self._call = Either(thing.run, getattr(thing, "run_async", thing.run))

    def __call__(self, question: str, history: Any = (), contexts: Any = None) -> Any:
        if not self._warm:
            self._warm = True
            if hasattr(self._thing, "warm_up"):
                self._thing.warm_up()
        given: dict[str, dict[str, Any]] = {}
        for socket in self.inputs.question:
            given.setdefault(socket.component, {})[socket.name] = question
        for socket in self.inputs.messages:
            given.setdefault(socket.component, {})[socket.name] = _messages(question, history)
        for socket in self.inputs.contexts if contexts is not None else ():
            documents = [_document(one.chunk) for one in contexts]
            given.setdefault(socket.component, {})[socket.name] = documents
        if not self._whole:
            return self._call(lambda found: self._read({"": found}), **given[""])
        told = {n for out in ("documents", "meta", *_SAYING) for n in self._graph.giving(out)}
        return self._call(self._read, given, include_outputs_from=told)

    def _read(self, found: Any) -> Told:
        gave = {name: out for name, out in found.items() if isinstance(out, Mapping)}
        retrieving = [n for n in self._graph.giving("documents") if _listed(gave, n, "documents")]
        last = self._graph.last(retrieving)
        record = Told()
        record.given = found
        if retrieving:
            record["retrieved"] = [d for name in last for d in gave[name]["documents"]]
        elif (odd := self._odd(gave)) is not None:
            record["retrieved"] = odd  # no list: the case fails, and says what it is
        if len(last) > 1:
            record["notes"] = (f"the contexts are those of {', '.join(last)}, one after the other",)
        first = self._graph.before(last[0], retrieving) if len(last) == 1 else []
        if len(first) == 1:
            record["candidates"] = gave[first[0]]["documents"]
        said = self._said(gave)
        if said is not None:
            record["answer"] = said
        if (usage := _usage(gave)) is not None:
            record["usage"] = usage
        return record

    def _odd(self, gave: Mapping[str, Any]) -> Any:
        given = (gave.get(name, {}).get("documents") for name in self._graph.giving("documents"))
        return next((each for each in given if each is not None), None)

    def _said(self, gave: Mapping[str, Any]) -> str | None:
        for output in _SAYING:
            names = [n for n in self._graph.giving(output) if gave.get(n, {}).get(output)]
            for name in reversed(self._graph.last(names)):
                value = gave[name][output]
                one = value[0] if isinstance(value, list) else value
                text = one if isinstance(one, str) else _text(one)
                if text is not None:
                    return text
        return None


def _text(one: Any) -> str | None:
    for name in ("data", "text", "content"):  # GeneratedAnswer, ChatMessage, its older form
        text = getattr(one, name, None)
        if isinstance(text, str):
            return text
    return None


def _listed(gave: Mapping[str, Any], name: str, output: str) -> bool:
    return isinstance(gave.get(name, {}).get(output), list)


def _usage(gave: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the tokens of all generators together, and the last one's model."""
    tokens = {"input_tokens": 0, "output_tokens": 0}
    counted, model = False, None
    for about in _abouts(gave):
        model = about.get("model") or model
        usage = about.get("usage")
        if not isinstance(usage, Mapping):
            continue
        given = usage.get("prompt_tokens", usage.get("input_tokens"))
        made = usage.get("completion_tokens", usage.get("output_tokens"))
        if isinstance(given, int) and isinstance(made, int):
            tokens["input_tokens"] += given
            tokens["output_tokens"] += made
            counted = True
    if not counted and not isinstance(model, str):
        return None
    return {**(tokens if counted else {}), "model": model}


def _abouts(gave: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found: list[Any] = []
    for out in gave.values():
        replies = out.get("replies")
        if isinstance(replies, list) and replies:
            told = out.get("meta")
            # Several replies are of one call, and each tells that call's tokens.
            found.append(told[0] if isinstance(told, list) and told else _meta(replies[0]))
        elif "messages" in out and isinstance(out["messages"], list):  # an agent's
            found += [_meta(one) for one in out["messages"]]
    return [about for about in found if isinstance(about, Mapping)]


def _meta(one: Any) -> Any:
    return getattr(one, "meta", None)


def _messages(question: str, history: Any) -> list[Any]:
    from haystack.dataclasses import ChatMessage

    makers = {"assistant": ChatMessage.from_assistant, "system": ChatMessage.from_system}
    turns = [makers.get(turn["role"], ChatMessage.from_user)(turn["content"]) for turn in history]
    return [*turns, ChatMessage.from_user(question)]


def _document(chunk: Any) -> Any:
    from haystack import Document

    about = {"source": chunk.source, "doc_id": chunk.doc_id}
    meta = {**{n: v for n, v in about.items() if v is not None}, **chunk.metadata}
    named = {} if chunk.id is None else {"id": chunk.id}
    return Document(content=chunk.text or "", meta=meta, **named)
