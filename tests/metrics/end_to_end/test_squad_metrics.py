"""Exact match and token F1: worked examples and what must hold for any two texts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.metrics.end_to_end.exact_match import exact_match
from acidtest.metrics.end_to_end.token_f1 import token_f1

TEXT = st.text(
    st.one_of(st.sampled_from("ab the.,退款 "), st.characters(codec="utf-8")), max_size=30
)


def value(outcome: Outcome) -> float:
    assert isinstance(outcome, Score), outcome
    return outcome.value


@pytest.mark.parametrize(
    ("text", "reference", "em", "f1"),
    [
        ("Paris", "paris", 1, 1),
        ("The Eiffel Tower.", "eiffel tower", 1, 1),
        ("Paris, France", "Paris", 0, 2 / 3),
        ("London", "Paris", 0, 0),
        ("cat cat dog", "cat dog dog", 0, 2 / 3),
        ("the", "a", 1, 1),
        ("the", "cat", 0, 0),
        ("退款三十天", "退款十四天", 0, 4 / 5),
        ("三十天。", "三十天", 0, 1),
        ("Paris [1].", "Paris", 1, 1),
        ("[1]", "[2]", 0, 0),
    ],
)
def test_worked_examples(text: str, reference: str, em: float, f1: float) -> None:
    assert value(exact_match(text, reference)) == em
    assert value(token_f1(text, reference)) == pytest.approx(f1)


@pytest.mark.parametrize("metric", [exact_match, token_f1])
def test_empty_answers_and_references(metric: object) -> None:
    assert callable(metric)
    assert value(metric("", "Paris")) == 0.0
    assert value(metric("  ", "Paris")) == 0.0
    assert isinstance(metric("Paris", ""), Skip)
    assert isinstance(metric("", " "), Skip)


def test_the_counts_are_shown() -> None:
    outcome = token_f1("cat dog", "the cat")
    assert isinstance(outcome, Score)
    assert outcome.parts == {"same": 1, "answer_tokens": 2, "reference_tokens": 1}


@settings(deadline=None, derandomize=True)
@given(TEXT, TEXT)
def test_token_f1_is_symmetric_and_in_range(left: str, right: str) -> None:
    if not left.strip() or not right.strip():
        return
    f1 = value(token_f1(left, right))
    assert 0.0 <= f1 <= 1.0
    assert f1 == value(token_f1(right, left))


@settings(deadline=None, derandomize=True)
@given(TEXT, TEXT)
def test_an_exact_match_has_a_token_f1_of_one(left: str, right: str) -> None:
    for text, reference in ((left, right), (left, f" {left.upper()}, "), (left, left)):
        if not text.strip() or not reference.strip():
            continue
        if value(exact_match(text, reference)) == 1.0:
            assert value(token_f1(text, reference)) == 1.0
