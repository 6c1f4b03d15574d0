"""The corrected means in a terminal: beside the judge's own, with how many labels they rest on."""

from acidtest.data.runs import Run
from acidtest.report.corrected import corrected_rows
from acidtest.report.paper import Paper

_FIGURES = ("mean", "95% CI", "labels", "judge", "lambda")


def corrections(paper: Paper, run: Run) -> None:
    """Write the table of corrected means, and why what is not corrected is not; nothing without labels."""
    rows = corrected_rows(run)
    if not rows:
        return
    paper.heading("Corrected by people's labels")
    table = paper.grid([("", False), *((title, True) for title in _FIGURES)], gap=1)
    room = max(12, min(max(len(row.name) for row in rows) + 2, paper.width - 36))
    for row in rows:
        figures = (row.ci, row.labels, row.judge, row.weight)
        table.add_row(
            paper.indented(row.name, room),
            paper.text(row.mean, "bold"),
            *map(paper.text, figures),
        )
    paper.table(table)
    for row in rows:
        if row.note:
            paper.lead("-", f"{row.name}: {row.note}", indent=0)
