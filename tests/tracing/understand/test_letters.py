"""The letters of a prompt: what its chunks are sought by, however it indents, quotes and escapes them."""

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from acidtest.tracing.understand.fed import _letters


@settings(deadline=None, derandomize=True)
@given(st.one_of(st.text(max_size=60), st.text("aÉ_ß1٣ \n-—’ﬁ\ud800", max_size=60)))
@example('It\'s a \\n "test_1".')
def test_letters_and_digits_alone(text: str) -> None:
    assert _letters(text) == re.sub(r"[\W_]+", "", text).casefold()
