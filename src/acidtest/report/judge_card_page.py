"""A judge's report card as a page of its own."""

from acidtest.data.judge_card import JudgeCard, MetricCard
from acidtest.report import judge_card_words
from acidtest.report.chart import Bar, at
from acidtest.report.html import page


def judge_card_html(card: JudgeCard) -> str:
    """Return a page of its own, everything inside."""
    return page(
        "judge_card.html.j2",
        styles=("style.css", "judge_card.css"),
        title=f"judge {judge_card_words.called(card)}",
        card=card,
        told=judge_card_words,
        kappa_bar=kappa_bar,
        headline=headline(card),
        tone=tone(card),
    )


def kappa_bar(metric: MetricCard) -> Bar:
    """Return where kappa, its interval, people and the best baseline stand from 0 to 1."""
    agreed = metric.agreed
    kappa = agreed.measures.get("kappa") if agreed else None
    if agreed is None or kappa is None:
        return Bar(label="no agreement was measured")
    low = width = None
    if kappa.ci is not None:
        start, end = (at(min(1.0, max(0.0, bound))) or 0.0 for bound in kappa.ci)
        low, width = start, max(end - start, 2.0)
    floor = agreed.floors[0].kappa if agreed.floors else None
    label = f"kappa {judge_card_words.figure(kappa)}"
    if agreed.ceiling is not None:
        label += f", people {judge_card_words.figure(agreed.ceiling)}"
    if agreed.floors:
        label += f", without a judge {judge_card_words.floor_of(metric)}"
    return Bar(
        mean=at(kappa.value),
        low=low,
        width=width,
        p10=at(floor.value) if floor else None,
        target=at(agreed.ceiling.value) if agreed.ceiling else None,
        label=label,
    )


def headline(card: JudgeCard) -> str:
    """Return the card in a sentence: how many metrics may be gated on, compared by, or neither."""
    if not card.metrics:
        return "No metric was measured."
    gate = [m.metric for m in card.metrics if m.may == "gate"]
    compare = [m.metric for m in card.metrics if m.may == "compare"]
    rest = len(card.metrics) - len(gate) - len(compare)
    said = [f"Gate on {_names(gate)}." if gate else "Gate on nothing."]
    said += [f"Compare runs by {_names(compare)}."] if compare else []
    said += (
        [f"Trust none of the other {rest} yet." if len(said) > 1 or gate else "Trust none yet."]
        if rest
        else []
    )
    return " ".join(said)


def tone(card: JudgeCard) -> str:
    """Return the colour of the headline."""
    return next((judge_card_words.TONES[m.may] for m in card.metrics), "mute")


def _names(names: list[str]) -> str:
    shown = names[:4]
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return f"{', '.join(shown)}{more}"
