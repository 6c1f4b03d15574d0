"""What a request that failed is told: a page for a person, JSON for a program, and no traceback for either."""

import sys
import traceback
from http import HTTPStatus

from litestar import Response
from litestar.exceptions import HTTPException

from acidtest.errors import AcidtestError
from acidtest.server.guard import SESSION
from acidtest.server.render import AnyRequest, page

_SAID = {HTTPStatus.NOT_FOUND: "There is no such page. The address may be mistyped."}
"""Words for people, where those of HTTP are not."""


def refused(request: AnyRequest, error: HTTPException) -> Response[object]:
    """Answer a request that is not possible, such as for a page that is not there."""
    status = HTTPStatus(error.status_code)
    detail = error.detail if error.detail != status.phrase else ""
    said = _SAID.get(status, status.description)
    fields = error.extra.get("fields") if isinstance(error.extra, dict) else None
    answer = _answer(request, status, detail or said or status.phrase, fields)
    answer.headers.update(error.headers or {})
    return answer


def told(request: AnyRequest, error: AcidtestError) -> Response[object]:
    """Answer with an error of ours: it says what is wrong and how to mend it."""
    print(f"acidtest: {error}", file=sys.stderr)  # noqa: T201 - the server's log
    return _answer(request, HTTPStatus.SERVICE_UNAVAILABLE, error.what)


def broken(request: AnyRequest, error: Exception) -> Response[object]:
    """Answer a request on which a bug of ours shows; the log has the traceback."""
    traceback.print_exception(error, file=sys.stderr)
    return _answer(
        request, HTTPStatus.INTERNAL_SERVER_ERROR, "This is a bug; see the server's log."
    )


def _answer(
    request: AnyRequest, status: HTTPStatus, detail: str, fields: dict[str, str] | None = None
) -> Response[object]:
    path: str = request.scope["path"]
    if path.startswith("/api/") or SESSION not in request.scope:
        document: dict[str, object] = {"status": int(status), "error": detail}
        if fields:
            document["fields"] = fields
        return Response(document, status_code=status)
    shown = page(request, "fault.html.j2", status=status, title=status.phrase, detail=detail)
    return Response(shown.content, status_code=status, media_type=shown.media_type)
