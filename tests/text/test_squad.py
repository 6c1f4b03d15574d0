"""SQuAD's normalisation against a second, character-by-character reading of its definition."""

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from acidtest.text.squad import normalise, tokens


def definition(text: str) -> list[str]:
    """Lower; drop ASCII punctuation; split at what is no word character; drop articles there."""
    kept = "".join(c for c in text.lower() if c not in string.punctuation)
    runs, current, kind = [], "", None
    for c in kept:
        is_word = c.isalnum() or c == "_"
        if is_word != kind and current:
            runs.append(current)
            current = ""
        current, kind = current + c, is_word
    runs.append(current)
    return "".join(" " if run in {"a", "an", "the"} else run for run in runs).split()


@settings(deadline=None, derandomize=True)
@given(st.text(st.sampled_from("aAnthe THE.,'-3 \tÄé’—x"), max_size=40))
def test_normalise_is_the_definition(text: str) -> None:
    assert normalise(text) == " ".join(definition(text))


def test_worked_examples() -> None:
    assert normalise("The  Cat, an A-Team!") == "cat ateam"
    assert normalise("3.5") == "35"
    assert normalise("theatre") == "theatre"
    assert normalise("the") == ""


def test_scripts_without_spaces_are_cut_into_characters() -> None:
    assert tokens("退款需要30天。") == ["退", "款", "需", "要", "30", "天"]
    assert tokens("The refund") == ["refund"]


@settings(deadline=None, derandomize=True)
@given(st.text(st.characters(codec="ascii"), max_size=60))
def test_plain_text_has_the_tokens_of_the_official_script(text: str) -> None:
    assert tokens(text) == normalise(text).split()
