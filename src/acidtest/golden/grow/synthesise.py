"""A whole synthesis: round by round, until every kind has what was asked for or nothing is left to try.

A round asks for what is missing, many slots at once; what comes of it is held against all questions in
the order of the plan. So the same replies give the same cases, whichever came first.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from acidtest.data.golden import Case
from acidtest.errors import AcidtestError, OutsideError
from acidtest.golden.grow.dropped import Dropped, dropped
from acidtest.golden.grow.kinds import KINDS, Kind
from acidtest.golden.grow.plan import Plan, Slot
from acidtest.golden.grow.same import Asked

TRIES = 3
"""Drafts that are written for each question that is asked for, at most."""

_TOLD = 10
"""Questions to the same chunks that a model is told of."""


Write = Callable[[Slot, Sequence[str]], Awaitable[Case | Dropped]]
"""Makes a case of a slot, told what is asked of its chunks already."""


class Shortfall(Struct, frozen=True, kw_only=True):
    """How many questions of a kind are missing, and why."""

    kind: Kind
    missing: int
    why: str


class Harvest(Struct, frozen=True, kw_only=True):
    """What came of a synthesis.

    Attributes:
        cases: The new cases, in the order of the plan's rounds.
        dropped: The slots of which nothing came.
        shortfall: What is missing, kind by kind.
        stopped: Why it stopped before its end; None when it did not.
    """

    cases: tuple[Case, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    shortfall: tuple[Shortfall, ...] = ()
    stopped: str | None = None


class Goal(Struct, frozen=True, kw_only=True):
    """What is to be reached.

    Attributes:
        quota: Kind -> how many.
        flexible: Whether a kind that comes short is made up for by others.
        tries: Drafts that are written for each question, at most.
        width: Slots that are worked on at once.
    """

    quota: Mapping[Kind, int]
    flexible: bool = False
    tries: int = TRIES
    width: int = 8


async def synthesise(
    plan: Plan,
    goal: Goal,
    write: Write,
    *,
    key: str,
    existing: Sequence[Case] = (),
    told: Callable[[int, int], None] | None = None,
) -> Harvest:
    """Fill the slots of a plan.

    Args:
        plan: Which questions.
        goal: How many.
        write: Makes a case of a slot.
        key: What cases of this plan have as their `metadata.plan`.
        existing: What is asked already; cases of this plan among them count as filled slots.
        told: Called with slots done and cases kept after every slot.

    Raises:
        UsageError: The writer or the checker does not do such a thing.
    """
    work = _Work(plan, goal, write, key, existing, told)
    await work.through()
    return work.harvest()


class _Work:
    def __init__(
        self,
        plan: Plan,
        goal: Goal,
        write: Write,
        key: str,
        existing: Sequence[Case],
        told: Callable[[int, int], None] | None,
    ) -> None:
        self._plan, self._goal, self._write, self._told = plan, goal, write, told
        self._asked = Asked(existing)
        self._to: dict[str, list[str]] = {}
        self._kept: list[Case] = []
        self._dropped: list[Dropped] = []
        self._done = 0
        self._stopped: AcidtestError | None = None
        self._made: Counter[Kind] = Counter()
        self._tried: Counter[Kind] = Counter()
        ours = [case for case in existing if case.metadata.get("plan") == key]
        filled = {str(case.metadata.get("slot")) for case in ours}
        self._made.update(
            kind for case in ours for kind in KINDS if kind == case.metadata.get("kind")
        )
        for case in existing:
            mine = case.metadata.get("plan") == key
            slot = str(case.metadata.get("slot")).rpartition(":")[0]
            for name in (slot,) if mine else case.relevant or ():
                self._to.setdefault(name, []).append(case.question)
        self._left = {
            kind: deque(slot for slot in slots if slot.name not in filled)
            for kind, slots in plan.slots.items()
        }

    async def through(self) -> None:
        quota = self._goal.quota
        await self._fill({kind: quota[kind] - self._made[kind] for kind in quota})
        while self._goal.flexible and not self._stopped:
            missing = sum(quota.values()) - sum(self._made[kind] for kind in quota)
            helper = next((kind for kind in KINDS if kind in quota and self._can(kind)), None)
            if missing <= 0 or helper is None:
                return
            await self._round({helper: missing})

    async def _fill(self, missing: dict[Kind, int]) -> None:
        while not self._stopped:
            wanted = {k: n for k, n in missing.items() if n > 0 and self._can(k)}
            if not wanted:
                return
            before = Counter(self._made)
            await self._round(wanted)
            missing = {k: n - (self._made[k] - before[k]) for k, n in missing.items()}

    def _can(self, kind: Kind) -> bool:
        tries, quota = self._goal.tries, self._goal.quota
        if not self._left[kind] or self._tried.total() >= tries * sum(quota.values()):
            return False
        helping = self._made[kind] >= quota[kind]
        return helping or self._tried[kind] < tries * quota[kind]

    async def _round(self, wanted: Mapping[Kind, int]) -> None:
        batch = [slot for kind, count in wanted.items() for slot in self._take(kind, count)]
        results = await self._each(batch)
        for slot, result in zip(batch, results, strict=True):
            if isinstance(result, Dropped):
                self._dropped.append(result)
            elif isinstance(result, Case):
                self._hold(slot, result)

    def _take(self, kind: Kind, count: int) -> Iterator[Slot]:
        """Take the next slots of a kind; not two of the same chunks, since one is to know the other."""
        taken: set[str] = set()
        left = self._left[kind]
        while len(taken) < count and self._can(kind) and _key(left[0]) not in taken:
            self._tried[kind] += 1
            taken.add(_key(left[0]))
            yield left.popleft()

    def _hold(self, slot: Slot, case: Case) -> None:
        same = self._asked.nearly(case.question, case.history)
        if same is not None:
            why = f"it asks what case {same} asks"
            self._dropped.append(dropped(slot, "same as another", why, case.question))
            return
        self._asked.add(case)
        self._to.setdefault(_key(slot), []).append(case.question)
        self._kept.append(case)
        self._made[slot.kind] += 1

    async def _each(self, batch: Sequence[Slot]) -> list[Case | Dropped | None]:
        """Work on slots, some at once; None for those that were not begun when it stopped."""
        results: list[Case | Dropped | None] = [None] * len(batch)
        left = iter(enumerate(batch))
        known = [self._known(slot) for slot in batch]  # as the round began, whoever comes first

        async def work() -> None:
            for n, slot in left:
                if self._stopped:
                    return
                try:
                    results[n] = await self._write(slot, known[n])
                except OutsideError as error:
                    if not error.ends_run:
                        raise
                    self._stopped = self._stopped or error
                    return
                self._done += 1
                if self._told is not None:
                    self._told(self._done, len(self._kept))

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(max(self._goal.width, 1), len(batch))):
                    group.create_task(work())
        except BaseExceptionGroup as several:
            first: BaseException = several
            while isinstance(first, BaseExceptionGroup):
                first = first.exceptions[0]
            raise first from first.__cause__
        return results

    def _known(self, slot: Slot) -> list[str]:
        """Return what is asked of a slot's chunks: by other cases, and by earlier slots of its kind.

        It is the same whenever the slot is worked on, so that its reply is found again.
        """
        names = [*(chunk.id for chunk in slot.chunks), _key(slot)]
        found = [question for name in names for question in self._to.get(name, ())]
        return list(dict.fromkeys(found))[-_TOLD:]

    def harvest(self) -> Harvest:
        short = []
        for kind, count in self._goal.quota.items():
            missing = count - self._made[kind]
            if missing > 0:
                short.append(Shortfall(kind=kind, missing=missing, why=self._why(kind)))
        return Harvest(
            cases=tuple(self._kept),
            dropped=tuple(self._dropped),
            shortfall=tuple(short),
            stopped=None if self._stopped is None else str(self._stopped),
        )

    def _why(self, kind: Kind) -> str:
        if self._stopped is not None:
            return "it stopped before"
        reasons = Counter(each.reason for each in self._dropped if each.kind == kind)
        told = ", ".join(f"{n} {reason}" for reason, n in reasons.most_common())
        if self._tried[kind] < self._goal.tries * self._goal.quota[kind]:
            few = self._plan.why_few(kind)
            return f"{few}; dropped: {told}" if told else few
        return f"{self._tried[kind]} drafts were tried; dropped: {told}"


def _key(slot: Slot) -> str:
    return slot.name.rpartition(":")[0]
