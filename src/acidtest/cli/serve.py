"""`acidtest serve`: take traces, and show them."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from acidtest.cli.options import filled

if TYPE_CHECKING:
    from acidtest.server.site import Site


@click.command(name="serve")
@click.option("--host", type=filled, default="127.0.0.1", show_default=True, help="Listen there.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=7373,
    show_default=True,
    help="Listen on this port; 0 takes a free one.",
)
@click.option(
    "--token",
    type=filled,
    envvar="ACIDTEST_TOKEN",
    metavar="T",
    help="What clients must show; needed for hosts other than this machine.",
)
@click.option("--store", type=filled, metavar="URL", help="Where runs and traces are kept.")
@click.option(
    "--no-worker",
    is_flag=True,
    help="Only take traces; `acidtest watch` understands and scores them, here or elsewhere.",
)
@click.option("--config", "config_path", type=filled, metavar="F", help="The configuration file.")
def command(
    *,
    host: str,
    port: int,
    token: str | None,
    store: str | None,
    no_worker: bool,
    config_path: str | None,
) -> int:
    """Take traces by OTLP at /v1/traces, and show runs in the browser.

    Prints its address once it is ready, and runs until Ctrl-C. ACIDTEST_TOKEN sets the token without
    others on this machine seeing it.
    """
    from contextlib import nullcontext

    from acidtest.extras import need
    from acidtest.project.config import load_config
    from acidtest.project.redaction import redaction_of
    from acidtest.project.stores import store_url

    for module in ("litestar", "uvicorn", "httptools", "opentelemetry.proto"):
        need(module, extra="server")
    from acidtest.server.app import create_app
    from acidtest.server.run import address_of, bound, serve
    from acidtest.server.settings import Settings
    from acidtest.server.site import Site
    from acidtest.server.token import checked

    config = load_config(Path(config_path) if config_path else None)
    settings = Settings(
        store=store_url(config, store),
        host=host,
        port=port,
        token=checked(token, host),
        quiet_ms=round(config.online.quiet_s * 1000),
        ended_ms=round(config.online.ended_s * 1000),
    )
    if not no_worker:
        from acidtest.project.online import check_watching

        check_watching(config)  # what is wrong is told before anything is begun
    redact = redaction_of(config)
    with bound(settings) as listener:
        site = Site(settings, config)
        app = create_app(settings, config, site=site, redact=redact)
        with nullcontext() if no_worker else _working(site):
            serve(app, listener, lambda: click.echo(f"Serving on {address_of(listener, host)}"))
    return 0


def _working(site: "Site") -> AbstractContextManager[None]:
    # Imported only where it works: judges and metrics take a fifth of the server's memory.
    from acidtest.server.worker import watching, working

    return working(watching(site.config, site.settings.store, site.counters))
