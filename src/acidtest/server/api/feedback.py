"""Feedback for applications without the Python package: what a user said of an answer, as JSON."""

import asyncio
import time
from typing import Annotated, Any

import msgspec
from litestar import Response, post
from litestar.exceptions import HTTPException, ValidationException
from litestar.params import FromPath
from msgspec import Meta, Struct, structs

from acidtest.data.traces import Feedback
from acidtest.online.redact import Redaction
from acidtest.project.redaction import redaction_of
from acidtest.server.forms import check_form
from acidtest.server.query import check_query
from acidtest.server.render import AnyRequest, site_of
from acidtest.store.traces import TraceStore
from acidtest.tracing.conventions.feedback import judged

_ID = 64
_Words = Annotated[str, Meta(max_length=20_000)]
_Name = Annotated[str, Meta(min_length=1, max_length=200)]


class Said(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the body says; at least one of score, good, label and comment."""

    score: float | None = None
    good: bool | None = None
    label: _Name | None = None
    comment: _Words | None = None
    name: _Name = "feedback"


async def check_program(request: AnyRequest) -> Response[str] | None:
    """Refuse what a page of another site could have made a browser send.

    Without a token any program of this machine may ask, as it may send traces; a page of the web cannot send
    JSON elsewhere.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(status_code=415, detail="Send JSON: Content-Type: application/json.")
    check_query(request)
    return None if site_of(request).settings.token is None else await check_form(request)


@post("/api/traces/{trace_id:str}/feedback", status_code=202, before_request=check_program)
async def feedback(request: AnyRequest, trace_id: FromPath[str]) -> Response[bytes]:
    """Keep what a user said of an answer: `{"score": 0, "comment": "..."}`, or `good`, `label`, `name`.

    The trace may still be to come. It is understood anew with it.
    """
    said = _read(await request.body())
    if len(trace_id) > _ID or not trace_id.isprintable():
        raise ValidationException(f"A trace id has up to {_ID} characters.")

    def put() -> Feedback:
        kept = _clean(said, _redaction(request))
        now = time.time_ns() // 1_000_000
        site_of(request).open(TraceStore).add_feedback(trace_id, kept, now_ms=now)
        return kept

    kept = await asyncio.to_thread(put)
    document = {
        "format": "acidtest/feedback",
        "version": 1,
        "trace_id": trace_id,
        "feedback": kept,
    }
    return Response(msgspec.json.encode(document), media_type="application/json", status_code=202)


def _read(body: bytes) -> Feedback:
    try:
        said = msgspec.json.decode(body, type=Said)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValidationException(f"This is no feedback: {error}.") from error
    found = judged(
        {"score": said.score, "label": said.label, "comment": said.comment, "name": said.name},
        by="USER",
    )
    if said.good is not None:
        return structs.replace(found or Feedback(name=said.name), good=said.good)
    if found is None:
        raise ValidationException("Say at least one of score, good, label and comment.")
    return found


def _clean(said: Feedback, redaction: Redaction | None) -> Feedback:
    if redaction is None:
        return said
    texts = {"name": said.name, "label": said.label, "comment": said.comment}
    try:
        clean = {key: text if text is None else redaction.text(text) for key, text in texts.items()}
    except Exception as error:
        # Whatever the user's function raises: nothing is stored as it came, and the message may quote it.
        raise ValidationException("This could not be redacted, so it was not kept.") from error
    return structs.replace(said, **clean)


def _redaction(request: AnyRequest) -> Redaction | None:
    # Made once: patterns of one's own are tried for their speed.
    state: Any = request.app.state
    if "redaction" not in state:
        state["redaction"] = redaction_of(site_of(request).config)
    found: Redaction | None = state["redaction"]
    return found


routes = [feedback]
