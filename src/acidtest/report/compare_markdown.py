"""A comparison as Markdown, for a pull request or a step summary: words first, then figures."""

from collections.abc import Sequence

from acidtest.data.compared import Change, Comparison
from acidtest.report.compare_figures import between, figure, p_value, signed, unit_of
from acidtest.report.markdown_text import code, document, prose
from acidtest.report.view import STAGES
from acidtest.report.words import change_finding


def comparisons_markdown(compared: Sequence[Comparison]) -> str:
    """Return one comparison or several as a document."""
    return document([line for one in compared for line in comparison_lines(one)])


def comparison_lines(comparison: Comparison) -> list[str]:
    """Return a comparison as the lines of a section."""
    names = f"{code(comparison.base.name)} → {code(comparison.candidate.name)}"
    lines = [f"## acidtest: {names}", ""]
    lines += [f"**{prose(words)}**  " for words in comparison.words]
    lines += ["", *(f"> {prose(note)}  " for note in comparison.notes), ""]
    if not comparison.metrics:
        return [*lines, "No metric was scored in both runs.", ""]
    lines += [
        "| Metric | Before | After | Change | 95% interval | p | Better / worse / same | Smallest | |",
        "|---|--:|--:|--:|--:|--:|--:|--:|---|",
    ]
    for stage, title in STAGES:
        rows = [c for c in comparison.metrics.values() if c.stage == stage]
        lines += [f"| **{title}** | | | | | | | | |"] if rows else []
        lines += [f"| {' | '.join(_cells(c))} |" for c in rows]
    return [*lines, "", *_verdicts(comparison)]


def _cells(c: Change) -> tuple[str, ...]:
    unit = unit_of(c.metric, c.stage)
    return (
        code(c.metric),
        figure(c.base, unit),
        figure(c.candidate, unit),
        signed(c.delta, unit),
        between(c.ci, unit),
        prose(p_value(c.p_adjusted)),
        f"{c.wins} / {c.losses} / {c.ties}",
        figure(c.min_detectable, unit),
        change_finding(c),
    )


def _verdicts(comparison: Comparison) -> list[str]:
    told = [
        f"{prose(verdict)} {before} → {after}"
        for verdict, (before, after) in comparison.verdicts.items()
        if before != after
    ]
    return [f"Verdicts: {', '.join(told)}.", ""] if told else []
