"""The application: OTLP in front, pages and the JSON interface behind one guard."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, asgi
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.plugins import PluginProtocol

from acidtest.errors import AcidtestError
from acidtest.project.config import Config
from acidtest.server import api, otlp, pages
from acidtest.server.accounted import Accounted
from acidtest.server.asgi import App
from acidtest.server.faults import broken, refused, told
from acidtest.server.forms import check_form
from acidtest.server.found import found_in
from acidtest.server.guard import Guard
from acidtest.server.ingest import Ingest
from acidtest.server.settings import MEBIBYTE, Settings
from acidtest.server.site import Site
from acidtest.store.spans import SpanStore


def create_app(
    settings: Settings,
    config: Config,
    *,
    site: Site | None = None,
    redact: otlp.Redact | None = None,
) -> App:
    """Return the ASGI application; it opens the store, and closes it when its lifespan ends.

    Args:
        settings: How it runs.
        config: What the configuration file says.
        site: What its handlers share; made of the two where it is not given.
        redact: Applied to spans before they are stored.

    Raises:
        StoreError: The store cannot be opened.
    """
    site = site or Site(settings, config)
    ingest = Ingest(settings, site.open(SpanStore), site.counters)
    receiver = otlp.Receiver(settings, site.room, ingest, site.counters, redact)
    interface, web = found_in(api), found_in(pages)
    app = _Application(
        [
            asgi(otlp.PATH, copy_scope=False)(_handler(receiver)),
            *interface.routes,
            *web.routes,
        ],
        before_request=check_form,
        exception_handlers={
            HTTPException: refused,
            AcidtestError: told,
            Exception: broken,
        },
        lifespan=[_lifespan(site, ingest)],
        openapi_config=OpenAPIConfig(
            title="acidtest",
            version="1",
            path="/api",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        state=State({"site": site, "menu": web.menu}),
        request_max_body_size=MEBIBYTE,
        logging_config=None,
    )
    inner = Accounted(app, site.room, settings)  # type: ignore[arg-type] # ASGI, typed otherwise
    return Guard(inner, settings, site.signer, site.counters)


class _Application(Litestar):
    """Without support for the classes of Pydantic and attrs, which nothing here is made of.

    Litestar would import both wherever they are installed: 10 MB.
    """

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return plugins


def _handler(receiver: otlp.Receiver) -> Any:
    async def traces(scope: Any, receive: Any, send: Any) -> None:
        await receiver(scope, receive, send)

    return traces


def _lifespan(site: Site, ingest: Ingest) -> Any:
    @asynccontextmanager
    async def lifespan(_app: Litestar) -> AsyncIterator[None]:
        try:
            async with ingest:
                yield
        finally:
            site.close()

    return lifespan
