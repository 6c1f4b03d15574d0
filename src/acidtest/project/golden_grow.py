"""Synthesis of cases from a corpus: by a language model with all that judges have, or by templates.

Replies are kept in the store as verdicts are: a crash loses nothing that was paid for, and the same
command goes on. What is written goes to the end of the file; nothing that stands there is touched.
"""

import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from acidtest.codec.json import content_hash
from acidtest.data.corpus import Corpus
from acidtest.data.golden import Case
from acidtest.data.runs import JudgeRef
from acidtest.data.use import JudgeUse
from acidtest.errors import UsageError
from acidtest.golden.grow.answerable import ANSWERABLE
from acidtest.golden.grow.draft import PROMPTS
from acidtest.golden.grow.drafting import Writers, drafted
from acidtest.golden.grow.dropped import Dropped
from acidtest.golden.grow.kinds import SHARES, Kind, quotas
from acidtest.golden.grow.lines import GoldenFile, read_file, write_file
from acidtest.golden.grow.near import Nearest
from acidtest.golden.grow.plan import Plan, Slot, Wish, make_plan
from acidtest.golden.grow.review import rejected_path
from acidtest.golden.grow.simple import VERSION as TEMPLATES_VERSION
from acidtest.golden.grow.simple import simple_draft
from acidtest.golden.grow.synthesise import (
    TRIES,
    Goal,
    Harvest,
    Shortfall,
    Write,
    synthesise,
)
from acidtest.golden.grow.templates import CAN
from acidtest.golden.load import load_golden
from acidtest.project.config import JudgeConfig
from acidtest.project.judge_names import LOCAL, steps_of
from acidtest.project.judging import Judging, cached, judge_named
from acidtest.project.means import Means
from acidtest.run.meter import Meter, Metered
from acidtest.run.progress import Progress, Watcher
from acidtest.store.journal import StoredJournal
from acidtest.store.runs import Store

TEMPLATE_TRIES = 20
"""Slots a template may try for each question that is asked for: they cost nothing."""


class Order(Struct, frozen=True, kw_only=True):
    """What is ordered.

    Attributes:
        n: How many questions.
        out: Where they go, a JSONL file.
        append: Whether the file may hold a set already.
        existing: Other sets, whose questions are not asked again and whose chunks come last.
        kinds: Kind -> weight; None for `SHARES`, where what a kind lacks is made up for by others.
        wish: Personas, styles, language, seed.
        tries: Drafts for each question at most.
        concurrency: Questions that are worked on at once.
        use_cache: Whether replies that are kept already are used.
    """

    n: int
    out: str
    append: bool = False
    existing: tuple[str, ...] = ()
    kinds: dict[Kind, float] | None = None
    wish: Wish = Wish()
    tries: int = TRIES
    concurrency: int = 8
    use_cache: bool = True


class Asked(Struct, frozen=True):
    """How many questions of a kind were asked for, and are there."""

    asked: int
    kept: int


class Grown(Struct, frozen=True, kw_only=True):
    """What came of an order.

    Attributes:
        out: Where the cases are.
        asked: How many were asked for.
        kept: How many are there; of those `before` were there before.
        before: Cases of an earlier execution of the same order.
        tried: Drafts that were made now.
        kinds: By kind.
        cases: Ids of the new cases.
        dropped: Reason -> drafts that were dropped for it.
        drops: Every dropped draft.
        shortfall: What is missing, and why.
        stopped: Why it stopped before its end; None when it did not.
        notes: What else to know.
        judge: Who wrote; None for templates.
        use: What asking took.
        plan: What the cases name as the plan that they come from.
    """

    format: str = "acidtest/golden-synthesize"
    version: int = 1
    out: str
    asked: int
    kept: int
    before: int
    tried: int
    kinds: dict[str, Asked]
    cases: tuple[str, ...]
    dropped: dict[str, int]
    drops: tuple[Dropped, ...]
    shortfall: tuple[Shortfall, ...]
    stopped: str | None
    notes: tuple[str, ...]
    judge: JudgeRef | None
    use: JudgeUse
    plan: str

    @property
    def exit_status(self) -> int:
        """3 when there are fewer than were asked for, else 0."""
        return 0 if self.kept >= self.asked else 3


class Prepared(Struct, frozen=True, kw_only=True):
    """An order that was checked and planned; nothing is spent yet.

    Attributes:
        order: The order.
        plan: Which questions.
        quota: Kind -> how many.
        key: What cases of this plan have as their `metadata.plan`.
        file: Where the cases go, as it is now.
        known: All questions that are there.
        notes: What else to know.
    """

    order: Order
    corpus: Corpus
    plan: Plan
    quota: dict[Kind, int]
    key: str
    file: GoldenFile
    known: tuple[Case, ...]
    notes: tuple[str, ...]


def writing_judge(
    config: JudgeConfig, name: str | None, *, means: Means, base: Path, where: str = "--judge"
) -> Judging | None:
    """Return the model of a name that writes or checks questions; None for the local judge.

    Raises:
        UsageError: It is a panel or a cascade, or a model that judges only.
        UnknownName: There is no such judge.
    """
    steps = steps_of(config.model if name is None else name)
    if steps == ((LOCAL,),):
        return None
    if len(steps) > 1 or len(steps[0]) > 1:
        raise UsageError(
            "questions are written by one model, not by a panel or a cascade",
            where=where,
            fix="Name one model; --checker names another one that checks.",
        )
    if steps[0][0].startswith("nli:"):
        raise UsageError(
            "NLI models judge, and write nothing", where=where, fix="Name a language model."
        )
    return judge_named(config, name, means=means, base=base)


def prepare(corpus: Corpus, order: Order, *, writer: str) -> Prepared:
    """Check an order, read the sets that it names, and plan it.

    Args:
        corpus: What is asked about.
        order: The order.
        writer: The fingerprint of who writes and checks; "" for templates.

    Raises:
        UsageError: The file exists and holds other cases, or nothing can be asked.
        BadGolden: A set cannot be read.
    """
    if order.n < 1:
        raise UsageError(f"{order.n} questions are asked for", where="--n", fix="Give 1 or more.")
    if not len(corpus):
        raise UsageError("the corpus holds no chunk", where="--corpus")
    kinds, notes = _kinds(order, templates=not writer)
    quota = quotas(order.n, kinds)
    file = read_file(order.out, new=True)
    key = _key(corpus, order, writer, tuple(kinds))
    ours = [case for case in file.cases if case.metadata.get("plan") == key]
    if file.cases and len(ours) < len(file.cases) and not order.append:
        raise UsageError(
            f"the file holds {len(file.cases) - len(ours)} cases that this command did not make",
            where=order.out,
            fix="Name another file, or give --into in place of --out to add to it.",
        )
    others = [case for path in order.existing for case in load_golden(path)]
    known = (*file.cases, *_rejected(order.out), *others)
    foreign = [case for case in known if case.metadata.get("plan") != key]
    covered = [name for case in foreign for name in (case.relevant or ())]
    tries = order.tries if writer else TEMPLATE_TRIES
    wish = order.wish if writer else _for_templates(order.wish)
    plan = make_plan(corpus, quota, wish, covered=covered, tries=tries)
    return Prepared(
        order=order,
        corpus=corpus,
        plan=plan,
        quota=quota,
        key=key,
        file=file,
        known=known,
        notes=notes,
    )


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
        UsageError: The writer or the checker does not do such a thing.
        StoreError: The store could not take a reply.
        OSError: The file cannot be written.
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
        # Read again: somebody may have worked on the set meanwhile.
        now = read_file(order.out, new=True)
        there = {case.id for case in now.cases}
        write_file(now, added=[case for case in harvest.cases if case.id not in there])
    return _told(prepared, harvest, meter.use, judging)


def _rejected(out: str) -> tuple[Case, ...]:
    """Return what a person took out of a set: its slots are filled, and it counts as nothing made."""
    path = rejected_path(out)
    found = load_golden(path) if Path(path).is_file() else ()
    return tuple(
        replace(case, metadata={k: v for k, v in case.metadata.items() if k != "kind"})
        for case in found
    )


def _kinds(order: Order, *, templates: bool) -> tuple[dict[Kind, float], tuple[str, ...]]:
    kinds = dict(order.kinds or SHARES)
    if not templates:
        return kinds, ()
    cannot = [kind for kind in kinds if kind not in CAN]
    note = (
        "Templates write simple drafts from definitions, values, tables, headings and identifiers; "
        f"for {', '.join(cannot)} questions name a language model with --judge."
    )
    if order.kinds is None:
        kinds = {kind: weight for kind, weight in kinds.items() if kind in CAN}
    return kinds, (note,) if cannot else ()


def _for_templates(wish: Wish) -> Wish:
    return Wish(
        seed=wish.seed, personas=(), styles=(), named=frozenset({"identifier", "unanswerable"})
    )


def _key(corpus: Corpus, order: Order, writer: str, kinds: tuple[Kind, ...]) -> str:
    """Return what stands for all that decides which questions are asked, but for how many."""
    prompts = [(prompt.name, prompt.template) for prompt in (*PROMPTS.values(), ANSWERABLE)]
    made_by: Any = [writer, prompts] if writer else ["templates", TEMPLATES_VERSION]
    chunks = content_hash([(chunk.id, chunk.text) for chunk in corpus])
    whole = content_hash([chunks, order.wish.seed, made_by, kinds, _voices(order, writer)])
    return whole.removeprefix("sha256:")[:12]


def _voices(order: Order, writer: str) -> Any:
    wish = order.wish
    return [wish.personas, wish.styles, wish.language] if writer else None


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
