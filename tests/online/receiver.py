"""A real HTTP server that takes what is sent to it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import web


@asynccontextmanager
async def receiving(
    answer: Callable[[web.Request], Awaitable[web.StreamResponse]], path: str = "/"
) -> AsyncIterator[str]:
    """Answer what is sent to a path, as long as the context lasts; gives the address without a path."""
    app = web.Application()
    app.router.add_route("*", path, answer)  # who follows a redirect by GET is seen too
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
