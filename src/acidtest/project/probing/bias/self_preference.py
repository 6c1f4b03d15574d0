"""Self-preference: does a judge like answers of its own family more than people do?

Style cannot be imitated honestly without asking models, so it is measured on what is there: answers of
several models in one run, with people's labels of the same metric. What is compared is how far the judge is
above the people, for answers of its own family and for those of others; that some models answer better is
in both.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct

from acidtest.data.human import HumanLabel
from acidtest.judges.compound import parts_of
from acidtest.ports import Judge
from acidtest.project.probing.bias.family import family_of
from acidtest.project.probing.bias.items import Item
from acidtest.project.probing.bias.ruling import Ruling
from acidtest.stats.rates import Interval
from acidtest.stats.unpaired import difference

FEWEST = 5
"""Answers that either side must have."""


class SelfPreference(Struct, frozen=True, kw_only=True):
    """How much farther a judge is above people for its own family; `why` says why it was left out."""

    metric: str | None = None
    family: str | None = None
    own: int = 0
    others: int = 0
    difference: float | None = None
    ci: Interval | None = None
    p: float | None = None
    p_adjusted: float | None = None
    finding: str | None = None
    why: str | None = None


def self_preference(
    judge: Judge,
    items: Sequence[Item],
    said: Mapping[str, Sequence[Ruling]],
    labels: Sequence[HumanLabel],
    *,
    seed: int,
) -> list[SelfPreference]:
    """Compare own with others, a metric at a time; or say why that cannot be done.

    Args:
        judge: Who judged.
        items: What was judged.
        said: Metric -> what was said of each item.
        labels: What people say.
        seed: Of the interval.
    """
    families = {family_of(part.model) for part in parts_of(judge)}
    family = families.pop() if len(families) == 1 else None
    if family is None:
        why = f"the name of the judge ({judge.model}) tells no one family of language models"
        return [SelfPreference(why=why)]
    by = [family_of(_model(item) or "") for item in items]
    if not any(by):
        return [SelfPreference(family=family, why="the run does not name the models that answered")]
    if family not in by or not any(each not in (None, family) for each in by):
        told = ", ".join(sorted({each for each in by if each}))
        return [SelfPreference(family=family, why=f"all answers are by one side: {told}")]
    people: dict[tuple[str, str], list[float]] = defaultdict(list)
    for label in labels:
        people[label.metric, label.case].append(label.label)
    found = [_one(m, family, items, by, rulings, people, seed) for m, rulings in said.items()]
    return [each for each in found if each is not None] or [
        SelfPreference(
            family=family,
            why=f"fewer than {FEWEST} answers of either side have people's labels (--labels)",
        )
    ]


def _one(
    metric: str,
    family: str,
    items: Sequence[Item],
    by: Sequence[str | None],
    rulings: Sequence[Ruling],
    people: Mapping[tuple[str, str], Sequence[float]],
    seed: int,
) -> SelfPreference | None:
    sides: dict[bool, list[tuple[float, str]]] = {True: [], False: []}
    for item, who, ruled in zip(items, by, rulings, strict=True):
        labels = people.get((metric, item.case.id))
        if labels and who is not None and ruled.value is not None:
            above = ruled.value - sum(labels) / len(labels)
            sides[who == family].append((above, item.unit))
    if min(map(len, sides.values())) < FEWEST:
        return None
    (own, own_units), (others, other_units) = (
        tuple(zip(*sides[mine], strict=True)) for mine in (True, False)
    )
    found = difference(others, own, other_units, own_units, seed=seed)
    return SelfPreference(
        metric=metric,
        family=family,
        own=len(own),
        others=len(others),
        difference=found.delta,
        ci=found.ci,
        p=found.p,
    )


def _model(item: Item) -> str | None:
    usage = item.answer.usage
    return usage.model if usage is not None else None
