"""Negation: the words that turn a statement round, in several languages."""

import re

from acidtest.text.language import guess

_CUES: dict[str, str] = {
    "en": "not no never none neither nor nothing nobody nowhere without cannot lacks lack lacking "
    "unable fails failed excludes excluding except",
    "de": "nicht kein keine keinen keinem keiner keines nie niemals nichts niemand weder ohne",
    "fr": "pas jamais aucun aucune rien sans ni personne",
    "es": "no nunca ningún ninguno ninguna nada nadie sin tampoco ni jamás",
    "it": "non mai nessun nessuno nessuna niente nulla senza né neanche",
    "pt": "não nunca nenhum nenhuma nada ninguém sem nem jamais",
    "nl": "niet geen nooit niets niemand noch zonder",
    "pl": "nie nigdy żaden żadna żadne nic nikt bez ani brak",
    "sv": "inte ej ingen inget inga aldrig utan",
    "tr": "değil değildir yok yoktur hiç asla",
    "ru": "не нет никогда никто ничего ни без нельзя",
    "ar": "لا لم لن ليس ليست غير بدون",
    "hi": "नहीं न मत बिना कभी",
}
_STUCK: dict[str, str] = {
    "zh": "不|没|沒|未|无|無|非|别|勿",
    "ja": "ない|ません|なかった|なく|ず(?=[、。に]|$)|不可|未",
    "ko": "않|없|아니|못|안\\s|말(?=아|고)",
    "th": "ไม่|มิได้|ไร้|ปราศจาก",
}
_NOT = re.compile(r"\b\w+n['’]t\b|\bcannot\b", re.IGNORECASE)
_CUE = {
    language: re.compile(rf"(?<!\w)(?:{'|'.join(cues.split())})(?!\w)", re.IGNORECASE)
    for language, cues in _CUES.items()
} | {language: re.compile(cues) for language, cues in _STUCK.items()}
_NO_MORE = re.compile(
    r"(?i)\b(?:not only|no later than|no more than|no less than|no fewer than|nicht nur|non solo|no sólo)\b"
)


def cues(text: str, *, language: str | None = None) -> list[str]:
    """Return the negating words of a text, lower-cased, in order.

    "Not only" and limits ("no later than") negate nothing and are left out.

    Args:
        text: A sentence or more.
        language: ISO 639-1 code; guessed when None.
    """
    return [text[start:end].strip().lower() for start, end in places(text, language=language)]


def places(text: str, *, language: str | None = None) -> list[tuple[int, int]]:
    """Return where the negating words of a text stand: `(start, end)` offsets, in order.

    Args:
        text: A sentence or more.
        language: ISO 639-1 code; guessed when None.
    """
    language = language or guess(text)
    bare = _NO_MORE.sub(lambda m: " " * len(m[0]), text)
    pattern = _CUE.get(language)
    found = dict(m.span() for m in pattern.finditer(bare)) if pattern else {}
    if language == "en":
        found = dict(m.span() for m in _NOT.finditer(bare)) | found
    return sorted(found.items())
