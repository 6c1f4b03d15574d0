"""The store to a history: the newest run of each commit."""

from acidtest.comparison.timeline import OPERATIONS, timeline
from acidtest.data.history import History
from acidtest.errors import UsageError
from acidtest.project.config import Config
from acidtest.project.limit_names import column_of
from acidtest.project.stores import open_existing, pick
from acidtest.run.assemble import load
from acidtest.store.rows import StoredRun

LIMIT = 30
"""So many lines where no other number is asked for."""


def history(
    config: Config,
    *,
    name: str | None = None,
    metrics: tuple[str, ...] = (),
    limit: int = LIMIT,
    store: str | None = None,
) -> History:
    """Return the history of the runs of one name: one line a commit, the newest run of each.

    Runs outside a commit each have a line of their own. Only finished runs of the newest one's mode
    count.

    Args:
        config: The configuration.
        name: Which runs; by default those that are called as the latest one.
        metrics: The columns, by any of their names.
        limit: How many lines, the newest.
        store: Which store.

    Raises:
        UsageError: There is no such run.
        UnknownName: There is no run of this name, or no metric.
    """
    opened = open_existing(config, store)
    try:
        latest = pick(opened, name or "latest")
        if opened is None:
            raise UsageError("the store holds no run yet", fix="Make one: acidtest run")
        lines = _lines(opened.all_runs(), latest)
        if not lines:
            raise UsageError(
                f"no run called {latest.info.name!r} is finished",
                fix="Finish it with the command that began it.",
            )
        shown = list(lines.values())[:limit][::-1]
        runs = [load(opened, line[0]) for line in shown]
        known = [*OPERATIONS, *(own for run in runs for own in run.metrics)]
        columns = tuple(
            dict.fromkeys(column_of(given, known, config, where="-m") for given in metrics)
        )
        told = timeline(runs, columns, counts=[len(line) for line in shown])
    finally:
        if opened is not None:
            opened.close()
    if not columns:
        return _with_rest(told, len(lines) - len(shown))
    missing = [column for column in columns if not any(column in m.values for m in told.moments)]
    if missing:
        raise UsageError(
            f"no run called {told.name!r} has the metric {missing[0]!r}",
            where="-m",
            fix=f"They have: {', '.join(dict.fromkeys(n for run in runs for n in run.metrics))}.",
        )
    return _with_rest(told, len(lines) - len(shown))


def _lines(runs: list[StoredRun], latest: StoredRun) -> dict[str, list[StoredRun]]:
    """Return the runs of each line, the newest line and the newest run first."""
    lines: dict[str, list[StoredRun]] = {}
    for run in runs:
        info = run.info
        same = info.name == latest.info.name and info.mode == latest.info.mode
        if same and info.status == "finished":
            clean = info.commit is not None and not info.commit.dirty
            key = info.commit.sha if clean and info.commit else info.id
            lines.setdefault(key, []).append(run)
    return lines


def _with_rest(told: History, left_out: int) -> History:
    from msgspec.structs import replace

    return replace(told, left_out=left_out)
