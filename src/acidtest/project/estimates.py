"""What the plans of a command will take: rehearsed one after the other, as they would be run."""

from collections.abc import Sequence

from acidtest.judges.desk import Desk
from acidtest.run.estimate import Estimate, estimate, models_of
from acidtest.run.experience import experience
from acidtest.run.plan import Plan
from acidtest.run.rehearse import Ledger, Rehearsal
from acidtest.run.suppose import suppose
from acidtest.store.runs import Store


async def estimates(
    plans: Sequence[Plan],
    store: Store | None,
    *,
    fresh: bool = False,
    use_cache: bool = True,
) -> list[Estimate]:
    """Say what plans will take; no pipeline, judge or embedder is asked, and nothing is stored.

    Args:
        plans: In the order in which they would be run: what an earlier one asks is known to a later one.
        store: Where earlier runs and verdicts are; None where there is none.
        fresh: Whether new runs are started although unfinished ones could go on.
        use_cache: Whether the judge is spared what it was asked before.
    """
    found: list[Estimate] = []
    before: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    for plan in plans:
        supposed = await suppose(plan, store, fresh=fresh)
        ends = await Rehearsal(
            plan, _desk(plan, store if use_cache else None), supposed, before
        ).run()
        if use_cache:
            before = (before[0] | _keys(ends[0]), before[1] | _keys(ends[1]))
        answered = ends[0].answered.values()
        known = {
            model.name: experience(
                store, model.name, [q for q in answered if q.model.name == model.name]
            )
            for model in models_of(ends)
            if not model.local
        }
        found.append(estimate(plan, supposed, ends, known))
    return found


def _desk(plan: Plan, verdicts: Store | None) -> Desk | None:
    if plan.judge is None:
        return None
    return Desk(plan.judge, known=verdicts.verdict if verdicts is not None else None)


def _keys(ledger: Ledger) -> frozenset[str]:
    return frozenset(ledger.questions) | frozenset(ledger.answered)
