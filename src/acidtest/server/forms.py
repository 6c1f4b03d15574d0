"""What is checked in front of every handler: the address, and that a change was asked for by a page of ours."""

from litestar import Response
from litestar.exceptions import HTTPException

from acidtest.server.guard import BEARER, SAFE, SESSION
from acidtest.server.query import check_query
from acidtest.server.render import AnyRequest, site_of

_FORM = "application/x-www-form-urlencoded"
_MOST_FIELDS = 5_000
"""A form of hundreds of thousands takes a second to read; the largest of ours has some for each passage."""


async def check_form(request: AnyRequest) -> Response[str] | None:
    """Refuse a change without the token of the browser's session.

    Who shows the server's own token is a program, which no page can make ask.
    """
    if request.method in SAFE:
        check_query(request)
        return None
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == _FORM and (await request.body()).count(b"&") > _MOST_FIELDS:
        raise HTTPException(status_code=413, detail=f"A form has up to {_MOST_FIELDS:,} fields.")
    if request.scope.get(BEARER):
        return None
    told = request.headers.get("x-form-token", "")
    if not told and kind == _FORM:
        told = str((await request.form()).get("form_token", ""))
    session = request.scope[SESSION]  # type: ignore[literal-required]
    if not site_of(request).signer.is_form_token(session, told):
        raise HTTPException(
            status_code=403, detail="The form is too old: load its page again, and send it anew."
        )
    return None
