"""How a LangChain object takes a question: as text, as chat messages, or in a mapping under a name."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from acidtest.errors import UsageError

QUESTIONS = (
    *("question", "query", "input", "user_input", "user_query", "user_question", "q"),
    *("search_query", "text", "prompt"),
)
HISTORIES = ("chat_history", "history", "conversation_history")
CONTEXTS = ("context", "contexts", "documents", "docs", "chunks", "passages")

Form = Literal["text", "messages", "mapping"]


@dataclass(frozen=True, kw_only=True)
class Takes:
    """What is put in.

    Attributes:
        form: A bare text, a list of messages, or a mapping.
        question: The mapping's key for the question; `messages` takes it as the last message.
        history: The key for the earlier turns, as messages.
        contexts: The key for contexts, where they have to be put in.
        joined: The contexts are one text, and not a list of documents.
    """

    form: Form
    question: str = ""
    history: str | None = None
    contexts: str | None = None
    joined: bool = False

    @property
    def talks(self) -> bool:
        """Whether the earlier turns are taken."""
        return self.form == "messages" or self.history is not None or self.question == "messages"


def takes(thing: Any, inputs: Sequence[str], where: str) -> Takes:
    """Find out how a Runnable takes a question.

    Looked at are a graph's state, a chain's `input_keys`, and the schema that every Runnable has.

    Raises:
        UsageError: It takes a mapping in which no name is a question's, or more than can be filled.
    """
    graph = _state(thing)
    if graph is not None:
        return Takes(
            form="mapping", question=_question(graph, inputs, where), history=_one(graph, HISTORIES)
        )
    keys = getattr(thing, "input_keys", None)
    if isinstance(keys, list) and keys:
        return _mapping({str(key): {"type": "string"} for key in keys}, keys, inputs, where)
    schema = _schema(thing)
    kinds = set(_kinds(schema, schema.get("$defs", {})))
    members = schema.get("properties") or {}
    if members:
        return _mapping(members, schema.get("required", ()), inputs, where)
    if inputs:
        return Takes(form="mapping", question=_question({}, inputs, where))
    if "object" in kinds and "string" not in kinds:
        raise UsageError(
            "it takes a mapping, and does not say under which name it takes the question",
            where=where,
            fix='Say which with inputs = ["question"], or wrap it: '
            'lambda q: chain.invoke({"question": q}).',
        )
    return Takes(form="messages" if kinds == {"array"} else "text")


def _state(thing: Any) -> Mapping[str, Any] | None:
    """Return the names of a compiled graph's state."""
    builder = getattr(thing, "builder", None)
    channels = getattr(builder, "channels", None)
    if not isinstance(channels, Mapping):
        return None
    # Of a graph whose input is less than its state, only that may be put in.
    schemas = getattr(builder, "schemas", None)
    own = getattr(builder, "input_schema", None) or getattr(builder, "input", None)
    given = schemas.get(own) if isinstance(schemas, Mapping) else None
    return given if isinstance(given, Mapping) and given else channels


def _mapping(
    members: Mapping[str, Any], required: Iterable[str], inputs: Sequence[str], where: str
) -> Takes:
    question = _question(members, inputs, where)
    history, contexts = _one(members, HISTORIES), _one(members, CONTEXTS)
    left = [name for name in required if name not in (question, history, contexts)]
    if left:
        raise UsageError(
            f"it also requires {', '.join(map(repr, left))}, which a question cannot fill",
            where=where,
            fix="Bind them, as with chain.partial or RunnablePassthrough.assign, or wrap the chain by "
            "a function of the question.",
        )
    kind = members.get(contexts or "") or {}
    return Takes(
        form="mapping",
        question=question,
        history=history,
        contexts=contexts,
        joined=isinstance(kind, Mapping) and kind.get("type") == "string",
    )


def _question(members: Mapping[str, Any], inputs: Sequence[str], where: str) -> str:
    if len(inputs) > 1:
        raise UsageError(
            f"{len(inputs)} inputs are named, and a Runnable has one", where=where, fix="Leave one."
        )
    if inputs:
        if members and inputs[0] not in members:
            raise UsageError(
                f"it takes no {inputs[0]!r}",
                where=where,
                fix=f"It takes {', '.join(map(repr, members))}.",
            )
        return inputs[0]
    found = _one(members, QUESTIONS) or _one(members, ("messages",))
    others = [name for name in members if name not in (*HISTORIES, *CONTEXTS)]
    if found is None and len(others) == 1:
        found = others[0]
    if found is None:
        raise UsageError(
            f"it takes {', '.join(map(repr, members))}, and none of them is known to be the question",
            where=where,
            fix=f"Looked for were {', '.join(QUESTIONS)} and messages. Say which with "
            f'inputs = ["{next(iter(members), "question")}"], or wrap it by a function of the question.',
        )
    return found


def _one(members: Mapping[str, Any], names: Sequence[str]) -> str | None:
    return next((name for name in names if name in members), None)


def _schema(thing: Any) -> Mapping[str, Any]:
    try:
        found = thing.get_input_jsonschema()
    except Exception:  # noqa: BLE001 - types that have no schema: the Runnable works all the same
        return {}
    if not isinstance(found, Mapping):
        return {}
    members = found.get("properties") or {}
    # Versions before 1.0 show a bare value as the only member of an object.
    return {**found, "properties": None, **members["root"]} if set(members) == {"root"} else found


def _kinds(schema: Any, known: Mapping[str, Any], depth: int = 0) -> Iterable[str]:
    if not isinstance(schema, Mapping) or depth > 5:
        return
    if isinstance(kind := schema.get("type"), str):
        yield kind
    if isinstance(link := schema.get("$ref"), str):
        yield from _kinds(known.get(link.rpartition("/")[2]), known, depth + 1)
    for name in ("anyOf", "oneOf", "allOf"):
        for one in schema.get(name) or ():
            yield from _kinds(one, known, depth + 1)
