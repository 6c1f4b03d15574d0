"""A judge's report card: what was measured of it, how good it is, and what it may be used for."""

from typing import Literal

from msgspec import Struct

from acidtest.data.runs import JudgeRef

CARD_FORMAT = "acidtest/judge-card"
CARD_VERSION = 1

Interval = tuple[float, float]

May = Literal["gate", "compare", "no", "unmeasured", "unjudged"]
"""What a metric may be used for with this judge.

`gate`: a build may hang on it. `compare`: runs may be compared by it. `no`: measured, and not good enough for
either. `unmeasured`: nobody knows yet. `unjudged`: this judge does not judge it.
"""


class Figure(Struct, frozen=True, kw_only=True):
    """A figure with its 95 % interval (None where it has none), over n things."""

    value: float
    ci: Interval | None = None
    n: int = 0


class Floor(Struct, frozen=True, kw_only=True):
    """What it takes no judge to say, and whether the judge beats it (`open`: the labels do not tell)."""

    name: str
    kappa: Figure | None
    beaten: Literal["yes", "no", "open"]


class Agreed(Struct, frozen=True, kw_only=True):
    """Agreement with people on one metric.

    Attributes:
        source: Where it is from.
        run: The run whose scores were held against labels.
        golden: The version of its golden set.
        created: When the judge said so.
        n: Cases with a score and a label.
        annotators: How many people labelled.
        measures: accuracy, balanced_accuracy, kappa and auc, as far as they can be told.
        why: Why kappa cannot be told; empty where it can.
        ceiling: Kappa of people with each other, None where one person labelled.
        alpha: Krippendorff's alpha of people.
        judge_minus_people: The judge's kappa less people's, on the same cases.
        floors: Baselines, the best first.
    """

    source: str
    run: str
    golden: str
    created: str
    n: int
    annotators: int
    measures: dict[str, Figure]
    why: str
    ceiling: Figure | None
    alpha: Figure | None
    judge_minus_people: Figure | None
    floors: tuple[Floor, ...]


class Shift(Struct, frozen=True, kw_only=True):
    """What a change that must not matter did, or a planted fault.

    Attributes:
        kind: The kind of probe.
        change: The change or the fault.
        moved: Verdicts that flipped, or faults that passed.
        of: Verdicts that were looked at.
        share: moved / of, with its interval.
        shift: The mean of the score after minus before; None for faults.
        finding: What was found, None for nothing.
    """

    kind: str
    change: str
    moved: int
    of: int
    share: Figure | None
    shift: Figure | None
    finding: str | None


class Repeat(Struct, frozen=True, kw_only=True):
    """The same question again: the share of items (or of repeats, by an anchor) that came out the same.

    `asks` is how often each was asked; by a run, how often at most.
    """

    source: str
    asks: int
    same: Figure
    sd: float | None = None


class Plain(Struct, frozen=True, kw_only=True):
    """Cases whose right verdict is known: n got one, and `failed` no valid reply."""

    n: int
    right: int
    open: int
    wrong: int
    failed: int


class Coverage(Struct, frozen=True, kw_only=True):
    """Of how many cases of a run the judge gave a score; `undecided` is the share of claims left open."""

    scored: int
    of: int
    undecided: float | None = None


class MetricCard(Struct, frozen=True, kw_only=True):
    """One metric with this judge.

    Attributes:
        metric: The metric.
        version: Method and prompt that were measured; empty where nothing tells.
        may: What it may be used for.
        says: That in a sentence.
        reasons: What keeps it from more, the gravest first.
        unknown: What was not measured.
        agreed: Agreement with people.
        shifts: Biases and leniency, as probed.
        repeat: Repeatability.
        plain: Plain cases.
        hard: Hard claims: a judge that gets them right reads what it judges.
        coverage: How much of a run it scores.
    """

    metric: str
    version: str
    may: May
    says: str
    reasons: tuple[str, ...]
    unknown: tuple[str, ...]
    agreed: Agreed | None = None
    shifts: tuple[Shift, ...] = ()
    repeat: Repeat | None = None
    plain: Plain | None = None
    hard: Plain | None = None
    coverage: Coverage | None = None


class Attacked(Struct, frozen=True, kw_only=True):
    """Attacks that moved a verdict, of those that could be measured; `turned` names them."""

    source: str
    created: str
    share: Figure | None
    moved: int
    of: int
    turned: tuple[str, ...]


class Watched(Struct, frozen=True, kw_only=True):
    """What the anchor says: its result in a word and a sentence, looks, cases, and the evidence for drift."""

    source: str
    result: Literal["new", "steady", "changed", "drift", "incomplete", "gone"]
    says: str
    since: str
    last: str
    looks: int
    cases: int
    evidence: float
    limit: float
    metrics: tuple[str, ...] = ()


class Took(Struct, frozen=True, kw_only=True):
    """What judging took in one run; money and time are None where they are not known.

    `ms_per_call` is the time that one call took, retries included, whatever went on beside it.
    """

    run: str
    created: str
    calls: int
    cached: int
    tokens: int
    cost_usd: float | None
    usd_per_1000_calls: float | None
    ms_per_call: float | None


class Public(Struct, frozen=True, kw_only=True):
    """How often the local judge's rulings were right on public data, a mean over data sets."""

    task: str
    sets: int
    decided: Figure
    against: Figure
    in_favour: Figure


class Source(Struct, frozen=True, kw_only=True):
    """One piece of evidence: where it is, what it is, of what data, how much, and when."""

    name: str
    kind: str
    what: str
    created: str


class LeftOut(Struct, frozen=True, kw_only=True):
    """Evidence that is not on the card, and why."""

    name: str
    kind: str
    why: str


class Missing(Struct, frozen=True, kw_only=True):
    """What was not measured, of which metrics (none: of the judge as a whole), and the commands that get it.

    `get` are in order; capitals in them, such as RUN and METRIC, stand for what you have.
    """

    what: str
    metrics: tuple[str, ...]
    get: tuple[str, ...]


class JudgeCard(Struct, frozen=True, kw_only=True):
    """The card of one judge.

    Attributes:
        created: When the card was made, UTC.
        acidtest: The version that made it.
        judge: Which judge, by its fingerprint.
        metrics: Each metric, those with the most leave first.
        attacks: Attacks on it.
        drift: What its anchor says; `Watched.metrics` are those that it watches.
        took: Cost and speed.
        public: Of the local judge, how right it was on public data.
        sources: What the card rests on.
        left_out: What it does not rest on, though it was given.
        missing: What was not measured.
    """

    format: str = CARD_FORMAT
    version: int = CARD_VERSION
    created: str
    acidtest: str
    judge: JudgeRef
    metrics: tuple[MetricCard, ...]
    attacks: Attacked | None = None
    drift: Watched | None = None
    took: Took | None = None
    public: tuple[Public, ...] = ()
    sources: tuple[Source, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    missing: tuple[Missing, ...] = ()
