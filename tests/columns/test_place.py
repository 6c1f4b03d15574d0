"""The hit table: what it holds, and what it refuses."""

import math
import random
from types import MappingProxyType

import numpy as np
import pytest

from acidtest.columns.place import from_rankings, from_runs, one_query
from acidtest.columns.table import Places, ratio
from acidtest.errors import BadData


def test_the_table_of_one_ranking() -> None:
    table = one_query(["x", "b", "n", "a"], {"a": 3, "b": 1, "c": 2, "n": 0, "m": -1})
    assert len(table) == 1
    assert table.labels == [(3, 2, 1, 0, -1)]
    assert (table.relevant, table.nonrelevant, table.retrieved) == ([3], [1], [4])
    assert table.hits == table.graded == Places([0, 0], [2, 4], [1, 3])
    assert table.rejected == Places([0], [3], [0])
    assert table.found() == [2]
    assert table.found(3) == [1]


def test_a_higher_level_moves_low_grades_to_the_rejected() -> None:
    table = from_rankings([["a", "b", "n"]], [{"a": 1, "b": 2, "n": 0}], level=2)
    assert (table.relevant, table.nonrelevant) == ([1], [2])
    assert table.hits == Places([0], [2], [2])
    assert table.graded == Places([0, 0], [1, 2], [1, 2])
    assert table.rejected == Places([0, 0], [1, 3], [1, 0])


def test_relevant_ids_alone_have_grade_one() -> None:
    for labels in (["a", "b"], {"a", "b"}, ("a", "b"), frozenset("ab"), {"a": 1, "b": 1}.keys()):
        table = one_query(["b"], labels)
        assert table.relevant == [2]
        assert table.hits == Places([0], [1], [1])


def test_any_mapping_and_any_sequence_will_do() -> None:
    proxy = MappingProxyType({"a": 1, "b": 2})
    assert from_rankings([("b", "a")], [proxy]).hits == Places([0, 0], [1, 2], [2, 1])
    assert from_runs([MappingProxyType({"b": 2, "a": 1.5})], [proxy]).hits.rank == [1, 2]


def test_scores_order_a_run_and_larger_ids_win_ties() -> None:
    run = {"a": 0.5, "c": 0.5, "b": 0.5, "top": 0.9, "low": -math.inf}
    labels = dict.fromkeys(run, 1)
    table = from_runs([run], [labels])
    assert table.hits.rank == [1, 2, 3, 4, 5]
    assert from_runs([run], [["a"]]).hits.rank == [4]
    assert from_runs([run], [["c"]]).hits.rank == [2]
    assert from_runs([run], [["low"]]).hits.rank == [5]


@pytest.mark.parametrize("distinct", [7, 50, 10**9])
@pytest.mark.parametrize("judged", [0, 1, 3, 60])
def test_long_runs_in_any_order_are_ranked_as_sorting_them_would(distinct, judged) -> None:
    rng = random.Random(f"{distinct} {judged}")
    for _ in range(50):
        run = {f"d{n}": float(rng.randrange(distinct)) for n in rng.sample(range(1000), 100)}
        labels = {id_: rng.randint(1, 3) for id_ in rng.sample(list(run), judged)} | {"gone": 1}
        order = sorted(run, key=lambda id_: (run[id_], id_), reverse=True)
        ranks = [rank for rank, id_ in enumerate(order, 1) if id_ in labels]
        for given in (run, {id_: run[id_] for id_ in order}):
            table = from_runs([given], [labels])
            assert table.hits.rank == ranks
            assert table.hits.grade == [labels[order[rank - 1]] for rank in ranks]
        assert from_rankings([order], [labels]).hits == table.hits


def test_a_nan_is_refused_wherever_it_stands_in_a_long_run() -> None:
    for at in range(100):
        for judged in (0, 50, 99):
            run = {str(n): math.nan if n == at else float(n * 37 % 101) for n in range(100)}
            with pytest.raises(BadData, match=f"query 1: the score of '{at}' is nan"):
                from_runs([run], [[str(judged)]])


def test_zero_and_minus_zero_tie() -> None:
    assert from_runs([{"a": 0.0, "b": -0.0}], [["a"]]).hits.rank == [2]
    assert from_runs([{"a": -0.0, "b": 0.0}], [["b"]]).hits.rank == [1]


def test_infinities_of_both_signs_are_scores() -> None:
    run = {"a": math.inf, "b": -math.inf, "c": 0.0}
    assert from_runs([run], [["b"]]).hits.rank == [3]


def test_whole_scores_too_large_for_a_float_keep_their_order() -> None:
    run = {"a": 2**53, "b": 2**53 + 1}
    assert from_runs([run], [["a"]]).hits.rank == [2]


@pytest.mark.parametrize("score", [math.nan, "0.5", None, [1.0]])
def test_a_score_without_a_place_in_an_order_is_refused(score) -> None:
    with pytest.raises(BadData) as caught:
        from_runs([{"a": 1.0}, {"a": 0.5, "b": score}], [["a"], ["a"]], names=["q1", "q2"])
    assert caught.value.where == "query 'q2'"
    assert "the score of 'b'" in caught.value.what


def test_a_nan_is_refused_even_where_nothing_was_found() -> None:
    with pytest.raises(BadData, match="query 1: the score of 'z' is nan"):
        from_runs([{"z": math.nan}], [["a"]])


@pytest.mark.parametrize("grade", ["high", "2", 1.5, None, math.nan, math.inf, 2**64, [1]])
def test_a_grade_that_is_no_whole_number_is_refused(grade) -> None:
    for build, results in ((from_rankings, ["a"]), (from_runs, {"a": 1.0})):
        with pytest.raises(BadData, match=r"the grade of .b. is .*, not a whole number"):
            build([results, results], [["a"], {"a": 1, "b": grade}], names=["q1", "q2"])


def test_whole_floats_and_booleans_are_grades() -> None:
    table = from_rankings([["a", "b"]], [{"a": 2.0, "b": True, "c": 0.0}])
    assert table.labels == [(2, 1, 0)]
    assert [type(grade) for grade in table.hits.grade] == [int, int]


def test_a_repeated_id_is_an_error_where_it_must_not_be() -> None:
    rankings, labels = [["a"], ["a", "b", "c", "b"]], [["a"], ["c"]]
    with pytest.raises(BadData, match="query 'q2': the id 'b' comes twice"):
        from_rankings(rankings, labels, repeats=False, names=["q1", "q2"])
    table = from_rankings(rankings, labels)
    assert table.retrieved == [1, 3]


def test_a_repeated_id_below_the_depth_is_no_error() -> None:
    table = from_rankings([["a", "b", "a"]], [["b"]], depth=2, repeats=False)
    assert table.retrieved == [2]


def test_judged_only_closes_the_ranks_up() -> None:
    labels = {"a": 1, "n": 0, "m": -1}
    table = from_rankings([["x", "n", "m", "y", "a"]], [labels], judged_only=True)
    assert (table.retrieved, table.hits.rank, table.rejected.rank) == ([2], [2], [1])


def test_depth_comes_before_judged_only() -> None:
    table = from_rankings([["x", "y", "a"]], [["a"]], depth=2, judged_only=True)
    assert (table.retrieved, table.hits.rank) == ([0], [])


def test_inputs_are_left_as_they_were() -> None:
    ranking, labels = ["b", "a", "b"], {"b": 2.0, "a": 1}
    run = {"a": 1.0, "b": 2.0}
    from_rankings([ranking], [labels], depth=1)
    from_runs([run], [labels], judged_only=True)
    assert (ranking, labels, list(run)) == (["b", "a", "b"], {"b": 2.0, "a": 1}, ["a", "b"])


def test_no_queries_make_an_empty_table() -> None:
    assert len(from_rankings([], [])) == 0
    assert from_runs([], []).found(5) == []


def test_ratio_masks_what_has_no_denominator() -> None:
    assert ratio([1, 0, 3], [2, 0, 4]) == [0.5, None, 0.75]


@pytest.mark.parametrize(
    ("ranking", "labels", "message"),
    [
        ([("a", 0.9), ("b", 0.5)], ["a"], "ranking begins with ('a', 0.9), which is no id"),
        ([["a", 0.9]], ["a"], "no id"),
        ([{"id": "a"}], ["a"], "ranking begins with {'id': 'a'}, which is no id"),
        ([None], ["a"], "ranking begins with None"),
        (["a"], [("a", 1)], "labels begin with ('a', 1), which is no id"),
        (["a"], [["a", 1]], "labels hold something that is no id"),
        ([1, 2], ["1"], "text in the labels and whole numbers in what was retrieved"),
        (["1"], {1: 1}, "whole numbers in the labels and text in what was retrieved"),
    ],
)
def test_what_could_never_be_found_is_refused_and_not_scored_0(ranking, labels, message) -> None:
    with pytest.raises(BadData) as caught:
        one_query(ranking, labels)
    assert message in str(caught.value)


def test_scored_runs_are_looked_at_too() -> None:
    with pytest.raises(BadData, match="whole numbers in what was retrieved"):
        from_runs([{7: 0.5}], [{"7": 1}])


def test_ids_of_any_type_are_found_where_both_sides_have_it() -> None:
    for one, other in ((1, np.int64(1)), ("a", np.str_("a")), (True, 1), (b"a", b"a")):
        assert one_query([one], [other]).hits == Places([0], [1], [1])
    # A long id is not printed whole.
    with pytest.raises(BadData) as caught:
        one_query([("a" * 10_000, 1)], ["a"])
    assert len(str(caught.value)) < 300
