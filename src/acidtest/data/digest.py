"""A week of a live system in short: what is asked that the golden set lacks, what fails alike, what moved."""

from msgspec import Struct

from acidtest.data.watching import Estimate, Statistic


class Group(Struct, frozen=True, kw_only=True):
    """Traces whose questions share words.

    `words` tell them from the rest; `n` is how many they are, `sessions` in how many conversations; `traces`
    and `questions` are those that are most like all of them, at most five, of different questions.
    """

    words: tuple[str, ...]
    n: int
    sessions: int
    traces: tuple[str, ...]
    questions: tuple[str, ...]


class Failing(Struct, frozen=True, kw_only=True):
    """A group of traces that failed; `why` counts them by what was wrong, such as `faithfulness` or `error`."""

    group: Group
    why: dict[str, int]


class FormShare(Struct, frozen=True, kw_only=True):
    """A form of question, such as `how-to`, as a share of what was asked and of the golden set."""

    form: str
    asked: float
    golden: float


class Movement(Struct, frozen=True, kw_only=True):
    """One quantity in the span and in the one before; `clear` says that the intervals do not overlap."""

    metric: str
    statistic: Statistic
    before: Estimate
    after: Estimate
    clear: bool


class Digest(Struct, frozen=True, kw_only=True):
    """What a span of time brought.

    Attributes:
        since_ms: Its beginning.
        until_ms: Its end, excluded.
        traces: How many began in it.
        read: How many of them were read: of very many a share, and what is counted below is of these.
        lacking: Groups of questions of which the golden set has none like them, the largest first.
        unlike: Questions that are unlike every golden one, in groups or not.
        forms: Forms of questions that the golden set has less of, the largest gap first.
        failing: Groups of failures that are alike, the largest first.
        failed: How many failed.
        moved: What moved, clear changes first.
    """

    since_ms: int
    until_ms: int
    traces: int
    read: int
    lacking: tuple[Group, ...] = ()
    unlike: int = 0
    forms: tuple[FormShare, ...] = ()
    failing: tuple[Failing, ...] = ()
    failed: int = 0
    moved: tuple[Movement, ...] = ()
