"""A judge's row: agreement where it decides, another's on the same rows, and thresholds fitted elsewhere."""

import pytest

from acidtest.data.outcomes import Score, Skip


@pytest.fixture
def beside(bench):
    return bench("judges_beside")


@pytest.fixture
def tables(bench):
    return bench("judges_tables")


@pytest.fixture
def on(beside):
    truths = [True, True, True, True, False, False, False, False]
    return beside.Rows(truths, list("abcdefgh"))


def test_another_judge_is_measured_on_the_rows_that_this_one_decides(beside, tables, on):
    made = tables.table("t", "Judge", *beside.HEAD, "other", beside.LESS)
    told = [1, 1, None, None, 0, 0, None, None]
    other = [1, 0, 0, 0, 0, 0, 1, 1]
    beside.add(made, "mine", on, told, other)
    found = made.figures["mine"]
    assert (found["decided"], found["n"]) == (0.5, 4)
    assert found["kappa"].value == 1
    assert found["other"].value == pytest.approx(0.5)
    assert found["less"].value == pytest.approx(0.5)
    assert found["auc"].value == pytest.approx((8 + 4 + 2) / 16)  # four stand in the middle
    assert made.rows[0][:2] == ("mine", "50% of 8")
    assert len(made.rows[0]) == len(made.columns)


def test_one_that_decides_nothing_has_no_figures(beside, tables, on):
    made = tables.table("t", "Judge", *beside.HEAD)
    beside.add(made, "mine", on, [None] * 8)
    assert made.rows == [("mine", "0% of 8", "", "", "")]


def test_a_difference_is_of_the_same_rows_and_the_same_either_way(beside):
    truths = [n % 2 == 0 for n in range(60)]
    on = beside.Rows(truths, [n // 3 for n in range(60)])
    other = [not truth if n % 5 == 0 else truth for n, truth in enumerate(truths)]
    found, back = beside.apart(truths, other, on), beside.apart(other, truths, on)
    assert found.value == pytest.approx(0.4)
    assert found.ci[0] > 0.1
    assert back.value == pytest.approx(-0.4)
    assert beside.apart(truths, truths, on).value == 0
    assert beside.apart(truths, truths, on).ci[0] < 0 < beside.apart(truths, truths, on).ci[1]
    assert isinstance(beside.apart([True] * 2, [True] * 2, beside.Rows([True] * 2, [1, 2])), Skip)


def test_a_fitted_threshold_is_not_fitted_on_its_own_group(beside):
    rows = beside.Rows([True, False] * 20, [n // 2 for n in range(40)])
    assert beside.fitted([0.9, 0.2] * 20, rows) == [1.0, 0.0] * 20


def test_counts_of_claims(beside):
    some = Score(0.5, parts={"claims": 4.0, "supported": 1.0, "unsupported": 1.0, "undecided": 2.0})
    none = Skip(
        "undecided", {"claims": 2.0, "supported": 0.0, "unsupported": 0.0, "undecided": 2.0}
    )
    empty = Skip("it declines")
    assert [beside.of_decided(x) for x in (some, none, empty)] == [0.5, None, None]
    assert [beside.of_all(x) for x in (some, none, empty)] == [0.25, 0.0, None]
    assert [beside.not_unsupported(x) for x in (some, none, empty)] == [0.75, 1.0, None]
    assert [beside.clear(x) for x in (some, none, empty)] == [0.0, None, None]


def test_correlations(tables):
    first, second = [1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 4.0, 9.0, 16.0, 20.0]
    found = tables.correlation(tables.spearman, first, second, list("abcde"))
    assert found.value == pytest.approx(1)
    found = tables.correlation(tables.pearson, first, second, list("abcde"))
    assert found.value == pytest.approx(50 / (10 * 254) ** 0.5)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.434, ".43"), (-0.051, "-.05"), (1.0, "1.00"), (-0.001, ".00"), (-1.08, "-1.08")],
)
def test_numbers(tables, value, text):
    assert tables.number(value) == text


def test_long_answers_by_words(bench, shared, tables, monkeypatch):
    monkeypatch.setattr(tables, "DRAWS", 20)
    correct = bench("judges_correct")
    rows = list(tables.lines(shared / "data" / "ragchecker_meta" / "pairs.jsonl.gz"))
    made = tables.table("t", "Judge", *correct.OF, "decided")
    correct.add_way(made, "recorded", rows, correct.recorded)
    correct.add_way(made, "words", rows, correct.in_common)
    assert made.figures["recorded"]["overall"].value == pytest.approx(0.627, abs=5e-4)
    assert made.figures["words"]["completeness"].value == pytest.approx(0.64, abs=5e-3)


def test_the_local_judge_has_no_say_on_relevance(bench, shared, tables, monkeypatch):
    pytest.importorskip("wordllama")
    monkeypatch.setattr(tables, "DRAWS", 20)
    found = bench("judges_relevant").relevance(shared / "data").figures
    assert found["alce: local"]["decided"] == found["expertqa: local"]["decided"] == 0
    assert abs(found["alce: nearness of the embeddings"]["auc"].value - 0.5) < 0.1
