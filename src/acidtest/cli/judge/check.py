"""`acidtest judge check`: how often the local judge was right, and what it does with hard cases."""

from typing import TYPE_CHECKING

import click

from acidtest.cli.options import json_option
from acidtest.cli.output import stdout, write

if TYPE_CHECKING:
    from rich.console import Console

    from acidtest.judges.local.hard_cases import Answered
    from acidtest.judges.local.measured import Measured, Side

TASKS = {
    "faithfulness": "Claims: faithfulness, faithfulness_binary, context_recall",
    "context_usefulness": "Contexts: context_usefulness (useful, useless)",
    "correctness": "Answers against a short reference: correctness (correct, incorrect)",
}
COLOURS = {"right": "green", "open": "yellow", "wrong": "red"}
_WIDE = 96  # columns that the intervals need


@click.command(name="check")
@json_option
def command(json_to: str | None) -> int:
    """Show how often the local judge was right, and ask it the hard cases now.

    The table was measured on data that its thresholds were not fitted on; see the page "The local
    judge" of the handbook. Hard cases are asked while you wait: what it sees, what it leaves open,
    and where it is wrong.
    """
    from acidtest.judges.local.hard_cases import ask_all
    from acidtest.judges.local.judge import LocalJudge
    from acidtest.judges.local.measured import measured

    table, answered, judge = measured(), list(ask_all()), LocalJudge()
    if json_to:
        import msgspec

        from acidtest.codec.lossy import encoded

        document = {
            "format": "acidtest/judge-check",
            "version": 1,
            "judge": {"model": judge.model, "fingerprint": judge.fingerprint},
            "measured": table,
            "hard_cases": answered,
        }
        write(json_to, msgspec.json.format(encoded(document), indent=1), what="check")
        return 0
    console = stdout()
    console.print(f"judge {judge.model}  {judge.fingerprint[:19]}", markup=False)
    _tables(table, console)
    _hard_cases(answered, console)
    return 0


def _tables(table: "Measured", console: "Console") -> None:
    from rich.table import Table

    wide = console.width >= _WIDE
    for task, title in TASKS.items():
        shown = Table(title=title, title_justify="left", title_style="bold")
        shown.add_column("data", overflow="fold")
        for heading in ("labels", "n", "good", "decided", "bad:\nright", "good:\nright"):
            shown.add_column(heading, justify="right", overflow="fold")
        for row in table.rows:
            if row.task == task:
                shown.add_row(
                    row.data,
                    row.labels,
                    str(row.n),
                    f"{row.base:.0%}",
                    f"{row.decided:.0%}",
                    _side(row.against, wide=wide),
                    _side(row.in_favour, wide=wide),
                )
        for mean in table.means:
            if mean.over == task:
                shown.add_section()
                shown.add_row(
                    f"mean of {mean.sets} sets",
                    "",
                    "",
                    "",
                    _range(mean.decided, mean.decided_ci, wide=wide),
                    _range(mean.against, mean.against_ci, wide=wide),
                    _range(mean.in_favour, mean.in_favour_ci, wide=wide),
                )
        console.print(shown)
    ranked = table.ranking
    intervals = "" if wide else f" {_WIDE} columns and --json have the 95 % intervals."
    console.print(
        "good: share of units that are supported, useful or correct by the labels. bad: right, the "
        "share of its rulings unsupported, useless or incorrect that were right"
        f"{' (95 % interval)' if wide else ''}; good: right, likewise.{intervals} It depends on how "
        f"common bad units are in your data. Means leave out labels by machine. Rank correlation with people's ratings of {ranked.n} answers ({ranked.data}): "
        f"score {ranked.score:.2f}, 1 - unsupported {ranked.floor:.2f}, a recorded LLM judge "
        f"{ranked.llm_judge:.2f}.\n",
        markup=False,
    )


def _hard_cases(answered: "list[Answered]", console: "Console") -> None:
    from rich.text import Text

    console.print("Hard cases, asked now", style="bold")
    for each in answered:
        case = each.case
        truth = "supported" if case.supported else "not supported"
        console.print(
            Text.assemble(
                (f"{each.outcome:6}", COLOURS[each.outcome]),
                f"{case.kind}: says {each.says}, is {truth}",
            )
        )
        console.print(Text(f"      {case.passage}\n      > {case.claim}"))
    counts = (f"{sum(e.outcome == kind for e in answered)} {kind}" for kind in COLOURS)
    console.print(
        f"\n{', '.join(counts)}. It cannot see paraphrase, inference, a role swap, a dropped condition "
        "or a contradiction by meaning: where these matter, let a language model judge.",
        markup=False,
    )


def _side(side: "Side", *, wide: bool) -> str:
    if side.right is None or side.ci is None:
        return f"({side.n} rulings)"
    return _range(side.right, side.ci, wide=wide)


def _range(value: float, ci: tuple[float, float], *, wide: bool) -> str:
    return f"{value:.0%}" + (f" ({100 * ci[0]:.0f}-{100 * ci[1]:.0f})" if wide else "")
