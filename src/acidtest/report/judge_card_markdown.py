"""A judge's report card in Markdown."""

from acidtest.data.judge_card import JudgeCard, MetricCard
from acidtest.report.figures import score
from acidtest.report.judge_card_words import (
    BADGES,
    NO_RUN,
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
from acidtest.report.markdown_text import code, document, prose
from acidtest.report.view import when

LONGEST_COMMAND = 1_000


def judge_card_markdown(card: JudgeCard) -> str:
    """Return a card as Markdown."""
    lines = [
        f"## acidtest: judge {code(called(card))}",
        "",
        f"{code(card.judge.fingerprint[:19])}, {when(card.created)}, acidtest {prose(card.acidtest)}",
        "",
        *(_overview(card) if card.metrics else ["No metric was measured."]),
    ]
    for metric in card.metrics:
        lines += ["", f"### {code(metric.metric)}", "", f"**{prose(_sentence(metric.says))}**", ""]
        lines += [f"- {prose(_sentence(reason))}" for reason in metric.reasons[1:]]
        lines += _facts(facts(metric))
    lines += ["", "### Attacks", "", prose(attacks(card)), "", "### Drift", "", prose(drift(card))]
    lines += ["", "### Cost and speed", ""]
    lines += _facts(took(card.took)) or [NO_RUN]
    if card.public:
        lines += ["", "### On public data that people labelled", ""]
        lines += ["| Task | Data sets | Decided | Bad verdicts right | Good verdicts right |"]
        lines += ["|---|--:|--:|--:|--:|"]
        for row in card.public:
            shares = map(percent, (row.decided, row.against, row.in_favour))
            lines.append(f"| {code(row.task)} | {row.sets} | {' | '.join(shares)} |")
    if card.missing:
        lines += ["", "### Not measured yet", ""]
    for lack in card.missing:
        lines.append(f"- {prose(lacks(lack))}")
        lines += [f"  - {code(get, LONGEST_COMMAND)}" for get in lack.get]
    lines += ["", "### What this rests on", ""]
    lines += [] if card.sources else ["Nothing that was given."]
    for source in card.sources:
        dated = f", {when(source.created)}" if source.created else ""
        lines.append(
            f"- {prose(source.kind)}, {code(source.name)}: {prose(source.what)}{prose(dated)}"
        )
    lines += [
        f"- left out: {prose(left.kind)} {code(left.name)}: {prose(left.why)}"
        for left in card.left_out
    ]
    return document(lines)


def _overview(card: JudgeCard) -> list[str]:
    return [
        "| Metric | Use | Kappa with people | People | Without a judge | Labels |",
        "|---|---|--:|--:|---|--:|",
        *(_row(metric) for metric in card.metrics),
    ]


def _row(metric: MetricCard) -> str:
    agreed = metric.agreed
    kappa = agreed.measures.get("kappa") if agreed else None
    top = agreed.ceiling.value if agreed and agreed.ceiling else None
    n = f"{agreed.n:,}" if agreed else "-"
    return (
        f"| {code(metric.metric)} | {BADGES[metric.may]} | {figure(kappa)} | {score(top, 2)} | "
        f"{prose(floor_of(metric))} | {n} |"
    )


def _facts(told: list[Fact]) -> list[str]:
    return [f"- {label}: {prose(text)}" for label, text in told]


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
