"""Which parts a Python pipeline has, and which of them a mode calls.

Looked for are the methods `retrieve`, `candidates`, `respond`, `answer` and `generate`, and the object
itself if it can be called. A plain function is a retriever if its name starts with "retrieve", a
generator if it starts with "generate", else it answers. In live mode the first of these lines that
fits is taken:

1. `respond(question)`
2. `retrieve(question)`, then `answer(question, contexts)` if answer takes contexts
3. `answer(question)`
4. `retrieve(question)`, then `generate(question, contexts)` if generate takes contexts
5. `generate(question)`
6. the callable, as `answer`

What answers by itself (1, 3, 5, 6) is called alone; only when it says nothing of its contexts and
there is a `retrieve`, that is called as well.
"""

import functools
import inspect
from dataclasses import dataclass
from typing import Any

from acidtest.data.terms import Mode
from acidtest.errors import UsageError
from acidtest.pipelines.calls import Call, read_call

METHODS = ("retrieve", "candidates", "respond", "answer", "generate")


@dataclass(frozen=True)
class Shape:
    """The parts of a pipeline.

    `whole` answers a question by itself; `generator` answers from given contexts; `by_parts` says
    that live mode retrieves and then generates.
    """

    retriever: Call | None
    candidates: Call | None
    whole: Call | None
    generator: Call | None
    by_parts: bool

    def refuses(self, mode: Mode) -> str | None:
        """Say why a mode is not possible; None when it is."""
        if mode == "golden-context" and self.generator is None:
            return (
                "it takes no contexts; golden-context mode needs generate(question, contexts) "
                "or answer(question, contexts=...)"
            )
        if mode == "retrieval-only" and self.retriever is None:
            return (
                "it has no retrieve(question): retrieval and generation come in one call, "
                "and retrieval-only mode must not generate"
            )
        if mode == "live" and self.whole is None and not self.by_parts:
            if self.generator is None:
                return (
                    "it only retrieves: run it in retrieval-only mode, or give it answer(question)"
                )
            return (
                f"{self.generator.label} needs contexts and there is no retrieve(question): "
                "run it in golden-context mode, or give it retrieve(question)"
            )
        return None


def shape_of(thing: Any, where: str) -> Shape:
    """Find the parts of a pipeline.

    Raises:
        UsageError: It has none of the methods and cannot be called, or one of them cannot be called
            with a question.
    """
    if inspect.isclass(thing):
        raise UsageError(
            f"{thing.__name__} is a class", where=where, fix=f"Make one: {thing.__name__}(...)."
        )
    calls = {name: _method(thing, name, where) for name in METHODS}
    if callable(thing):
        role = _role(thing)
        if calls.get(role) is None:
            label = f"{name_of(thing)}()"
            calls[role] = read_call(thing, label, where=where, generates=role == "generate")
    if not any(call for name, call in calls.items() if name != "candidates"):
        raise UsageError(
            f"{type(thing).__name__} is no pipeline",
            where=where,
            fix="Give a function of the question, or an object with retrieve(question), "
            "answer(question), respond(question) or generate(question, contexts).",
        )
    return _arranged(calls)


def _arranged(calls: dict[str, Call | None]) -> Shape:
    retriever = calls["retrieve"]
    whole = None
    pair = None
    for name in ("respond", "answer", "generate", "call"):
        call = calls.get(name)
        if call is None:
            continue
        if name != "respond" and retriever is not None and "contexts" in call.takes:
            pair = call
            break
        if "contexts" not in call.needs:
            whole = call
            break
    given = (calls.get(name) for name in ("generate", "answer", "respond", "call"))
    return Shape(
        retriever=retriever,
        candidates=calls["candidates"],
        whole=whole,
        generator=pair or next((c for c in given if c is not None and "contexts" in c.takes), None),
        by_parts=pair is not None,
    )


def _method(thing: Any, name: str, where: str) -> Call | None:
    method = getattr(thing, name, None)
    if not callable(method):
        return None
    generates = name in ("answer", "generate")
    return read_call(method, f"{name}()", where=where, generates=generates)


def _role(thing: Any) -> str:
    name = name_of(thing)
    return next((role for role in ("retrieve", "generate") if name.startswith(role)), "call")


def name_of(thing: Any) -> str:
    """Return what a function, or the class of an object, is called."""
    while isinstance(thing, functools.partial):
        thing = thing.func
    return getattr(thing, "__name__", type(thing).__name__)
