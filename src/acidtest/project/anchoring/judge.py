"""Having an anchor's cases judged, and writing down what came of it.

The judge is always asked: what the store keeps of earlier verdicts is not read. Every raw reply is kept in
a store beside the anchor, `.acidtest/anchor.db`, apart from the runs; there an interrupted look goes on.
"""

from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from acidtest.data.answers import Answer
from acidtest.data.outcomes import Outcome, Score
from acidtest.data.runs import Run
from acidtest.errors import UsageError
from acidtest.project.anchoring.files import append_look, refuse_existing, write_anchor
from acidtest.project.anchoring.planned import Rejudging
from acidtest.project.anchoring.records import (
    TOLERANCE,
    Anchor,
    Header,
    Judged,
    Kept,
    Look,
    Recorded,
    Source,
    why_missing,
)
from acidtest.project.anchoring.watch import ENOUGH, moved
from acidtest.project.config import Config
from acidtest.project.evaluate import carry_out, warnings_of
from acidtest.run.progress import Watcher
from acidtest.run.start import BeingMade
from acidtest.store.rows import StoredRun
from acidtest.store.runs import Store

GOES_ON = timedelta(hours=12)
"""For how long a look that was interrupted goes on with the same command."""

Trials = dict[str, dict[str, dict[int, Outcome]]]
"""Metric -> case -> trial -> what came of it."""


async def record(
    path: Path,
    source: Run,
    asked: Rejudging,
    config: Config,
    *,
    replace: bool = False,
    watch: Watcher | None = None,
    told: Callable[[str], None] | None = None,
) -> Anchor:
    """Make an anchor: have the cases judged as often as planned, and write the file.

    A case counts for a metric when every one of its trials got a score.

    Raises:
        UsageError: There is an anchor already, or too few verdicts came: nothing is written then.
    """
    refuse_existing(path, replace=replace)
    run, trials = await _judge(path, asked, config, watch, told)
    repeat = asked.plan.repeat
    names = [bound.name for bound in asked.plan.metrics]
    recorded = {name: _recorded(trials.get(name, {}), repeat) for name in names}
    metrics = {b.name: b.spec.version for b in asked.plan.metrics if recorded[b.name]}
    failed = sum(summary.failed for summary in run.metrics.values())
    wanted = sum(summary.scored + summary.failed for summary in run.metrics.values())
    if not metrics or failed > (1 - ENOUGH) * wanted:
        raise UsageError(
            f"{failed} of {wanted} verdicts could not be had, so no anchor was made",
            where=str(path),
            fix=f"See why, and give the command again: {_why(trials)}",
        )
    by_case = {answer.case_id: answer for answer in await _answers(asked)}
    cases = []
    for case in asked.plan.cases:
        verdicts = {name: recorded[name][case.id] for name in metrics if case.id in recorded[name]}
        if verdicts:
            cases.append(Kept(case=case, answer=by_case[case.id], verdicts=verdicts))
    anchor = Anchor(
        header=Header(
            created=_now(),
            source=Source(
                id=source.info.id, name=source.info.name, golden=source.info.golden.version
            ),
            by=_by(run, asked),
            metrics=metrics,
            repeat=repeat,
            tolerance=TOLERANCE,
        ),
        cases=tuple(cases),
    )
    with _kept_until_written(path, run):
        write_anchor(path, anchor, replace=replace)
    return anchor


async def look(
    path: Path,
    anchor: Anchor,
    asked: Rejudging,
    config: Config,
    *,
    reworded: tuple[str, ...] = (),
    watch: Watcher | None = None,
    told: Callable[[str], None] | None = None,
) -> Look:
    """Have an anchor's cases judged once more, and add what came of it to its file."""
    run, trials = await _judge(path, asked, config, watch, told)
    values: dict[str, dict[str, float]] = {}
    others: dict[str, dict[str, Score]] = {}
    missing: dict[str, dict[str, str]] = {}
    for bound in asked.plan.metrics:
        name = bound.name
        values[name] = {}
        for case, each in anchor.of(name).items():
            outcome = trials.get(name, {}).get(case, {}).get(0)
            if not isinstance(outcome, Score):
                why = why_missing(outcome) if outcome is not None else "it was not judged"
                missing.setdefault(name, {})[case] = why
                continue
            values[name][case] = outcome.value
            if moved(outcome.value, each.verdict.value, anchor.header.tolerance):
                others.setdefault(name, {})[case] = outcome
    seen = Look(
        created=_now(),
        by=_by(run, asked),
        values=values,
        moved=others,
        missing=missing,
        reworded=reworded,
    )
    with _kept_until_written(path, run):
        append_look(path, seen)
    return seen


@contextmanager
def _kept_until_written(path: Path, run: Run) -> Iterator[None]:
    """Where the file cannot be written, let the same command go on with the verdicts that were paid for."""
    try:
        yield
    except BaseException:
        # The first error is the one to tell, also when the store is on the same full disk.
        with suppress(UsageError), Store(_store_beside(path)) as store:
            store.set_status(run.id, "interrupted")
        raise


async def _judge(
    path: Path,
    asked: Rejudging,
    config: Config,
    watch: Watcher | None,
    told: Callable[[str], None] | None,
) -> tuple[Run, Trials]:
    async with AsyncExitStack() as stack:
        for held in (asked.judging, asked.embedding):
            if held is not None:
                stack.push_async_callback(held.aclose)
        for warning in await warnings_of(asked.judging, asked.embedding):
            if told is not None:
                told(warning)
        store = stack.enter_context(Store(_store_beside(path)))
        begun = _goes_on(store, asked)
        try:
            run = await carry_out(
                asked.plan,
                store,
                config,
                asked.judging,
                fresh=begun is None,
                use_cache=False,
                salt=_salt(store, begun),
                watch=watch,
                told=told,
            )
        except BeingMade as error:
            raise BeingMade(
                error.what,
                where=str(path),
                fix="Wait for it: one look at a time. Its verdicts are not asked for twice.",
            ) from error
        trials: Trials = {}
        for result in store.results(run.id):
            by_case = trials.setdefault(result.metric, {})
            by_case.setdefault(result.case_id, {})[result.trial] = result.outcome
        return run, trials


def _goes_on(store: Store, asked: Rejudging) -> StoredRun | None:
    """Return what was begun and goes on: a look is what one judge says at one time, not over days."""
    begun = store.unfinished(asked.plan.hash)
    if begun is None:
        return None
    age = datetime.now(UTC) - datetime.fromisoformat(begun.info.created)
    return begun if age <= GOES_ON else None


def _salt(store: Store, begun: StoredRun | None) -> str:
    """Return what tells the questions of one look from those of all others: how many came before it.

    One that goes on finds the replies again that were paid for and not used yet.
    """
    runs = store.all_runs()
    if begun is None:
        return f"look {len(runs)}"
    return f"look {sum(run.info.created < begun.info.created for run in runs)}"


def _store_beside(path: Path) -> str:
    return str(path.absolute().parent / ".acidtest" / "anchor.db")


async def _answers(asked: Rejudging) -> list[Answer]:
    return [await asked.plan.pipeline.ask(case) for case in asked.plan.cases]


def _recorded(cases: dict[str, dict[int, Outcome]], repeat: int) -> dict[str, Recorded]:
    found = {}
    for case, trials in cases.items():
        scores = [s for t in range(repeat) if isinstance(s := trials.get(t), Score)]
        if len(scores) == repeat:
            found[case] = Recorded(verdict=scores[0], repeats=tuple(s.value for s in scores[1:]))
    return found


def _by(run: Run, asked: Rejudging) -> Judged:
    use, judge = run.operations.judge, run.info.judge
    if judge is None or asked.plan.judge is None:  # a plan of judged metrics has one
        raise UsageError("no judge was asked", fix="Name a metric that a judge scores.")
    return Judged(
        name=asked.name,
        judge=judge,
        asked=asked.plan.judge.fingerprint,
        calls=use.calls if use else 0,
        tokens=use.tokens if use else 0,
        cost_usd=use.cost_usd if use else None,
    )


def _why(trials: Trials) -> str:
    for cases in trials.values():
        for each in cases.values():
            for outcome in each.values():
                if not isinstance(outcome, Score):
                    return why_missing(outcome)
    return "no case was scored"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
