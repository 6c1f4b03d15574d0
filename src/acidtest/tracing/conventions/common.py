"""Names that applications use whatever the convention: who, where, which version, and bare input and output."""

from acidtest.data.golden import Turn
from acidtest.data.spans import Span
from acidtest.tracing.conventions import chat
from acidtest.tracing.conventions.feedback import given
from acidtest.tracing.conventions.said import Said
from acidtest.tracing.conventions.values import at, first, flag, name, text


def read(span: Span) -> Said:
    """Return what a span says under names that belong to no convention."""
    told, process = span.attributes, span.resource
    who = at(told, "conversation.role")
    spoken = None
    if isinstance(who, str):
        spoken = chat.turn({"role": who, "content": at(told, "conversation.content")})
    places = ("deployment.environment.name", "deployment.environment", "environment")
    return Said(
        kind="turn" if spoken is not None else None,
        input=first(told, "input"),
        output=first(told, "output"),
        messages=(Turn(spoken.role, spoken.text),) if spoken is not None else (),
        model=name(first(told, "llm.model")),
        prompt_version=name(first(told, "prompt_version", "app.prompt_version", "prompt.version")),
        session=name(
            first(told, "conversation.session_id", "conversation.id", "session_id", "thread_id")
        ),
        user=name(first(told, "enduser.id", "user_id")),
        environment=name(first(told, *places) or first(process, *places)),
        feedback=given(told) if "feedback" in " ".join(map(str, told)) else (),
        abstained=flag(first(told, "rag.abstained", "abstained")),
        error=text(first(told, "exception.message", "error.message")),
    )
