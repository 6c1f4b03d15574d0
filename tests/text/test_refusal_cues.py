"""No phrase can refuse without a cue of its language: else a refusal would go unseen."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acidtest.text.refusal import declined
from acidtest.text.refusal_cues import CUES, beyond_latin, cued
from acidtest.text.refusal_phrases import PHRASES

ALTERNATIVES = [
    (language, n) for language, phrases in PHRASES.items() for n in range(len(phrases.refuses))
]


def test_every_language_is_known_by_cues_or_by_its_script():
    assert set(CUES) <= set(PHRASES)
    assert set(PHRASES) - set(CUES) == {"ru", "ar", "hi", "zh", "ja", "ko", "th"}


@pytest.mark.parametrize(("language", "n"), ALTERNATIVES)
def test_whatever_refuses_has_a_cue(language, n):
    pattern = re.compile(PHRASES[language].refuses[n], re.IGNORECASE)

    @settings(
        max_examples=2,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.from_regex(pattern, fullmatch=True))
    def has_one(text):
        assert language in cued(text) if language in CUES else beyond_latin(text)

    has_one()


def test_a_plain_answer_has_none():
    answer = "The Pro plan costs 49 euros a month and includes priority support."
    assert cued(answer) == frozenset()
    assert not beyond_latin(answer)
    assert beyond_latin("Тариф стоит 49 евро.")


@pytest.mark.parametrize(
    "text",
    [
        "I DON’T KNOW.",
        "I do*not* know.",
        'I do "not" know the answer.',
        "I do[1] not[2] know.",
        "BİLGİM YOK",
        "Das geht aus den Unterlagen NICHT hervor.",
    ],
)
def test_case_markup_quotes_and_citations_hide_no_cue(text):
    assert cued(text)


def test_a_refusal_is_seen_through_them():
    assert declined("I DON’T *know* the answer[1].").declined
