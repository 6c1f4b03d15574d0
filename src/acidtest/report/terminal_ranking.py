"""A ranking of many runs in a terminal and in Markdown."""

from rich.console import Console

from acidtest.data.sweep import Sweep
from acidtest.report.figures import count, interval, milliseconds, score
from acidtest.report.markdown_text import code, prose
from acidtest.report.paper import Paper
from acidtest.report.ranking_words import FRONT, pairs_told, places, price, standing

WIDE = 76


def print_ranking(sweep: Sweep, console: Console) -> None:
    """Print a ranking, the best first; `*` marks those that none is clearly better than.

    Args:
        sweep: What to print.
        console: Where.
    """
    paper = Paper(console)
    paper.heading(f"{count(len(sweep.contenders), 'run')} ranked by {sweep.metric}")
    for words in sweep.words:
        paper.line(words)
    for note in sweep.notes:
        paper.lead("!", paper.text(note, "yellow"), indent=0)
    columns = [("", False), ("run", False), ("mean", True), ("95% CI", True), ("rank", True)]
    wide = paper.width >= WIDE
    priced = [c for c in sweep.contenders if c.cost_usd is not None]
    timed = [c for c in sweep.contenders if c.latency_ms is not None]
    if wide:
        columns += [("cost\na query", True)] if priced else []
        columns += [("latency\np95", True)] if timed else []
        columns += [("front", False)] if priced or timed else []
    table = paper.grid(columns)
    for one in sweep.contenders:
        style = "bold" if one.best else "dim"
        cells = [
            paper.text("*" if one.best else ""),
            paper.clipped(one.run.name, 30 if wide else 20, style),
            paper.text(score(one.value), style),
            paper.text(interval(one.ci)),
            paper.text(places(one)),
        ]
        if wide:
            cells += [paper.text(price(one))] if priced else []
            cells += [paper.text(milliseconds(one.latency_ms))] if timed else []
            cells += [paper.text("yes" if one.front else "")] if priced or timed else []
        table.add_row(*cells)
    paper.table(table)
    front = f" {FRONT}" if wide and (priced or timed) else ""
    paper.line(
        paper.text(
            f"Over {count(sweep.cases, 'case')} that all scored. * none is clearly better. "
            f"{pairs_told(sweep)}{front}",
            "dim",
        )
    )


def ranking_markdown(sweep: Sweep) -> str:
    """Return a ranking as Markdown."""
    lines = [
        f"## acidtest: {count(len(sweep.contenders), 'run')} ranked by {code(sweep.metric)}",
        "",
    ]
    lines += [f"> {prose(text)}  " for text in (*sweep.words, *sweep.notes)]
    lines += [
        "",
        "| Run | Mean | 95% interval | Rank | Standing | Cost a query | Latency p95 | Front |",
        "|---|--:|--:|--:|---|--:|--:|---|",
    ]
    for one in sweep.contenders:
        _, word, level = standing(one, len(sweep.contenders))
        cells = [
            code(one.run.name),
            score(one.value),
            interval(one.ci),
            places(one),
            f"{word}, {level}",
            price(one),
            milliseconds(one.latency_ms),
            "yes" if one.front else "",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", f"{pairs_told(sweep)} {FRONT}", ""])
