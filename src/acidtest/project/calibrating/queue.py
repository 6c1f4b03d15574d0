"""A spot-check's queue: a file that grows by verdicts for a person to look at, and loses nothing."""

from collections.abc import Sequence

from msgspec import Struct

from acidtest.codec.rows.row import Row
from acidtest.data.human import HumanLabel
from acidtest.data.runs import Run
from acidtest.errors import UsageError
from acidtest.project.calibrating.answers import labels_of_run
from acidtest.project.calibrating.choosing import Members


class Queue(Struct, frozen=True):
    """What a queue holds.

    Attributes:
        rows: Its rows, labelled or waiting.
        cases: Cases of the metric that are in it.
    """

    rows: tuple[Members, ...] = ()
    cases: frozenset[str] = frozenset()


def queue_of(
    rows: Sequence[tuple[Row, HumanLabel | None]], run: Run, metric: str, share: float
) -> Queue:
    """Return the queue that a spot-check goes on with.

    Args:
        rows: The file's rows.
        run: The run whose verdicts are checked.
        metric: Which metric's.
        share: The share that is taken.

    Raises:
        UsageError: It holds labels of other answers, or rows of another share.
    """
    if not rows:
        return Queue()
    where = rows[0][0].where.rpartition(":")[0]
    if labels_of_run(rows, run)[1]:
        raise UsageError(
            "this file holds labels of other answers than this run's",
            where=where,
            fix="Name a file for this run.",
        )
    own = [row for row, _ in rows if row.values.get("metric") == metric]
    if any(row.values.get("weight") != 1 / share for row in own):
        raise UsageError(
            f"this file holds verdicts of {metric} that were chosen otherwise",
            where=where,
            fix="Go on with the share it was begun with, or name another file.",
        )
    return Queue(
        tuple(dict(row.values) for row, _ in rows),
        frozenset(str(row.values.get("case")) for row in own),
    )
