"""What `acidtest compare --cross` adds: both generators answer from both runs' contexts."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from acidtest.cli.dry_run import tell_estimates
from acidtest.cli.options import amount, filled
from acidtest.cli.output import note
from acidtest.cli.progress import progress
from acidtest.cli.streams import set_apart
from acidtest.errors import UsageError

if TYPE_CHECKING:
    from acidtest.data.compared import Comparison
    from acidtest.data.runs import Run
    from acidtest.project.config import Config

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--cross",
        is_flag=True,
        help="Split the change by stage: ask each generator with the other run's contexts.",
    ),
    click.option(
        "--judge",
        type=filled,
        metavar="MODEL",
        help="With --cross: who judges; it should be who judged the runs.",
    ),
    click.option(
        "--budget-usd",
        type=amount,
        metavar="X",
        help="With --cross: stop when it has cost this much.",
    ),
    click.option(
        "--concurrency",
        type=int,
        metavar="N",
        help="With --cross: judge calls in flight, by default 8.",
    ),
    click.option(
        "--dry-run", is_flag=True, help="With --cross: say what it would take, and spend nothing."
    ),
    click.option("--fresh", is_flag=True, help="With --cross: ask again what was crossed before."),
)


def crossing_options(function: F) -> F:
    """Give a command the options of crossing; it gets their values by their names."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def check_crossing(given: dict[str, Any], *, unpaired: bool) -> None:
    """Refuse options that say nothing here.

    Raises:
        UsageError: An option of crossing is given without `--cross`, or it cannot be done.
    """
    if not given["cross"]:
        for name in ("judge", "budget_usd", "concurrency", "dry_run", "fresh"):
            if given[name] is not None and given[name] is not False:
                option = f"--{name.replace('_', '-')}"
                raise UsageError(
                    f"{option} goes with --cross",
                    where=option,
                    fix="Give --cross too, or leave it out.",
                )
    elif unpaired:
        raise UsageError(
            "runs that are not paired cannot be crossed",
            where="--cross --unpaired",
            fix="Leave out one of the two.",
        )


def estimate_crossing(
    config: "Config",
    base: "Run",
    candidates: "Sequence[Run]",
    given: dict[str, Any],
    *,
    store: str | None,
    json_to: str | None,
) -> int:
    """Say what crossing would take; nothing is asked."""
    from acidtest.project.cross import finished
    from acidtest.project.cross_plan import plan_crossing
    from acidtest.project.stores import open_store

    plans = []
    with open_store(config, store) as opened:
        for candidate in candidates:
            planned = plan_crossing(config, base, candidate, store=opened, **_means(given))
            for warning in planned.warnings:
                note(warning)
            plans += [p for p in planned.plans if given["fresh"] or finished(p, opened) is None]
    if not plans:
        note("Nothing has to be asked.")
    return tell_estimates(
        plans, config, store=store, fresh=given["fresh"], use_cache=True, json_to=json_to
    )


def crossed_each(
    config: "Config",
    base: "Run",
    candidates: "Sequence[Run]",
    found: "Sequence[Comparison]",
    given: dict[str, Any],
    *,
    store: str | None,
) -> "tuple[Comparison, ...]":
    """Return comparisons with the exact split in place of the estimated one."""
    from acidtest.comparison.crossing import with_crossing
    from acidtest.project.cross import crossed
    from acidtest.project.stores import open_store

    set_apart()

    async def each() -> "tuple[Comparison, ...]":
        whole = []
        with open_store(config, store) as opened:
            for candidate, comparison in zip(candidates, found, strict=True):
                done = await crossed(
                    config,
                    base,
                    candidate,
                    store=opened,
                    fresh=given["fresh"],
                    watch=progress,
                    told=note,
                    **_means(given),
                )
                whole.append(with_crossing(comparison, done.splits, done.words, done.notes))
        return tuple(whole)

    return asyncio.run(each())


def _means(given: dict[str, Any]) -> dict[str, Any]:
    return {
        "judge": given["judge"],
        "budget_usd": given["budget_usd"],
        "concurrency": 8 if given["concurrency"] is None else given["concurrency"],
    }
