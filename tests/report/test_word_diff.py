"""Word differences: what is marked, that the rest is the same, and that the work is bounded."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.report.word_diff import differences


def cut(text, ranges):
    return [text[start:end] for start, end in ranges]


def rest(text, ranges):
    """What is left of a text without its changes, white space aside."""
    kept, at = "", 0
    for start, end in ranges:
        kept, at = kept + text[at:start], end
    return "".join((kept + text[at:]).split())


@pytest.mark.parametrize(
    ("before", "after", "gone", "new"),
    [
        (
            "You may return it within 30 days, unused.",
            "You may return it within 14 days, unused.",
            ["30"],
            ["14"],
        ),
        ("The plan costs €49 per month.", "The plan costs €49.50 per month.", ["49"], ["49.50"]),
        ("It is covered in full.", "It is not covered in full.", [], ["not"]),
        ("It is blue.", "It is blue. Really.", [], ["Really."]),
        ("It is blue. Really. So.", "It is blue. So.", ["Really."], []),
        ("Same   text\nhere", "Same text here", [], []),
        ("", "All of this is new.", [], ["All of this is new."]),
        ("退货期为三十天。", "退货期为十四天。", ["三"], ["四"]),
        ("보증 기간은 이 년입니다", "보증 기간은 삼 년입니다", ["이"], ["삼"]),
        (
            "Ja, natürlich!",
            "No idea at all about it",
            ["Ja, natürlich!"],
            ["No idea at all about it"],
        ),
    ],
)
def test_what_is_marked(before, after, gone, new):
    found = differences(before, after)
    assert cut(before, found[0]) == gone
    assert cut(after, found[1]) == new


def test_small_islands_are_part_of_the_change():
    before = "Refunds take five to nine working days after we have got the parcel."
    after = "Refunds take up to ten calendar days after we have got the parcel."
    found = differences(before, after)
    assert cut(before, found[0]) == ["five to nine working"]
    assert cut(after, found[1]) == ["up to ten calendar"]


@given(
    st.lists(st.sampled_from(["a", "bb", "ccc.", "d!", "é", "日", "�", ","]), max_size=30),
    st.lists(st.sampled_from(["a", "bb", "ccc.", "d!", "é", "日", "�", ","]), max_size=30),
)
def test_what_is_not_marked_is_the_same_in_both(one, other):
    before, after = " ".join(one), " ".join(other)
    gone, new = differences(before, after)
    for text, ranges in ((before, gone), (after, new)):
        ends = [place for one in ranges for place in one]
        assert ends == sorted(ends)
        assert all(0 <= start < end <= len(text) for start, end in ranges)
    whole = [rest(before, gone), rest(after, new)]
    assert whole[0] == whole[1]
    assert (not gone and not new) == ("".join(one) == "".join(other))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("word " * 4_000, "other " + "word " * 3_900 + "end"),
        ("a b " * 3_000, "b a b c " * 2_000),
        ("x" * 20_000, "y" * 20_000),
        (". " * 10_000, "! " * 5_000 + ". " * 5_000),
    ],
)
def test_repetitive_texts_take_no_time(before, after):
    start = time.process_time()
    gone, new = differences(before, after)
    assert time.process_time() - start < 2
    assert gone
    assert new


def test_a_long_answer_is_still_told_apart_by_words():
    # Words as often as a language has them (Zipf, Mandelbrot): few of them make half of a text.
    weights = [1 / (rank + 2.7) for rank in range(5_000)]
    drawn = random.Random(3).choices(range(5_000), weights, k=2_000)
    words = [f"w{n}" for n in drawn]
    changed = [*words[:700], "quite", "new", *words[700:1_500], *words[1_510:]]
    start = time.process_time()
    gone, new = differences(" ".join(words), " ".join(changed))
    assert time.process_time() - start < 3
    assert cut(" ".join(changed), new) == ["quite new"]
    assert len(" ".join(cut(" ".join(words), gone)).split()) == 10
