"""Negating words."""

import pytest

from acidtest.text.negation import cues, places


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It isn't included, and we cannot add it.", ["isn't", "cannot"]),
        ("There is no limit.", ["no"]),
        ("Not only fast but cheap, no later than Monday.", []),
        ("It is included.", []),
        ("Das ist nicht im Preis und keine Option.", ["nicht", "keine"]),
        ("Ce n'est pas possible.", ["pas"]),
        ("Esto no está en el plan.", ["no"]),
        ("这不是真的", ["不"]),
        ("ไม่มีข้อมูล", ["ไม่"]),
        ("Это не входит в план", ["не"]),
    ],
)
def test_cues(text: str, expected: list[str]) -> None:
    assert cues(text) == expected


def test_places_are_offsets_of_the_cues_in_the_text() -> None:
    text = "No later than May; it is not here, and we can't say."
    assert [text[start:end] for start, end in places(text, language="en")] == ["not", "can't"]
