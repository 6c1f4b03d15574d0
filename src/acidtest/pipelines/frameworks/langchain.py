"""LangChain: retrievers, chains, models and compiled graphs, called by `invoke`.

What a chain retrieved is read off its output where that holds documents, and else off what its retrievers
told while it ran (`langchain_seen.py`): a chain that gives back a text alone is scored for retrieval too.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from acidtest.errors import UsageError
from acidtest.pipelines.frameworks.either import Either
from acidtest.pipelines.frameworks.kin import Kin
from acidtest.pipelines.frameworks.langchain_input import Takes, takes
from acidtest.pipelines.frameworks.langchain_seen import Seen, handler
from acidtest.pipelines.frameworks.parts import Parts
from acidtest.pipelines.lookup import MISSING, first
from acidtest.pipelines.normalise import ANSWER, CONTEXTS, Told

_KEPT = ("abstained", "citations", "candidates", "usage", "latency_ms")


def langchain_parts(thing: Any, kin: Kin, inputs: Sequence[str], where: str) -> Parts:
    """Return the parts of a Runnable.

    A retriever, and whatever else says that it gives documents, retrieves. A chain that has to be given
    contexts generates. All else answers.

    Raises:
        UsageError: How it takes a question cannot be told.
    """
    call = Either(thing.invoke, thing.ainvoke)
    if ("langchain_core", "BaseRetriever") in kin:
        if inputs:
            raise UsageError("a retriever has one input", where=where, fix="Leave inputs out.")
        return Parts(retrieve=_Retrieve(call, Takes(form="text")))
    form = takes(thing, inputs, where)
    if _gives_documents(thing):
        return Parts(retrieve=_Retrieve(call, form))
    if form.contexts is not None:
        return Parts(generate=_with_history(_Generate(call, form), form))
    return Parts(respond=_with_history(_Respond(call, form), form))


class _Retrieve:
    """Contexts for a question."""

    def __init__(self, call: Either, form: Takes) -> None:
        self._call = call
        self._form = form

    def __call__(self, question: str) -> Any:
        seen = Seen()

        def read(value: Any) -> Any:
            candidates = seen.candidates()
            return value if candidates is None else {"retrieved": value, "candidates": candidates}

        given = _put(self._form, question, [])
        return self._call(read, given, config={"callbacks": [handler(seen)]})


class _Respond:
    """An answer to a question."""

    def __init__(self, call: Either, form: Takes) -> None:
        self._call = call
        self._form = form

    def __call__(self, question: str, history: Any = ()) -> Any:
        seen = Seen()

        def read(value: Any) -> Any:
            return _read(value, seen)

        given = _put(self._form, question, history)
        return self._call(read, given, config={"callbacks": [handler(seen)]})


class _Generate:
    """An answer to a question from contexts."""

    def __init__(self, call: Either, form: Takes) -> None:
        self._call = call
        self._form = form

    def __call__(self, question: str, contexts: Any, history: Any = ()) -> Any:
        seen = Seen()

        def read(value: Any) -> Any:
            record = _read(value, seen)
            record.pop("retrieved", None)  # those that were given
            return record

        given = _put(self._form, question, history)
        texts = [str.__str__(one) for one in contexts]
        given[str(self._form.contexts)] = (
            "\n\n".join(texts) if self._form.joined else [_document(one) for one in contexts]
        )
        return self._call(read, given, config={"callbacks": [handler(seen)]})


def _with_history(call: Any, form: Takes) -> Any:
    """Show only parameters that are heeded: who takes no history must not seem to."""
    if form.talks:
        return call

    def generate(question: str, contexts: Any) -> Any:
        return call(question, contexts)

    def respond(question: str) -> Any:
        return call(question)

    return generate if isinstance(call, _Generate) else respond


def _put(form: Takes, question: str, history: Any) -> Any:
    if form.form == "text":
        return question
    turns = _messages(history)
    if form.form == "messages":
        return [*turns, *_messages([{"role": "user", "content": question}])]
    given: dict[str, Any] = {form.question: question}
    if form.question == "messages":
        given["messages"] = [*turns, *_messages([{"role": "user", "content": question}])]
    if form.history is not None:
        given[form.history] = turns
    return given


def _messages(history: Any) -> list[Any]:
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

    kinds = {"assistant": AIMessage, "system": SystemMessage}
    return [kinds.get(turn["role"], HumanMessage)(content=turn["content"]) for turn in history]


def _document(passage: Any) -> Any:
    from langchain_core.documents import Document

    chunk = passage.chunk
    about = {"source": chunk.source, "doc_id": chunk.doc_id}
    about = {name: value for name, value in about.items() if value is not None}
    return Document(
        page_content=chunk.text or "", id=chunk.id, metadata={**about, **chunk.metadata}
    )


def _read(value: Any, seen: Seen) -> Told:
    found: dict[str, Any] = {"usage": seen.usage(), "latency_ms": seen.latency_ms()}
    record = value if isinstance(value, Mapping) or not _is_plain(value) else {}
    if not _is_message(record):
        found.update(
            {name: said for name in _KEPT if (said := first(record, (name,))) is not MISSING}
        )
    text = _text(value, record)
    if text is not None:
        found["answer"] = text
    contexts = (
        value
        if _documents(value)
        else first(record, CONTEXTS)
        if not _is_message(record)
        else MISSING
    )
    captured = seen.documents()
    if contexts is MISSING or (captured is not None and not _documents(contexts)):
        contexts = captured
        found.setdefault("candidates", seen.candidates())
        found.setdefault("notes", _joined(seen))
    if contexts is not None:
        found["retrieved"] = contexts
    elif (error := first(record, ("error",))) is not MISSING:
        found["error"] = error
    told = Told({name: part for name, part in found.items() if part is not None})
    told.given = value
    return told


def _text(value: Any, record: Any) -> str | None:
    if isinstance(value, str):
        return value
    if _is_message(value):
        return _words(value)
    for name in ANSWER:
        said = first(record, (name,))
        if isinstance(said, str):
            return said
        if _is_message(said):
            return _words(said)
    messages = value if isinstance(value, list) else first(record, ("messages",))
    spoken = [one for one in messages if _is_message(one)] if isinstance(messages, list) else []
    said = [one for one in spoken if getattr(one, "type", "") == "ai"]
    return _words(said[-1]) if said else None


def _words(message: Any) -> str:
    content = message.content
    if isinstance(content, str):
        return content
    parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
    return "".join(part for part in parts if isinstance(part, str))


def _is_message(value: Any) -> bool:
    return any(cls.__name__ == "BaseMessage" for cls in type(value).__mro__)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | list | tuple | int | float | bool)


def _documents(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(hasattr(one, "page_content") for one in value)
    )


def _joined(seen: Seen) -> tuple[str, ...] | None:
    count = len(seen.retrievals())
    if count < 2:
        return None
    told = (
        f"{count} retrievals were made for this answer: their contexts stand in the order in which they "
        "were made. Have the chain give back the documents that it used, to rank those."
    )
    return (told,)


def _gives_documents(thing: Any) -> bool:
    try:
        schema = thing.get_output_jsonschema()
    except Exception:  # noqa: BLE001 - types that have no schema, and versions that give none
        return False
    items = schema.get("items") if isinstance(schema, Mapping) else None
    link = items.get("$ref") if isinstance(items, Mapping) else None
    return isinstance(link, str) and link.rpartition("/")[2] == "Document"
