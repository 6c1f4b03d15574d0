"""The rows of the table of corrected means, as every form of report prints them."""

from msgspec import Struct

from acidtest.data.runs import Run
from acidtest.report.figures import interval, score


class Row(Struct, frozen=True):
    """One metric that has labels."""

    name: str
    mean: str
    ci: str
    labels: str
    judge: str
    weight: str
    note: str


def corrected_rows(run: Run) -> tuple[Row, ...]:
    """Return a row for each metric that people labelled; none where no labels were given."""
    return tuple(
        Row(
            name,
            score(held.mean),
            interval(held.ci),
            str(held.labels),
            score(summary.mean),
            score(held.weight, 2),
            held.note,
        )
        for name, summary in run.metrics.items()
        if (held := summary.corrected)
    )
