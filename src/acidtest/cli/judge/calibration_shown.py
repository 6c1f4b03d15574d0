"""A calibration as a person reads it."""

from collections.abc import Mapping, Sequence

from acidtest.data.outcomes import Skip
from acidtest.project.calibrate import FEWEST, Calibration
from acidtest.project.calibrating.people import Measured
from acidtest.report.figures import count, interval
from acidtest.report.paper import Paper

_SHOWN = 20  # names that are told one by one

_TITLES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "kappa": "kappa",
    "auc": "AUC",
}


def show_calibration(found: Calibration, paper: Paper) -> None:
    """Write a calibration on paper."""
    judge = found.run.info.judge
    who = f"judge {judge.model}" if judge is not None else "no judge"
    paper.line(paper.text(f"{found.metric} of {found.run.name}, {who}", "bold"))
    paper.line(
        f"{count(found.n, 'case')} with a score and a label; a score counts as yes from "
        f"{found.pairs.threshold:g} on, a label from {found.pairs.label_threshold:g}."
    )
    for why, n in found.pairs.missing.items():
        paper.lead("!", f"{count(n, 'labelled case')} left out: {why}")
    _measures(found, paper)
    _classes(found, paper)
    _tags(found, paper)
    _more(found, paper)
    _ceiling(found, paper)
    _floor(found, paper)
    _enough(found, paper)
    if found.disagreements:
        paper.heading("The judge says otherwise than people")
        paper.line(_names(found.disagreements))
    if found.few:
        paper.line()
        paper.line(
            f"Too few: {count(found.n, 'labelled case')}, and {FEWEST} are needed before a judge is trusted or not."
        )


def _measures(found: Calibration, paper: Paper) -> None:
    paper.heading("Agreement with people")
    _table(paper, {_TITLES[name]: each for name, each in found.measures.items()})


def _classes(found: Calibration, paper: Paper) -> None:
    if not found.n:
        return
    paper.heading("Labels (rows) by verdicts")
    table = paper.grid(
        [("", False), ("yes", True), ("no", True), ("found", True), ("right when said", True)],
        gap=2,
    )
    for word, each in found.classes.items():
        counts = found.confusion[word]
        shares = (each.recall, each.precision)
        told = ["-" if s.value is None else f"{s.value:.2f} ({interval(s.ci)})" for s in shares]
        table.add_row(*map(paper.text, (word, str(counts["yes"]), str(counts["no"]), *told)))
    paper.table(table)


def _tags(found: Calibration, paper: Paper) -> None:
    if not found.tags:
        return
    paper.heading("By tag: kappa")
    told = list(found.tags.items())[:_SHOWN]
    _table(paper, {tag: each.kappa for tag, each in told})


def _more(found: Calibration, paper: Paper) -> None:
    if not found.pairs.yes_or_no:
        paper.heading("Grades: weighted kappa")
        _table(paper, found.weighted_kappa)
    fitted = found.fitted
    if isinstance(fitted, Skip):
        return
    paper.heading(f"Threshold that fits best: {fitted.threshold:.3g}")
    paper.line(
        f"From {fitted.lowest:.3g} to {fitted.highest:.3g} as parts of the cases are left out. "
        "On cases that it was not fitted on:"
    )
    _table(
        paper,
        {
            "balanced accuracy": fitted.balanced_accuracy,
            "kappa": fitted.kappa,
        },
    )


def _ceiling(found: Calibration, paper: Paper) -> None:
    paper.heading("Ceiling: people with each other")
    top = found.ceiling
    if isinstance(top, Skip):
        paper.line(f"Not known: {top.why}.")
        return
    _table(
        paper,
        {
            "people, kappa": top.kappa,
            "judge on the same, kappa": top.judge_kappa,
            "judge less people": top.judge_minus_people,
            "people, alpha": found.alpha["people"],
            "with the judge, alpha": found.alpha["with_judge"],
        },
    )


def _floor(found: Calibration, paper: Paper) -> None:
    if not found.baselines:
        return
    paper.heading("Floor: without a judge, kappa")
    _table(paper, {each.name: each.kappa for each in found.baselines}, whys=False)
    for each in found.baselines:
        paper.lead("-" if each.beaten == "yes" else "!", f"The judge {each.says}.")


def _enough(found: Calibration, paper: Paper) -> None:
    told = [f"{_TITLES[name]} {n:,}" for name, n in found.enough.items() if n is not None]
    if told:
        paper.heading(f"Labels for an interval {found.width:g} wide, about")
        paper.line(", ".join(told))


def _table(paper: Paper, values: Mapping[str, Measured], *, whys: bool = True) -> None:
    table = paper.grid([("", False), ("value", True), ("95 % interval", False), ("n", True)], gap=2)
    for name, value in values.items():
        if isinstance(value, Skip):
            cells = [name, "-", value.why, ""]
        else:
            told = interval(value.ci) if value.ci else f"none: {value.why_no_ci}" if whys else "-"
            cells = [name, f"{value.value:.2f}", told, str(value.n)]
        table.add_row(*map(paper.text, cells))
    paper.table(table)


def _names(names: Sequence[str]) -> str:
    told = ", ".join(names[:_SHOWN])
    return f"{told} and {len(names) - _SHOWN} more" if len(names) > _SHOWN else told
