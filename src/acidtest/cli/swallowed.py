"""A bare `--json` before a RUN takes that for its file, and `latest` would be meant instead: refused.

`acidtest gate --json my-run --baseline main` would decide on another run than the one that it names.
"""

import os
from pathlib import Path

from acidtest.errors import AcidtestError, UsageError


def check_swallowed(target: str | None, command: str, *, run_named: bool, over_run: bool) -> None:
    """Refuse a file for JSON that looks like the run that was meant.

    Args:
        target: What `--json` was given; `-` is stdout, None nothing.
        command: The command, for the message.
        run_named: Whether a run is named beside it: then nothing was swallowed.
        over_run: Whether the command may write its JSON over a file that holds a run.

    Raises:
        UsageError: No run is named, and the file has the form of a run's name, or is one.
    """
    if run_named or target in (None, "-"):
        return
    if target is not None and (_like_a_name(target) or (not over_run and _is_run(target))):
        raise UsageError(
            f"--json takes {target!r} for the file that it writes, and no run is named",
            where="--json",
            fix=f"Name the run first: acidtest {command} {target} --json -",
        )


def _like_a_name(target: str) -> bool:
    return os.sep not in target and not Path(target).suffix


def _is_run(target: str) -> bool:
    from acidtest.codec.runs import load_runs

    if not Path(target).is_file():
        return False
    try:
        return bool(load_runs(target))
    except AcidtestError:
        return False
