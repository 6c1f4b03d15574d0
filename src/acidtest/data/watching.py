"""What watching a live system reads and tells: readings of traces, trends, drifts and alerts."""

from typing import Literal

from msgspec import Struct

Kind = Literal["score", "rate", "size", "topic"]
"""A score of a metric; a share of traces; a latency or a cost; a share of the questions."""

Statistic = Literal["mean", "rate", "p50", "p95", "sum"]


class Reading(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One trace as trends and drift see it.

    Attributes:
        trace: Its id.
        at_ms: When it began, in milliseconds since 1970, UTC.
        session: The conversation that it belongs to; None: it stands alone.
        slices: What it can be told apart by: `model`, `prompt_version`, `service`, `tag`, each with values.
        question: What was asked, where that is known.
        follows: The question follows on earlier turns.
        scores: Metric -> value, of the metrics that scored it.
        scorers: Metric -> what scored: another judge, or version of the metric, is another.
        facts: What is known of every trace, scored or not: `abstained`, `error`, `thumbs_down`,
            `citation_error` as 0 or 1; `latency_ms`, `cost_usd`.
        chance: How likely a trace of its kind was to be scored. What always is (thumbs down) has 1, what was
            drawn has the sampled fraction; a score stands for 1 / chance traces. 0: it was scored by a
            rule whose chance is not known; its scores are shown and do not count for the whole.
    """

    trace: str
    at_ms: int
    session: str | None = None
    slices: dict[str, tuple[str, ...]] = {}
    question: str | None = None
    follows: bool = False
    scores: dict[str, float] = {}
    scorers: dict[str, str] = {}
    facts: dict[str, float] = {}
    chance: float = 1.0


class Estimate(Struct, frozen=True, kw_only=True):
    """A value with its 95 % interval (None: too few to tell), and how many traces it is of."""

    value: float
    low: float | None
    high: float | None
    n: int


class Trend(Struct, frozen=True, kw_only=True):
    """One quantity in one window of time, of all traces or of one slice.

    `by` and `of` name the slice, such as `model` and `small-2`; both are None for all traces. `traces` are
    those in the window, the estimate's `n` those that have this quantity.
    """

    metric: str
    statistic: Statistic
    since_ms: int
    until_ms: int
    traces: int
    estimate: Estimate
    by: str | None = None
    of: str | None = None


class Drift(Struct, frozen=True, kw_only=True):
    """One quantity held against its reference window.

    Attributes:
        metric: Its name.
        kind: What sort of quantity.
        evidence: The watch's statistic; at `limit` it is an alarm.
        limit: So many quiet days come to a false alarm on average, at least.
        alarmed: Whether the limit was reached, with enough traces.
        rising: Which way it moved, most likely.
        since_ms: When that most likely began.
        before: The reference window and the quiet days since.
        after: From `since_ms` on.
        recent: The latest days alone, which say whether it goes on.
        by: What the slice is told apart by; None for all traces.
        of: Which slice.
        note: Why nothing could be told, if so; of questions, which kind of them became more or fewer.
    """

    metric: str
    kind: Kind
    evidence: float
    limit: float
    alarmed: bool
    rising: bool
    since_ms: int | None = None
    before: Estimate | None = None
    after: Estimate | None = None
    recent: Estimate | None = None
    by: str | None = None
    of: str | None = None
    note: str = ""


class Reference(Struct, frozen=True, kw_only=True):
    """What a quantity is held against, and since when that is enough to tell a change by.

    Attributes:
        metric: The quantity.
        scored: Only traces that were scored have it.
        state: `complete`: changes are told; `collecting`: its time is not over; `short`: it holds too little.
        since_ms: When it begins; of a `short` one, since when it was looked for.
        until_ms: When it ends, or will: from then on changes are told. None: nobody can say.
        traces: How many traces it holds so far.
        days: On how many days of UTC these are.
        slow: At this pace it will hold too little when its time is over.
    """

    metric: str
    scored: bool
    state: Literal["complete", "collecting", "short"]
    since_ms: int
    until_ms: int | None
    traces: int
    days: int
    slow: bool = False


class Missed(Struct, frozen=True, kw_only=True):
    """A fixed target that is missed: the whole interval lies on the wrong side of it."""

    metric: str
    target: float
    at_least: bool
    estimate: Estimate


class Cause(Struct, frozen=True, kw_only=True):
    """What explains a change best: without the traces of this slice, `explains` of it (0 to 1) is gone.

    `metric` is the quantity whose change it is, of several that moved together.
    """

    by: str
    of: str
    explains: float
    after: Estimate
    rest: Estimate | None
    metric: str = ""


AlertState = Literal["open", "ended"]


class Alert(Struct, frozen=True, kw_only=True):
    """Something that a person should look at: all that moved together in one slice.

    Attributes:
        key: What it is about; one alert of a key is open at a time.
        state: Whether it still goes on.
        opened_ms: When it was first told.
        ended_ms: When it was over.
        title: One line.
        drifts: What moved: first to the worse, then the questions, then to the better; of each the strongest first.
        missed: Which targets are missed.
        cause: The slice that explains it; None: no single one does.
        worst: Ids of the traces that show it best.
        calm_since_ms: Since when all is back where it was; a day of that ends the alert.
    """

    key: str
    state: AlertState
    opened_ms: int
    title: str
    ended_ms: int | None = None
    drifts: tuple[Drift, ...] = ()
    missed: tuple[Missed, ...] = ()
    cause: Cause | None = None
    worst: tuple[str, ...] = ()
    calm_since_ms: int | None = None
