"""`acidtest judge calibrate`: how far a judge agrees with people, and what they should label next."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.options import filled, json_option, target
from acidtest.cli.output import note, stdout, told_errors, write_each
from acidtest.cli.targets import check_targets, store_files
from acidtest.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from acidtest.codec.rows.row import Row
    from acidtest.data.human import HumanLabel
    from acidtest.data.runs import Run
    from acidtest.project.calibrating.answers import Rows
    from acidtest.project.calibrating.choosing import Chosen, Members
    from acidtest.project.config import Config


def _number(value: str | float) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise click.BadParameter(f"{value!r} is not a number.")
    return number


@click.command(name="calibrate")
@click.argument("run_name", metavar="RUN", default="latest")
@click.option(
    "--labels", type=filled, metavar="L", help="What people say: case, metric, label, annotator."
)
@click.option("--metric", type=filled, required=True, metavar="M", help="Which metric of the run.")
@click.option(
    "--threshold",
    type=_number,
    metavar="X",
    help="From here on a score counts as yes; by default the middle of the metric's range.",
)
@click.option(
    "--label-threshold",
    type=_number,
    metavar="X",
    help="The same for labels; by default the same.",
)
@click.option(
    "--width", type=_number, metavar="W", help="How wide an interval is wanted; 0.2 by default."
)
@click.option(
    "--next",
    "next_n",
    type=click.IntRange(min=1),
    metavar="N",
    help="Choose N cases to label next.",
)
@click.option(
    "--spot-check",
    "share",
    type=_number,
    metavar="SHARE",
    help="Choose this share of the verdicts at random, for a person to check.",
)
@click.option(
    "--out", type=target, metavar="F", help="Where the chosen cases go, as labels to fill in."
)
@json_option
@click.option("--store", type=filled, metavar="URL", help="Where runs are kept.")
@click.option("--config", "config_path", type=filled, metavar="F", help="The configuration file.")
def command(**given: Any) -> int:
    """Hold a run's scores of a metric against people's labels.

    RUN is an id, a name, `latest` or a JSON file. With --next or --spot-check, cases are written for people to
    label; --labels may be left out then. Status 3: fewer than 30 labelled cases have a score.
    """
    from acidtest.project.calibrate import WIDTH, calibrate, calibration_json
    from acidtest.project.calibrating.answers import labels_of_run
    from acidtest.project.calibrating.choosing import rows_to_fill_in
    from acidtest.project.config import load_config
    from acidtest.project.human_labels import read_label_rows
    from acidtest.project.stores import find_run

    _check(given)
    config = load_config(Path(given["config_path"]) if given["config_path"] else None)
    _check_targets(config, given)
    rows = read_label_rows(given["labels"]) if given["labels"] else []
    run = find_run(config, given["run_name"], given["store"])
    labels, others = labels_of_run(rows, run)
    own = [label for label in labels if label.metric == given["metric"]]
    found = calibrate(
        run,
        own if given["out"] else labels,  # who has labels of other metrics alone may begin here
        given["metric"],
        threshold=given["threshold"],
        label_threshold=given["label_threshold"],
        width=WIDTH if given["width"] is None else given["width"],
    )
    made = _chosen(run, {label.case for label in own}, rows, given)
    chosen, kept = made or (None, ())
    errors = write_each(
        [
            (
                given["out"],
                "labels to fill in",
                lambda: rows_to_fill_in(chosen or (), given["metric"], kept),
            ),
            (given["json_to"], "JSON", lambda: calibration_json(found, chosen)),
        ]
    )
    if others:
        note(f"{others} label(s) are of other answers than this run's, and are left out.")
    if waiting := sum(label is None for _, label in rows):
        note(f"{waiting} row(s) of {given['labels']} wait for a label.")
    if chosen is not None and not errors:
        note(_choice(len(chosen), spot=given["share"] is not None))
    if given["labels"] and "-" not in (given["json_to"], given["out"]):
        from acidtest.cli.judge.calibration_shown import show_calibration
        from acidtest.report.paper import Paper

        show_calibration(found, Paper(stdout()))
    return told_errors(errors) or (3 if found.few and chosen is None else 0)


def _choice(n: int, *, spot: bool) -> str:
    told = f"Chose {n} case(s) to label"
    if n:
        return f"{told}."
    why = "no other verdict falls to this share" if spot else "every case with a score has one"
    return f"{told}: {why}."


def _check(given: dict[str, Any]) -> None:
    choosing = given["next_n"] is not None or given["share"] is not None
    if given["next_n"] is not None and given["share"] is not None:
        raise UsageError("--next and --spot-check choose differently", fix="Give one of them.")
    if choosing != (given["out"] is not None):
        raise UsageError(
            "the chosen cases have no file" if choosing else "--out has nothing to write",
            fix="Give --out F." if choosing else "Give --next N or --spot-check SHARE too.",
        )
    if not choosing and given["labels"] is None:
        raise UsageError(
            "there are no labels to hold the scores against",
            fix="Give --labels F, or choose cases to label: --next 30 --out labels.jsonl",
        )
    if given["share"] is not None and not 0 < given["share"] <= 1:
        raise UsageError(
            f"a share is above 0 and at most 1, not {given['share']:g}",
            where="--spot-check",
            fix="Give a share such as 0.05.",
        )
    if given["width"] is not None and not 0 < given["width"] < 2:
        raise UsageError(
            f"a width is between 0 and 2, not {given['width']:g}",
            where="--width",
            fix="Give a width such as 0.2.",
        )


def _check_targets(config: "Config", given: dict[str, Any]) -> None:
    from acidtest.codec.runs import file_of
    from acidtest.project.sources import files_read
    from acidtest.project.stores import store_url

    inputs: list[tuple[str, str | Path]] = [
        *files_read(config, None, None, ()),
        *store_files(store_url(config, given["store"])),
    ]
    if given["labels"]:
        inputs.append(("the labels", given["labels"]))
    if file := file_of(given["run_name"]):
        inputs.append(("the run that is read", file))
    check_targets({"--json": given["json_to"], "--out": given["out"]}, inputs, goes_on=("--out",))


def _held(given: dict[str, Any]) -> "list[tuple[Row, HumanLabel | None]]":
    """Return what the file to write holds already: a spot-check goes on with it, another choice spares it."""
    path = given["out"]
    if path in (None, "-") or not Path(path).is_file() or not Path(path).stat().st_size:
        return []
    if given["share"] is None:
        raise UsageError(
            "this file holds something, and labels in it would be lost",
            where=path,
            fix="Name another file; labels that you give with --labels come along.",
        )
    from acidtest.project.human_labels import read_label_rows

    return read_label_rows(path)


def _chosen(
    run: "Run", known: set[str], rows: "Rows", given: dict[str, Any]
) -> "tuple[list[Chosen], Sequence[Members]] | None":
    """Return the cases that are chosen, and the rows that stay beside them; None where none are asked for."""
    from acidtest.project.calibrating.choosing import carried_over, next_to_label, spot_check
    from acidtest.project.calibrating.queue import queue_of

    metric, share, held = given["metric"], given["share"], _held(given)
    if share is not None:
        queue = queue_of(held, run, metric, share)
        return spot_check(run, metric, known | queue.cases, share), queue.rows
    if given["next_n"] is None:
        return None
    chosen = next_to_label(run, metric, known, given["next_n"], threshold=given["threshold"])
    return chosen, carried_over(rows, metric)
