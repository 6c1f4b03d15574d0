"""Styles and scripts: the report's and the server's own."""

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from acidtest.server.query import OWN
from acidtest.server.render import asset

_TYPES = {"css": "text/css", "js": "text/javascript"}


@get("/static/{name:str}", opt=OWN)
async def static(name: FromPath[str]) -> Response[bytes]:
    """Return a style or a script; its address changes with its text, so it may be kept."""
    try:
        body, _ = asset(name)
    except (KeyError, ValueError) as error:
        raise NotFoundException from error
    kind = _TYPES[name.rpartition(".")[2]]
    return Response(
        body, media_type=kind, headers={"Cache-Control": "public, max-age=31536000, immutable"}
    )


routes = [static]
