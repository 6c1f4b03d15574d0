"""Sentences in many scripts: where they end, and that nothing is lost."""

import itertools
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acidtest.text.sentences import LONGEST, sentences, spans

ROOT = Path(__file__).parents[2]

SPLITS = [
    (
        "Dr. Smith paid $5.50 on Jan. 3. It was e.g. cheap!",
        ["Dr. Smith paid $5.50 on Jan. 3.", "It was e.g. cheap!"],
    ),
    ("", []),
    (" \n\t ", []),
    ("...", ["..."]),
    ("One sentence without an end", ["One sentence without an end"]),
    ("- item one\n- item two", ["- item one", "- item two"]),
    ("Steps:\n1. Open it\n2. Close it", ["Steps:", "1. Open it", "2. Close it"]),
    ("A title\n\nA paragraph.", ["A title", "A paragraph."]),
    ("It goes on\nin the next line.", ["It goes on\nin the next line."]),
    ("今天天气很好。你好吗？很好！", ["今天天气很好。", "你好吗？", "很好！"]),
    ("これはテストです。次の文です。", ["これはテストです。", "次の文です。"]),
    ("هل هذا صحيح؟ نعم هذا صحيح.", ["هل هذا صحيح؟", "نعم هذا صحيح."]),
    ("یہ ایک جملہ ہے۔ یہ دوسرا ہے۔", ["یہ ایک جملہ ہے۔", "یہ دوسرا ہے۔"]),
    ("यह एक वाक्य है। यह दूसरा है।", ["यह एक वाक्य है।", "यह दूसरा है।"]),
    ("สวัสดีครับ วันนี้อากาศดี", ["สวัสดีครับ", "วันนี้อากาศดี"]),
    ("ราคา 500 บาทต่อเดือน", ["ราคา 500 บาทต่อเดือน"]),
    ("Das kostet z. B. 5 Euro. Mehr nicht.", ["Das kostet z. B. 5 Euro.", "Mehr nicht."]),
    ("| a | b |\n| c | d |", ["| a | b |", "| c | d |"]),
    ("One.\r\nTwo.", ["One.", "Two."]),
]


@pytest.mark.parametrize(("text", "expected"), SPLITS)
def test_sentences_end_where_readers_end_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_thai_without_full_stops_is_cut_at_its_spaces() -> None:
    text = "ร้านเปิดทุกวันตั้งแต่เช้าจนถึงเย็นของทุกสัปดาห์ ลูกค้าสามารถคืนสินค้าได้ภายในสามสิบวันหลังซื้อ"
    assert len(sentences(text)) == 2


def test_a_very_long_piece_is_cut() -> None:
    text = "word " * 2_000
    pieces = sentences(text)
    assert max(map(len, pieces)) <= LONGEST
    assert " ".join(pieces).split() == text.split()


def test_a_language_may_be_named() -> None:
    assert sentences("Am 5. März kam er. Er ging.", language="de") == [
        "Am 5. März kam er.",
        "Er ging.",
    ]


ALPHABET = st.text(
    st.one_of(
        st.sampled_from("ab. \n-1)(“”'\"ก า。？!?;,|*A\r\u2028é।؟#"), st.characters(codec="utf-8")
    ),
    max_size=120,
)


@settings(deadline=None, derandomize=True)
@given(ALPHABET)
def test_spans_tile_the_text(text: str) -> None:
    found = spans(text)
    if not text.strip():
        assert found == []
        return
    assert found[0][0] == 0
    assert found[-1][1] == len(text)
    assert all(a[1] == b[0] for a, b in itertools.pairwise(found))


@settings(deadline=None, derandomize=True)
@given(ALPHABET)
def test_no_character_but_space_is_lost(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())
    assert all(piece.strip() for piece in sentences(text))


@pytest.mark.parametrize("quote", ["'", "“", "«", '"'])
def test_blocks_of_a_long_text_tile_it_too(quote: str) -> None:
    text = f"He said {quote}yes. No. " * 2_000
    found = spans(text)
    assert found[0][0] == 0
    assert found[-1][1] == len(text)
    assert len(found) >= 2_000


def test_halves_of_surrogate_pairs_are_cut_like_other_characters():
    assert sentences("One \ud83d half. Two\udc00 halves.") == [
        "One \ud83d half.",
        "Two\udc00 halves.",
    ]


@pytest.mark.parametrize("space", ["\u00a0", "\u2003", "\u3000"])
def test_a_wide_space_that_the_library_breaks_off_at_is_read_as_a_space(space: str) -> None:
    assert sentences(f"I{space}.") == [f"I{space}."]
    text = f"There was Henry I{space}. He ruled. Then came another{space}king."
    assert sentences(text)[-1] == f"Then came another{space}king."
    assert "".join(sentences(text)).replace(" ", "") == text.replace(" ", "")


def test_a_text_that_the_library_breaks_off_at_stays_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    panic = type("PanicException", (BaseException,), {})

    def segment(language: str, text: str) -> list[str]:
        raise panic(language + text)

    monkeypatch.setattr("sentencex.segment", segment)
    assert sentences("One. Two.\nThree is a line.", "en") == ["One. Two.", "Three is a line."]


def test_nothing_else_asks_the_library_which_may_panic() -> None:
    asks = re.compile(r"^\s*(?:import|from)\s+sentencex\b|[\"']sentencex[\"']", re.MULTILINE)
    found = [
        path.relative_to(ROOT).as_posix()
        for folder in ("src", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        if asks.search(path.read_text(encoding="utf-8"))
    ]
    assert found == ["src/acidtest/text/sentences.py"]
