"""A gate as Markdown for a pull request: one comment, found by its first line and updated in place."""

from acidtest.data.gate import Gate
from acidtest.report.gate_rows import MARKER, headline, p_title, rows
from acidtest.report.markdown_text import code, document, prose
from acidtest.report.words import SYMBOLS


def gate_markdown(gate: Gate, *, baseline: str = "", candidate: str = "") -> str:
    """Return a gate as Markdown; it begins with `MARKER` on a line of its own.

    Args:
        gate: The decision.
        baseline: What the baseline is called; empty where there is none.
        candidate: What the candidate is called.
    """
    against = code(candidate) + (f" against {code(baseline)}" if baseline else "")
    lines = [MARKER, f"## acidtest gate: {gate.result.upper()}", ""]
    lines += [f"**{prose(headline(gate))}** {against}, mode {gate.mode}.", ""]
    lines += [f"- {prose(reason)}" for reason in gate.reasons] + [""] * bool(gate.reasons)
    lines += [
        f"| Metric | Baseline | Candidate | Change | 95% interval | {p_title(gate)} | Limits | |",
        "|---|--:|--:|--:|--:|--:|---|---|",
    ]
    for row in rows(gate):
        figures = (row.baseline, row.candidate, row.change, row.ci, row.p, row.limit)
        cells = (code(row.name), *map(_plain, figures), f"{SYMBOLS[row.tone]} {row.word}")
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", *_list("To decide: gains that have a price", gate.trades)]
    lines += _list("To know", gate.notes)
    return document(lines, rest="the JSON has the rest")


def _list(title: str, told: tuple[str, ...]) -> list[str]:
    return [f"**{title}**", "", *(f"- {prose(each)}" for each in told), ""] if told else []


def _plain(figure: str) -> str:
    # `$0.0021 ... $0.0034` in one line would be set as a formula.
    return figure.replace("$", "&#36;").replace("<", "&lt;")
