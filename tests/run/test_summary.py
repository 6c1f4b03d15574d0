import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.data.answers import Latency, Usage
from acidtest.data.outcomes import Failure, MetricSpec, Score, Skip
from acidtest.data.runs import CaseResult
from acidtest.data.use import JudgeUse
from acidtest.run.summary import operations, percentile, shares, summary, tag_means

SPEC = MetricSpec(name="m", stage="generation")


def test_worked_by_hand():
    values = [0.9, 0.1, 0.5, 1.0, 0.7, 0.3, 0.8, 0.6, 0.2, 0.4, 0.0, 1.0]
    outcomes = [*map(Score, values), Skip("n/a"), Failure("broke")]
    s = summary(SPEC, outcomes, [None] * 14)
    assert (s.n, s.scored, s.skipped, s.failed) == (14, 12, 1, 1)
    assert s.mean == pytest.approx(6.5 / 12)
    assert s.p10 == 0.1  # ascending, element 12 // 10 = 1
    assert s.p50 == pytest.approx(0.55)
    assert s.ci is not None
    assert s.ci[0] < 6.5 / 12 < s.ci[1]
    assert s.undecided is None
    assert s.floor_value is None


def test_lower_is_better_has_its_worst_tenth_on_top():
    spec = MetricSpec(name="leak", stage="generation", direction="lower")
    s = summary(spec, [Score(v / 10) for v in range(10)], [None] * 10)
    assert s.p10 == 0.8  # descending, element 10 // 10 = 1


def test_nothing_scored_is_none_never_zero():
    s = summary(SPEC, [Skip("no"), Failure("no")], [None, None])
    assert (s.mean, s.p10, s.p50, s.ci) == (None, None, None, None)


def test_groups_make_the_interval_wider():
    outcomes = [Score(v) for v in (0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.5, 0.5)]
    alone = summary(SPEC, outcomes, [None] * 8).ci
    together = summary(SPEC, outcomes, ["x", "x", "x", "y", "y", "y", None, None]).ci
    assert alone is not None
    assert together is not None
    assert together[1] - together[0] > alone[1] - alone[0]


def test_undecided_claims_are_pooled_also_from_skips():
    outcomes = [
        Score(1.0, parts={"claims": 4, "supported": 2, "unsupported": 0, "undecided": 2}),
        Score(0.5, parts={"claims": 2, "supported": 1, "unsupported": 1}),
        Skip("nothing decided", {"claims": 2, "undecided": 2}),
        Score(0.0, parts={"claims": 2, "contradicted": 2}),
    ]
    undecided, contradicted, floor = shares(outcomes)
    assert contradicted == pytest.approx(2 / 10)
    assert undecided == pytest.approx(4 / 10)
    assert floor == pytest.approx(1 - 3 / 10)
    assert shares([Score(1.0, parts={"claims": 3, "supported": 3})]) == (None, 0.0, None)
    assert shares([Score(1.0)]) == (None, None, None)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_summary_stays_within_its_values(values):
    s = summary(SPEC, list(map(Score, values)), [None] * len(values))
    assert s.mean is not None
    assert min(values) - 1e-12 <= s.mean <= max(values) + 1e-12
    assert s.p10 in values
    assert s.p50 == statistics.median(values)


def test_percentile_by_hand():
    assert percentile([1.0], 0.95) == 1.0
    assert percentile([1.0, 2.0, 3.0, 4.0], 0.5) == 2.5
    assert percentile([0.0, 10.0, 20.0], 0.95) == pytest.approx(19.0)


def test_operations_leave_out_what_nobody_said():
    assert operations([CaseResult(id="a", question="q")], None).latency_ms == {}
    rows = [
        CaseResult(
            id=str(n),
            question="q",
            latency_ms=Latency(total=float(n)),
            usage=Usage(input_tokens=10, cost_usd=0.5) if n else None,
        )
        for n in range(3)
    ]
    found = operations(rows, JudgeUse(calls=1))
    assert set(found.latency_ms) == {"total"}
    assert found.latency_ms["total"].p50 == 1.0
    assert found.tokens is not None
    assert (found.tokens.input, found.tokens.output) == (20, 0)
    assert found.cost_usd == 1.0


def test_tag_means():
    rows = [
        CaseResult(id="1", question="q", tags=("t",), scores={"m": Score(1.0), "n": Skip("x")}),
        CaseResult(id="2", question="q", tags=("t", "u"), scores={"m": Score(0.0)}),
    ]
    assert tag_means(rows, ["m", "n"]) == {"t": {"m": 0.5}, "u": {"m": 0.0}}
