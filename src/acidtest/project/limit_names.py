"""The names of limits (`--min`, `--max-drop`, `[gate]`) as runs have their metrics: `recall(k=5)` is `recall@5`."""

from collections.abc import Container, Iterable, Mapping
from typing import TypeVar

from acidtest.comparison.limits import EVERY
from acidtest.comparison.quantity import OPERATIONS, split_name
from acidtest.errors import BadConfig, UnknownName
from acidtest.project.config import Config
from acidtest.project.tiers import TIERS, resolve

T = TypeVar("T")


def named(
    limits: Mapping[str, T], known: Container[str], config: Config, *, where: str
) -> dict[str, T]:
    """Return limits by canonical names, their tags and figures kept: `recall(k=5)[faq].p10` too.

    Args:
        limits: What was given.
        known: The metrics of the run, which need no looking up.
        config: Its rubrics are metrics, too.
        where: Where the names were written, for errors.

    Raises:
        UnknownName: A name is no metric.
        BadConfig: A name is a tier, or a metric is named twice.
    """
    found: dict[str, T] = {}
    for name, limit in limits.items():
        canonical = _canonical(name, known, config, where)
        if canonical in found:
            raise BadConfig(f"{canonical} is named twice", where=where, fix="Leave one out.")
        found[canonical] = limit
    return found


def column_of(name: str, known: Iterable[str], config: Config, *, where: str) -> str:
    """Return what is to be ranked or drawn by the name that runs have it under.

    Args:
        name: What was given.
        known: What the runs have; it needs no looking up, since it may come from elsewhere.
        config: The configuration.
        where: Where the name was written, for errors.

    Raises:
        UnknownName: It is neither in the runs nor a metric.
        BadConfig: The name is a tier.
    """
    had = list(dict.fromkeys(known))
    try:
        (found,) = named({name: None}, had, config, where=where)
    except UnknownName as error:
        raise UnknownName("metric in these runs", name, had, where=where) from error
    return found


def head_of(name: str, known: Container[str]) -> str:
    """Return the metric or operation that a limit is on, without tag and figure."""
    return name if name in known else split_name(name)[0]


def _canonical(name: str, known: Container[str], config: Config, where: str) -> str:
    head, tag, statistic = split_name(name)
    if name == EVERY or name in known or head in known or head in OPERATIONS:
        return name
    if head in {**TIERS, **config.metrics}:
        raise BadConfig(
            f"{head!r} is a tier, not a metric", where=where, fix="Name one of its metrics."
        )
    (bound,) = resolve([head], config, where=where)
    tail = (f"[{tag}]" if tag is not None else "") + (f".{statistic}" if statistic else "")
    return f"{bound.name}{tail}"
