"""The bias probe: does a judge's verdict move with what must not move it, and does it catch faults?

Every item is scored as it is, `repeat` times, and once with each change. A change shows two things: that
values rise or fall with it (rises against falls), and that verdicts flip more often than they do when the
same question is merely asked again. Planted faults are counted where the answer passed without. All tests
of a probe are corrected together, so that a judge without any bias raises a finding in at most one of
twenty probes.
"""

from collections.abc import Sequence
from contextlib import AsyncExitStack

from msgspec import Struct

from acidtest.data.human import HumanLabel
from acidtest.data.runs import JudgeRef
from acidtest.data.use import JudgeUse
from acidtest.project.judging import Judging
from acidtest.project.probing.bias.asking import Draws, Said, ask_changed, ask_faulty, read
from acidtest.project.probing.bias.corrected import found_in
from acidtest.project.probing.bias.plan import BiasPlan, Changed, Faulty
from acidtest.project.probing.bias.scoring import Scoring, judges
from acidtest.project.probing.bias.self_preference import SelfPreference, self_preference
from acidtest.project.probing.bias.tally import (
    Asked,
    Leniency,
    Repeated,
    Shifted,
    leniency,
    repeated,
    shifted,
)
from acidtest.project.probing.moment import now
from acidtest.run.meter import Meter
from acidtest.run.progress import Watcher
from acidtest.store.journal import StoredJournal
from acidtest.store.runs import Store

ENOUGH = 0.95
"""Share of the scorings that must have got a verdict for the probe to say anything."""


class Moved(Struct, frozen=True, kw_only=True):
    """One item whose verdict a change flipped, or in which a fault passed."""

    metric: str
    change: str
    case: str
    before: float | None
    after: float | None
    text: str = ""


class Bias(Struct, frozen=True, kw_only=True):
    """What the probe found.

    Attributes:
        judge: Who was probed.
        source: The run that the items are of, or `built-in`.
        items: How many items.
        repeat: How often unchanged items were asked.
        seed: What orders, places and faults were drawn with.
        changes: What each change did to each metric.
        leniency: What became of planted faults.
        self_preference: Own family against others, or why that was left out; empty when not asked for.
        repeatability: How alike repeated verdicts are; empty when items were asked once.
        unjudged: Metrics of which this judge judged no item, and why.
        moved: The items whose verdicts flipped, and the faults that passed.
        findings: In words, one a row that has a finding.
        coverage: Scorings with a verdict / all that should have one.
        use: What asking took.
        created: When, UTC; empty in files of before that was told.
        versions: Metric -> its version (method and prompt).
    """

    judge: JudgeRef
    source: str
    items: int
    repeat: int
    seed: int
    changes: tuple[Shifted, ...]
    leniency: tuple[Leniency, ...]
    self_preference: tuple[SelfPreference, ...]
    repeatability: tuple[Repeated, ...]
    unjudged: dict[str, str]
    moved: tuple[Moved, ...]
    findings: tuple[str, ...]
    coverage: float | None
    use: JudgeUse
    created: str = ""
    versions: dict[str, str] = {}
    format: str = "acidtest/judge-bias"
    version: int = 1

    @property
    def exit_status(self) -> int:
        """1 with a finding, else 3 when too little could be measured, else 0."""
        if self.findings:
            return 1
        return 0 if self.coverage is not None and self.coverage >= ENOUGH else 3


async def probe_bias(
    judging: Judging,
    plan: BiasPlan,
    store: Store | None = None,
    *,
    source: str = "built-in",
    kinds: Sequence[str] = (),
    labels: Sequence[HumanLabel] = (),
    seed: int = 0,
    concurrency: int = 8,
    use_cache: bool = True,
    watch: Watcher | None = None,
) -> Bias:
    """Ask everything that a plan has, and sum it up.

    Args:
        judging: The judge.
        plan: What is asked.
        store: Where its verdicts are kept, so that an interrupted probe goes on without asking twice.
        source: What the items are of.
        kinds: What was asked for; `self-preference` is measured only if it is among them.
        labels: What people say of the items, for self-preference.
        seed: What the plan was drawn with.
        concurrency: How many scorings may be in flight.
        use_cache: Whether to use verdicts that are kept already.
        watch: Told after every scoring.

    Raises:
        OutsideError: The endpoint is gone, or the budget is spent.
        StoreError: The store could not take a verdict.
    """
    meter = Meter()
    async with AsyncExitStack() as stack:
        journal = None
        if judging.kept and store is not None:
            journal = await stack.enter_async_context(StoredJournal(store))
        asked = judges(judging.judge, meter, journal, use_cache=use_cache)
        scoring = Scoring(asked, meter, concurrency, watch)
        draws = read(plan, await scoring.all(plan.plain()))
        unjudged = _unjudged(draws)
        judged = [c for c in plan.changed if c.bound.name not in unjudged]
        after = await ask_changed(scoring, plan, judged, draws)
        faulty = [f for f in plan.faulty if f.bound.name not in unjudged]
        faults = await ask_faulty(scoring, faulty, draws)
    rows, lenient, preference, findings = found_in(
        [
            shifted(c.bound.name, c.change, pairs, sum(i is None for i in c.items))
            for c, pairs in zip(judged, after, strict=True)
        ],
        [
            leniency(f.bound.name, f.fault, [said for _, said in some])
            for f, some in zip(faulty, faults, strict=True)
        ],
        self_preference(
            judging.judge,
            plan.items,
            {name: each[0] for name, each in draws.items() if name not in unjudged},
            labels,
            seed=seed,
        )
        if "self-preference" in kinds
        else [],
    )
    units = [item.unit for item in plan.items]
    return Bias(
        judge=JudgeRef(model=judging.judge.model, fingerprint=judging.judge.fingerprint),
        source=source,
        items=len(plan.items),
        repeat=plan.repeat,
        seed=seed,
        changes=rows,
        leniency=lenient,
        self_preference=preference,
        repeatability=tuple(
            repeated(name, units, each)
            for name, each in draws.items()
            if plan.repeat > 1 and name not in unjudged
        ),
        unjudged=unjudged,
        moved=(*_flipped(judged, after), *_passed(faulty, faults)),
        findings=findings,
        coverage=_coverage(draws, after, faults),
        use=meter.use,
        created=now(),
        versions={bound.name: bound.spec.version for bound in plan.bounds},
    )


def _unjudged(draws: Draws) -> dict[str, str]:
    return {
        name: said[0].why
        for name, (said, *_) in draws.items()
        if said and not any(each.judged for each in said)
    }


def _flipped(changed: Sequence[Changed], after: Sequence[Sequence[Asked]]) -> list[Moved]:
    return [
        Moved(
            metric=c.bound.name,
            change=c.change.name,
            case=each.item,
            before=each.before.value,
            after=each.after.value,
            text=next(i.text for i in c.items if i is not None and i.case.id == each.item),
        )
        for c, some in zip(changed, after, strict=True)
        for each in some
        if not each.after.failed and each.after.state != each.before.state
    ]


def _passed(faulty: Sequence[Faulty], faults: Sequence[Sequence[tuple[str, Said]]]) -> list[Moved]:
    return [
        Moved(
            metric=f.bound.name,
            change=f.fault,
            case=case,
            before=1.0,
            after=1.0,
            text=next(i.item.text for i in f.items if i is not None and i.item.case.id == case),
        )
        for f, some in zip(faulty, faults, strict=True)
        for case, said in some
        if said is False
    ]


def _coverage(
    draws: Draws,
    after: Sequence[Sequence[Asked]],
    faults: Sequence[Sequence[tuple[str, Said]]],
) -> float | None:
    failed = [each.failed for some in draws.values() for d in some for each in d if each.judged]
    failed += [each.after.failed for some in after for each in some]
    failed += [isinstance(said, str) for some in faults for _, said in some]
    return 1 - sum(failed) / len(failed) if failed else None
