"""Numbers written as words: two to twelve and the tens in some languages, English and Chinese in full.

Articles that also mean one are left out; the English "one" comes with its unit only.
"""

import re
from collections.abc import Iterator

_SMALL = {
    "en": "two three four five six seven eight nine ten eleven twelve",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "fr": "deux trois quatre cinq six sept huit neuf dix onze douze",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "it": "due tre quattro cinque sei sette otto nove dieci undici dodici",
    "pt": "dois três quatro cinco seis sete oito nove dez onze doze",
    "nl": "twee drie vier vijf zes zeven acht negen tien elf twaalf",
    "pl": "dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście",
    "ru": "два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
}  # fmt: skip
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "fr": "vingt trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "it": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    "nl": "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    "pl": "dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt",
    "ru": "двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто",
}  # fmt: skip
_TEENS = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_LARGE = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_NOT_COUNTS = {"it": {"sei"}}  # also "you are"

WORDS: dict[str, dict[str, int]] = {
    language: {
        word: value
        for word, value in [
            *zip(_SMALL[language].split(), range(2, 13), strict=True),
            *zip(_TENS[language].split(), range(20, 100, 10), strict=True),
        ]
        if word not in _NOT_COUNTS.get(language, ())
    }
    for language in _SMALL
}
WORDS["en"] |= dict(zip(_TEENS.split(), range(13, 20), strict=True))

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_HAN_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_HAN_POWERS = {"十": 10, "百": 100, "千": 1_000}
_HAN_MYRIADS = {"万": 10_000, "萬": 10_000, "亿": 100_000_000, "億": 100_000_000}
HAN_NUMERAL = re.compile(
    f"[{''.join(_HAN_DIGITS)}{''.join(_HAN_POWERS)}{''.join(_HAN_MYRIADS)}]{{1,12}}"
)


def spelled(text: str, language: str) -> Iterator[tuple[int, int, int]]:
    """Yield `(start, end, value)` of the numbers written as words."""
    known = WORDS.get(language, {})
    if language != "en":
        for match in _WORD.finditer(text):
            value = known.get(match[0].lower())
            if value is not None:
                yield match.start(), match.end(), value
        return
    yield from _english(text, known)


def _english(text: str, known: dict[str, int]) -> Iterator[tuple[int, int, int]]:
    """Read runs such as "two hundred and fifty thousand" and "twenty-five"."""
    start = end = -1
    total = part = 0
    for match in re.finditer(r"[A-Za-z]+", text):
        word = match[0].lower()
        near = start >= 0 and text[end : match.start()] in {" ", "-", " and "}
        if word == "and" and start >= 0 and text[end : match.start()] == " ":
            continue
        if word in _LARGE and near and 0 < part < _LARGE[word]:
            if _LARGE[word] == 100:
                part *= 100
            else:
                total, part = total + part * _LARGE[word], 0
            end = match.end()
            continue
        value = known.get(word, 1 if word == "one" else None)
        fits = (
            near
            and value is not None
            and ((part % 100 >= 20 and part % 10 == 0 and value < 10) or part % 100 == 0)
        )
        if fits and value is not None:
            part += value
            end = match.end()
            continue
        if start >= 0:
            yield start, end, total + part
            start = -1
        if value is not None:
            start, end, total, part = match.start(), match.end(), 0, value
    if start >= 0:
        yield start, end, total + part


def han(numeral: str) -> int | None:
    """Read a Chinese numeral (`三十五`, `两万`, `二〇二四`); None when it is none."""
    if not any(c in _HAN_POWERS or c in _HAN_MYRIADS for c in numeral):
        return int("".join(str(_HAN_DIGITS[c]) for c in numeral))
    total = part = digit = 0
    for c in numeral:
        if c in _HAN_DIGITS:
            digit = _HAN_DIGITS[c]
        elif c in _HAN_POWERS:
            part += (digit or 1) * _HAN_POWERS[c]
            digit = 0
        else:
            total += (part + digit or 1) * _HAN_MYRIADS[c]
            part = digit = 0
    return total + part + digit
