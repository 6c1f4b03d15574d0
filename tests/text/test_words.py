"""Words in scripts with and without spaces."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acidtest.text.language import guess
from acidtest.text.words import characters, content_words, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Cat sat.", ["the", "cat", "sat"]),
        ("It's Bob's dog, don't pet.", ["it", "bob", "dog", "don't", "pet"]),
        ("1,000 users and 5.5 GB", ["1000", "users", "and", "5.5", "gb"]),
        ("L’heure d'été", ["l", "heure", "d", "été"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("snake_case x-ray", ["snake_case", "x", "ray"]),
        ("ＡＢＣ　１２", ["abc", "12"]),
        ("今天天气", ["今天", "天天", "天气"]),
        ("东", ["东"]),
        ("カタカナ語", ["カタ", "タカ", "カナ", "ナ語"]),
        ("iPhone用户", ["iphone", "用户"]),
        ("문서에는 없다", ["문서", "서에", "에는", "없다"]),
        ("ที่ดี", ["ที่ดี"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("السَّلامُ عليكم", ["السَّلامُ", "عليكم"]),
        ("", []),
        ("?!…", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_thai_vowels_and_tones_stay_with_their_letter() -> None:
    assert words("สวัสดี") == ["สวั", "วัส", "สดี"]


def test_content_words_leave_function_words_out() -> None:
    assert content_words("The cat is on the mat") == ["cat", "mat"]
    assert content_words("Die Katze sitzt auf der Matte") == ["katze", "sitzt", "matte"]
    assert content_words("die hard", language="en") == ["die", "hard"]


def test_characters_are_letters_of_unspaced_scripts() -> None:
    assert characters("退款30天。") == ["退", "款", "30", "天"]
    assert characters("วัน") == ["วั", "น"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The plan is for all of you", "en"),
        ("Der Plan ist für alle", "de"),
        ("Le plan est pour tous", "fr"),
        ("El plan es para todos y no hay más", "es"),
        ("Il piano è per tutti e non per me", "it"),
        ("O plano não é para você", "pt"),
        ("Het plan is voor iedereen en niet voor mij", "nl"),
        ("To jest plan dla wszystkich i nie dla nas", "pl"),
        ("Bu plan herkes için ve çok iyi", "tr"),
        ("Это план для всех", "ru"),
        ("هذا الخطة للجميع", "ar"),
        ("यह योजना है", "hi"),
        ("这是计划", "zh"),
        ("これは計画です", "ja"),
        ("이것은 계획입니다", "ko"),
        ("นี่คือแผน", "th"),
        ("12345 !", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_guessed(text: str, language: str) -> None:
    assert guess(text) == language


@settings(deadline=None, derandomize=True)
@given(st.text(max_size=200))
def test_words_are_folded_and_never_empty(text: str) -> None:
    found = words(text)
    assert all(found)
    assert all(word == word.casefold() for word in found if word.isascii())
    assert set(content_words(text)) <= set(found)


@settings(deadline=None, derandomize=True)
@given(st.text(max_size=50), st.text(max_size=50))
def test_no_word_reaches_over_a_space(first: str, second: str) -> None:
    assert words(f"{first} {second}") == words(first) + words(second)


@settings(deadline=None, derandomize=True)
@given(st.text("ab1S'., \n_-", max_size=50))
def test_plain_text_has_the_words_that_it_has_beside_other_letters(text: str) -> None:
    assert words(text) == words(f"{text} é")[:-1]
