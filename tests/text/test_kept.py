"""What a function last said of a text is kept, of short texts only, and only so many."""

from acidtest.text.kept import kept


def counting(most, longest):
    asked = []

    @kept(most=most, longest=longest)
    def length(text, more=0):
        """Say how long a text is."""
        asked.append(text)
        return len(text) + more

    return length, asked


def test_the_same_text_is_worked_on_once():
    length, asked = counting(2, 10)
    assert [length("one"), length("one"), length("one", 1), length("one", more=1)] == [3, 3, 4, 4]
    assert asked == ["one"] * 3  # `1` and `more=1` are kept apart
    assert length.__name__ == "length"


def test_only_so_many_are_kept():
    length, asked = counting(2, 10)
    for text in ("a", "b", "c", "a"):
        length(text)
    assert asked == ["a", "b", "c", "a"]


def test_a_long_text_is_not_kept():
    length, asked = counting(2, 10)
    assert [length("x" * 11), length("x" * 11)] == [11, 11]
    assert len(asked) == 2
