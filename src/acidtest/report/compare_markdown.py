"""A comparison as Markdown, for a pull request or a step summary: words first, then figures."""

from collections.abc import Sequence

from acidtest.data.compared import Change, Comparison
from acidtest.data.runs import Run
from acidtest.report.compare_figures import between, figure, p_value, signed, unit_of
from acidtest.report.markdown import MOST_BYTES, code, prose
from acidtest.report.view import STAGES
from acidtest.report.words import change_finding


def comparisons_markdown(base: Run, compared: Sequence[tuple[Run, Comparison]]) -> str:
    """Return several runs against one baseline.

    Args:
        base: The baseline.
        compared: The other runs, each with what changed from the baseline to it.
    """
    lines: list[str] = []
    for candidate, comparison in compared:
        lines += _section(base, candidate, comparison)
    text = "\n".join(lines).strip() + "\n"
    if len(text.encode()) <= MOST_BYTES:
        return text
    kept = text.encode()[: MOST_BYTES - 100].decode(errors="ignore")
    return kept.rpartition("\n")[0] + "\n\nShortened; the JSON and the HTML page have the rest.\n"


def _section(base: Run, candidate: Run, comparison: Comparison) -> list[str]:
    lines = [f"## acidtest: {code(base.name)} → {code(candidate.name)}", ""]
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
