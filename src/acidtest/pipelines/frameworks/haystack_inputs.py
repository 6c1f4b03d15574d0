"""Which inputs of a Haystack pipeline take the question, which take contexts, which cannot be filled."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from acidtest.errors import UsageError
from acidtest.pipelines.frameworks.haystack_graph import Graph, Socket

SURE = ("question", "query", "user_query", "user_question")
"""Taken for the question wherever they stand, also where they have a default."""
NEEDED = (*SURE, "text", "input", "prompt", "user_input", "user_prompt")
"""Taken for the question where they are mandatory."""


@dataclass(frozen=True)
class Inputs:
    """The open inputs by what they are given."""

    question: tuple[Socket, ...]
    messages: tuple[Socket, ...]
    contexts: tuple[Socket, ...]

    @property
    def asked(self) -> tuple[Socket, ...]:
        """Those that the question goes to, as text or as a message."""
        return self.question + self.messages


def inputs_of(graph: Graph, named: Sequence[str], where: str) -> Inputs:
    """Sort the open inputs.

    Args:
        graph: The pipeline's sockets.
        named: Those that take the question ("component.input", or "input"); empty to find out.
        where: The pipeline, for messages.

    Raises:
        UsageError: None takes the question, one that is named is not there, or a mandatory one is left.
    """
    asked = _named(graph, named, where) if named else _found(graph)
    messages = tuple(socket for socket in asked if "ChatMessage" in str(socket.type))
    contexts = tuple(s for s in graph.inputs if s not in asked and _takes_documents(s))
    left = [s.address for s in graph.inputs if s.needed and s not in asked and s not in contexts]
    if not asked or left:
        raise UsageError(
            "none of its inputs is known to take the question"
            if not asked
            else f"it also requires {', '.join(left)}, which a question cannot fill",
            where=where,
            fix=f"Its open inputs are {', '.join(s.address for s in graph.inputs) or 'none'}; looked for "
            f"were mandatory texts named {', '.join(NEEDED)}, and messages. Say which with inputs = "
            '["component.input"], or give a function of the question that calls pipeline.run(...).',
        )
    return Inputs(tuple(s for s in asked if s not in messages), messages, contexts)


def _found(graph: Graph) -> tuple[Socket, ...]:
    texts = tuple(
        s
        for s in graph.inputs
        if _is_text(s.type) and (s.name in SURE or (s.needed and s.name in NEEDED))
    )
    return texts + tuple(
        s
        for s in graph.inputs
        if s.needed and s.name == "messages" and "ChatMessage" in str(s.type)
    )


def _named(graph: Graph, named: Sequence[str], where: str) -> tuple[Socket, ...]:
    found: list[Socket] = []
    for name in named:
        matching = [s for s in graph.inputs if name in (s.address, s.name)]
        if not matching:
            raise UsageError(
                f"it has no open input {name!r}",
                where=where,
                fix=f"Open are {', '.join(s.address for s in graph.inputs) or 'none'}.",
            )
        found += matching
    return tuple(dict.fromkeys(found))


def _is_text(kind: Any) -> bool:
    return kind is str or kind is Any or kind is None or kind == str | None


def _takes_documents(socket: Socket) -> bool:
    if "Document" in str(socket.type):
        return socket.name in ("documents", "docs", "contexts")
    return socket.type is Any and socket.name in ("documents", "docs", "contexts")
