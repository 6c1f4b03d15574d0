"""One test a case: which cases, what the tests are called, and how a case went."""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pytest

from acidtest.data.golden import Case, GoldenSet
from acidtest.data.runs import CaseResult, Run
from acidtest.errors import AcidtestError, UsageError
from acidtest.golden.load import load_golden
from acidtest.golden.select import select

if TYPE_CHECKING:
    from acidtest.pytest_plugin.session import Session

MARKER = "acidtest_cases"
_TAKES = ("golden", "tags", "limit")
_LONGEST = 60
_KEPT = "._-+#="


def parametrize(metafunc: pytest.Metafunc, session: "Session") -> None:
    """Make a test once a case of the golden set.

    Tests are made before fixtures are: the golden set is the configured one or the marker's.

    Raises:
        pytest.Collector.CollectError: The golden set or the marker is wrong; the message says how.
    """
    try:
        cases = _cases(metafunc, session)
    except AcidtestError as error:
        told = f"acidtest: {error}"
    else:
        metafunc.parametrize("acidtest_case", list(cases), indirect=True, ids=test_ids(cases))
        return
    raise pytest.Collector.CollectError(told)


def test_ids(cases: Sequence[Case]) -> list[str]:
    """Return what the tests are called: the case's id where it can stand in a test's name.

    Else its letters, digits and ._-+#=, and a hash of the whole id: what belongs to names of tests
    (`::`, `[`), shells or terminals never gets there.
    """
    return [_test_id(case.id) for case in cases]


def result_of(case: Case, run: Run) -> CaseResult:
    """Return how a case went in a run.

    Raises:
        UsageError: The run does not have it.
    """
    for result in run.cases:
        if result.id == case.id and result.question == case.question:
            return result
    raise UsageError(
        f"the run {run.name!r} has no case {case.id!r} with this question",
        fix="Tests are made from the configured golden set, runs from the fixture 'golden': name the "
        "fixture's in @pytest.mark.acidtest_cases(golden=...).",
    )


def _cases(metafunc: pytest.Metafunc, session: "Session") -> GoldenSet:
    given: dict[str, Any] = {}
    where = metafunc.definition.nodeid
    for mark in metafunc.definition.iter_markers(MARKER):
        strange = [repr(a) for a in mark.args] + [k for k in mark.kwargs if k not in _TAKES]
        if strange:
            raise UsageError(
                f"the marker {MARKER} does not take {', '.join(strange)[:200]}",
                where=where,
                fix=f"It takes by name: {', '.join(_TAKES)}.",
            )
        given = {**mark.kwargs, **given}
    if "acidtest_case" not in metafunc.fixturenames:
        raise UsageError(
            f"the marker {MARKER} is on a test that takes no case",
            where=where,
            fix="Take acidtest_case or acidtest_result as an argument.",
        )
    golden = load_golden(given["golden"]) if "golden" in given else session.golden
    tags = given.get("tags", ())
    return select(golden, tags=(tags,) if isinstance(tags, str) else tags, limit=given.get("limit"))


def _test_id(case_id: str) -> str:
    kept = "".join(c if c.isalnum() or c in _KEPT else "_" for c in case_id)[:_LONGEST]
    if kept == case_id and kept:
        return kept
    whole = case_id.encode("utf-8", "surrogatepass")
    return f"{kept}-{hashlib.sha256(whole).hexdigest()[:8]}"
