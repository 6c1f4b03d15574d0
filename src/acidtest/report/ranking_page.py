"""A ranking of many runs as one self-contained page: which may be the best, and at what price."""

from msgspec import Struct

from acidtest.data.sweep import Contender, Sweep
from acidtest.report import view
from acidtest.report.clean import clip, one_line
from acidtest.report.compare_figures import p_value
from acidtest.report.figures import interval, milliseconds, money, score
from acidtest.report.html import page
from acidtest.report.ranking_chart import BAR, Axis, Bar, Scatter, bar, scatter, score_axis
from acidtest.report.ranking_words import FRONT, pairs_told, places, price, standing
from acidtest.report.words import Tone

MOST_METRICS = 12
"""So many other metrics each run shows; the JSON has them all."""


class Row(Struct, frozen=True, kw_only=True):
    """One run of the ranking, every figure as text."""

    key: str
    number: int
    name: str
    best: bool
    places: str
    value: str
    ci: str
    bar: Bar
    tone: Tone
    word: str
    level: str
    p: str
    cost: str
    latency: str
    front: bool
    others: tuple[str, ...]


class Facts(Struct, frozen=True, kw_only=True):
    """What the runs were made with: what all have in common, and what tells them apart."""

    shared: tuple[tuple[str, str], ...]
    labels: tuple[str, ...]
    rows: tuple[tuple[Row, tuple[str, ...]], ...]


def ranking_html(sweep: Sweep) -> str:
    """Return a page of its own, everything inside.

    Args:
        sweep: The ranking.
    """
    on = score_axis(sweep)
    others = tuple(dict.fromkeys(name for one in sweep.contenders for name in one.values))
    names = others[:MOST_METRICS]
    rows = tuple(_row(sweep, n, one, on, names) for n, one in enumerate(sweep.contenders, 1))
    return page(
        "ranking.html.j2",
        styles=("style.css", "ranking.css"),
        title=f"{len(rows)} runs ranked by {sweep.metric}",
        sweep=sweep,
        rows=rows,
        axis=on,
        bar_width=BAR,
        scatters=_scatters(sweep),
        priced=any(one.cost_usd is not None for one in sweep.contenders),
        timed=any(one.latency_ms is not None for one in sweep.contenders),
        front=FRONT,
        pairs=pairs_told(sweep),
        others=names,
        more=len(others) - len(names),
        facts=_facts(sweep, rows),
    )


def _key(number: int) -> str:
    return f"run-{number}"


def _row(sweep: Sweep, number: int, one: Contender, on: Axis, names: tuple[str, ...]) -> Row:
    tone, word, level = standing(one, len(sweep.contenders))
    return Row(
        key=_key(number),
        number=number,
        name=clip(one_line(one.run.name), 80) or one.run.id,
        best=one.best,
        places=places(one),
        value=score(one.value),
        ci=interval(one.ci),
        bar=bar(one, on),
        tone=tone,
        word=word,
        level=level,
        p=p_value(one.p_best),
        cost=price(one),
        latency=milliseconds(one.latency_ms),
        front=one.front,
        others=tuple(score(one.values.get(name)) for name in names),
    )


def _scatters(sweep: Sweep) -> tuple[Scatter, ...]:
    drawn = (
        scatter(sweep, "cost of a query", lambda one: one.cost_usd, money, _key),
        scatter(sweep, "latency, p95", lambda one: one.latency_ms, milliseconds, _key),
    )
    return tuple(one for one in drawn if one is not None)


def _facts(sweep: Sweep, rows: tuple[Row, ...]) -> Facts:
    each = [dict(view.facts(one.run)) for one in sweep.contenders]
    labels = tuple(dict.fromkeys(label for facts in each for label in facts))
    shared = tuple(
        (label, each[0][label])
        for label in labels
        if len({facts.get(label) for facts in each}) == 1
    )
    apart = tuple(label for label in labels if label not in dict(shared))
    return Facts(
        shared=shared,
        labels=apart,
        rows=tuple(
            (row, tuple(facts.get(label, "-") for label in apart))
            for row, facts in zip(rows, each, strict=True)
        ),
    )
