"""Which metrics a run scores: named ones, a tier, or what there is by default."""

from collections.abc import Iterable, Mapping, Sequence

from acidtest.errors import BadConfig, UnknownName
from acidtest.metrics.declare import Bound
from acidtest.metrics.registry import find
from acidtest.metrics.rubric import rubric_metric
from acidtest.project.config import Config

FAST = ("recall@5", "precision@5", "mrr", "ndcg@10", "token_recall", "abstention_accuracy")
"""No judge, seconds: for each commit, and each change of chunking, embedding, filter or index."""

NIGHTLY = ("fast", "faithfulness", "context_recall", "context_usefulness", "correctness")
"""Judged: for changes of prompt or model, and every night."""

TIERS: Mapping[str, Sequence[str]] = {"fast": FAST, "nightly": NIGHTLY}


def resolve(names: Iterable[str], config: Config, *, where: str | None = None) -> list[Bound]:
    """Turn metric, rubric and tier names into metrics, each once, in the order given.

    Args:
        names: Metrics such as `recall@5`, rubrics of the configuration, and tiers.
        config: Its tiers come before the built-in ones of the same name.
        where: Where the names were written, for errors.

    Raises:
        UnknownName: A name is none of these.
        BadConfig: A tier contains itself, or a rubric is not possible.
    """
    found: dict[str, Bound] = {}
    for name in names:
        for bound in _expand(name, config, (), where):
            found.setdefault(bound.name, bound)
    return list(found.values())


def tier(name: str, config: Config) -> list[Bound]:
    """Return the metrics of a tier.

    Raises:
        UnknownName: There is no such tier.
    """
    known = {**TIERS, **config.metrics}
    if name not in known:
        raise UnknownName("tier", name, known, where="--tier")
    return resolve([name], config, where=f"tier {name!r}")


def _expand(
    name: str, config: Config, inside: tuple[str, ...], where: str | None
) -> Iterable[Bound]:
    if name in inside:
        chain = " -> ".join((*inside, name))
        raise BadConfig(f"a tier contains itself: {chain}", where="[metrics]")
    tiers = {**TIERS, **config.metrics}
    if name in tiers:
        return [b for part in tiers[name] for b in _expand(part, config, (*inside, name), where)]
    if name in config.rubric:
        return [Bound(rubric_metric(name, config.rubric[name], where=config.path), {})]
    return [find(name, where=where)]
