"""`GET /health`: 200 while the server can do its work."""

import asyncio

from litestar import Response, get

from acidtest.errors import StoreError
from acidtest.server.query import OWN
from acidtest.server.render import AnyRequest, site_of
from acidtest.store.depths import Depths

_PATIENCE_S = 5.0


@get("/health", opt=OWN)
async def health(request: AnyRequest) -> Response[dict[str, str]]:
    """Say whether the store answers; nobody has to sign in for it, so it tells no more."""
    site = site_of(request)
    try:
        async with asyncio.timeout(_PATIENCE_S):
            await asyncio.to_thread(lambda: site.open(Depths).ping())
    except (StoreError, TimeoutError):
        return Response({"status": "the store does not answer"}, status_code=503)
    return Response({"status": "ok"})


routes = [health]
