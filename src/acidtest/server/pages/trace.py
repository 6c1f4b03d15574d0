"""One trace, and what can be done with it: a golden case, scoring, feedback, deletion."""

import asyncio
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from litestar import Response, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect
from msgspec.structs import replace

from acidtest.data.spans import Span
from acidtest.data.traces import Feedback
from acidtest.errors import AcidtestError, UsageError
from acidtest.project.redaction import redaction_of
from acidtest.project.traces_promote import promote_traces
from acidtest.report.online_spans import SpanTree, span_tree
from acidtest.report.online_trace import trace_view
from acidtest.report.online_traces import trace_line
from acidtest.server.query import OWN, address, asked, not_understood
from acidtest.server.render import AnyRequest, page, site_of
from acidtest.server.site import Site
from acidtest.server.trace_forms import (
    GoldenForm,
    feedback_of,
    golden_file,
    golden_form,
    ruling_of,
)
from acidtest.store.spans import SpanStore
from acidtest.store.trace_filter import TraceFilter
from acidtest.store.trace_job import Job
from acidtest.store.trace_jobs import TraceJobs
from acidtest.store.trace_rows import StoredTrace
from acidtest.store.traces import TraceStore
from acidtest.tracing.otlp.open import opened

_OTHERS = 20
_SPAN_BYTES = 20_000_000
"""Bytes of spans that are opened for one page."""

_MOST_SPANS = 5_000

_ASKED = "asked for on its page"
_GOLDEN = "golden"
_DONE = {
    "score": "It is in the queue, before all others. A worker takes it: acidtest watch, or the one in this server.",
    "feedback": "Your feedback is kept.",
}


@get("/traces/{trace_id:str}", sync_to_thread=True, opt=OWN)
def trace(request: AnyRequest, trace_id: FromPath[str]) -> Response[str]:
    """Show a trace."""
    return _page(request, trace_id)


@post("/traces/{trace_id:str}/golden", status_code=200)
async def golden(request: AnyRequest, trace_id: FromPath[str]) -> Response[str] | Redirect:
    """Put the trace into the golden set, with what a person says of it."""
    site, form = site_of(request), golden_form(await _typed(request))

    def put() -> Response[str] | Redirect:
        path = golden_file(site.config)
        _found(site, trace_id)
        try:
            if path is None:
                raise UsageError('No golden set is configured. Write golden = "golden.jsonl".')
            ruling = ruling_of(form)
            made = promote_traces(
                site.config,
                [trace_id],
                ruling,
                path,
                replace=form.replace,
                store=site.settings.store,
            )
        except AcidtestError as error:
            return _page(request, trace_id, typed=form, wrong=("golden", error.what), status=422)
        name = (*made.added, *made.replaced)[0]
        return _back(trace_id, done=_GOLDEN, case=name)

    return await asyncio.to_thread(put)


@post("/traces/{trace_id:str}/score", status_code=200)
async def score(request: AnyRequest, trace_id: FromPath[str]) -> Redirect:
    """Have the trace scored before all others."""
    site = site_of(request)

    def put() -> None:
        _found(site, trace_id)
        jobs, now = site.open(TraceJobs), _now()
        jobs.revive([trace_id], now_ms=now, states=("dead", "out"))
        jobs.enqueue([trace_id], _ASKED, priority=0, now_ms=now)

    await asyncio.to_thread(put)
    return _back(trace_id, done="score")


@post("/traces/{trace_id:str}/feedback", status_code=200)
async def feedback(request: AnyRequest, trace_id: FromPath[str]) -> Response[str] | Redirect:
    """Keep what a person says of the answer."""
    site, given = site_of(request), await _typed(request)

    def put() -> Response[str] | Redirect:
        _found(site, trace_id)
        try:
            said = _redacted(site, feedback_of(given))
        except UsageError as error:
            comment = given.get("comment", "")[:2_000]
            return _page(
                request, trace_id, comment=comment, wrong=("feedback", error.what), status=422
            )
        site.open(TraceStore).add_feedback(trace_id, said, now_ms=_now())
        return _back(trace_id, done="feedback")

    return await asyncio.to_thread(put)


@post("/traces/{trace_id:str}/delete", status_code=200)
async def delete(request: AnyRequest, trace_id: FromPath[str]) -> Response[str] | Redirect:
    """Delete the trace with all that was derived from it, if that was confirmed."""
    site, given = site_of(request), await _typed(request)

    def put() -> Response[str] | Redirect:
        _found(site, trace_id)
        if given.get("confirm") != "yes":
            wrong = ("delete", "Tick that it is to be deleted.")
            return _page(request, trace_id, wrong=wrong, status=422)
        site.open(TraceStore).delete([trace_id])
        return Redirect("/traces", status_code=303)

    return await asyncio.to_thread(put)


def _redacted(site: Site, said: Feedback) -> Feedback:
    """Return feedback as it may be kept.

    Raises:
        UsageError: The user's own function failed on it.
    """
    redaction = redaction_of(site.config)
    if redaction is None or said.comment is None:
        return said
    try:
        return replace(said, comment=redaction.text(said.comment))
    except Exception as error:
        # Whatever it raises: nothing is stored as it came, and the message may quote it.
        raise UsageError("The comment could not be redacted, so it is not kept.") from error


def _page(
    request: AnyRequest,
    trace_id: str,
    *,
    typed: GoldenForm | None = None,
    comment: str = "",
    wrong: tuple[str, str] = ("", ""),
    status: int = 200,
) -> Response[str]:
    site = site_of(request)
    store = site.open(TraceStore)
    stored = _found(site, trace_id)
    others = []
    if stored.trace.session is not None:
        same = TraceFilter(session=stored.trace.session)
        others = [t for t in store.listed(same, limit=_OTHERS + 2) if t.trace.id != trace_id]
    given = asked(request, "done", "case").understood()
    if given.get("done", _GOLDEN) not in (_GOLDEN, *_DONE):
        raise not_understood({"done": f"Write {_GOLDEN} or {' or '.join(_DONE)}."})
    return page(
        request,
        "trace.html.j2",
        status=status,
        title="Trace",
        t=trace_view(stored, store.feedback([trace_id]).get(trace_id, ())),
        tree=_tree(site, trace_id),
        job=_job(site, trace_id),
        now=_now(),
        others=[trace_line(each) for each in others[:_OTHERS]],
        more_others=len(others) > _OTHERS,
        filters=_filters(stored),
        typed=typed or GoldenForm(),
        golden=golden_file(site.config),
        comment=comment,
        wrong={wrong[0]: wrong[1]} if wrong[0] else {},
        done=_told(given),
    )


def _found(site: Site, trace_id: str) -> StoredTrace:
    stored = site.open(TraceStore).trace(trace_id)
    if stored is None:
        raise NotFoundException("There is no such trace: it may be deleted, or not yet understood.")
    return stored


def _job(site: Site, trace_id: str) -> Job | None:
    return site.open(TraceJobs).jobs([trace_id]).get(trace_id)


def _tree(site: Site, trace_id: str) -> SpanTree:
    spans: list[Span] = []
    kept, left_out = site.open(SpanStore).first_of(
        trace_id, most_bytes=_SPAN_BYTES, most=_MOST_SPANS
    )
    unread = "The spans are more than a page shows: acidtest traces show." if left_out else ""
    for each in kept:
        try:
            spans.append(opened(each.form, each.body, each.origin))
        except AcidtestError as error:
            unread = unread or error.what
    return span_tree(spans, unread=unread)


def _filters(stored: StoredTrace) -> dict[str, str]:
    """Return addresses of the traces that share something with this one."""
    trace = stored.trace
    shared: Mapping[str, str | None] = {
        "session": trace.session,
        "user": trace.user,
        "model": trace.model,
        "service": trace.service,
    }
    return {name: address("/traces", {name: value}) for name, value in shared.items() if value}


def _told(given: Mapping[str, str]) -> str:
    if given.get("done") == _GOLDEN:
        return f"It is in the golden set now, as case {given.get('case', '')[:80]}."
    return _DONE.get(given.get("done", ""), "")


def _back(trace_id: str, **told: str) -> Redirect:
    return Redirect(address(f"/traces/{quote(trace_id, safe='')}", told), status_code=303)


async def _typed(request: AnyRequest) -> dict[str, str]:
    """Return the fields of a form; of those that come twice the last."""
    form = await request.form()
    return {name: value for name, value in form.items() if isinstance(value, str)}


def _now() -> int:
    return time.time_ns() // 1_000_000


routes: list[Any] = [trace, golden, score, feedback, delete]
