"""What one span says of itself, the same for every convention."""

from typing import Any, Literal

from msgspec import Struct, structs

from acidtest.data.answers import Chunk
from acidtest.data.golden import Turn
from acidtest.data.traces import Feedback

Kind = Literal[
    "agent",
    "chain",
    "embedding",
    "evaluator",
    "guardrail",
    "llm",
    "prompt",
    "reranker",
    "retriever",
    "tool",
    "turn",
]
"""`turn` is one message of a conversation, kept as a span of its own."""


class Said(Struct, frozen=True, kw_only=True):
    """What a span says; None and empty where it says nothing.

    `input` and `output` are as sent. `messages` went into a language model, `replies` came out of it;
    `prompt` is whatever else went in. `documents` are what a retriever or reranker returned, `given`
    what a reranker was handed.
    """

    conventions: tuple[str, ...] = ()
    kind: Kind | None = None
    input: Any = None
    output: Any = None
    messages: tuple[Turn, ...] = ()
    replies: tuple[Turn, ...] = ()
    prompt: Any = None
    query: str | None = None
    documents: tuple[Chunk, ...] | None = None
    given: tuple[Chunk, ...] | None = None
    model: str | None = None
    provider: str | None = None
    prompt_version: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    session: str | None = None
    user: str | None = None
    environment: str | None = None
    tags: tuple[str, ...] = ()
    metadata: dict[str, Any] = {}
    feedback: tuple[Feedback, ...] = ()
    abstained: bool | None = None
    error: str | None = None


_GATHERED = ("conventions", "tags", "feedback")
_TURNS = ("messages", "replies")


def joined(one: Said, other: Said) -> Said:
    """Return what two conventions say of the same span: the first wins where both speak."""
    changes: dict[str, Any] = {}
    both = zip(Said.__struct_fields__, structs.astuple(one), structs.astuple(other), strict=True)
    for name, mine, theirs in both:
        if theirs is None:
            continue
        if name in _GATHERED:
            if theirs:
                changes[name] = tuple(dict.fromkeys((*mine, *theirs)))
        elif name == "metadata":
            if theirs:
                changes[name] = {**theirs, **mine}
        elif mine is None or (name in _TURNS and not mine):
            changes[name] = theirs  # an empty list of documents says that nothing was found
    return structs.replace(one, **changes) if changes else one
