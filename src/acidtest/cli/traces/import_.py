"""`acidtest traces import`: trace files of other tools into the store."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from acidtest.cli.options import filled, json_option
from acidtest.cli.output import note, write
from acidtest.cli.streams import harmless, results, set_apart
from acidtest.cli.targets import check_targets, store_files
from acidtest.cli.traces.options import configured, place

if TYPE_CHECKING:
    from acidtest.project.traces_import import ImportedFile

_PAUSE_S = 5.0
"""Between two words of how far it is."""


@click.command(name="import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=filled)
@click.option(
    "--from", "form", type=filled, metavar="FMT", help="Their format; by default each file tells."
)
@place
@json_option
def command(
    *,
    files: tuple[str, ...],
    form: str | None,
    store: str | None,
    config_path: str | None,
    json_to: str | None,
) -> int:
    """Read trace files, and folders of these, into the store, and understand the traces at once.

    What is there already is left alone. Status 2: a file could not be read.
    """
    from acidtest.codec.lossy import encoded
    from acidtest.project.stores import store_url
    from acidtest.project.traces_import import import_traces

    set_apart()
    config = configured(config_path)
    read = [(f"the file {name}", name) for name in files]
    check_targets({"--json": json_to}, [*read, *store_files(store_url(config, store))])
    quiet = json_to == "-"

    def told(file: "ImportedFile") -> None:
        if not quiet and (file.spans or not file.error):
            click.echo(harmless(f"{file.path}: {_spans(file)}"), file=results())
        if file.refused:
            note(f"Refused {file.refused}, the first: {file.why}")
        if file.error:
            note(f"Error: {file.error}")

    done = import_traces(
        config, files, form=form, store=store, told=told, under_way=_now_and_then()
    )
    if not quiet:
        from acidtest.report.figures import count

        click.echo(f"Understood {count(done.traces, 'trace')}", file=results())
    if json_to is not None:
        import msgspec

        write(json_to, msgspec.json.format(encoded(done), indent=1), what="JSON")
    return 2 if any(file.error for file in done.files) else 0


def _now_and_then() -> Callable[[str], None]:
    """Return what tells how far an import is, on stderr, never more than every few seconds."""
    from time import monotonic

    last = monotonic()

    def under_way(line: str) -> None:
        nonlocal last
        if monotonic() - last >= _PAUSE_S:
            last = monotonic()
            note(line)

    return under_way


def _spans(file: "ImportedFile") -> str:
    from acidtest.report.figures import count

    if file.new == file.spans:
        return count(file.spans, "span")
    return f"{count(file.spans, 'span')}, {file.new:,} of them new"
