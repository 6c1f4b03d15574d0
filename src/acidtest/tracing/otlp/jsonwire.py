"""OTLP's JSON as far as receiving reads it; attributes are skipped, not decoded.

Names are in lowerCamelCase and ids in hex, as OTLP demands (unlike protobuf's usual JSON, which has ids in
base64); unknown names are passed over.
"""

import re

from msgspec import DecodeError, Raw, Struct, ValidationError
from msgspec.json import Decoder

from acidtest.data.spans import Origin
from acidtest.errors import TraceFormatError
from acidtest.tracing.otlp.ids import fault_of_id, is_span_id, is_trace_id
from acidtest.tracing.otlp.values import from_json

_WHERE = "POST /v1/traces"


class Head(Struct, gc=False):
    """What a span is looked up by."""

    traceId: str = ""  # noqa: N815 - the wire's names
    spanId: str = ""  # noqa: N815
    parentSpanId: str | None = None  # noqa: N815
    name: str | None = None
    startTimeUnixNano: int | None = None  # noqa: N815
    endTimeUnixNano: int | None = None  # noqa: N815


class Part(Struct):
    """The spans of one instrumentation."""

    scope: Raw = Raw(b"")
    spans: list[Raw] | None = None


class Group(Struct):
    """What one process sent."""

    resource: Raw = Raw(b"")
    scopeSpans: list[Part] | None = None  # noqa: N815


class _Request(Struct):
    resourceSpans: list[Group] | None = None  # noqa: N815


class _Scope(Struct):
    name: str | None = None
    version: str | None = None


_request = Decoder(_Request)
_head = Decoder(Head, strict=False)
_anything = Decoder(dict[str, Raw])
_scope = Decoder(_Scope | None)

# An escape; group 1 is half of a surrogate pair that stands alone, which JavaScript writes when it cuts a text.
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


def groups(body: bytes) -> list[Group]:
    """Return the groups of a request.

    Raises:
        TraceFormatError: It is not JSON, or no export request.
    """
    try:
        found = _request.decode(body).resourceSpans
        if not body.isascii():
            body.decode()
    except ValidationError as fault:
        raise _refused(f"the body is not a trace export request: {str(fault)[:300]}") from fault
    except DecodeError as fault:
        mended = without_half_escapes(body)
        if mended != body:
            return groups(mended)
        raise _refused(f"the body is not JSON: {str(fault)[:300]}") from fault
    except UnicodeDecodeError as fault:
        raise _refused(f"the body is not UTF-8 at byte {fault.start}") from fault
    except RecursionError as fault:
        raise _refused("the body nests too deep") from fault
    if found is None:
        names = list(_anything.decode(body))
        if names and "resourceSpans" not in names:  # null is as good as nothing, in protobuf's JSON
            listed = ", ".join(repr(name[:40]) for name in names[:5])
            raise _refused(f"the body has no 'resourceSpans'; it has {listed}")
        return []
    return found


def without_half_escapes(text: bytes) -> bytes:
    r"""Return JSON with each `\\ud800` that stands alone as U+FFFD."""
    return _ESCAPE.sub(lambda found: rb"\ufffd" if found[1] else found[0], text)


def head(raw: Raw) -> Head | str:
    """Return what a span is looked up by; a text says why the span is refused."""
    try:
        found = _head.decode(raw)
    except (DecodeError, ValueError, RecursionError) as fault:
        return f"it is no span: {str(fault)[:200]}"
    if not is_trace_id(found.traceId):
        return fault_of_id("traceId", found.traceId, 32)
    if not is_span_id(found.spanId):
        return fault_of_id("spanId", found.spanId, 16)
    parent = found.parentSpanId
    if parent and not is_span_id(parent) and parent.strip("0"):
        return fault_of_id("parentSpanId", parent, 16)
    return found


def origin(resource: bytes, scope: bytes) -> Origin:
    """Return who sent spans; of a resource or scope that cannot be read nothing is told."""
    from acidtest.tracing.otlp.jsontext import lenient

    given = lenient(resource)
    attributes = from_json(given.get("attributes")) if isinstance(given, dict) else {}
    try:
        named = _scope.decode(scope) if scope else None
    except (DecodeError, RecursionError):
        named = None
    return Origin(
        resource=attributes,
        scope=(named.name or "") if named else "",
        scope_version=(named.version or "") if named else "",
    )


def _refused(what: str) -> TraceFormatError:
    return TraceFormatError(
        what,
        where=_WHERE,
        fix='Send {"resourceSpans": [...]} as OTLP has it, in lowerCamelCase.',
    )
