"""Writing a run as it comes: answers and results, many to a commit, and what judging took so far."""

from collections.abc import Callable, Sequence

from acidtest.data.answers import Answer
from acidtest.data.outcomes import Result
from acidtest.data.use import JudgeUse
from acidtest.store.group import GroupCommit
from acidtest.store.runs import Store

Rows = tuple[Sequence[Answer], Sequence[Result]]

_LINGER_S = 0.05
"""For how long what is patient waits for others."""

_ENOUGH = 16
"""What is patient waits no longer when there are so many."""


def writer(
    store: Store,
    run_id: str,
    use: Callable[[], JudgeUse | None] = lambda: None,
    *,
    owner: str | None = None,
) -> GroupCommit[Rows]:
    """Return the queue that stores answers and results of one run.

    Args:
        store: Where they go.
        run_id: Whose they are.
        use: Says what judging took so far: it is stored along, so that a budget that was spent before
            a crash is known to be spent.
        owner: Who makes the run: nothing is stored any more once another has it.
    """

    def commit(batch: list[Rows]) -> None:
        answers = [answer for some, _ in batch for answer in some]
        results = [result for _, some in batch for result in some]
        store.save(run_id, answers, results, judge_use=use(), held_by=owner)

    return GroupCommit(commit, linger_s=_LINGER_S, enough=_ENOUGH)
