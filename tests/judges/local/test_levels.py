"""How much the judge decides: levels to choose from, and the default among them."""

import msgspec
import pytest

from acidtest.judges.local.judge import VERSION, LocalJudge
from acidtest.judges.local.levels import at_coverage, levels
from acidtest.judges.local.measured import measured
from acidtest.judges.local.rules import THRESHOLDS


def test_the_levels_are_of_this_version():
    assert levels().version == VERSION


@pytest.mark.parametrize("task", levels().tasks)
def test_what_ships_is_the_level_that_was_fitted_for_it(task):
    (default,) = (level for level in levels().tasks[task] if level.factor == 1)
    assert msgspec.structs.replace(THRESHOLDS, **default.thresholds) == THRESHOLDS


@pytest.mark.parametrize("task", levels().tasks)
def test_levels_decide_more_and_more(task):
    coverages = [level.coverage for level in levels().tasks[task]]
    assert coverages == sorted(set(coverages))


@pytest.mark.parametrize("task", levels().tasks)
def test_the_default_level_is_what_the_table_says(task):
    (default,) = (level for level in levels().tasks[task] if level.factor == 1)
    (mean,) = (mean for mean in measured().means if mean.over == task)
    assert default.coverage == pytest.approx(mean.decided, abs=1e-3)
    assert default.against == pytest.approx(mean.against, abs=1e-3)
    assert default.in_favour == pytest.approx(mean.in_favour, abs=1e-3)


def test_a_claim_decided_costs_errors():
    claims = levels().tasks["faithfulness"]
    assert claims[-1].coverage > claims[0].coverage + 0.3
    assert claims[-1].risk > claims[0].risk


def test_a_coverage_chooses_the_nearest_level_of_each_task():
    assert at_coverage(0.55) == msgspec.structs.replace(
        THRESHOLDS,
        **levels().tasks["context_usefulness"][0].thresholds,
        **levels().tasks["correctness"][0].thresholds,
    )
    for coverage, place in ((0.0, 0), (1.0, -1)):
        cut = at_coverage(coverage)
        for task in levels().tasks.values():
            assert msgspec.structs.replace(cut, **task[place].thresholds) == cut


def test_another_level_is_another_judge():
    assert LocalJudge(at_coverage(0.3)).fingerprint != LocalJudge(at_coverage(0.8)).fingerprint
