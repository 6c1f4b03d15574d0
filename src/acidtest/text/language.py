"""Language: a good guess from script and function words, enough to choose word lists by."""

import re

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
_LOOK = 4_000
_WORD = re.compile(rf"[^\W\d_][\w{MARKS}]*")


def guess(text: str) -> str:
    """Return the language of a text as an ISO 639-1 code.

    Scripts that mostly write one language give that one. Latin text is told apart by counting
    function words; with none, or in a tie, it is English. Urdu and Persian come out as Arabic,
    Ukrainian as Russian: their sentence ends and digits are shared, and that is what it is used for.
    """
    script = main_script(text)
    if script != "latin":
        return _BY_SCRIPT[script]
    found = [w.casefold() for w in _WORD.findall(text[:_LOOK])]
    best, most = "en", sum(w in STOPWORDS["en"] for w in found)
    for language in ("de", "fr", "es", "it", "pt", "nl", "pl", "sv", "tr"):
        count = sum(w in STOPWORDS[language] for w in found)
        if count > most:
            best, most = language, count
    return best
