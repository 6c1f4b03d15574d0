"""Each label metric against figures worked by hand."""

import math

import pytest

from acidtest.columns.place import from_rankings
from acidtest.errors import UsageError
from acidtest.metrics.retrieval.bpref import bpref
from acidtest.metrics.retrieval.context_precision import context_precision
from acidtest.metrics.retrieval.f1 import f1
from acidtest.metrics.retrieval.hit import hit
from acidtest.metrics.retrieval.map import map as average_precision
from acidtest.metrics.retrieval.mrr import mrr
from acidtest.metrics.retrieval.ndcg import ndcg
from acidtest.metrics.retrieval.precision import precision
from acidtest.metrics.retrieval.r_precision import r_precision
from acidtest.metrics.retrieval.recall import recall

ALL = (
    average_precision,
    bpref,
    context_precision,
    f1,
    hit,
    mrr,
    ndcg,
    precision,
    r_precision,
    recall,
)


def mean(column: list[float | None]) -> float:
    values = [value for value in column if value is not None]
    return sum(values) / len(values)


def test_one_relevant_chunk_on_top() -> None:
    retrieved = ["c12", "c5", "c9", "c2"]
    assert recall(retrieved, ["c12"]) == 1.0
    assert precision(retrieved, ["c12"]) == 0.25
    assert recall(["c12", "c5"], ["c12"], k=5) == 1.0


def test_four_queries_with_the_relevant_chunk_at_ranks_one_three_none_two() -> None:
    labels = [["r"]] * 4
    rankings = [
        ["r", "a", "b", "c", "d"],
        ["a", "b", "r", "c", "d"],
        ["a", "b", "c", "d", "e"],
        ["a", "r", "b", "c", "d"],
    ]
    before = from_rankings(rankings, labels)
    assert mean(recall.column(before, k=5)) == 0.75
    assert round(mean(mrr.column(before)), 4) == 0.4583
    rankings[1] = ["r", "a", "b", "c", "d"]
    after = from_rankings(rankings, labels)
    assert mean(recall.column(after, k=5)) == 0.75
    assert mean(mrr.column(after)) == 0.625


def test_two_versions_of_a_retriever() -> None:
    labels = [["refunds#0"], ["warranty#1"], ["shipping#1", "shipping#2"]]
    v1 = from_rankings(
        [
            ["refunds#2", "refunds#0", "shipping#0"],
            ["warranty#0", "returns#1", "warranty#3"],
            ["shipping#1", "shipping#0", "returns#0"],
        ],
        labels,
    )
    v2 = from_rankings(
        [
            ["refunds#0", "refunds#2", "refunds#1"],
            ["warranty#1", "warranty#0", "returns#1"],
            ["shipping#1", "shipping#2", "shipping#0"],
        ],
        labels,
    )
    assert [mean(m.column(v1)) for m in (mrr, context_precision)] == [0.5, 0.5]
    assert mean(recall.column(v1, k=3)) == 0.5
    assert [mean(m.column(v2)) for m in (mrr, context_precision)] == [1.0, 1.0]
    assert mean(recall.column(v2, k=3)) == 1.0


# Relevant: a (3), b (1), c (2), found at ranks 2 and 4 (a, c); d judged irrelevant at rank 1.
RANKING = ["d", "a", "x", "c", "y"]
GRADES = {"a": 3, "b": 1, "c": 2, "d": 0}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (recall(RANKING, GRADES), 2 / 3),
        (recall(RANKING, GRADES, k=3), 1 / 3),
        (precision(RANKING, GRADES), 2 / 5),
        (precision(RANKING, GRADES, k=2), 1 / 2),
        (precision(RANKING, GRADES, k=10), 2 / 10),
        (f1(RANKING, GRADES), 2 * (2 / 5) * (2 / 3) / (2 / 5 + 2 / 3)),
        (f1(RANKING, GRADES, k=1), 0.0),
        (hit(RANKING, GRADES), 1.0),
        (hit(RANKING, GRADES, k=1), 0.0),
        (mrr(RANKING, GRADES), 1 / 2),
        (mrr(RANKING, GRADES, k=1), 0.0),
        (average_precision(RANKING, GRADES), (1 / 2 + 2 / 4) / 3),
        (average_precision(RANKING, GRADES, k=2), (1 / 2) / 3),
        (context_precision(RANKING, GRADES), (1 / 2 + 2 / 4) / 2),
        (context_precision(RANKING, GRADES, k=3), 1 / 2),
        (r_precision(RANKING, GRADES), 1 / 3),
        (bpref(RANKING, GRADES), (0.0 + 0.0) / 3),
        (
            ndcg(RANKING, GRADES),
            (3 / math.log2(3) + 2 / math.log2(5)) / (3 + 2 / math.log2(3) + 1 / 2),
        ),
        (ndcg(RANKING, GRADES, k=2), (3 / math.log2(3)) / (3 + 2 / math.log2(3))),
        (
            ndcg(RANKING, GRADES, gain="exp"),
            (7 / math.log2(3) + 3 / math.log2(5)) / (7 + 3 / math.log2(3) + 1 / 2),
        ),
    ],
)
def test_a_graded_ranking_by_hand(value: float, expected: float) -> None:
    assert value == pytest.approx(expected, rel=1e-15)


def test_bpref_counts_judged_irrelevant_chunks_above_each_hit() -> None:
    # R = 2, N = 2: n1 stands above r2 only; u is not judged and does not count.
    labels = {"r1": 1, "r2": 1, "n1": 0, "n2": 0}
    assert bpref(["r1", "u", "n1", "r2"], labels) == (1.0 + (1.0 - 1 / 2)) / 2


@pytest.mark.parametrize("metric", ALL, ids=lambda m: m.name)
def test_labels_without_a_hit_are_zero_and_never_a_skip(metric) -> None:
    assert metric([], ["c1"]) == 0.0
    assert metric(["c2", "c3"], ["c1"]) == 0.0
    assert metric.column(from_rankings([[], ["c2"]], [["c1"], ["c1"]])) == [0.0, 0.0]


@pytest.mark.parametrize("metric", ALL, ids=lambda m: m.name)
def test_no_labels_have_no_value(metric) -> None:
    table = from_rankings([["c1"], ["c1"], ["c1"], []], [None, [], {"c1": 0}, {}])
    assert metric.column(table) == [None, None, None, None]
    with pytest.raises(UsageError, match="no value without relevant ids"):
        metric(["c1"], [])


@pytest.mark.parametrize("metric", ALL, ids=lambda m: m.name)
def test_an_id_that_comes_twice_counts_once_at_its_first_place(metric) -> None:
    labels = {"a": 2, "b": 1, "n": 0}
    assert metric(["n", "a", "a", "n", "b", "a"], labels) == metric(["n", "a", "b"], labels)


@pytest.mark.parametrize("k", [0, -1, 2.5, "5"])
def test_a_cut_off_below_one_is_refused(k) -> None:
    with pytest.raises(UsageError, match="cut-off k is"):
        recall(["a"], ["a"], k=k)


def test_an_unknown_gain_is_refused() -> None:
    with pytest.raises(UsageError, match="linear or exp"):
        ndcg(["a"], ["a"], gain="burges")


def test_exponential_gain_of_an_absurd_grade_is_refused() -> None:
    with pytest.raises(UsageError, match="no exponential gain"):
        ndcg(["a"], {"a": 5000}, gain="exp")


def test_a_huge_cut_off_costs_nothing() -> None:
    assert ndcg(["a"], ["a"], k=10**12) == 1.0
    assert precision(["a"], ["a"], k=10**12) == 1e-12


def test_a_string_is_no_list_of_ids() -> None:
    with pytest.raises(Exception, match="is the string 'c12'"):
        recall("c12", ["c12"])
    with pytest.raises(Exception, match="are the string 'c12'"):
        recall(["c12"], "c12")


def test_what_a_label_metric_declares() -> None:
    for metric in ALL:
        assert (metric.stage, metric.direction, metric.cost) == ("retrieval", "higher", "free")
        assert metric.unanswerable is False
        assert metric.doc
    assert set(ndcg.settings) == {"k", "gain"}
    assert set(bpref.settings) == set(r_precision.settings) == set()
