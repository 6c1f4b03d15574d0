"""SQuAD's normalisation and tokens, by which exact match and token F1 are defined.

Rajpurkar et al. 2016, "SQuAD: 100,000+ Questions for Machine Comprehension of Text", and its official
evaluation script, versions 1.1 and 2.0.
"""

import re
import string

from acidtest.text.words import characters, unspaced

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION = dict.fromkeys(map(ord, string.punctuation))


def normalise(text: str) -> str:
    """Lower-case, remove ASCII punctuation and English articles, and single the spaces.

    In that order, as the official script does it: punctuation vanishes without leaving a space
    (`3.5` becomes `35`), articles leave one.
    """
    bare = text.lower().translate(_NO_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())


def tokens(text: str) -> list[str]:
    """Return the normalised text cut at spaces, as the official script does it.

    Chinese, Japanese, Thai and other scripts that write no spaces are cut into characters, as the
    multilingual descendants of SQuAD (MLQA, CMRC) do it, where one token a sentence would make F1 an
    exact match.
    """
    return [
        piece
        for token in normalise(text).split()
        for piece in (characters(token) if unspaced(token) else [token])
    ]
