"""Language: a good guess from script and function words, enough to choose word lists by."""

import itertools
import re
from collections import Counter
from functools import lru_cache

from acidtest.text.scripts import MARKS, main_script
from acidtest.text.stopwords import STOPWORDS

_BY_SCRIPT = {
    "kana": "ja",
    "han": "zh",
    "hangul": "ko",
    "thai": "th",
    "devanagari": "hi",
    "arabic": "ar",
    "cyrillic": "ru",
    "greek": "el",
    "hebrew": "he",
}
_LATIN = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "tr")  # English wins ties
_SPOKEN_BY = {
    word: tuple(language for language in _LATIN if word in STOPWORDS[language])
    for word in frozenset().union(*(STOPWORDS[language] for language in _LATIN))
}
_LOOK = 2_000
_WORD = re.compile(rf"[^\W\d_][\w{MARKS}]*")


def guess(text: str) -> str:
    """Return the language of a text as an ISO 639-1 code.

    Scripts that mostly write one language give that one. Latin text is told apart by counting
    function words; with none, or in a tie, it is English. Urdu and Persian come out as Arabic,
    Ukrainian as Russian: their sentence ends and digits are shared, and that is what it is used for.
    """
    return _guess(text[:_LOOK])


@lru_cache(maxsize=256)
def _guess(head: str) -> str:
    script = main_script(head)
    if script != "latin":
        return _BY_SCRIPT[script]
    words = map(str.casefold, _WORD.findall(head))
    spoken = [_SPOKEN_BY[word] for word in words if word in _SPOKEN_BY]
    votes = Counter(itertools.chain.from_iterable(spoken))
    return max(_LATIN, key=lambda language: votes[language])
