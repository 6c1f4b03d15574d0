"""Labels are of answers: which of a file's rows are of the answers that a run gave.

Rows that were written to be filled in carry the answer in their `metadata`; of others it is not known, and
they are taken at their word.
"""

from collections.abc import Mapping, Sequence

from acidtest.codec.rows.row import Row
from acidtest.data.human import HumanLabel
from acidtest.data.runs import Run
from acidtest.text.surrogates import without_halves

Rows = Sequence[tuple[Row, HumanLabel | None]]


def labels_of_run(rows: Rows, run: Run) -> tuple[list[HumanLabel], int]:
    """Return the labels of a file that are not of other answers than the run's, and how many are."""
    answers = {case.id: case.answer for case in run.cases}
    given = [(row, label) for row, label in rows if label is not None]
    fit = [label for row, label in given if not _other(row, label, answers)]
    return fit, len(given) - len(fit)


def _other(row: Row, label: HumanLabel, answers: Mapping[str, str | None]) -> bool:
    metadata = row.values.get("metadata")
    if label.case not in answers or not isinstance(metadata, dict) or "answer" not in metadata:
        return False
    answer = answers[label.case]
    # Files hold no halves of surrogate pairs.
    return bool(metadata["answer"] != (None if answer is None else without_halves(answer)))
