"""A judge's report card: one metric of every kind, with all parts that there are."""

from acidtest.data.judge_card import (
    Agreed,
    Attacked,
    Coverage,
    Figure,
    Floor,
    JudgeCard,
    LeftOut,
    MetricCard,
    Missing,
    Plain,
    Public,
    Repeat,
    Shift,
    Source,
    Took,
    Watched,
)
from acidtest.data.runs import JudgeRef


def whole(nasty: str = "x") -> JudgeCard:
    """Return a card in which every text from outside is `nasty`."""
    return JudgeCard(
        created="2026-11-30T08:00:00Z",
        acidtest="0.1.0",
        judge=JudgeRef(model=nasty, fingerprint=nasty, reported=(nasty,)),
        metrics=(
            _faithfulness(nasty),
            _other("correctness", "compare", "compare runs, do not gate: labels are few"),
            _other("appropriateness", "no", "neither gate nor compare by it: people disagree"),
            _other("context_relevance", "unmeasured", f"not measured: {nasty}"),
            _other(nasty, "unjudged", f"this judge does not judge it: {nasty}"),
        ),
        attacks=Attacked(
            source=nasty,
            created="",
            share=Figure(value=0.1, ci=(0.02, 0.3), n=20),
            moved=2,
            of=20,
            turned=(nasty, "tags"),
        ),
        drift=Watched(
            source=nasty,
            result="gone",
            says=f"the provider answers with another model now, {nasty}",
            since=nasty,
            last="2026-11-29T00:00:00Z",
            looks=1,
            cases=50,
            evidence=0.55,
            limit=40.0,
            metrics=(nasty,),
        ),
        took=Took(
            run=nasty,
            created=nasty,
            calls=1200,
            cached=3,
            tokens=45_000,
            cost_usd=0.12,
            usd_per_1000_calls=0.1,
            ms_per_call=840.0,
        ),
        public=(
            Public(
                task=nasty,
                sets=8,
                decided=Figure(value=0.54, ci=(0.52, 0.56)),
                against=Figure(value=0.76),
                in_favour=Figure(value=0.92),
            ),
        ),
        sources=(Source(name=nasty, kind="run", what=nasty, created=nasty),),
        left_out=(LeftOut(name=nasty, kind="calibration", why=nasty),),
        missing=(
            Missing(what="drift", metrics=(nasty, "correctness"), get=(f"acidtest run {nasty}",)),
            Missing(what="attacks", metrics=(), get=("acidtest judge probe --injection",)),
        ),
    )


def _faithfulness(nasty: str) -> MetricCard:
    return MetricCard(
        metric="faithfulness",
        version=nasty,
        may="gate",
        says="yes, gate on it",
        reasons=(),
        unknown=("attacks",),
        agreed=Agreed(
            source=nasty,
            run=nasty,
            golden=nasty,
            created="2026-11-20T00:00:00Z",
            n=1200,
            annotators=2,
            measures={"kappa": Figure(value=0.7, ci=(0.6, 0.8), n=1200)},
            why=nasty,
            ceiling=Figure(value=0.8, ci=(0.7, 0.9), n=1200),
            alpha=None,
            judge_minus_people=Figure(value=-0.1, ci=(-0.2, 0.05), n=1200),
            floors=(
                Floor(name=nasty, kappa=Figure(value=0.3, ci=(0.1, 0.5)), beaten="yes"),
                Floor(name="majority", kappa=None, beaten="open"),
            ),
        ),
        shifts=(
            _shift("praise", "expert", 0, 40, Figure(value=0.1, ci=(0.0, 0.2)), nasty),
            _shift("rewording", "quotes", 0, 0, None, None),
            _shift("leniency", "number", 1, 19, None, None),
            _shift("self-preference", nasty, 5, 10, Figure(value=0.1), None),
        ),
        repeat=Repeat(source=nasty, asks=3, same=Figure(value=0.97, ci=(0.9, 1.0), n=40), sd=0.01),
        plain=Plain(n=7, right=6, open=1, wrong=0, failed=1),
        hard=Plain(n=0, right=0, open=0, wrong=0, failed=24),
        coverage=Coverage(scored=95, of=100, undecided=0.25),
    )


def _shift(
    kind: str, change: str, moved: int, of: int, shift: Figure | None, finding: str | None
) -> Shift:
    share = Figure(value=moved / of, ci=(0.0, 0.2), n=of) if of else None
    return Shift(
        kind=kind, change=change, moved=moved, of=of, share=share, shift=shift, finding=finding
    )


def _other(metric: str, may, says: str) -> MetricCard:
    return MetricCard(
        metric=metric, version="", may=may, says=says, reasons=(says, "and more"), unknown=()
    )
