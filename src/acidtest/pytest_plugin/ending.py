"""The end of a session: a line a run, and the runs as JSON where that was asked for."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from acidtest.atomic import write_whole
from acidtest.codec.runs import decode_run
from acidtest.data.runs import Run, Summary
from acidtest.errors import AcidtestError, UsageError
from acidtest.project.reports import run_json
from acidtest.project.sources import files_read
from acidtest.pytest_plugin.session import Session
from acidtest.pytest_plugin.share import shared
from acidtest.report.clean import clip, one_line
from acidtest.report.figures import score

_NAME = 60


def write(session: Session, workers: str | None) -> bool:
    """Write the session's runs; return whether that went well, and keep what is to be told."""
    target: str = session.pytest_config.getoption("acidtest_json")
    where = f"--acidtest-json {target}"
    try:
        runs = runs_of(session, workers)
        if not runs:
            session.told.append(f"{where}: no test made a run, and nothing was written.")
            return True
        _not_read(session, target)
        write_whole(session.started / target, run_json(runs))
    except AcidtestError as error:
        session.told.append(str(error))
        return False
    except OSError as error:
        session.told.append(f"{where}: cannot be written: {error.strerror}")
        return False
    session.told.append(f"Wrote JSON to {target}")
    return True


def summarise(session: Session, workers: str | None, reporter: pytest.TerminalReporter) -> None:
    """Write the section of the terminal's summary; nothing where there is nothing to tell."""
    lines = [_line(run) for run in runs_of(session, workers)]
    lines += [one_line(told) for told in dict.fromkeys(session.told)]
    if lines:
        reporter.write_sep("=", "acidtest")
        for line in lines:
            reporter.write_line(line)


def runs_of(session: Session, workers: str | None) -> list[Run]:
    """Return the runs that were made: by this process, or by the workers together."""
    if workers is None:
        return list(session.runs.values())
    return [decode_run(raw, where="a worker's run") for raw in shared(workers)]


def _line(run: Run) -> str:
    cases = f"{len(run.cases)} case{'s' * (len(run.cases) != 1)}"
    metrics = ", ".join(_metric(name, summary) for name, summary in run.metrics.items())
    return f"{clip(one_line(run.name), _NAME)} ({run.id}, {cases}): {one_line(metrics)}"


def _metric(name: str, summary: Summary) -> str:
    failed = f" ({summary.failed} failed)" if summary.failed else ""
    return f"{name} {score(summary.mean)}{failed}"


def _not_read(session: Session, target: str) -> None:
    """Refuse to write over what was read."""
    read: Sequence[tuple[str, Path]] = files_read(
        session.config, session.pytest_config.getoption("acidtest_golden"), None, ()
    )
    baseline = session.pytest_config.getoption("acidtest_baseline")
    written = session.started / target
    for what, file in (*read, *([("the baseline", Path(baseline))] if baseline else [])):
        place = session.started / file
        if place.exists() and written.exists() and place.samefile(written):
            raise UsageError(f"that is {what}", where=f"--acidtest-json {target}")
