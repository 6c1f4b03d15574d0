"""What a metric may be used for with a judge: the stated rules, in words and numbers.

They stand in the handbook ("A judge's report card"); a change here is a change there. The first rule of
`_stops` that applies decides; where none does, each rule of `_limits` that applies keeps a build from being
gated by it. What was not measured is never taken for good: it is told beside.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from acidtest.data.judge_card import Agreed, Coverage, Figure, May, Plain, Repeat, Shift, Watched
from acidtest.project.calibrate import FEWEST

GATE_KAPPA = 0.4
"""Below this lower end of kappa no build is gated: moderate agreement begins here (Landis and Koch, 1977)."""

PEOPLE_LEAST = 0.2
"""Below this alpha of people there is no right verdict to hold a judge against."""

GATE_PEOPLE = 0.4
"""Below this alpha of people no build is gated."""

GATE_SAME = 0.9
"""Below this share of the same verdicts when asked again no build is gated."""

GATE_COVERED = 0.5
"""Below this share of scored cases no build is gated; nor where more than this share of claims stays open."""

PLAIN_WRONG = 1 / 8
"""Above this share of plain cases judged wrongly, or without a valid reply, no build is gated."""

LEAVE: dict[May, str] = {
    "gate": "yes, gate on it",
    "compare": "compare runs, do not gate",
    "no": "neither gate nor compare by it",
    "unmeasured": "not measured, not to be trusted yet",
    "unjudged": "this judge does not judge it",
}
"""What each word means."""

ORDER: tuple[May, ...] = ("gate", "compare", "no", "unmeasured", "unjudged")


class Facts(Struct, frozen=True, kw_only=True):
    """What is known of one metric.

    Attributes:
        unjudged: Why the judge does not judge it, or empty.
        measured: Method and prompt that were measured, empty where nothing tells.
        current: Those that this acidtest has, empty where it does not have the metric.
        agreed: Agreement with people.
        shifts: Biases and leniency; None where they were not probed.
        repeat: Repeatability.
        plain: Plain cases.
        coverage: How much of a run is scored.
        attacked: The attacks that moved a verdict; None where none could be measured.
        drift: What the judge's anchor says.
        watched: Whether the anchor watches this metric.
    """

    unjudged: str = ""
    measured: str = ""
    current: str = ""
    agreed: Agreed | None = None
    shifts: Sequence[Shift] | None = None
    repeat: Repeat | None = None
    plain: Plain | None = None
    coverage: Coverage | None = None
    attacked: Sequence[str] | None = None
    drift: Watched | None = None
    watched: bool = False


class Ruling(Struct, frozen=True, kw_only=True):
    """What the rules say; see `MetricCard`."""

    may: May
    says: str
    reasons: tuple[str, ...]
    unknown: tuple[str, ...]


def rule(facts: Facts) -> Ruling:
    """Say what a metric may be used for."""
    stop = next(_stops(facts), None)
    limits = tuple(_limits(facts))
    may: May = "gate" if not limits else "compare"
    reasons = limits
    if stop is not None:
        may, why = stop
        reasons = (why, *limits) if may != "unjudged" else (why,)
    unknown = tuple(_unknown(facts))
    says = LEAVE[may] + (f": {reasons[0]}" if reasons else "")
    if may == "gate" and unknown:
        says += f", though nobody measured {_listed(unknown)}"
    return Ruling(may=may, says=says, reasons=reasons, unknown=unknown)


def _stops(facts: Facts) -> Iterator[tuple[May, str]]:
    """Yield what decides alone, the first first."""
    if facts.unjudged:
        yield "unjudged", facts.unjudged
    agreed = facts.agreed
    if agreed is None:
        yield "unmeasured", "nobody held it against people's labels"
        return
    if agreed.n < FEWEST:
        cases = "case has" if agreed.n == 1 else "cases have"
        yield "unmeasured", f"{agreed.n} {cases} a label, and {FEWEST} are needed"
    if (stale := _stale(agreed, facts.drift)) is not None:
        yield "unmeasured", stale
    if facts.measured and facts.current and facts.measured != facts.current:
        yield (
            "unmeasured",
            f"measured with method and prompt {facts.measured}, and now it is {facts.current}; calibrate again",
        )
    alpha = agreed.alpha
    if alpha is not None and alpha.value < PEOPLE_LEAST:
        yield (
            "no",
            f"people agree at alpha {alpha.value:.2f}, so there is no verdict to hold it against",
        )
    kappa = agreed.measures.get("kappa")
    if kappa is None or kappa.ci is None:
        yield "unmeasured", f"its agreement cannot be told: {agreed.why}"
        return
    if kappa.ci[0] <= 0:
        yield "no", f"its kappa with people, {_figure(kappa)}, is not shown to be above chance"
    level = [floor.name for floor in agreed.floors if floor.beaten == "no"]
    if level:
        yield "no", f"{level[0]} agrees with people as well, and asks no judge"


def _stale(agreed: Agreed, drift: Watched | None) -> str | None:
    """Say why agreement that was measured says nothing of the judge of today."""
    if drift is None:
        return None
    if drift.result == "gone":
        return f"measured before the provider changed the model ({drift.since}); calibrate again"
    if drift.result == "drift" and agreed.created <= drift.since:
        return f"measured before it drifted ({drift.since}); calibrate again"
    return None


def _limits(facts: Facts) -> Iterator[str]:
    """Yield what keeps a build from being gated by it."""
    if facts.agreed is not None:
        yield from _of_agreement(facts.agreed)
    yield from (_biased(row) for row in facts.shifts or () if row.finding)
    again = facts.repeat
    if again is not None and again.same.value < GATE_SAME:
        yield (
            f"asked again it says the same in {again.same.value:.0%} only, and a gate needs {GATE_SAME:.0%}"
        )
    yield from _of_plain(facts.plain)
    if facts.attacked:
        yield f"attacks move its verdict: {', '.join(facts.attacked[:3])}" + (
            f" and {len(facts.attacked) - 3} more" if len(facts.attacked) > 3 else ""
        )
    yield from _of_coverage(facts.coverage)


def _of_agreement(agreed: Agreed) -> Iterator[str]:
    kappa, alpha = agreed.measures.get("kappa"), agreed.alpha
    if kappa is not None and kappa.ci is not None and kappa.ci[0] < GATE_KAPPA:
        yield (
            f"its kappa with people may be as low as {kappa.ci[0]:.2f}, and a gate needs {GATE_KAPPA:.2f}"
        )
    yield from (
        f"it is not shown to beat {floor.name}, which asks no judge"
        for floor in agreed.floors
        if floor.beaten == "open"
    )
    if alpha is not None and PEOPLE_LEAST <= alpha.value < GATE_PEOPLE:
        yield f"people agree at alpha {alpha.value:.2f} only, and a gate needs {GATE_PEOPLE:.2f}"


def _of_plain(plain: Plain | None) -> Iterator[str]:
    if plain is None:
        return
    if plain.wrong > PLAIN_WRONG * plain.n:
        yield f"it gets {plain.wrong} of {plain.n} plain cases wrong"
    asked = plain.n + plain.failed
    if plain.failed > PLAIN_WRONG * asked:
        yield f"it gives no valid reply to {plain.failed} of {asked} plain cases"


def _of_coverage(coverage: Coverage | None) -> Iterator[str]:
    if coverage is None or not coverage.of:
        return
    if coverage.scored < GATE_COVERED * coverage.of:
        yield f"it scores {coverage.scored} of {coverage.of} cases only, and these may be unlike the rest"
    if coverage.undecided is not None and coverage.undecided > GATE_COVERED:
        yield f"it leaves {coverage.undecided:.0%} of the claims open"


def _biased(row: Shift) -> str:
    if row.kind == "leniency":
        return f"it lets {row.moved} of {row.of} planted faults pass ({row.change})"
    if row.kind == "self-preference":
        return f"it is {row.finding} to {row.change}, its own family, than people are"
    if row.finding == "unsteady":
        return f"{row.kind} ({row.change}) makes it unsteady"
    return f"{row.kind} ({row.change}) {row.finding} it"


def _unknown(facts: Facts) -> Iterator[str]:
    if facts.unjudged:
        return
    agreed = facts.agreed
    if agreed is not None and agreed.ceiling is None:
        yield "how far people agree"
    if facts.shifts is None:
        yield "biases"
    if facts.repeat is None:
        yield "repeatability"
    if facts.attacked is None:
        yield "attacks"
    if not facts.watched or facts.drift is None or facts.drift.result in ("new", "incomplete"):
        yield "drift"


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _figure(figure: Figure) -> str:
    return f"{figure.value:.2f}" + (
        f" ({figure.ci[0]:.2f} to {figure.ci[1]:.2f})" if figure.ci else ""
    )
