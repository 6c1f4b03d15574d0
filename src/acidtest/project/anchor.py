"""Anchors for commands: made from a run, looked at again, and what they say."""

from collections.abc import Callable, Sequence
from pathlib import Path

from acidtest.codec.runs import file_of
from acidtest.data.golden import Case
from acidtest.data.runs import Run
from acidtest.errors import UsageError
from acidtest.project.anchoring.files import read_anchor, refuse_existing
from acidtest.project.anchoring.judge import look, record
from acidtest.project.anchoring.planned import (
    Rejudging,
    asked_again,
    asked_of,
    chosen_cases,
    plan_for,
)
from acidtest.project.anchoring.records import Anchor
from acidtest.project.anchoring.watch import Status, status_of
from acidtest.project.config import Config
from acidtest.project.stores import find_run, open_existing, pick
from acidtest.run.progress import Watcher


def plan_anchor(
    config: Config,
    path: Path,
    name: str,
    *,
    metrics: Sequence[str] = (),
    n: int = 50,
    repeat: int = 5,
    judge: str | None = None,
    replace: bool = False,
    concurrency: int = 8,
    budget_usd: float | None = None,
    store: str | None = None,
) -> tuple[Run, Rejudging]:
    """Choose an anchor's cases from a run, and plan how they are judged.

    Args:
        config: The configuration.
        path: The anchor file to be.
        name: The run: an id, a name, `latest` or a JSON file.
        metrics: Judged metrics of it; empty for all.
        n: How many cases are wanted.
        repeat: How often each verdict is asked for, 2 at least.
        judge: Who judges; by default as configured.
        replace: Whether an anchor that is there may be replaced.
        concurrency: Judge calls in flight.
        budget_usd: What may be spent.
        store: Where runs are kept.

    Raises:
        AcidtestError: There is an anchor already, no such run, or nothing judged in it.
    """
    refuse_existing(path, replace=replace)
    run = find_run(config, name, store)
    results, bound = chosen_cases(run, metrics, n, config)
    return run, plan_for(
        asked_of(results, _whole_cases(config, name, store)),
        bound,
        config,
        judge=judge,
        repeat=repeat,
        concurrency=concurrency,
        budget_usd=budget_usd,
    )


async def make_anchor(
    config: Config,
    path: Path,
    source: Run,
    asked: Rejudging,
    *,
    replace: bool = False,
    watch: Watcher | None = None,
    told: Callable[[str], None] | None = None,
) -> Status:
    """Make an anchor as planned, and say what it holds."""
    anchor = await record(path, source, asked, config, replace=replace, watch=watch, told=told)
    return status_of(anchor, str(path))


def plan_look(
    config: Config,
    path: Path,
    *,
    judge: str | None = None,
    concurrency: int = 8,
    budget_usd: float | None = None,
) -> tuple[Rejudging, tuple[str, ...]]:
    """Plan a look at an anchor; also return the metrics whose method or prompt is another now.

    Args:
        config: The configuration.
        path: The anchor file.
        judge: Another judge than the anchor's.
        concurrency: Judge calls in flight.
        budget_usd: What may be spent.

    Raises:
        UsageError: There is no anchor, or none of its metrics is what it was.
    """
    anchor = read_anchor(path)
    metrics, reworded = asked_again(anchor, config)
    if not metrics:
        raise UsageError(
            f"the method or prompt of {', '.join(reworded)} changed since the anchor was made",
            where=str(path),
            fix="Verdicts of another prompt compare with nothing: acidtest judge anchor init --replace",
        )
    held = anchor.header.by.name
    if judge is None and held != config.judge.model:
        judge = held
    asked = plan_for(
        [(kept.case, kept.answer) for kept in anchor.cases],
        metrics,
        config,
        judge=judge,
        repeat=1,
        concurrency=concurrency,
        budget_usd=budget_usd,
    )
    return asked, reworded


async def look_again(
    config: Config,
    path: Path,
    asked: Rejudging,
    reworded: tuple[str, ...] = (),
    *,
    watch: Watcher | None = None,
    told: Callable[[str], None] | None = None,
) -> Status:
    """Have an anchor's cases judged once more as planned, and say what that amounts to."""
    await look(path, read_anchor(path), asked, config, reworded=reworded, watch=watch, told=told)
    return anchor_status(path)


def anchor_status(path: Path) -> Status:
    """Say what an anchor file amounts to; nothing is asked."""
    anchor: Anchor = read_anchor(path)
    return status_of(anchor, str(path))


def _whole_cases(config: Config, name: str, store: str | None) -> dict[str, Case]:
    """Return the cases of a stored run as they were asked, earlier turns included."""
    if file_of(name):
        return {}
    opened = open_existing(config, store)
    if opened is None:
        return {}
    try:
        return {case.id: case for case in opened.cases(pick(opened, name))}
    finally:
        opened.close()
