"""`acidtest judge cache`: what the cache of judgements holds, and deleting from it."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.options import filled, json_option
from acidtest.cli.output import note, stdout, write
from acidtest.cli.targets import check_targets, store_files
from acidtest.errors import StoreError, UnknownName, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from acidtest.store.verdicts import Kept, Verdicts


def _store_options(function: "Callable[..., int]") -> "Callable[..., int]":
    for option in (
        json_option,
        click.option(
            "--config", "config_path", type=filled, metavar="F", help="The configuration file."
        ),
        click.option("--store", type=filled, metavar="URL", help="Where verdicts are kept."),
    ):
        function = option(function)
    return function


def _moment(value: str) -> datetime:
    try:
        moment = datetime.fromisoformat(value)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise click.BadParameter(
            f"{value!r} is no date: write 2026-11-30 or 2026-11-30T12:00."
        ) from None


@click.group(name="cache")
def command() -> None:
    """See what is kept of judges' verdicts, and delete from it."""


@command.command("stats")
@_store_options
def stats(**given: Any) -> int:
    """Show the verdicts kept of each model, and their room."""
    url = _existing(given)
    kept: list[Kept] = []
    space = None
    if url is not None:
        from acidtest.store.verdicts import Verdicts

        with Verdicts(url) as verdicts:
            kept, space = verdicts.by_model(), verdicts.space()
    if given["json_to"]:
        _write(
            given["json_to"],
            {
                "models": kept,
                "verdicts": sum(k.verdicts for k in kept),
                "bytes": sum(k.bytes for k in kept),
                "file_bytes": space.file if space else None,
                "free_bytes": space.free if space else None,
            },
        )
        return 0
    if not kept:
        note("No verdict is kept.")
    else:
        _table(kept)
    if space is not None:
        note(f"The store's file has {_size(space.file)}, of which {_size(space.free)} are free.")
    return 0


@command.command("delete")
@click.option(
    "--model",
    "models",
    multiple=True,
    type=filled,
    metavar="M",
    help="Only verdicts of this model, as stats names it; may be given several times.",
)
@click.option(
    "--before",
    type=_moment,
    metavar="DATE",
    help="Only verdicts kept before this date, or date and time (UTC).",
)
@click.option("--all", "everything", is_flag=True, help="All verdicts.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@_store_options
def delete(**given: Any) -> int:
    """Delete verdicts, and give their room back to the disk.

    What is needed again is asked, and paid for, again. Runs keep their scores.
    """
    _check_choice(given)
    url = _existing(given)
    models = list(dict.fromkeys(given["models"])) or None
    if url is None:
        return _deleted(0, 0, None, json_to=given["json_to"])
    from acidtest.store.verdicts import Verdicts

    with Verdicts(url) as verdicts:
        known = {kept.model for kept in verdicts.by_model()}
        for model in models or ():
            if model not in known:
                raise UnknownName("model", model, known, where="--model")
        chosen = verdicts.by_model(models, given["before"])
        busy = _being_made(url)
        if chosen:
            _confirm(chosen, busy, yes=given["yes"])
        count = verdicts.delete(models, given["before"]) if chosen else 0
        freed = None
        if count and busy:
            note("The file keeps its size while a run is made. Later: acidtest judge cache shrink")
        elif count:
            freed = _shrunk(verdicts)
    size = sum(kept.bytes for kept in chosen)
    return _deleted(count, size, freed, json_to=given["json_to"])


@command.command("shrink")
@_store_options
def shrink(**given: Any) -> int:
    """Give the free room of the store's file back to the disk."""
    url = _existing(given)
    freed: int | None = 0
    if url is not None:
        from acidtest.store.verdicts import Verdicts

        if _being_made(url):
            raise UsageError(
                "a run is being made in this store", fix="Shrink its file when the run is done."
            )
        with Verdicts(url) as verdicts:
            freed = _freed(verdicts)
    if given["json_to"]:
        _write(given["json_to"], {"freed_bytes": freed})
    elif freed is None:
        note("This database sees to its free room itself.")
    else:
        note(f"Gave {_size(freed)} back to the disk.")
    return 0


def _check_choice(given: dict[str, Any]) -> None:
    narrowed = bool(given["models"]) or given["before"] is not None
    if not narrowed and not given["everything"]:
        raise UsageError(
            "nothing is chosen", fix="Say --model M, --before DATE, both of them, or --all."
        )
    if narrowed and given["everything"]:
        raise UsageError(
            "--all takes everything, and another option less", fix="Leave one of them out."
        )


def _confirm(chosen: "Sequence[Kept]", busy: int, *, yes: bool) -> None:
    if busy:
        note(f"{busy} run(s) are being made: what they need of this is asked and paid for again.")
    if yes:
        return
    if not sys.stdin.isatty():
        raise UsageError("nobody is there to ask", fix="Say --yes to delete.")
    for kept in chosen:
        note(f"{_named(kept.model)}  {kept.verdicts} verdicts  {_size(kept.bytes)}")
    count = sum(kept.verdicts for kept in chosen)
    click.confirm(f"Delete {count} verdict(s)?", abort=True, err=True)


def _deleted(count: int, size: int, freed: int | None, *, json_to: str | None) -> int:
    if json_to:
        _write(json_to, {"deleted": count, "bytes": size, "freed_bytes": freed})
    elif count:
        note(f"Deleted {count} verdict(s), {_size(size)}.")
        if freed is not None:
            note(f"Gave {_size(freed)} back to the disk.")
    else:
        note("There was nothing to delete.")
    return 0


def _shrunk(verdicts: "Verdicts") -> int | None:
    """Return what was given back to the disk; what was deleted stays deleted if that fails."""
    try:
        return _freed(verdicts)
    except StoreError as error:
        note(f"The file keeps its size: {error.what}. Later: acidtest judge cache shrink")
        return None


def _freed(verdicts: "Verdicts") -> int | None:
    before = verdicts.space()
    verdicts.shrink()
    after = verdicts.space()
    return before.file - after.file if before and after else None


def _being_made(url: str) -> int:
    """Return how many runs some living process is making in a store."""
    from acidtest.store.owner import alive
    from acidtest.store.runs import Store

    with Store(url) as store:
        runs = store.all_runs()
    return sum(r.info.status == "running" and alive(r.owner, r.touched) for r in runs)


def _existing(given: dict[str, Any]) -> str | None:
    """Return the store's URL; None when there is no store yet, and none is made."""
    from acidtest.project.config import load_config
    from acidtest.project.stores import existing_url, store_url

    config = load_config(Path(given["config_path"]) if given["config_path"] else None)
    check_targets({"--json": given["json_to"]}, store_files(store_url(config, given["store"])))
    return existing_url(config, given["store"])


def _table(kept: "Sequence[Kept]") -> None:
    from rich.table import Table
    from rich.text import Text

    console = stdout()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("model", overflow="fold")
    for heading in ("verdicts", "size", "oldest", "newest"):
        table.add_column(heading, justify="right", overflow="fold")
    for each in kept:
        days = (each.oldest[:10], each.newest[:10])
        table.add_row(Text(_named(each.model)), f"{each.verdicts:,}", _size(each.bytes), *days)
    if len(kept) > 1:
        table.add_section()
        count = sum(each.verdicts for each in kept)
        table.add_row("all", f"{count:,}", _size(sum(each.bytes for each in kept)), "", "")
    console.print(table)


def _named(model: str) -> str:
    from acidtest.report.clean import one_line

    return one_line(model) or "(unnamed)"


def _size(count: int) -> str:
    """Return 0 B, 812 B, 4.2 kB, 3.1 GB."""
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 999.5 or unit == "GB":
            break
        size /= 1000
    return f"{size:.0f} {unit}" if unit == "B" or size >= 99.95 else f"{size:.1f} {unit}"


def _write(json_to: str, document: dict[str, Any]) -> None:
    import msgspec

    head = {"format": "acidtest/judge-cache", "version": 1}
    raw = msgspec.json.format(msgspec.json.encode({**head, **document}), indent=1)
    write(json_to, raw, what="JSON")
