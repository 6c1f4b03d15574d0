"""`acidtest doctor`: what works here, what is missing, and how to mend it."""

import asyncio
import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from acidtest.cli.options import filled, json_option
from acidtest.cli.output import write
from acidtest.cli.streams import results, set_apart
from acidtest.cli.told import counted

if TYPE_CHECKING:
    from acidtest.project.config import Config
    from acidtest.project.embedding import Embedding
    from acidtest.project.judging import Judging

EXTRAS = {
    "tables": "polars",
    "prices": "genai-prices",
    "demo": "bm25s",
    "documents": "pypdfium2",
    "server": "litestar",
    "otlp": "opentelemetry-proto",
    "postgres": "psycopg",
    "alerts": "apprise",
    "local": "wordllama",
    "nli": "onnxruntime",
}


class Line(Struct, frozen=True):
    """One check: `ok`, `missing` (an extra that one may want), `warning` or `broken`."""

    what: str
    state: str
    told: str


@click.command(name="doctor")
@click.option("--store", type=filled, metavar="URL", help="Where runs are kept.")
@json_option
def command(store: str | None, json_to: str | None) -> int:
    """Check Python, packages, configuration, golden set, pipelines, judge and store.

    Nothing is asked of a pipeline or a paid judge. Exit status 1 when something is broken.
    """
    set_apart()
    lines = [*_packages(), *_project(store)]
    if json_to:
        import msgspec

        write(json_to, msgspec.json.format(msgspec.json.encode(lines), indent=1), what="report")
    else:
        width = max(len(line.what) for line in lines)
        for line in lines:
            click.echo(f"{line.state:8}{line.what:{width}}  {line.told}", file=results())
    return 1 if any(line.state == "broken" for line in lines) else 0


async def _checked(held: "Judging | Embedding") -> list[str]:
    try:
        return await held.check()
    finally:
        await held.aclose()


def _packages() -> Iterator[Line]:
    yield Line("Python", "ok", f"{platform.python_version()} at {sys.executable}")
    yield Line("acidtest", "ok", version("acidtest"))
    for extra, package in EXTRAS.items():
        try:
            yield Line(f"extra {extra}", "ok", f"{package} {version(package)}")
        except PackageNotFoundError:
            yield Line(f"extra {extra}", "missing", f"pip install 'acidtest[{extra}]'")


def _project(store: str | None) -> Iterator[Line]:
    from acidtest.errors import AcidtestError
    from acidtest.project.config import load_config
    from acidtest.project.sources import golden_of, pipelines_of
    from acidtest.project.stores import open_existing, store_url
    from acidtest.project.tiers import TIERS, tier

    try:
        config = load_config()
    except AcidtestError as error:
        yield Line("configuration", "broken", str(error))
        return
    if config.path is None:
        yield Line("configuration", "missing", "no acidtest.toml here or above: acidtest init")
    else:
        yield Line("configuration", "ok", config.path)
        try:
            golden = golden_of(config, None)
            yield Line("golden set", "ok", f"{len(golden)} cases, {golden.version[:19]}")
            for name in config.pipelines:
                pipelines_of(config, [name], None, golden)
                yield Line(f"pipeline {name}", "ok", "found; not asked anything")
            for name in {**TIERS, **config.metrics}:
                metrics = tier(name, config)
                yield Line(f"tier {name}", "ok", ", ".join(m.name for m in metrics))
        except AcidtestError as error:
            yield Line("project", "broken", str(error))
    yield from _judges(config)
    yield from _alerts(config)
    try:
        opened = open_existing(config, store)
        if opened is None:
            yield Line("store", "ok", f"none yet; a run makes {store_url(config, store)}")
        else:
            runs = counted(len(opened.all_runs()), "run")
            yield Line("store", "ok", f"{runs} at {store_url(config, store)}")
            opened.close()
    except AcidtestError as error:
        yield Line("store", "broken", str(error))


def _alerts(config: "Config") -> Iterator[Line]:
    """Check where alerts go: nothing is sent, and no address is shown whole."""
    from acidtest.errors import AcidtestError
    from acidtest.online.addresses import check_channels, reached

    alerts = config.online.alerts
    if not (alerts.webhook or alerts.apprise):
        return
    try:
        check_channels(alerts)
        yield Line("alerts", "ok", f"to {', '.join(reached(alerts))}; not told anything")
    except AcidtestError as error:
        yield Line("alerts", "broken", str(error))


def _judges(config: "Config") -> Iterator[Line]:
    """Check judge and embedder: nothing is asked of them but whether their models are there."""
    from acidtest.errors import AcidtestError
    from acidtest.project.embedding import embedder_named
    from acidtest.project.judging import judge_named
    from acidtest.project.means import means_of

    means = means_of(config.judge)
    try:
        judging = judge_named(config.judge, means=means, base=Path(config.folder))
        judge = judging.judge
        yield Line("judge", "ok", f"{judge.model}, {judge.fingerprint[:19]}")
        for warning in asyncio.run(_checked(judging)):
            yield Line("judge", "warning", warning)
    except AcidtestError as error:
        yield Line("judge", "broken", str(error))
    if config.embedder.model is None:
        return
    try:
        embedding = embedder_named(config, config.embedder.model, means)
        yield Line("embedder", "ok", config.embedder.model)
        for warning in asyncio.run(_checked(embedding)):
            yield Line("embedder", "warning", warning)
    except AcidtestError as error:
        yield Line("embedder", "broken", str(error))
