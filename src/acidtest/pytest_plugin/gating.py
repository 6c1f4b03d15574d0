"""`assert_gate`: the gate of a test, by the session's configuration where the test says nothing."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from acidtest.comparison.decide import Stale, gate
from acidtest.comparison.floors import Floor
from acidtest.comparison.limits import Drop
from acidtest.data.gate import Gate, GateMode
from acidtest.data.runs import Run
from acidtest.errors import UsageError
from acidtest.project.config import load_config
from acidtest.project.gating import Asked, gated
from acidtest.project.stores import find_run
from acidtest.pytest_plugin.failing import readable
from acidtest.pytest_plugin.worst import failure

if TYPE_CHECKING:
    from acidtest.pytest_plugin.session import Baseline, Session


def checked(
    run: Run,
    session: "Session | None",
    *,
    baseline: "Baseline | None",
    min: Mapping[str, float] | None,  # noqa: A002 - the name that the gate has, too
    max_drop: Drop | Mapping[str, Drop] | None,
    mode: GateMode | None,
    stale: Stale | None,
    floor_on: Floor | None,
    allow_inconclusive: bool,
) -> Gate:
    """Return a gate that passes, or fail the test; see `pytest_plugin.assert_gate`."""
    with readable():
        _is_run(run)
        config = session.config if session else load_config()
        against = _baseline(baseline, session)
        if min is None and max_drop is None:
            made, _ = gated(run, against, config, Asked(mode=mode, stale=stale))
        else:
            if max_drop is not None and against is None:
                raise UsageError(
                    "a tolerated drop needs a baseline",
                    where="max_drop",
                    fix="Give one: pytest --acidtest-baseline RUN, or baseline=...",
                )
            made = gate(
                run,
                baseline=against,
                min=min,
                max_drop=max_drop,
                mode=mode or config.gate.mode,
                stale=stale or config.gate.stale,
                floor_on=floor_on or config.gate.floor_on,
            )
    if made.result == "pass" or (made.result == "inconclusive" and allow_inconclusive):
        return made
    pytest.fail(failure(made, run, against), pytrace=False)


def _baseline(given: "Baseline | None", session: "Session | None") -> Run | None:
    if isinstance(given, Run):
        return given
    if given is not None:
        return session.find(given) if session else find_run(load_config(), str(given))
    return session.baseline if session else None


def _is_run(run: object) -> None:
    if not isinstance(run, Run):
        raise UsageError(
            f"assert_gate is given {type(run).__name__}, not a run",
            fix="Give what acidtest.evaluate or acidtest.load_run returns, or the fixture acidtest_run.",
        )
