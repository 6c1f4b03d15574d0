"""Starting a run, going on with one, and leaving the store right however it ends."""

import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

from msgspec import UNSET

from acidtest.data.runs import Commit, GoldenRef, JudgeRef, Ref, Run, RunInfo
from acidtest.data.use import JudgeUse
from acidtest.errors import UsageError
from acidtest.run.assemble import load
from acidtest.run.engine import execute
from acidtest.run.meter import Meter
from acidtest.run.plan import Plan, check
from acidtest.run.progress import Watcher
from acidtest.store.owner import alive, ownership
from acidtest.store.rows import StoredRun
from acidtest.store.runs import Store


class BeingMade(UsageError):  # noqa: N818 - it names what is wrong, as the errors do
    """Another process makes the same run."""


async def start(
    plan: Plan,
    store: Store,
    *,
    fresh: bool = False,
    commit: Commit | None = None,
    watch: Watcher | None = None,
    told: Callable[[str], None] | None = None,
) -> Run:
    """Carry a plan out: go on with its unfinished run, or make a new one.

    Args:
        plan: What to do.
        store: Where the run is kept.
        fresh: Make a new run even when an unfinished one could go on.
        commit: The state of the evaluated code.
        watch: Told at the start, after every case, and now and then between cases.
        told: Called with one sentence when a run goes on instead of starting.

    Returns:
        The finished run.

    Raises:
        UsageError: The plan cannot be carried out, or another call or process is at it.
        StoreError: The store failed; the run goes on with the same call once it is mended.
    """
    try:
        check(plan)
        with ownership() as owner:
            stored = None if fresh else store.unfinished(plan.hash)
            if stored is None:
                stored = _new(plan, commit, owner)
                rival = store.create(stored, plan.cases, rivals=None if fresh else _held)
                if rival is not None:
                    raise _being_made(rival.info.id, rival.owner)
            else:
                stored = _taken_over(stored, store, owner)
                if told is not None:
                    done = f"{len(store.answers(stored.info.id))} of {len(plan.cases)}"
                    told(f"Going on with run {stored.info.id}: {done} answered.")
            return await _carried_out(plan, store, stored, watch)
    finally:
        await plan.pipeline.aclose()


async def _carried_out(plan: Plan, store: Store, stored: StoredRun, watch: Watcher | None) -> Run:
    meter = Meter(stored.judge_use, plan.embedder)
    try:
        if plan.budget is not None and stored.judge_use is not None:
            plan.budget.carry(stored.judge_use)
        await execute(plan, store, stored.info.id, meter, watch, owner=stored.owner)
    except BaseException:
        # The first error is the one to tell, also when the store is the cause of it.
        with suppress(UsageError):
            store.set_status(
                stored.info.id, "interrupted", judge_use=_use(plan, meter), held_by=stored.owner
            )
        raise
    store.set_status(stored.info.id, "finished", judge_use=_use(plan, meter), held_by=stored.owner)
    return load(store, store.get(stored.info.id))


def _use(plan: Plan, meter: Meter) -> JudgeUse | None:
    return meter.use if plan.judged or meter.use.embedding else None


def _new(plan: Plan, commit: Commit | None, owner: str) -> StoredRun:
    now = datetime.now(UTC)
    judge = plan.judge if plan.judged else None
    info = RunInfo(
        id=f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}",
        name=plan.name,
        created=now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        status="running",
        mode=plan.mode,
        golden=GoldenRef(path=plan.golden_path, version=plan.golden_version, cases=len(plan.cases)),
        pipeline=Ref(name=plan.pipeline.name, fingerprint=plan.pipeline.fingerprint),
        commit=commit,
        judge=JudgeRef(model=judge.model, fingerprint=judge.fingerprint) if judge else None,
        contexts_from=UNSET if plan.contexts_from is None else plan.contexts_from,
    )
    return StoredRun(
        info=info,
        specs=tuple(m.spec for m in plan.metrics),
        case_ids=tuple(case.id for case in plan.cases),
        plan_hash=plan.hash,
        owner=owner,
    )


def _taken_over(stored: StoredRun, store: Store, owner: str) -> StoredRun:
    if _held(stored) or not store.take_over(stored, owner):
        # Not what was read at first: somebody else may have got it a moment ago.
        raise _being_made(stored.info.id, store.get(stored.info.id).owner)
    return store.get(stored.info.id)


def _held(stored: StoredRun) -> bool:
    return stored.info.status == "running" and alive(stored.owner, stored.touched)


def _being_made(run_id: str, owner: str | None) -> BeingMade:
    return BeingMade(
        f"run {run_id} is being made by process {owner or 'that has just ended'}",
        fix="Wait for it, or start another with --fresh.",
    )
