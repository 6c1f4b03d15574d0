"""Which metrics a run scores: named ones, a tier, or what there is by default."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from acidtest.errors import AcidtestError, BadConfig, UnknownName
from acidtest.metrics.bound import Bound
from acidtest.metrics.registry import find, named
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
        BadConfig: A tier contains itself, a rubric is not possible, or a tier or rubric takes the name
            of something else.
    """
    _no_namesakes(config)
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
    tiers = {**TIERS, **config.metrics}
    if name not in tiers:
        raise UnknownName("tier", name, tiers, where="--tier")
    return resolve([name], config, where=f"tier {name!r}")


def lower_is_better(names: Iterable[str], config: Config) -> set[str]:
    """Return of which metrics less is better; one that nobody knows any more is not among them."""
    found: set[str] = set()
    for name in names:
        with suppress(AcidtestError):
            found |= {b.name for b in resolve([name], config) if b.metric.direction == "lower"}
    return found


def canonical(values: Mapping[str, float], config: Config, *, where: str) -> dict[str, float]:
    """Return floors or targets by the names that runs have their metrics under.

    `recall(k=5)` is `recall@5`.

    Raises:
        UnknownName: A name is no metric.
        BadConfig: A name is a tier, or a metric is named twice.
    """
    found: dict[str, float] = {}
    for name, value in values.items():
        if name in {**TIERS, **config.metrics}:
            raise BadConfig(
                f"{name!r} is a tier, not a metric", where=where, fix="Name one of its metrics."
            )
        (bound,) = resolve([name], config, where=where)
        if bound.name in found:
            raise BadConfig(f"{bound.name} is named twice", where=where, fix="Leave one out.")
        found[bound.name] = value
    return found


def _no_namesakes(config: Config) -> None:
    # Which one a name means must not hang on the order that they are looked up in.
    where = config.path or "configuration"
    for table, names in (("metrics", config.metrics), ("rubric", config.rubric)):
        for name in names:
            if named(re.split(r"[@(]", name)[0].strip()) is not None:
                raise BadConfig(
                    f"{name!r} is the name of a metric",
                    where=f"{where}: [{table}]",
                    fix="Call it something else.",
                )
    for name in config.rubric:
        if name in {**TIERS, **config.metrics}:
            raise BadConfig(
                f"{name!r} is the name of a tier",
                where=f"{where}: [rubric]",
                fix="Call it something else.",
            )


def _expand(
    name: str, config: Config, inside: tuple[str, ...], where: str | None
) -> Iterable[Bound]:
    if name in inside:
        chain = " -> ".join((*inside, name))
        raise BadConfig(
            f"a tier contains itself: {chain}",
            where="[metrics]",
            fix="Leave one of these names out of the tier before it.",
        )
    tiers = {**TIERS, **config.metrics}
    if name in tiers:
        return [b for part in tiers[name] for b in _expand(part, config, (*inside, name), where)]
    if name in config.rubric:
        return [Bound(rubric_metric(name, config.rubric[name], where=config.path), {})]
    return [find(name, where=where)]
