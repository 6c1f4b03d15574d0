"""A judge's report card in a terminal."""

from rich.console import Console

from acidtest.data.judge_card import JudgeCard, MetricCard
from acidtest.report.figures import score
from acidtest.report.judge_card_words import (
    BADGES,
    NO_RUN,
    STYLES,
    TONES,
    Fact,
    attacks,
    called,
    drift,
    facts,
    figure,
    floor_of,
    lacks,
    percent,
    took,
)
from acidtest.report.paper import Paper
from acidtest.report.view import when

_WIDE = 88  # columns that the whole table needs
_LABEL = 18


def print_judge_card(card: JudgeCard, console: Console) -> None:
    """Print a card.

    Args:
        card: What to print.
        console: Where.
    """
    paper = Paper(console)
    paper.line(paper.text(f"judge {called(card)}", "bold"))
    paper.line(
        paper.text(f"{card.judge.fingerprint[:19]}, {when(card.created)}, acidtest {card.acidtest}")
    )
    paper.heading("What it may be used for")
    if not card.metrics:
        paper.line("No metric was measured.")
    else:
        _overview(card, paper)
    for metric in card.metrics:
        _metric(metric, paper)
    paper.heading("Attacks")
    paper.line(attacks(card))
    paper.heading("Drift")
    paper.line(drift(card))
    paper.heading("Cost and speed")
    _facts(took(card.took), paper, none=NO_RUN)
    if card.public:
        _public(card, paper)
    if card.missing:
        paper.heading("Not measured yet")
        for lack in card.missing:
            paper.lead("-", lacks(lack))
            for get in lack.get:
                paper.lead("$", get, indent=4)
    paper.heading("What this rests on")
    for source in card.sources:
        dated = f", {when(source.created)}" if source.created else ""
        paper.lead("-", f"{source.kind}: {source.what}{dated} [{source.name}]")
    if not card.sources:
        paper.line("Nothing that was given.")
    for left in card.left_out:
        paper.lead("!", f"left out: {left.kind} {left.name}: {left.why}")


def _overview(card: JudgeCard, paper: Paper) -> None:
    wide = paper.width >= _WIDE
    columns = [("metric", False), ("use", False), ("kappa", wide)]
    columns += [("people", True), ("without a judge", False), ("labels", True)] if wide else []
    table = paper.grid(columns, gap=2)
    for metric in card.metrics:
        agreed = metric.agreed
        kappa = agreed.measures.get("kappa") if agreed else None
        cells = [
            paper.clipped(metric.metric, 30 if wide else 20, "bold"),
            paper.text(BADGES[metric.may], STYLES[TONES[metric.may]]),
            paper.text(figure(kappa)),
        ]
        if wide:
            top = agreed.ceiling.value if agreed and agreed.ceiling else None
            cells += [
                paper.text(score(top, 2)),
                paper.text(floor_of(metric)),
                paper.text(f"{agreed.n:,}" if agreed else "-"),
            ]
        table.add_row(*cells)
    paper.table(table)


def _metric(metric: MetricCard, paper: Paper) -> None:
    paper.heading(metric.metric)
    paper.line(
        paper.text(f"{metric.says[:1].upper()}{metric.says[1:]}.", STYLES[TONES[metric.may]])
    )
    for reason in metric.reasons[1:]:
        paper.lead("!", reason)
    _facts(facts(metric), paper)


def _facts(told: list[Fact], paper: Paper, *, none: str = "") -> None:
    for label, text in told:
        if paper.width >= 2 * _LABEL + 10:
            paper.lead(label.ljust(_LABEL), text)
        else:
            paper.lead("-", f"{label}: {text}")
    if not told and none:
        paper.line(none)


def _public(card: JudgeCard, paper: Paper) -> None:
    paper.heading("On public data that people labelled")
    for row in card.public:
        paper.lead(
            "-",
            f"{row.task}: of {row.sets} data sets it decides {percent(row.decided)}; its bad verdicts are right "
            f"in {percent(row.against)}, its good ones in {percent(row.in_favour)}",
        )
    paper.line("These are other people's data: they do not say how it does on yours.")
