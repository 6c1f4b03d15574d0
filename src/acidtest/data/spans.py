"""A span: one step of one answer of a live system, as tracing reports it."""

from typing import Any, Literal, NamedTuple

from msgspec import Struct

SpanStatus = Literal["unset", "ok", "error"]

Form = Literal["protobuf", "json", "span"]
"""How the body of a kept span is written: an OTLP `Span` message, its JSON, or a `Span` of ours as JSON."""


class SpanEvent(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Something that happened during a span, such as an exception or a message."""

    name: str
    at_ns: int | None = None
    attributes: dict[str, Any] = {}


class Span(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One step, whatever wire format it came in.

    Ids are lower-case hex for OTLP (32 and 16 digits), and what the file calls them elsewhere. Times are
    nanoseconds since 1970, UTC. `attributes` hold plain values (str, bool, int, float, list, dict);
    dotted names stay flat, as sent. `resource` are the attributes of the process that sent it, `scope` the
    name of the instrumentation.
    """

    trace_id: str
    span_id: str
    parent_id: str | None = None
    name: str = ""
    start_ns: int | None = None
    end_ns: int | None = None
    status: SpanStatus = "unset"
    status_message: str = ""
    attributes: dict[str, Any] = {}
    events: tuple[SpanEvent, ...] = ()
    resource: dict[str, Any] = {}
    scope: str = ""


class Arrived(NamedTuple):
    """A span on its way into the store: what is looked up by, and the body as it came.

    A tuple, as thousands come in a second. `origin` is the hash under which its resource and scope are
    kept, once for all spans that share them.
    """

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    start_ns: int
    end_ns: int
    form: Form
    origin: str
    body: bytes


class Arrivals(NamedTuple):
    """What one request or file brought.

    `origins` maps the hash of a resource with its scope to its JSON. `refused` spans could not be taken,
    `why` says for the first of them.
    """

    spans: list[Arrived]
    origins: dict[str, bytes]
    refused: int = 0
    why: str = ""


class Origin(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Who sent a span: the attributes of its resource, and the instrumentation's name and version."""

    resource: dict[str, Any] = {}
    scope: str = ""
    scope_version: str = ""
