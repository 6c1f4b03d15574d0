"""The ranges that names stand for are those of the metrics that there are."""

import pytest

from acidtest.data.ranges import OURS, inside, range_of
from acidtest.metrics.registry import known


def test_every_metric_of_ours_has_a_range_and_no_other_name_has():
    assert set(known()) == OURS


@pytest.mark.parametrize("name", ["mrr", "recall@5", "ndcg(gain=exp)@10", "correctness"])
def test_settings_do_not_hide_a_name(name):
    assert range_of(name) == (0.0, 1.0)


@pytest.mark.parametrize("name", ["mrrr", "ragas_faithfulness", "latency_ms.total.p95", "", "@5"])
def test_other_names_tell_nothing(name):
    assert range_of(name) is None


def test_rounding_leaves_no_range():
    assert inside(1.0 + 1e-12, (0.0, 1.0))
    assert not inside(1.0 + 1e-6, (0.0, 1.0))
    assert not inside(float("nan"), (0.0, 1.0))
