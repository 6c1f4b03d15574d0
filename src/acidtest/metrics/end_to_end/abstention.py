"""Abstention: does the system decline what it cannot know, and only that?

`abstention_accuracy` counts both faults. `abstention_precision` and `abstention_recall` apply only to the
cases that their denominators count, so that their means over a run are exactly precision and recall of
declining. A system that declines everything has recall 1.0 and an accuracy no better than the share of
unanswerable cases.

Whether a case may be answered is the golden set's word (`answerable`); whether the system declined is
`metrics.declining`'s. An answer that refuses a part and tells the rest has not declined. An empty answer
has: it states nothing, and it is a fault where an answer was due.
"""

from acidtest.data.answers import Answer
from acidtest.data.golden import Case
from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.metrics.declare import metric
from acidtest.metrics.declining import Declining, declining

_NO_ANSWER = Skip("the pipeline gave no answer")


@metric(stage="end_to_end", labelled=True)
def abstention_accuracy(case: Case, answer: Answer) -> Outcome:
    """Return 1.0 when the system declined exactly if the case is unanswerable, else 0.0.

    Args:
        case: Says whether it is answerable.
        answer: Its text, and the pipeline's own word if it gives one.
    """
    seen = declining(answer)
    if seen is None:
        return _NO_ANSWER
    right = seen.declined != case.answerable
    if case.answerable:
        verdict = "answerable, and answered" if right else "answerable, but declined"
    else:
        verdict = "must abstain, and declined" if right else "must abstain, but answered"
    return _score(right, verdict, case, seen)


@metric(stage="end_to_end", labelled=True)
def abstention_precision(case: Case, answer: Answer) -> Outcome:
    """Return, for a case that was declined, 1.0 when it is unanswerable, else 0.0.

    The mean over a run is `declined and unanswerable / declined`.

    Args:
        case: Says whether it is answerable.
        answer: Its text, and the pipeline's own word if it gives one.
    """
    seen = declining(answer)
    if seen is None:
        return _NO_ANSWER
    if not seen.declined:
        return Skip("the system did not decline")
    verdict = "declined needlessly" if case.answerable else "declined rightly"
    return _score(not case.answerable, verdict, case, seen)


@metric(stage="end_to_end", labelled=True)
def abstention_recall(case: Case, answer: Answer) -> Outcome:
    """Return, for a case that must abstain, 1.0 when it was declined, else 0.0.

    The mean over a run is `declined and unanswerable / unanswerable`.

    Args:
        case: Says whether it is answerable.
        answer: Its text, and the pipeline's own word if it gives one.
    """
    if case.answerable:
        return Skip("the case is answerable")
    seen = declining(answer)
    if seen is None:
        return _NO_ANSWER
    verdict = "must abstain, and declined" if seen.declined else "must abstain, but answered"
    return _score(seen.declined, verdict, case, seen)


def _score(right: bool, verdict: str, case: Case, seen: Declining) -> Score:  # noqa: FBT001
    return Score(
        float(right),
        f"{verdict}: {seen.why}",
        evidence=(
            {
                "declined": seen.declined,
                "partial": seen.partial,
                "signal": seen.signal,
                "phrase": seen.phrase,
                "conflict": seen.conflict,
            },
        ),
        parts={
            "declined": int(seen.declined),
            "partial": int(seen.partial),
            "unanswerable": int(not case.answerable),
        },
    )
