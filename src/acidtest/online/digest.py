"""The weekly digest: kinds of questions that the golden set lacks, failures that are alike, and what moved."""

from collections import Counter
from collections.abc import Iterable, Sequence

from acidtest.data.digest import Digest, Failing, FormShare, Movement
from acidtest.data.watching import Estimate, Reading, Trend
from acidtest.golden.cover.wordlists import Vocabulary
from acidtest.online.groups import Words, common, groups, unlike
from acidtest.online.readings import DAY_MS
from acidtest.online.trends import trends
from acidtest.text.question_kind import KINDS, question_kinds

WEEK_MS = 7 * DAY_MS

BAD = 0.5
"""A score below it is a failure."""

_FAILS = ("error", "thumbs_down", "abstained")
_MOST = 10
_GAP = 0.05  # by which a form must be asked more than it is in the golden set
_FORMS = 10_000  # questions whose forms are told, of more every so many: a share to within a point


def digest(
    readings: Sequence[Reading],
    golden: Sequence[str],
    *,
    until_ms: int,
    span_ms: int = WEEK_MS,
    lower_is_better: Iterable[str] = (),
    of_retrieval: Iterable[str] = (),
) -> Digest:
    """Return what a span of time brought.

    Args:
        readings: Of the span and of the one before.
        golden: The questions of the golden set.
        until_ms: The end, excluded.
        span_ms: How long it is.
        lower_is_better: Metrics whose high values are failures.
        of_retrieval: Metrics of which only 0 is one; see `reasons`.
    """
    lower, passages = frozenset(lower_is_better), frozenset(of_retrieval)
    since = until_ms - span_ms
    now = [r for r in readings if since <= r.at_ms < until_ms]
    said = Words()
    other, words = unlike(now, golden, said), common(now, said)
    failed = {r.trace: why for r in now if (why := reasons(r, lower, passages))}
    return Digest(
        since_ms=since,
        until_ms=until_ms,
        traces=len(now),
        read=len(now),
        lacking=tuple(groups(other, words, said)[:_MOST]),
        unlike=len(other),
        forms=tuple(_forms(now, golden)),
        failing=tuple(_failing(now, failed, words, said)[:_MOST]),
        failed=len(failed),
        moved=tuple(_moved(readings, since - span_ms, since, until_ms)[:_MOST]),
    )


def reasons(
    reading: Reading,
    lower_is_better: frozenset[str] = frozenset(),
    of_retrieval: frozenset[str] = frozenset(),
) -> tuple[str, ...]:
    """Return what is wrong with a trace: metrics that scored below 0.5, and facts such as `error`.

    Of a metric of retrieval it is a score of 0. Such a score is a share of the passages: where one of five is
    all that a question needs, it is 0.2 at best, and that is no failure.
    """

    def is_bad(name: str, value: float) -> bool:
        if name in lower_is_better:
            return value > BAD
        return value <= 0 if name in of_retrieval else value < BAD

    low = sorted(name for name, value in reading.scores.items() if is_bad(name, value))
    return (*low, *(name for name in _FAILS if reading.facts.get(name)))


def _forms(now: Sequence[Reading], golden: Sequence[str]) -> list[FormShare]:
    some = now[:: -(-len(now) // _FORMS) or 1]
    often_asked = Counter((r.question, r.follows) for r in some if r.question)
    held = [question_kinds(question, follows=False) for question in golden]
    often, asked = Counter[str](), 0
    for (question, follows), n in often_asked.items():
        asked += n
        often.update(dict.fromkeys(question_kinds(question, follows=follows), n))
    known = Counter(kind for kinds in held for kind in kinds)
    found = [
        FormShare(
            form=kind,
            asked=often[kind] / max(asked, 1),
            golden=known[kind] / max(len(held), 1),
        )
        for kind in KINDS
    ]
    return sorted(
        (f for f in found if f.asked - f.golden >= _GAP), key=lambda f: (f.golden - f.asked, f.form)
    )


def _failing(
    now: Sequence[Reading],
    failed: dict[str, tuple[str, ...]],
    words: Vocabulary | None,
    said: Words,
) -> list[Failing]:
    """Group what failed by its first reason, and then by words: alike is what fails alike, too."""
    by_why: dict[str, list[Reading]] = {}
    for reading in now:
        if reading.trace in failed:
            by_why.setdefault(failed[reading.trace][0], []).append(reading)
    found = [
        Failing(group=group, why={why: group.n})
        for why, some in sorted(by_why.items())
        for group in groups(some, words, said)
    ]
    return sorted(found, key=lambda f: (-f.group.n, f.group.words, list(f.why)))


def _moved(
    readings: Sequence[Reading], since_ms: int, middle_ms: int, until_ms: int
) -> list[Movement]:
    """Return every quantity of both spans, clear changes first, then by size against the interval."""
    span = middle_ms - since_ms

    def read(start: int, end: int) -> dict[tuple[str, str], Trend]:
        # One window that holds the whole span, wherever it begins.
        found = trends(readings, since_ms=start, until_ms=end, window_ms=until_ms + span + 1)
        return {(t.metric, t.statistic): t for t in found}

    old, new = read(since_ms, middle_ms), read(middle_ms, until_ms)
    found = [
        (
            Movement(
                metric=key[0],
                statistic=new[key].statistic,
                before=old[key].estimate,
                after=new[key].estimate,
                clear=_apart(old[key].estimate, new[key].estimate),
            )
        )
        for key in sorted(old.keys() & new.keys())
    ]
    return sorted(found, key=lambda m: (not m.clear, -_size(m), m.metric, m.statistic))


def _apart(one: Estimate, other: Estimate) -> bool:
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return False
    return one.high < other.low or other.high < one.low


def _size(moved: Movement) -> float:
    before, after = moved.before, moved.after
    if before.low is None or before.high is None or after.low is None or after.high is None:
        return 0.0
    width = (before.high - before.low + after.high - after.low) / 2
    return abs(after.value - before.value) / width if width else 0.0
