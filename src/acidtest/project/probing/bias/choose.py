"""What a bias probe is about: the metrics and items that a command means."""

from collections.abc import Sequence

from acidtest.data.runs import Run
from acidtest.errors import UnknownName, UsageError
from acidtest.metrics.bound import Bound
from acidtest.project.config import Config
from acidtest.project.planning import bounds
from acidtest.project.probing.bias.applies import USUAL, check, probed
from acidtest.project.probing.bias.items import Item, built_in, of_run


def metrics_of(config: Config, named: Sequence[str], run: Run | None) -> list[Bound]:
    """Return the metrics that are named, else those that the run was judged by, else the usual ones.

    Raises:
        UnknownName: One that there is not.
        UsageError: One that there is no probe for.
    """
    if named:
        found = bounds(named, config)
        check(found)
        return found
    judged = [name for name, s in run.metrics.items() if s.cost == "judge"] if run else []
    found = [bound for name in judged for bound in _known(name, config) if probed(bound)]
    return found or bounds(USUAL, config)


def items_of(run: Run | None, n: int, seed: int) -> list[Item]:
    """Return what is judged.

    Raises:
        UsageError: The run has no answer.
    """
    if run is None:
        return built_in(n)
    items = of_run(run, n, seed)
    if not items:
        raise UsageError(
            "no case of the run has an answer",
            where=run.id,
            fix="Name a run that was not retrieval-only, or none: there are built-in items.",
        )
    return items


def _known(name: str, config: Config) -> list[Bound]:
    """Return a run's metric; none when it was of another configuration."""
    try:
        return bounds([name], config)
    except UnknownName:
        return []
