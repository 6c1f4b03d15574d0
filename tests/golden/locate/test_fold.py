"""Folding: what counts as the same, and the way back to the text as it came."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.golden.locate.fold import Folded, fold, tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("“Don’t”", '"don\'t"'),
        ("a — b", "a-b"),
        ("ﬁnd the oﬃce", "find the office"),
        ("co\u00adopera\u00adtion", "cooperation"),
        ("a\u00a0b\n\nc", "a b c"),
        ("１２３ ＡＢＣ", "123 abc"),
        ("cafe\u0301", "caf\u00e9"),
        ("wait…", "wait..."),
        ("کتـــاب", "کتاب"),
    ],
)
def test_typography_is_no_difference(one, other):
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("5 + 3", "5 - 3"), ("$8", "$9"), ("é", "e")])
def test_signs_numbers_and_accents_are(one, other):
    assert fold(one) != fold(other)


@given(st.text(max_size=60))
def test_every_folded_letter_knows_where_it_stood(text):
    folded = Folded(text)
    assert folded.text == fold(text)
    for at in range(len(folded)):
        start, end = folded.origin(at, at + 1)
        assert end == start + 1
        # Marks on one letter may be put into another order.
        if not any(unicodedata.combining(letter) for letter in folded.text):
            assert folded.text[at] in fold(text[start:end])


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_range_leads_back_to_text_that_folds_to_it(left, right):
    middle = "Evidence “stands” here"
    folded = Folded(f"{left}|{middle}|{right}")
    wanted = fold(middle)
    at = folded.text.find(f"|{wanted}|") + 1
    start, end = folded.origin(at, at + len(wanted))
    assert fold(f"{left}|{middle}|{right}"[start:end]) == wanted


def test_words_of_scripts_without_spaces_are_letters():
    assert tokens("退款会在 14 days") == ["退", "款", "会", "在", "14", "days"]
    assert tokens("The Pro-Plan") == ["the", "pro", "plan"]
