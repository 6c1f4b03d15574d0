"""Numbers: the quantities, dates, times, versions and ordinals of a text, made comparable.

`1,000` equals `1000`, `€49` equals `49 €`, `30 days` differs from `14 days`. Digits inside identifiers
(`RFC-2119`, `gpt-4`), citation markers (`[1]`) and list numbers (`2.` that opens a line) are no numbers.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from acidtest.text import calendar, number_words
from acidtest.text.decimals import ASCII_DIGITS, plain, readings, scaled
from acidtest.text.language import guess
from acidtest.text.units import currency_before, multiplier_after, unit_after

Kind = Literal["quantity", "date", "time", "version", "ordinal"]


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text.

    Attributes:
        kind: What sort of number.
        value: Canonical: a plain decimal, an ISO date (`2024-03`, `--03-05` when partial), `HH:MM`,
            `1.2.3`.
        unit: Canonical unit (`day`, `EUR`, `%`, `GB`); None when none is known.
        raw: As written, with its unit.
        start: Offset of `raw` in the text.
        end: Offset after it.
        other: The second possible reading: `1.000` may be a thousand.
    """

    kind: Kind
    value: str
    unit: str | None
    raw: str
    start: int
    end: int
    other: str | None = None

    @property
    def readings(self) -> tuple[str, ...]:
        """Every value that it may stand for, the likely one first."""
        return (self.value,) if self.other is None else (self.value, self.other)


_BLANKED = re.compile(
    r"\[\d{1,4}(?:\s?[,;–-]\s?\d{1,4}){0,20}\]"  # citation markers
    r"|https?://\S+|www\.\S+|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+"  # addresses
    r"|(?<![\w/.])24/7(?![\w/])"  # a way of saying always
    r"|^[ \t]*(?:[-*•][ \t]+)?(?:\*\*)?\(?\d{1,3}[.)](?=\s|\*\*)"  # list numbers
    rf"(?!\s(?:{calendar.MONTH})\b)",  # but not the day of a German date
    re.MULTILINE | re.IGNORECASE,
)
_VERSION = re.compile(
    r"(?<![\w.,])(?:[vV]\d{1,9}(?:\.\d{1,9})*|\d{1,9}(?:\.\d{1,9}){2,}|(?<=[vV]ersion )\d{1,9}\.\d{1,9})(?:[-+]?(?:alpha|beta|rc|dev|post)\.?\d{0,9})?(?![\w])(?!\.\d)"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3})+")
_BODY = re.compile(r"\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,']\d+)*")
_ORDINAL = re.compile(r"(?:st|nd|rd|th|ST|ND|RD|TH|er|ère|e|ème|º|ª|°)(?![\w])")
_LETTER = re.compile(r"[^\W\d_]")


def numbers(text: str, *, language: str | None = None) -> list[Number]:
    """Return the numbers of a text, in order.

    Args:
        text: Any text, digits of any script.
        language: ISO 639-1 code, for number words; guessed when None.
    """
    work = text.translate(ASCII_DIGITS)
    work = _BLANKED.sub(lambda m: " " * len(m[0]), work)
    found: list[Number] = []

    def take(kind: Kind, spans: Iterable[calendar.Found]) -> None:
        nonlocal work
        taken: list[tuple[int, int]] = []
        for start, end, value, other in sorted(spans, key=lambda f: (f[0], -f[1])):
            if taken and start < taken[-1][1]:
                continue
            taken.append((start, end))
            raw = text[start:end].strip()
            found.append(Number(kind, value, None, raw, start, start + len(raw), other))
        work = _blank(work, taken)

    take("date", calendar.dates(work))
    take("time", calendar.times(work))
    take("version", _versions(work))
    found.extend(_quantities(text, work))
    found.extend(_spelled(text, work, language or guess(text)))
    return sorted(found, key=lambda n: n.start)


def holds(have: Number, want: Number) -> bool:
    """Say whether one number, as a source gives it, says what another claims.

    A claim may be vaguer than its source (no unit, a date without its day), not more exact; where one
    side gives no unit, the values decide.
    """
    if want.kind == have.kind == "date":
        return any(_covers(h, w) for h in have.readings for w in want.readings)
    if have.kind == "date" and want.kind == "quantity" and want.unit is None:
        return want.value == have.value[:4]
    if {have.kind, want.kind} & {"date", "time"} and have.kind != want.kind:
        return False
    if have.unit and want.unit and have.unit != want.unit:
        return False
    return not set(have.readings).isdisjoint(want.readings)


Index = dict[str, tuple[Number, ...]]
"""The numbers of a text by each value that a claim may give them."""


def index(have: Iterable[Number]) -> Index:
    """Return numbers by value, to be asked by `lacking` many times; repetitions are dropped."""
    by_value: dict[str, dict[tuple[str, str | None], Number]] = {}
    for number in have:
        for value in number.readings:
            for key in _vaguer(value) if number.kind == "date" else (value,):
                # of equal ones the likelier reading stays
                by_value.setdefault(key, {}).setdefault((number.kind, number.unit), number)
    return {value: tuple(found.values()) for value, found in by_value.items()}


def lacking(wanted: Iterable[Number], indexes: Iterable[Index]) -> list[Number]:
    """Return those of the wanted numbers that no index holds."""
    sources = list(indexes)
    return [
        want
        for want in wanted
        if not any(
            holds(have, want)
            for source in sources
            for value in want.readings
            for have in source.get(value, ())
        )
    ]


def unmatched(wanted: Iterable[Number], have: Iterable[Number]) -> list[Number]:
    """Return those of the wanted numbers that none of the others holds."""
    return lacking(wanted, [index(have)])


def _vaguer(date: str) -> tuple[str, ...]:
    """Return a date and what a claim may leave of it: month, year, day of any year."""
    if date.startswith("--"):
        return (date,)
    if len(date) == 7:
        return date, date[:4]
    return date, date[:7], date[:4], f"-{date[4:]}"


def _covers(have: str, want: str) -> bool:
    return (
        have == want or have.startswith(f"{want}-") or (want[0] == "-" and have.endswith(want[1:]))
    )


def _blank(text: str, taken: Iterable[tuple[int, int]]) -> str:
    pieces, last = [], 0
    for start, end in taken:
        pieces += [text[last:start], " " * (end - start)]
        last = end
    return "".join([*pieces, text[last:]])


def _versions(work: str) -> Iterator[calendar.Found]:
    for match in _VERSION.finditer(work):
        if not _THOUSANDS.fullmatch(match[0]):
            yield match.start(), match.end(), match[0].lower().removeprefix("v"), None


def _quantities(text: str, work: str) -> Iterator[Number]:
    for match in _BODY.finditer(work):
        start, end = match.span()
        if _inside_name(work, start):
            continue
        read = readings(match[0])
        if read is None:  # a list such as 1,2,3
            for part in re.finditer(r"\d+", match[0]):
                at = start + part.start()
                yield Number("quantity", plain(part[0]), None, part[0], at, at + len(part[0]))
            continue
        yield from _quantity(text, work, start, end, read)


def _quantity(
    text: str, work: str, start: int, end: int, read: tuple[str, str | None]
) -> Iterator[Number]:
    value, other = read
    ordinal = _ORDINAL.match(work, end)
    if ordinal:
        last = ordinal.end()
        yield Number("ordinal", value, None, text[start:last], start, last, other)
        return
    power, last = multiplier_after(work, end)
    if power:
        value, other = scaled(value, power), other and scaled(other, power)
    unit, last = unit_after(work, last)
    if last == end and _LETTER.match(work, end) and work[end].isascii():
        return  # glued to letters that are no unit: an identifier such as 4K or 3D
    first = start
    if unit is None:
        unit, first = currency_before(work, start)
    sign = (
        "-"
        if first and work[first - 1] == "-" and (first == 1 or work[first - 2] in " (\t\n")
        else ""
    )
    if sign:
        first -= 1
        value, other = f"-{value}", other and f"-{other}"
    yield Number("quantity", value, unit, text[first:last], first, last, other)


def _inside_name(work: str, start: int) -> bool:
    """Say whether digits continue an identifier: `x86`, `RFC-2119`, `a_1`, `F1.2`."""
    before = work[max(0, start - 2) : start]
    if not before:
        return False
    if before[-1] == "_" or (before[-1].isascii() and before[-1].isalpha()):
        return currency_before(work, start)[0] is None
    return before[-1] in "-./#" and len(before) == 2 and before[0].isascii() and before[0].isalpha()


def _spelled(text: str, work: str, language: str) -> Iterator[Number]:
    for start, end, value in number_words.spelled(work, language):
        unit, last = unit_after(work, end)
        if value != 1 or unit:  # "one" alone is a pronoun
            yield Number("quantity", str(value), unit, text[start:last], start, last)
    if language in {"zh", "ja"}:
        yield from _han(text, work)


def _han(text: str, work: str) -> Iterator[Number]:
    """Read Chinese numerals that have a unit or a percent sign: alone they are parts of words."""
    for match in number_words.HAN_NUMERAL.finditer(work):
        start, end = match.span()
        if work[start - 1 : start].isdigit() or work.startswith("分之", end):
            continue
        percent = work[max(0, start - 3) : start] == "百分之"
        unit, last = ("%", end) if percent else unit_after(work, end)
        value = number_words.han(match[0]) if unit else None
        if value is not None:
            yield Number("quantity", str(value), unit, text[start:last], start, last)
