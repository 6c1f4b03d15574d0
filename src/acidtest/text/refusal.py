"""Refusals: does a text decline to answer, by a marker or by how it speaks?

A text declines when something in it refuses and nothing else tells. What refuses, what only pads a
refusal (an apology, a referral, an offer, what the sources are about instead) and where a sentence
turns ("but ...") is listed by language in `refusal_phrases`. Whatever is left tells: a text that
refuses and tells ("the documents do not say; generally speaking, ...") declines partly.

It goes by wording, so it errs where wording misleads: an answer that is itself about missing information
may pass for a refusal, and a refusal followed by a long account of something else for an answer.
"""

import functools
import hashlib
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from acidtest.text.language import guess
from acidtest.text.placeholders import placeholder
from acidtest.text.refusal_cues import CUES, beyond_latin, cued
from acidtest.text.refusal_phrases import MARKERS, PHRASES
from acidtest.text.scripts import main_script
from acidtest.text.sentences import sentences
from acidtest.text.words import words

Signal = Literal["empty", "marker", "phrase"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a text's wording says about declining.

    Attributes:
        declined: It declines and tells nothing else.
        partial: It refuses something and tells something.
        signal: What said so; None when nothing refuses.
        phrase: The words that refuse.
        language: The language whose phrases matched; None for markers.
    """

    declined: bool
    partial: bool = False
    signal: Signal | None = None
    phrase: str = ""
    language: str | None = None


_MOST_SENTENCES = 60  # a longer text tells something
_SHORT = 400  # characters; the language of a longer text can be told, which saves time
_LEAST_TELLING = 3  # words; fewer tell nothing ("In short:", "However,")
_PHRASE = 200
_LATIN = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr")
_BY_SCRIPT = {
    "cyrillic": ("ru",),
    "arabic": ("ar",),
    "devanagari": ("hi",),
    "han": ("zh", "ja"),
    "kana": ("ja",),
    "hangul": ("ko",),
    "thai": ("th",),
}
_CONCESSION = re.compile(
    r"^(?:while|although|though|even though|whereas|obwohl|während|bien que|aunque|sebbene|embora|hoewel|chociaż|хотя)\b[^,]{0,300},\s",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:^|[,;]\s?)(?:and |or |but )?(?:if|when|whenever|unless|in case|where|wenn|falls|sofern|si|cuando|se|quando|als|jeśli|если|eğer|إذا|अगर|यदि|如果|若|もし|만약|หาก|ถ้า)\b[^,]{0,200}$",
    re.IGNORECASE,
)
_CITATION = re.compile(r"\[([^\[\]\n]{1,200})\]")
_MARKUP = re.compile(r"[*_`#>\[\]{}<]+")
_EDGES = " \t\r\n.。!！\"'“”‘’()（）:：-–—"
_QUOTED = re.compile(r"[\"“”«»„][^\"“”«»„]{1,300}[\"“”«»„]")
_CODE_MARKER = re.compile(
    r"\W{0,5}(NOT_IN_[A-Z]+|NOT_FOUND|NO_ANSWER|UNANSWERABLE|CANNOT_ANSWER|INSUFFICIENT_[A-Z]+)\b"
)


@functools.cache
def _refusing(language: str) -> re.Pattern[str]:
    return re.compile("|".join(PHRASES[language].refuses), re.IGNORECASE)


@functools.cache
def _padding(language: str) -> re.Pattern[str]:
    return re.compile("|".join(PHRASES[language].pads), re.IGNORECASE)


@functools.cache
def _turning(language: str) -> re.Pattern[str]:
    turns = "|".join(PHRASES[language].turns)
    return re.compile(rf"[,，、;；。—–-]?\s*(?={turns})", re.IGNORECASE)


def declined(text: str) -> Refusal:
    """Say whether a text declines to answer.

    Metrics, diagnosis and report all ask it of the same answers, so what was said is kept, by the hash
    of the text: texts may be long.

    Args:
        text: A whole answer. An empty one declines: it tells the reader nothing.
    """
    key = hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()
    said = _SAID.get(key)
    if said is None:
        if len(_SAID) >= _MOST_SAID:
            _SAID.clear()
        said = _SAID[key] = _declined(text)
    return said


_SAID: dict[bytes, Refusal] = {}
_MOST_SAID = 10_000


def _declined(text: str) -> Refusal:
    if not text.strip():
        return Refusal(declined=True, signal="empty")
    marker = _marker(text)
    if marker:
        return Refusal(declined=True, signal="marker", phrase=marker)
    uncited = _CITATION.sub(lambda found: found[0] if placeholder(found[1]) else " ", text)
    hinted = cued(uncited)
    if not hinted and not beyond_latin(uncited):
        return Refusal(declined=False)
    pieces = sentences(uncited)
    latin = _LATIN if len(text) <= _SHORT else tuple(dict.fromkeys(("en", guess(text))))
    refusing = [s for s in pieces[:_MOST_SENTENCES] if _may_refuse(s, hinted.intersection(latin))]
    if not any(
        _refuses(clause, _possible(_languages(clause, latin), hinted))
        for sentence in refusing
        for clause in _clauses(sentence, latin)
    ):
        return Refusal(declined=False)
    clauses = [
        (clause, languages, _refuses(clause, _possible(languages, hinted)))
        for sentence in pieces[:_MOST_SENTENCES]
        for clause in _clauses(sentence, latin)
        for languages in (_languages(clause, latin),)
    ]
    phrase, language = next(refused for *_, refused in clauses if refused)
    tells = any(not refused and not _pads(clause, known) for clause, known, refused in clauses)
    tells = tells or len(pieces) > _MOST_SENTENCES
    return Refusal(
        declined=not tells,
        partial=tells,
        signal="phrase",
        phrase=phrase[:_PHRASE],
        language=language,
    )


def _marker(text: str) -> str:
    code = _CODE_MARKER.match(text[:100])
    if code:
        return code[1]
    if len(text) > 60:
        return ""
    bare = re.sub(r"[_\s-]+", " ", text.strip(_EDGES + "*_`#[]{}<>")).casefold().replace("’", "'")
    return text.strip() if bare in MARKERS else ""


def _clauses(sentence: str, latin: tuple[str, ...]) -> Iterator[str]:
    """Cut a sentence, bare, where it turns."""
    bare = _bare(sentence)
    conceded = _CONCESSION.match(bare)
    if conceded:
        yield conceded[0]
        bare = bare[conceded.end() :]
    cuts = {
        m.end() for language in _languages(bare, latin) for m in _turning(language).finditer(bare)
    }
    for start, end in itertools.pairwise(sorted({0, *cuts, len(bare)})):
        yield bare[start:end].strip(" ,;，、")


def _may_refuse(sentence: str, languages: Iterable[str]) -> bool:
    """Say whether a clause of a sentence may refuse: whether it is worth cutting it into clauses."""
    if beyond_latin(sentence):
        return True
    bare = _bare(sentence)
    return any(_refusing(language).search(bare) for language in languages)


def _possible(languages: Sequence[str], hinted: frozenset[str]) -> list[str]:
    """Return those languages whose phrases can match at all."""
    return [language for language in languages if language in hinted or language not in CUES]


def _bare(sentence: str) -> str:
    """Return a sentence without markup, quotations and typographic quotes."""
    bare = _MARKUP.sub(" ", sentence).replace("’", "'")
    unquoted = _QUOTED.sub(" ", bare)
    if unquoted != bare and len(words(unquoted)) >= _LEAST_TELLING:
        bare = unquoted
    return " ".join(bare.split())


def _refuses(clause: str, languages: Sequence[str]) -> tuple[str, str] | None:
    for language in languages:
        match = _refusing(language).search(clause)
        if match and not _CONDITION.search(clause[: match.start()]):
            return match[0].strip(), language
    return None


def _pads(clause: str, languages: tuple[str, ...]) -> bool:
    if len(words(clause)) < _LEAST_TELLING:
        return True
    return any(_padding(language).search(clause) for language in languages)


def _languages(text: str, latin: tuple[str, ...]) -> tuple[str, ...]:
    """Return the languages that a text may be in by its script."""
    spoken = _BY_SCRIPT.get(main_script(text), latin)
    return tuple(language for language in spoken if language in PHRASES)
