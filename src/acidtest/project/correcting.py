"""People's labels from the command line to a run: `--labels F --correct ppi`."""

from collections.abc import Collection

from acidtest.comparison.correct import corrected_run
from acidtest.data.human import HumanLabel
from acidtest.data.runs import Run
from acidtest.errors import UsageError
from acidtest.project.calibrating.answers import Rows, labels_of_run
from acidtest.project.human_labels import read_label_rows


def labels_of(path: str | None, correct: str | None, *, option: str = "--labels") -> Rows:
    """Read the labels that a command was given, with their rows; empty when it was given none.

    Raises:
        UsageError: Labels without a way to use them, or the other way round.
        BadData: The file cannot be read, or holds something else.
    """
    if path is None:
        if correct is not None and option == "--labels":
            raise UsageError(
                "there are no labels to correct by",
                where="--correct",
                fix="Give people's labels: --labels labels.jsonl --correct ppi",
            )
        return ()
    if correct is None:
        raise UsageError(
            "it is not said what the labels are for",
            where=option,
            fix=f"Correct means by them: {option} {path} --correct ppi",
        )
    rows = read_label_rows(path)
    if not any(label for _, label in rows):
        raise UsageError("no row has a label yet", where=path, fix="Fill in label, 0 to 1.")
    return rows


def fitting(rows: Rows, run: Run, *, where: str) -> tuple[tuple[HumanLabel, ...], list[str]]:
    """Return the labels that are of a run's answers, and what there is to tell of the others.

    Raises:
        UsageError: There are labels, and all are of other answers, cases or metrics.
    """
    labels, others = labels_of_run(rows, run)
    if others and not labels:
        raise UsageError(
            f"every label is of another answer than {run.name!r} gave",
            where=where,
            fix="Label the answers of this run, or name the run that was labelled.",
        )
    told = check_use(run, labels, where=where)
    if others:
        few = "1 label is" if others == 1 else f"{others} labels are"
        told.append(f"{few} of another answer than {run.name} gave, and left out")
    return tuple(labels), told


def check_metrics(labels: Collection[HumanLabel], metrics: Collection[str], *, where: str) -> None:
    """Refuse labels of which none is for any of these metrics.

    Raises:
        UsageError: None is.
    """
    named = sorted({label.metric for label in labels})
    if named and not set(named) & set(metrics):
        raise UsageError(
            f"the labels are of {', '.join(named[:5])}, and no such metric is scored",
            where=where,
            fix=f"Name a metric as the run does: {', '.join(sorted(metrics)[:8])}",
        )


def check_use(run: Run, labels: Collection[HumanLabel], *, where: str) -> list[str]:
    """Refuse labels that have nothing to do with a run, and say which of them have not.

    Raises:
        UsageError: No label is of a metric of this run, or none of a case of it.
    """
    check_metrics(labels, run.metrics, where=where)
    cases, labelled = {case.id for case in run.cases}, {label.case for label in labels}
    strange = labelled - cases
    if not strange:
        return []
    if strange == labelled:
        raise UsageError(
            f"no label is of a case of the run {run.name!r}",
            where=where,
            fix="Labels name cases by the ids of the golden set; a run of summaries has no cases.",
        )
    few = "1 labelled case is" if len(strange) == 1 else f"{len(strange)} labelled cases are"
    return [f"{few} not in {run.name}, such as {min(strange)}"]


def corrected(run: Run, rows: Rows, *, where: str) -> tuple[Run, list[str]]:
    """Return a run with corrected means, and what there is to tell of the labels.

    Raises:
        UsageError: As `fitting`.
    """
    labels, told = fitting(rows, run, where=where)
    made = corrected_run(run, labels)
    for name, summary in made.metrics.items():
        held = summary.corrected
        if held and held.mean is None:
            told.append(f"{name} is not corrected: {held.note}; the judge's mean counts")
    return made, told
