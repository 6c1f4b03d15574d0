"""Traces for programs: the list as `acidtest traces list --json` gives it, one as `acidtest traces show --json`."""

import msgspec
from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from acidtest.codec.lossy import encoded
from acidtest.data.spans import Span
from acidtest.errors import AcidtestError
from acidtest.report.traces_json import TRACES_FORMAT, VERSION, trace_document, trace_json
from acidtest.server.query import OWN, not_understood
from acidtest.server.render import AnyRequest, site_of
from acidtest.server.trace_query import wanted
from acidtest.store.spans import SpanStore
from acidtest.store.traces import TraceStore
from acidtest.tracing.otlp.open import opened

MOST = 200
_SPAN_BYTES = 20_000_000
_USUAL = 50


@get("/api/traces", sync_to_thread=True, opt=OWN)
def list_traces(request: AnyRequest) -> Response[bytes]:
    """List traces, the newest first: those that fit all that is asked, at most `limit` (50, up to 200).

    `next` is the `after` of the next page; null where there is none. A page of huge traces is shorter.
    """
    site = site_of(request)
    want = wanted(request, site.config, limit=_USUAL, most=MOST)
    if want.errors:
        raise not_understood(want.errors)
    found, last = site.open(TraceStore).page(want.filter, after=want.after, limit=want.limit)
    document = {
        "format": TRACES_FORMAT,
        "version": VERSION,
        "traces": [msgspec.Raw(encoded(trace_document(each))) for each in found],
        "next": None if last is None else f"{last[0]}-{last[1]}",
    }
    return Response(msgspec.json.encode(document), media_type="application/json")


@get("/api/traces/{trace_id:str}", sync_to_thread=True)
def show_trace(request: AnyRequest, trace_id: FromPath[str]) -> Response[bytes]:
    """Return a trace with its scores and spans; a span that cannot be read is left out.

    Of a trace with more than 20,000 spans, or 20 MB of them, so many are there.
    """
    site = site_of(request)
    stored = site.open(TraceStore).trace(trace_id)
    if stored is None:
        raise NotFoundException("There is no such trace.")
    spans: list[Span] = []
    kept, _ = site.open(SpanStore).first_of(trace_id, most_bytes=_SPAN_BYTES)
    for each in kept:
        try:
            spans.append(opened(each.form, each.body, each.origin))
        except AcidtestError:
            continue
    return Response(trace_json(stored, spans), media_type="application/json")


routes = [list_traces, show_trace]
