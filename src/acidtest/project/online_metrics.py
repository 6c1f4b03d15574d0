"""The metrics that live traces are scored with, as the table `[online]` names them."""

from collections.abc import Sequence
from pathlib import Path

from acidtest.errors import UnknownName, UsageError
from acidtest.metrics.bound import Bound
from acidtest.metrics.reference_free import reference_free
from acidtest.online.readings import CITATION_ERROR, RATES, SIZES
from acidtest.project.config import Config
from acidtest.project.tiers import resolve


def online_metrics(config: Config) -> list[Bound]:
    """Return the metrics that live traces are scored with.

    Raises:
        UnknownName: One does not exist.
        UsageError: Some need a reference or labels; the message names them.
    """
    where = where_of(config)
    metrics = resolve(config.online.metrics, config, where=where)
    labelled = [bound.name for bound in metrics if not reference_free(bound.metric)]
    if labelled:
        needs = "needs a reference or labels" if len(labelled) == 1 else "need references or labels"
        raise UsageError(
            f"{', '.join(labelled)} {needs}, and live traces have none",
            where=where,
            fix="Score them in runs on the golden set; online take such as faithfulness.",
        )
    if not metrics:
        raise UsageError("no metric to score", where=where, fix='Name some: ["faithfulness"].')
    _check_targets(config, [bound.name for bound in metrics])
    return metrics


def fewer_is_better(config: Config) -> list[str]:
    """Return the metrics of live traces of which less is better."""
    return [bound.name for bound in online_metrics(config) if bound.metric.direction == "lower"]


def where_of(config: Config, key: str = "metrics") -> str:
    """Return where a key of `[online]` stands, for messages."""
    return f"{file_of(config)}: [online] {key}"


def file_of(config: Config) -> str:
    """Return the name of the configuration file."""
    return Path(config.path).name if config.path else "acidtest.toml"


def _check_targets(config: Config, metrics: Sequence[str]) -> None:
    # A target that nothing is ever held to would look like one that is always met.
    known = (*metrics, CITATION_ERROR, *RATES, *SIZES)
    for name in config.online.targets:
        if name not in known:
            raise UnknownName("quantity", name, known, where=where_of(config, "targets"))
