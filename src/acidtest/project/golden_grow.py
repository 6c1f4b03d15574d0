"""Synthesis of cases from a corpus: by a language model with all that judges have, or by templates.

Replies are kept in the store as verdicts are: a crash loses nothing that was paid for, and the same
command goes on. What is written goes to the end of the file; nothing that stands there is touched.
"""

import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack

from acidtest.data.golden import Case
from acidtest.data.runs import JudgeRef
from acidtest.data.use import JudgeUse
from acidtest.golden.grow.drafting import Writers, drafted
from acidtest.golden.grow.dropped import Dropped
from acidtest.golden.grow.lines import read_file, write_file
from acidtest.golden.grow.lock import alone
from acidtest.golden.grow.near import Nearest
from acidtest.golden.grow.plan import Slot
from acidtest.golden.grow.simple import simple_draft
from acidtest.golden.grow.synthesise import (
    Goal,
    Harvest,
    Write,
    synthesise,
)
from acidtest.project.golden_grow_plan import TEMPLATE_TRIES, Prepared
from acidtest.project.golden_grown import Asked, Grown
from acidtest.project.judging import Judging, cached
from acidtest.run.meter import Meter, Metered
from acidtest.run.progress import Progress, Watcher
from acidtest.store.journal import StoredJournal
from acidtest.store.runs import Store


async def grow(
    prepared: Prepared,
    judging: Judging | None = None,
    store: Store | None = None,
    *,
    checking: Judging | None = None,
    watch: Watcher | None = None,
) -> Grown:
    """Carry an order out and write what came of it.

    Args:
        prepared: The order, planned.
        judging: Who writes; None for templates.
        store: Where replies are kept; None keeps none.
        checking: Who checks; by default who writes.
        watch: Told after every draft.

    Raises:
        UsageError: The writer or the checker does not do such a thing, or the file cannot be written.
        StoreError: The store could not take a reply.
    """
    order, meter = prepared.order, Meter()
    nearest = Nearest(prepared.corpus)
    async with AsyncExitStack() as stack:
        write: Write
        if judging is None:

            async def write(slot: Slot, asked: Sequence[str]) -> Case | Dropped:
                return simple_draft(slot, nearest, prepared.key, asked)

        else:
            journal = None
            if store is not None:
                journal = await stack.enter_async_context(StoredJournal(store))
            salt = "" if order.use_cache else secrets.token_hex(16)

            def kept(each: Judging) -> Metered:
                asked = each.judge
                if each.kept and journal is not None:
                    asked = cached(asked, journal, repeat=0, salt=salt)
                return Metered(asked, meter)

            writers = Writers(
                writer=kept(judging),
                checker=kept(checking or judging),
                nearest=nearest,
                plan=prepared.key,
            )

            async def write(slot: Slot, asked: Sequence[str]) -> Case | Dropped:
                return await drafted(slot, writers, language=order.wish.language, asked=asked)

        harvest = await synthesise(
            prepared.plan,
            Goal(
                quota=prepared.quota,
                flexible=order.kinds is None,
                tries=order.tries if judging else TEMPLATE_TRIES,
                width=order.concurrency,
            ),
            write,
            key=prepared.key,
            existing=prepared.known,
            told=_teller(prepared, meter, watch),
        )
    if harvest.cases:
        with alone(order.out):
            # Read again: somebody may have worked on the set meanwhile.
            now = read_file(order.out, new=True)
            there = {case.id for case in now.cases}
            write_file(now, added=[case for case in harvest.cases if case.id not in there])
    return _told(prepared, harvest, meter.use, judging)


def _teller(
    prepared: Prepared, meter: Meter, watch: Watcher | None
) -> Callable[[int, int], None] | None:
    if watch is None:
        return None
    began, wanted = time.monotonic(), sum(prepared.quota.values())

    def tell(done: int, kept: int) -> None:
        use = meter.use
        watch(
            Progress(
                done=kept,
                total=wanted,
                failed=0,
                doing="writing",
                judged=done,
                judgements=max(wanted, done),
                calls=use.calls,
                cached=use.cached,
                tokens=use.tokens,
                cost_usd=use.cost_usd,
                elapsed_s=time.monotonic() - began,
            )
        )

    return tell


def _told(prepared: Prepared, harvest: Harvest, use: JudgeUse, judging: Judging | None) -> Grown:
    ours = [case for case in prepared.file.cases if case.metadata.get("plan") == prepared.key]
    made = Counter(str(case.metadata.get("kind")) for case in (*ours, *harvest.cases))
    judge = judging.judge if judging is not None else None
    return Grown(
        out=prepared.order.out,
        asked=prepared.order.n,
        kept=len(ours) + len(harvest.cases),
        before=len(ours),
        tried=len(harvest.cases) + len(harvest.dropped),
        kinds={kind: Asked(n, made[kind]) for kind, n in prepared.quota.items()},
        cases=tuple(case.id for case in harvest.cases),
        dropped=dict(Counter(each.reason for each in harvest.dropped).most_common()),
        drops=harvest.dropped,
        shortfall=harvest.shortfall,
        stopped=harvest.stopped,
        notes=prepared.notes,
        judge=JudgeRef(model=judge.model, fingerprint=judge.fingerprint) if judge else None,
        use=use,
        plan=prepared.key,
    )
