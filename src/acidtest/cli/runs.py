"""`acidtest runs`: what the store holds."""

import sys
from typing import TYPE_CHECKING

import click

from acidtest.cli.options import filled, json_option, target
from acidtest.cli.output import note, stdout, write
from acidtest.cli.targets import check_targets, store_files

if TYPE_CHECKING:
    from collections.abc import Callable

    from acidtest.project.config import Config


def _store_option(function: "Callable[..., int]") -> "Callable[..., int]":
    return click.option("--store", type=filled, metavar="URL", help="Where runs are kept.")(
        function
    )


@click.group(name="runs")
def command() -> None:
    """List, show, export, import and delete runs."""


@command.command("list")
@_store_option
@json_option
@click.option("--history", is_flag=True, help="One line a commit, with trends.")
@click.option(
    "--name", type=filled, metavar="NAME", help="The runs of this name; by default the latest's."
)
@click.option(
    "-m", "--metric", "metrics", multiple=True, metavar="METRIC", help="Show this column."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the newest N.")
def list_(
    *,
    store: str | None,
    json_to: str | None,
    history: bool,
    name: str | None,
    metrics: tuple[str, ...],
    limit: int | None,
) -> int:
    """List the runs, newest first; with --history one line a commit, oldest first."""
    import msgspec

    if json_to:
        from acidtest.project.stores import store_url

        check_targets({"--json": json_to}, store_files(store_url(_config(), store)))
    if history:
        return _history(store, name, metrics, limit, json_to=json_to)
    if metrics:
        raise click.UsageError("-m needs --history: a list of runs has no columns of scores.")
    from acidtest.project.stores import open_existing

    opened = open_existing(_config(), store)
    infos = []
    if opened is not None:
        infos = [run.info for run in opened.all_runs() if name in (None, run.info.name)][:limit]
        for run_id in opened.damaged():
            note(f"Run {run_id} is damaged and left out. Delete it: acidtest runs delete {run_id}")
        opened.close()
    if json_to:
        write(json_to, msgspec.json.format(msgspec.json.encode(infos), indent=1), what="list")
        return 0
    if not infos:
        note("The store holds no run yet. Make one: acidtest run")
        return 0
    from acidtest.report.terminal import print_runs

    print_runs(infos, stdout())
    return 0


def _history(
    store: str | None,
    name: str | None,
    metrics: tuple[str, ...],
    limit: int | None,
    *,
    json_to: str | None,
) -> int:
    import msgspec

    from acidtest.project.history import LIMIT, history
    from acidtest.report.terminal_history import print_history

    told = history(_config(), name=name, metrics=metrics, limit=limit or LIMIT, store=store)
    if json_to:
        write(json_to, msgspec.json.format(msgspec.json.encode(told), indent=1), what="history")
    else:
        print_history(told, stdout())
    return 0


@command.command("show")
@click.argument("runs", nargs=-1, metavar="[RUN]")
@_store_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show_(runs: tuple[str, ...], store: str | None, as_json: bool) -> int:  # noqa: FBT001
    """Show the scorecard of RUN: an id, a name, `latest` or a JSON file."""
    from acidtest.project.reports import run_json, show
    from acidtest.project.stores import find_run

    # The flag takes no value, so that `--json RUN` names a run; `--json -` means the same.
    run, *more = [name for name in runs if not (as_json and name == "-")] or ["latest"]
    if more:
        raise click.UsageError(f"Got unexpected extra argument ({' '.join(more)})")
    config = _config()
    found = find_run(config, run, store)
    if as_json:
        write("-", run_json([found]), what="JSON")
    else:
        show([found], config, stdout())
    return 0


@command.command("export")
@click.argument("run", default="latest")
@click.argument("target", type=target, metavar="[FILE]", default="-")
@_store_option
def export(run: str, target: str, store: str | None) -> int:
    """Write RUN as JSON to FILE, or to stdout."""
    from acidtest.project.sources import files_read
    from acidtest.project.stores import find_run, store_url

    config = _config()
    check_targets(
        {"FILE": target},
        [*files_read(config, None, None, ()), *store_files(store_url(config, store))],
    )
    write(target, find_run(config, run, store).to_json(), what="run")
    return 0


@command.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@_store_option
def import_(files: tuple[str, ...], store: str | None) -> int:
    """Put runs that `export` or `--json` wrote into the store."""
    from acidtest.codec.runs import load_runs
    from acidtest.project.stores import open_store
    from acidtest.run.imports import put

    runs = [run for file in files for run in load_runs(file)]
    with open_store(_config(), store) as opened:
        for run in runs:
            put(run, opened)
            note(f"Imported run {run.id} ({run.name})")
    return 0


@command.command("delete")
@click.argument("names", nargs=-1, required=True, metavar="RUN...")
@_store_option
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(names: tuple[str, ...], store: str | None, yes: bool) -> int:  # noqa: FBT001
    """Delete runs with their answers and scores."""
    from acidtest.errors import UsageError
    from acidtest.project.stores import open_existing, pick

    opened = open_existing(_config(), store)
    found = {stored.info.id: stored.info for name in names for stored in [pick(opened, name)]}
    if not yes:
        if not sys.stdin.isatty():
            raise UsageError("nobody is there to ask", fix="Say --yes to delete.")
        for info in found.values():
            note(f"{info.id}  {info.name}  {info.created}")
        click.confirm(f"Delete {len(found)} run(s)?", abort=True, err=True)
    for run_id in found:
        if opened is not None:
            opened.delete(run_id)
            note(f"Deleted run {run_id}")
    if opened is not None:
        opened.close()
    return 0


def _config() -> "Config":
    from acidtest.project.config import load_config

    return load_config()
