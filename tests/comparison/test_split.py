"""The estimated split of a change into its stages."""

import numpy as np
import pytest

from acidtest.comparison import split
from acidtest.comparison.paired import Paired
from acidtest.comparison.split import estimated_splits


def table(deltas, unit=None):
    column = np.array(deltas, dtype=float)[:, None]
    return Paired(np.where(np.isnan(column), np.nan, 0.0), column, column, unit, (None,))


def drawn(rng, n):
    contexts = ["same" if x else "other" for x in rng.random(n) < 0.4]
    deltas = [rng.normal(0.1, 0.3) + (0.2 if c == "other" else 0.0) for c in contexts]
    return deltas, contexts


def test_parts_add_up_and_unknown_contexts_are_left_out():
    deltas = [0.1, 0.3, 0.5, 0.9, 7.0, np.nan]
    contexts = ["same", "same", "other", "reordered", "unknown", "same"]
    found = estimated_splits(["f"], table(deltas), contexts)["f"]
    assert (found.n, found.changed) == (4, 2)
    assert found.delta == pytest.approx(0.45)
    assert found.generation == pytest.approx(0.2)
    assert found.retrieval == pytest.approx(0.25)


def test_no_case_kept_its_contexts():
    assert estimated_splits(["f"], table([0.1, 0.2]), ["other", "unknown"]) == {}


def test_one_case_that_kept_its_contexts_has_no_interval():
    found = estimated_splits(["f"], table([0.1, 0.2, 0.3]), ["same", "other", "other"])["f"]
    assert (found.generation_ci, found.retrieval_ci) == (None, None)


def test_intervals_cover():
    rng = np.random.default_rng(4)
    hits = []
    for _ in range(120):
        deltas, contexts = drawn(rng, 80)
        one = estimated_splits(["f"], table(deltas), contexts)["f"]
        share = contexts.count("other") / 80
        hits.append(
            (
                one.generation_ci[0] <= 0.1 <= one.generation_ci[1],
                one.retrieval_ci[0] <= 0.2 * share <= one.retrieval_ci[1],
            )
        )
    assert np.mean(hits, axis=0) == pytest.approx([0.95, 0.95], abs=0.045)


def test_groups_make_intervals_wider():
    rng = np.random.default_rng(1)
    deltas = np.repeat(rng.normal(size=20), 5)
    contexts = ["same", "other"] * 50
    unit = np.arange(100) // 5
    alone, grouped = (
        estimated_splits(["f"], table(deltas, u), contexts)["f"].generation_ci for u in (None, unit)
    )
    assert grouped[1] - grouped[0] > 1.3 * (alone[1] - alone[0])


def test_large_runs_get_the_same_by_formula(monkeypatch):
    deltas, contexts = drawn(np.random.default_rng(2), 600)
    by_draws = estimated_splits(["f"], table(deltas), contexts)["f"]
    monkeypatch.setattr(split, "MANY", 100)
    by_formula = estimated_splits(["f"], table(deltas), contexts)["f"]
    assert by_formula.generation_ci == pytest.approx(by_draws.generation_ci, abs=0.004)
    assert by_formula.retrieval_ci == pytest.approx(by_draws.retrieval_ci, abs=0.004)
