"""What commands have in common that correct a judge by people's labels: options, and checks before anything is spent."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.options import filled
from acidtest.cli.output import note
from acidtest.errors import UsageError

if TYPE_CHECKING:
    from acidtest.data.runs import Run
    from acidtest.project.calibrating.answers import Rows
    from acidtest.run.plan import Plan

Command = Callable[..., Any]


def label_options(command: Command) -> Command:
    """Add `--labels` and `--correct`."""
    labels = click.option(
        "--labels",
        type=filled,
        metavar="F",
        help="People's labels of the run's answers, to correct the judge by.",
    )
    correct = click.option(
        "--correct",
        type=click.Choice(["ppi"]),
        help="Correct means by the labels: prediction-powered inference.",
    )
    return labels(correct(command))


def check_labels(plans: "Sequence[Plan]", rows: "Rows") -> None:
    """Refuse labels that cannot be used for what is planned.

    Raises:
        UsageError: Several runs would be made, or none of the labels' metrics is scored.
    """
    from acidtest.project.correcting import check_metrics

    if rows and len(plans) > 1:
        raise UsageError(
            f"labels are of the answers of one run, and this would make {len(plans)}",
            where="--labels",
            fix=f"Name the pipeline whose answers they are of: acidtest run {plans[0].name}",
        )
    labels = [label for _, label in rows if label is not None]
    check_metrics(labels, {bound.name for bound in plans[0].metrics}, where="--labels")


def corrected(run: "Run", rows: "Rows") -> "Run":
    """Return the run with corrected means, and tell what labels were of no use."""
    if not rows:
        return run
    from acidtest.project.correcting import corrected as made_of

    made, told = made_of(run, rows, where="--labels")
    for line in told:
        note(line)
    return made
