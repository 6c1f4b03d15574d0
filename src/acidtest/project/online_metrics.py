"""The metrics that live traces are scored with, as the table `[online]` names them."""

from collections.abc import Sequence
from pathlib import Path

from acidtest.errors import UnknownName, UsageError
from acidtest.judges.local.judge import ANSWERS as LOCAL_ANSWERS
from acidtest.judges.nli.judge import ANSWERS as NLI_ANSWERS
from acidtest.metrics.bound import Bound
from acidtest.metrics.reference_free import reference_free
from acidtest.metrics.registry import find
from acidtest.online.config import METRICS
from acidtest.online.readings import CITATION_ERROR, RATES, SIZES
from acidtest.project.config import Config
from acidtest.project.judge_names import part_of, steps_of
from acidtest.project.tiers import resolve


def online_metrics(config: Config) -> list[Bound]:
    """Return the metrics that live traces are scored with.

    Raises:
        UnknownName: One does not exist.
        UsageError: Some need a reference or labels; the message names them.
    """
    where = where_of(config)
    metrics = resolve(online_names(config), config, where=where)
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


def online_names(config: Config) -> tuple[str, ...]:
    """Return the names of what live traces are scored with: as configured, else what the judge can answer.

    One that it cannot would be skipped for every trace. What is named in the configuration stays: its scores
    then say why there are none.
    """
    if config.online.metrics is not None:
        return config.online.metrics
    known = _known_to(config.judge.model, has_address=config.judge.base_url is not None)
    if known is None:
        return METRICS
    prompts = {name: find(name).metric.prompt for name in METRICS}
    return tuple(n for n, prompt in prompts.items() if prompt is None or prompt.name in known)


def _known_to(judge: str, *, has_address: bool) -> frozenset[str] | None:
    """Return the names of the prompts that one of the judges in a name can answer; None for all of them."""
    try:
        parts = [part_of(one, has_address=has_address) for step in steps_of(judge) for one in step]
    except UsageError:
        return None  # whoever makes the judge says what is wrong with its name
    closed = {"local": frozenset(LOCAL_ANSWERS), "nli": frozenset(NLI_ANSWERS)}
    if any(part.kind not in closed for part in parts):
        return None
    return frozenset().union(*(closed[part.kind] for part in parts))


def fewer_is_better(config: Config) -> list[str]:
    """Return the metrics of live traces of which less is better."""
    return [bound.name for bound in online_metrics(config) if bound.metric.direction == "lower"]


def of_retrieval(config: Config) -> list[str]:
    """Return the metrics of live traces that are about what was retrieved."""
    return [bound.name for bound in online_metrics(config) if bound.metric.stage == "retrieval"]


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
