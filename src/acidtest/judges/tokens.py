"""About how many tokens a text has, without a tokenizer: by its letters."""

import re

LATIN = 4.0
"""Characters of a token in English and its like, by OpenAI's rule of thumb
(https://help.openai.com/en/articles/4936856-what-are-tokens-and-how-to-count-them)."""

OTHER = 2.0
"""Characters of a token in other alphabets; one of Chinese, Japanese and Korean is a token of its own."""

_WIDE = re.compile("[\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_OTHER = re.compile("[\u0370-\u1dff\u2c00-\u2e7f\U00010000-\U0001ffff]")


def tokens(text: str) -> float:
    """Return about how many tokens a text has; real tokenizers differ by a quarter either way."""
    if text.isascii():
        return len(text) / LATIN
    wide, other = len(_WIDE.findall(text)), len(_OTHER.findall(text))
    return wide + other / OTHER + (len(text) - wide - other) / LATIN
