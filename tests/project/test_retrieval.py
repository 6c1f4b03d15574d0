"""`acidtest.retrieval`: shapes of input, options, and what is refused."""

import math
import random
from pathlib import Path

import pytest

from acidtest.errors import AcidtestError, BadData, UnknownName, UsageError
from acidtest.project.retrieval import DEFAULT, retrieval

QRELS = {"q2": {"a": 1}, "q1": {"a": 2, "b": 1}, "q10": {"c": 1, "d": 0}}
RUN = {
    "q1": {"x": 3.0, "a": 2.0, "b": 1.0},
    "q2": {"a": 0.5},
    "q10": {"d": 2.0, "c": 1.0},
    "other": {"a": 1.0},
}
LISTS = {query: sorted(run, key=run.__getitem__, reverse=True) for query, run in RUN.items()}


def test_means_and_per_query_values() -> None:
    scores = retrieval(QRELS, RUN, ["mrr", "recall@1"])
    assert scores.queries == ["q1", "q10", "q2"]
    assert scores.per_query == {"mrr": [0.5, 0.5, 1.0], "recall@1": [0.0, 0.0, 1.0]}
    assert scores.means == {"mrr": 2.0 / 3, "recall@1": 1.0 / 3}
    assert scores.rows()["q2"] == {"mrr": 1.0, "recall@1": 1.0}
    assert (scores.missing, scores.unlabelled) == ([], [])


def test_every_shape_of_input_gives_the_same(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text(
        "".join(f"{q} 0 {d} {g}\n" for q, x in QRELS.items() for d, g in x.items())
    )
    (tmp_path / "run").write_text(
        "".join(f"{q} Q0 {d} 0 {s} t\n" for q, x in RUN.items() for d, s in x.items())
    )
    expected = retrieval(QRELS, RUN)
    assert list(expected.means) == list(DEFAULT)
    assert retrieval(QRELS, LISTS) == expected
    assert retrieval(QRELS, {q: tuple(ids) for q, ids in LISTS.items()}) == expected
    assert retrieval(tmp_path / "qrels", str(tmp_path / "run")) == expected
    assert retrieval(QRELS, tmp_path / "run") == expected
    assert retrieval(tmp_path / "qrels", LISTS) == expected
    order = expected.queries
    by_place = retrieval([QRELS[q] for q in order], [LISTS[q] for q in order])
    assert (by_place.queries, by_place.means) == (["0", "1", "2"], expected.means)
    assert retrieval([QRELS[q] for q in order], [RUN[q] for q in order]) == by_place


def test_queries_without_ids_keep_their_order() -> None:
    labels, rankings = [["a"]] * 12, [["a"] if i == 2 else ["b"] for i in range(12)]
    scores = retrieval(labels, rankings, ["hit"])
    assert scores.queries[2:11:8] == ["2", "10"]
    assert scores.per_query["hit"][2] == 1.0


def test_a_missing_query_and_one_without_labels_count_zero() -> None:
    scores = retrieval(
        {"q1": ["a"], "q2": ["a"], "q3": {"a": 0}}, {"q1": ["a"], "q3": ["a"]}, ["mrr"]
    )
    assert scores.means == {"mrr": 1.0 / 3}
    assert (scores.missing, scores.unlabelled) == (["q2"], ["q3"])


def test_one_metric_may_be_named_alone_and_by_trec_evals_name() -> None:
    assert list(retrieval(QRELS, RUN, "ndcg_cut.5,10").means) == ["ndcg@5", "ndcg@10"]


def test_gain_is_for_every_ndcg_that_does_not_name_its_own() -> None:
    qrels, run = {"q": {"a": 3, "b": 1}}, {"q": ["b", "a"]}
    names = ["ndcg", "ndcg(gain=linear)", "ndcg(gain=exp)"]
    default, linear, exp = retrieval(qrels, run, names).means.values()
    assert default == linear != exp
    assert list(retrieval(qrels, run, names, gain="exp").means.values()) == [exp, linear, exp]
    assert exp == (1 + 7 / math.log2(3)) / (7 + 1 / math.log2(3))


def test_means_add_from_left_to_right() -> None:
    rng = random.Random(5)
    ranks = [rng.randrange(1, 60) for _ in range(999)]
    rankings = [["x"] * 0 + [f"n{i}" for i in range(rank - 1)] + ["r"] for rank in ranks]
    total = 0.0
    for rank in ranks:
        total += 1 / rank
    assert retrieval([["r"]] * 999, rankings, ["mrr"]).means["mrr"] == total / 999


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: retrieval({}, RUN), BadData, "no judged queries"),
        (lambda: retrieval(QRELS, {"7": ["a"]}), BadData, "none of the 3 judged queries"),
        (lambda: retrieval(QRELS, {}), BadData, "none of the 3 judged queries"),
        (lambda: retrieval(QRELS, RUN, []), UsageError, "no metric is named"),
        (lambda: retrieval(QRELS, RUN, ["recal"]), UnknownName, "Did you mean 'recall'"),
        (lambda: retrieval(QRELS, RUN, ["exact_match"]), UsageError, "from labels and ranks"),
        (lambda: retrieval(QRELS, RUN, ["recall(of=candidates)@5"]), UsageError, "no candidates"),
        (lambda: retrieval(QRELS, RUN, level=0), UsageError, "level: 0 is not"),
        (lambda: retrieval(QRELS, RUN, depth=0), UsageError, "depth: 0 is not"),
        (lambda: retrieval(QRELS, RUN, gain="cube"), UsageError, "gain: 'cube'"),
        (lambda: retrieval(QRELS, RUN, compat="8"), UsageError, "compat: '8'"),
        (lambda: retrieval(QRELS, [["a"]]), UsageError, "two mappings"),
        (lambda: retrieval([["a"]], [["a"], ["b"]]), UsageError, "of one length"),
        (lambda: retrieval(QRELS, {"q1": "a"}), BadData, "is the string 'a'"),
        (lambda: retrieval(QRELS, {"q1": 3}), UsageError, "the rankings are"),
        (lambda: retrieval(QRELS, {"q1": ["a"], "q2": {"a": 1.0}}), UsageError, "the rankings are"),
        (lambda: retrieval(QRELS, {"q1": ["a", "a"]}), BadData, "query 'q1': the id 'a' comes twice"),
        (lambda: retrieval(QRELS, {"q1": {"a": math.nan}}), BadData, "query 'q1': the score of 'a'"),
        (lambda: retrieval(QRELS, {"q1": {"a": "1"}}, compat="9"), BadData, "the score of 'a' is '1'"),
        (lambda: retrieval({"q1": {"a": "x"}}, {"q1": ["a"]}), BadData, "the grade of 'a' is 'x'"),
        (lambda: retrieval({"q": ["a"], 1: ["a"]}, {"q": ["a"]}), BadData, "of several types"),
    ],
)  # fmt: skip
def test_what_is_refused(call, error: type[AcidtestError], message: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert message in str(caught.value)


def test_query_ids_that_look_alike_and_are_not_are_told_apart() -> None:
    with pytest.raises(BadData, match="Their types are int and str: make them all text"):
        retrieval({1: {"a": 1}}, {"1": ["a"]}, ["mrr"])
