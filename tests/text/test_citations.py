"""Citation markers and quotations."""

import pytest

from acidtest.text.citations import blanked, markers, rank_of
from acidtest.text.quotations import held, quotations


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("so it is [1].", [("1",)]),
        ("so it is[2, 3].", [("2", "3")]),
        ("so [4-6] it is", [("4", "5", "6")]),
        ("a [c12] b [refunds#2]", [("c12",), ("refunds#2",)]),
        ("a [handbook.md] b [doc 3]", [("handbook.md",), ("doc 3",)]),
        ("a【1】and [^2]", [("1",), ("2",)]),
        ("a [1][2]", [("1",), ("2",)]),
        ("file [a b.pdf]", []),
    ],
)
def test_markers(text: str, labels: list[tuple[str, ...]]) -> None:
    assert [marker.labels for marker in markers(text)] == labels


@pytest.mark.parametrize(
    "text",
    [
        "[optional] and [e.g.] and [sic]",
        "[a link](https://x.y)",
        "`items[0]` and ```x[1]```",
        "[2024-03-05]",
        "[and/or]",
        "[]",
        "[[",
        "[1",
    ],
)
def test_what_does_not_cite(text: str) -> None:
    assert markers(text) == []


def test_a_known_id_cites_whatever_it_looks_like() -> None:
    assert markers("see [Travel Policy]", ["travel policy"])[0].labels == ("Travel Policy",)


def test_blanking_keeps_offsets() -> None:
    text = "It is so [1]. And so [2]."
    bare = blanked(text, markers(text))
    assert bare == "It is so    . And so    ."


def test_ranks() -> None:
    assert rank_of("3") == 3
    assert rank_of("doc 3") == 3
    assert rank_of("refunds#2x") is None


def test_quotations_are_more_than_a_word() -> None:
    assert quotations('It says "within thirty days" and “at no cost”.') == [
        "within thirty days",
        "at no cost",
    ]
    assert quotations('a "co-pay" or a 5" pipe and a 6" one') == []
    assert quotations("他说「三十天内可以退款」。") == ["三十天内可以退款"]


def test_a_source_holds_a_quotation_word_for_word() -> None:
    source = "Refunds are “granted”\nwithin  30 days – always."
    assert held("refunds are 'granted' within 30 days", source.replace("“", "'").replace("”", "'"))
    assert held("Refunds ... 30 days - always!", source)
    assert not held("30 days ... Refunds", source)
    assert not held("within 14 days", source)
