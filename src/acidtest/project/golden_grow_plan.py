"""An order of questions, checked and planned before anything is spent, and who writes them."""

from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from acidtest.codec.json import content_hash
from acidtest.data.corpus import Corpus
from acidtest.data.golden import Case
from acidtest.errors import UsageError
from acidtest.golden.grow.answerable import ANSWERABLE
from acidtest.golden.grow.draft import PROMPTS
from acidtest.golden.grow.kinds import SHARES, Kind, quotas
from acidtest.golden.grow.lines import GoldenFile, read_file
from acidtest.golden.grow.plan import Plan, Wish, corpus_hash, make_plan
from acidtest.golden.grow.review import rejected_path
from acidtest.golden.grow.simple import VERSION as TEMPLATES_VERSION
from acidtest.golden.grow.templates import CAN
from acidtest.golden.load import load_golden
from acidtest.project.config import JudgeConfig
from acidtest.project.golden_grown import Order
from acidtest.project.judge_names import LOCAL, steps_of
from acidtest.project.judging import Judging, judge_named
from acidtest.project.means import Means

TEMPLATE_TRIES = 20
"""Slots a template may try for each question that is asked for: they cost nothing."""


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
        raise UsageError(
            "the corpus holds no chunk", where="--corpus", fix="Name a corpus that has text in it."
        )
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
    whole = content_hash(
        [corpus_hash(corpus), order.wish.seed, made_by, kinds, _voices(order, writer)]
    )
    return whole.removeprefix("sha256:")[:12]


def _voices(order: Order, writer: str) -> Any:
    wish = order.wish
    return [wish.personas, wish.styles, wish.language] if writer else None
