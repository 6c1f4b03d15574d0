"""Labelling: from what a caller names to the chunks that a person judges, and back into the set."""

import os
import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from acidtest.data.corpus import Corpus
from acidtest.data.golden import Case, GoldenSet
from acidtest.errors import JudgeError, UnknownName, UsageError
from acidtest.golden.labelling.apply import Applied, apply_votes
from acidtest.golden.labelling.labels_file import Labels, read_labels
from acidtest.golden.labelling.pool import Item, Order, Pool, Task, ordered, pooled
from acidtest.golden.labelling.rules import RULES, Rule
from acidtest.golden.labelling.votes import votes_of
from acidtest.golden.load import load_golden
from acidtest.ports import Judge, Pipeline
from acidtest.project.golden_prelabel import prelabels
from acidtest.project.golden_retrievers import found_by
from acidtest.text.surrogates import without_halves_in

TOP = 20
"""How many chunks of each retriever a person judges."""


class Wish(Struct, frozen=True, kw_only=True):
    """How chunks are put in front of a person.

    Attributes:
        annotator: Who.
        top: How many chunks of each retriever.
        order: In which order.
        seed: Another seed is another shuffle.
        cases: Ids of the cases; none means all.
        only_unlabelled: Leave out cases that have labels.
    """

    annotator: str
    top: int = TOP
    order: Order = "shuffled"
    seed: int = 0
    cases: tuple[str, ...] = ()
    only_unlabelled: bool = False


class Prepared(Struct, frozen=True, kw_only=True):
    """What a person judges, and what else to know."""

    tasks: tuple[Task, ...]
    notes: tuple[str, ...]


def wanted(golden: GoldenSet, wish: Wish) -> list[Case]:
    """Return the cases to label; those that must be declined have nothing to label.

    Raises:
        UnknownName: There is no such case.
        UsageError: No case is left.
    """
    known = {case.id: case for case in golden}
    for name in wish.cases:
        if name not in known:
            raise UnknownName("case", name, known, where=golden.path)
    chosen = [known[name] for name in dict.fromkeys(wish.cases)] if wish.cases else list(golden)
    left = [
        case for case in chosen if case.answerable and not (wish.only_unlabelled and case.relevant)
    ]
    if not left:
        raise UsageError(
            "no case is left to label",
            where=golden.path,
            fix="Cases that must be declined have no labels; --only-unlabelled leaves labelled ones out.",
        )
    return left


async def prepare_labelling(
    cases: Sequence[Case],
    retrievers: Sequence[Pipeline],
    wish: Wish,
    *,
    corpus: Corpus | None = None,
    prelabel: bool = False,
    judge: Judge | None = None,
) -> Prepared:
    """Ask retrievers, pool what they found, and let a judge look at it first.

    Args:
        cases: The cases.
        retrievers: Who finds chunks.
        wish: How they are shown.
        corpus: Where texts, documents and versions are looked up.
        prelabel: Whether a judge looks first.
        judge: Who; None for wording alone.

    Raises:
        UsageError: No retriever found a chunk that can be judged, or the judge gives no grades.
    """
    found = await found_by(retrievers, cases)
    pools = [pooled(each, top=wish.top, corpus=corpus) for each in found.rankings]
    notes = [*found.notes, *_told(pools)]
    if not any(pool.items for pool in pools):
        raise UsageError(
            "no retriever found a chunk that can be judged",
            where="--retriever",
            fix="; ".join(notes) or "A chunk needs an id, and a text here or in the corpus.",
        )
    tasks = []
    failed: list[JudgeError] = []
    for case, pool in zip(cases, pools, strict=True):
        items = pool.items
        if prelabel and items:
            said = await prelabels(judge, case, items)
            failed += [one for one in said if isinstance(one, JudgeError)]
            items = tuple(
                item if isinstance(one, JudgeError) else replace(item, prelabel=one)
                for item, one in zip(items, said, strict=True)
            )
        tasks.append(Task(case=case, items=_ordered(items, case, wish)))
    if failed:
        notes.append(
            f"{len(failed)} chunks have no pre-label: the judge gave no usable reply: {failed[0]}"
        )
    return Prepared(tasks=tuple(tasks), notes=tuple(notes))


def _ordered(items: Sequence[Item], case: Case, wish: Wish) -> tuple[Item, ...]:
    return ordered(items, wish.order, case=case.id, annotator=wish.annotator, seed=wish.seed)


def _told(pools: Sequence[Pool]) -> list[str]:
    counts = (
        (sum(pool.without_id for pool in pools), "have no id, so that no label can name them"),
        (sum(pool.without_text for pool in pools), "have no text; --corpus says where it is"),
        (sum(not pool.items for pool in pools), "cases have nothing to judge"),
    )
    return [
        f"{number} {what}" if what.startswith("cases") else f"{number} chunks {what}"
        for number, what in counts
        if number
    ]


def labels_path(golden: str, annotator: str) -> str:
    """Return where a person's labels go: beside the set, as `NAME.labels.PERSON.jsonl`."""
    here = PurePath(golden)
    name = re.sub(r"[^\w.-]+", "-", annotator).strip("-.") or "somebody"
    return str(here.with_name(f"{here.stem.removesuffix('.jsonl')}.labels.{name[:60]}.jsonl"))


def apply_labels(
    golden: Any, labels: Sequence[str | os.PathLike[str] | Labels], *, rule: Rule = "majority"
) -> Applied:
    """Put labels into a golden set.

    Args:
        golden: A golden set, or what `load_golden` reads.
        labels: Labels files of one or more people, and files of decisions.
        rule: What makes one grade of several people's: `agreed`, `majority` or `median`.

    Returns:
        `.golden`, the set with the labels; `.labels`, what was written; `.open`, what a person has to
        decide; `.refused`, what contradicts the set.

    Raises:
        AcidtestError: An input cannot be read, or the labels are of another set.
    """
    if rule not in RULES:
        raise UnknownName("rule", rule, RULES)
    files = [each if isinstance(each, Labels) else read_labels(each) for each in labels]
    return apply_votes(load_golden(golden), votes_of(files), rule)


def apply_json(found: Applied, out: str | None, rule: Rule) -> bytes:
    """Return what became of labels as JSON."""
    report: dict[str, Any] = {
        "format": "acidtest/golden-label",
        "version": 1,
        "out": {"path": out, "version": found.golden.version, "cases": len(found.golden)},
        "rule": rule,
        "labels": [
            {
                "case": each.case,
                "chunk": each.chunk,
                "grade": each.grade,
                "before": each.before,
                "rule": each.rule,
                "by": list(each.by),
            }
            for each in found.labels
        ],
        "open": [
            {"case": each.case, "chunk": each.chunk, "grades": each.grades} for each in found.open
        ],
        "refused": [msgspec.to_builtins(each) for each in found.refused],
    }
    return msgspec.json.format(msgspec.json.encode(without_halves_in(report)), indent=1)
