"""A judge's report card in words: what terminal, Markdown and page have in common."""

from collections.abc import Iterator

from acidtest.data.judge_card import (
    Agreed,
    Figure,
    JudgeCard,
    May,
    MetricCard,
    Missing,
    Plain,
    Shift,
    Took,
)
from acidtest.report.figures import count, delta, interval, milliseconds, money, score, share
from acidtest.report.view import when

BADGES: dict[May, str] = {
    "gate": "gate",
    "compare": "compare only",
    "no": "do not use",
    "unmeasured": "not measured",
    "unjudged": "not judged",
}

TONES: dict[May, str] = {
    "gate": "good",
    "compare": "warn",
    "no": "bad",
    "unmeasured": "mute",
    "unjudged": "mute",
}

STYLES = {"good": "green", "warn": "yellow", "bad": "red", "mute": "dim"}

MEASURES = {
    "kappa": "kappa",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "auc": "AUC",
}

_BEATEN = {"yes": "beaten", "no": "as good", "open": "not shown to be beaten"}

NO_RUN = "Not measured: no run of this judge was given."

Fact = tuple[str, str]


def called(card: JudgeCard) -> str:
    """Name the judge, and the models behind the name."""
    judge = card.judge
    return f"{judge.model} ({' and '.join(judge.reported)})" if judge.reported else judge.model


def figure(of: Figure | None) -> str:
    """Return a figure with its interval."""
    if of is None:
        return "-"
    return f"{score(of.value, 2)} ({interval(of.ci)})" if of.ci else score(of.value, 2)


def percent(of: Figure | None) -> str:
    """Return a share with its interval in per cent."""
    if of is None:
        return "-"
    return (
        f"{share(of.value)} ({100 * of.ci[0]:.0f}-{share(of.ci[1])})" if of.ci else share(of.value)
    )


def moved(of: Figure | None) -> str:
    """Return a shift with its sign and interval."""
    if of is None:
        return "-"
    ci = f" ({of.ci[0]:+.2f} to {of.ci[1]:+.2f})" if of.ci else ""
    return f"{delta(of.value, 2)}{ci}"


def facts(metric: MetricCard) -> list[Fact]:
    """Return what is known of a metric, a fact a line."""
    return [*_agreement(metric.agreed), *_biases(metric.shifts), *_rest(metric)]


def floor_of(metric: MetricCard) -> str:
    """Return the best of the baselines in short."""
    agreed = metric.agreed
    if agreed is None or not agreed.floors:
        return "-"
    best = agreed.floors[0]
    return f"{score(best.kappa.value if best.kappa else None, 2)} {best.name}"


def lacks(missing: Missing) -> str:
    """Say what was not measured, and of which metrics."""
    of = f" ({', '.join(missing.metrics)})" if missing.metrics else ""
    return f"{missing.what}{of}"


def drift(card: JudgeCard) -> str:
    """Say what the anchor says."""
    seen = card.drift
    if seen is None:
        return "Not measured: no anchor was given or found."
    since = f" since {when(seen.since)}" if seen.since else ""
    looks = f"{count(seen.looks, 'look')} at {count(seen.cases, 'case')}"
    last = f", the last {when(seen.last)}" if seen.last else ""
    evidence = f"; evidence {seen.evidence:.3g}, from {seen.limit:g} on it is drift"
    return f"{seen.says[:1].upper()}{seen.says[1:]}{since}: {looks}{last}{evidence if seen.looks else ''}."


def attacks(card: JudgeCard) -> str:
    """Say what came of attacks."""
    found = card.attacks
    if found is None:
        return "Not measured."
    if not found.of:
        return "Tried, and nothing could be measured: no valid verdict came back."
    told = f"{found.moved} of {found.of} attacks moved a verdict"
    if found.share is not None:
        told += f": {percent(found.share)}"
    return f"{told}{'; ' + ', '.join(found.turned) if found.turned else ''}."


def took(found: Took | None) -> list[Fact]:
    """Return cost and speed."""
    if found is None:
        return []
    each = found.usd_per_1000_calls
    return [
        ("run", f"{found.run}, {when(found.created)}"),
        ("calls", f"{found.calls:,}, and {found.cached:,} known from before"),
        ("tokens", f"{found.tokens:,}"),
        ("cost", money(found.cost_usd) + (f", {money(each)} for 1,000 calls" if each else "")),
        (
            "time of a call",
            milliseconds(found.ms_per_call)
            if found.ms_per_call is not None
            else "not told by this judge"
            if found.calls
            else "not measured: every reply was known from before",
        ),
    ]


def _agreement(agreed: Agreed | None) -> Iterator[Fact]:
    if agreed is None:
        return
    told = [f"{MEASURES[k]} {figure(agreed.measures[k])}" for k in MEASURES if k in agreed.measures]
    yield "agreement", ", ".join(told) if told else "none can be told"
    if agreed.why:
        yield "kappa", agreed.why
    people = count(agreed.annotators, "person", "people") if agreed.annotators else "people"
    on = f"{count(agreed.n, 'labelled case')} of {agreed.run}, by {people}"
    yield "measured on", f"{on}, {when(agreed.created)}" if agreed.created else on
    if agreed.ceiling is not None or agreed.alpha is not None:
        less = agreed.judge_minus_people
        than = f", judge less people {moved(less)}" if less is not None else ""
        yield "people", f"kappa {figure(agreed.ceiling)}, alpha {figure(agreed.alpha)}{than}"
    if agreed.floors:
        each = (f"{f.name} {figure(f.kappa)}, {_BEATEN[f.beaten]}" for f in agreed.floors)
        yield "without a judge", "; ".join(each)


def _biases(shifts: tuple[Shift, ...]) -> Iterator[Fact]:
    probed = [row for row in shifts if row.kind != "leniency" and row.of]
    found = [f"{row.kind} ({row.change}): {row.finding}" for row in probed if row.finding]
    if probed:
        told = f"{', '.join(found)}; " if found else ""
        clear = sum(not row.finding for row in probed)
        kinds = ", ".join(dict.fromkeys(row.kind for row in probed))
        yield (
            "biases",
            f"{told}nothing found in {clear} of {count(len(probed), 'change')} ({kinds})",
        )
    faults = [f"{r.change} {r.moved} of {r.of}" for r in shifts if r.kind == "leniency" and r.of]
    if faults:
        yield "faults that passed", ", ".join(faults)


def _known(found: Plain) -> str:
    if not found.n:
        return f"no valid reply to any of {found.failed}"
    open_ = f", {found.open} left open" if found.open else ""
    failed = f"; no valid reply to {found.failed} more" if found.failed else ""
    return f"{found.right} of {found.n} right, {found.wrong} wrong{open_}{failed}"


def _rest(metric: MetricCard) -> Iterator[Fact]:
    again, plain, coverage = metric.repeat, metric.plain, metric.coverage
    if again is not None:
        sd = "" if again.sd is None else f", standard deviation {again.sd:.3f}"
        things = f"{again.same.n:,} items" if again.same.ci else f"{again.same.n:,} repeats"
        yield (
            "asked again",
            f"the same in {percent(again.same)} of {things}, asked {again.asks} times{sd}",
        )
    if plain is not None:
        yield "plain cases", _known(plain)
    if metric.hard is not None:
        yield "hard cases", _known(metric.hard)
    if coverage is not None:
        left = coverage.undecided
        open_ = f", {share(left)} of the claims left open" if left is not None else ""
        yield "scored", f"{coverage.scored} of {coverage.of} cases{open_}"
    if metric.version:
        yield "method and prompt", metric.version
    if metric.unknown:
        yield "not measured", ", ".join(metric.unknown)
