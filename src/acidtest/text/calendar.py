"""Dates and times of day in running text, to ISO 8601."""

import re
from collections.abc import Iterator

MONTHS: dict[str, int] = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "januari februari maart april mei juni juli augustus september oktober november december",
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
        "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        "jan feb mrz apr mai jun jul aug sept okt nov dez",
    )
    for number, name in enumerate(names.split(), 1)
}
MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|\.)?"
_YEAR = r"(?P<year>\d{4})(?!\d)"
_ISO = re.compile(
    r"(?<![\w./-])(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?![\d/-])(?!\.\d)"
)
_SHORT = re.compile(
    r"(?<![\w./-])(?P<first>\d{1,2})(?P<mark>[./-])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4})(?![\d/-])(?!\.\d)"
)
_DAY_MONTH = re.compile(
    rf"(?<![\w.,]){_DAY}\s(?:de\s|of\s)?(?P<name>{MONTH})\b\.?(?:,?\s(?:de\s|del\s)?{_YEAR})?",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(
    rf"(?<!\w)(?P<name>{MONTH})\.?\s{_DAY}(?![\d.,]*\d)\b(?:,?\s{_YEAR})?", re.IGNORECASE
)
_MONTH_YEAR = re.compile(rf"(?<!\w)(?P<name>{MONTH})\.?,?\s(?:de\s|of\s)?{_YEAR}", re.IGNORECASE)
_AFTER_WORD = re.compile(r"\s(?=\d)")
_MONTH_BEFORE = re.compile(r"(?<![\w])([^\W\d_]{3,12})\.?,?(?:\s(?:de|of))?\s\Z")
_ASIAN = re.compile(
    r"(?:(?<!\d)(?P<year>\d{4})\s?[年년]\s?)?(?<!\d)(?P<month>\d{1,2})\s?[月월]\s?(?:(?P<day>\d{1,2})\s?[日号號일])?"
)
_CLOCK = re.compile(
    r"(?<![\w:.])(?P<hour>\d{1,2}):(?P<minute>[0-5]\d)(?::[0-5]\d)?(?![\d:])\s?(?P<half>[ap]\.?m\b\.?)?",
    re.IGNORECASE,
)
_HOUR = re.compile(
    r"(?<![\w:.,$€£-])(?P<hour>\d{1,2})\s?(?:(?P<half>[ap]\.?m\b\.?)|uhr\b)", re.IGNORECASE
)

Found = tuple[int, int, str, str | None]
"""Start, end, ISO value, and the other possible value (3/5/2024 is March 5 or May 3)."""


def dates(text: str) -> Iterator[Found]:
    """Yield dates: `2024-03-05`, `2024-03` (no day), `--03-05` (no year); some may overlap."""
    whole = (_ISO.finditer(text), _DAY_MONTH.finditer(text), _ASIAN.finditer(text))
    for matches in (*whole, _month_first(text)):
        for match in matches:
            parts = match.groupdict()
            name = parts.get("name")
            month = MONTHS.get(name.lower(), 0) if name else int(parts["month"])
            value = iso(parts.get("year"), month, parts.get("day"))
            if value:
                yield match.start(), match.end(), value, None
    for match in _SHORT.finditer(text):
        first, second, year = match["first"], match["second"], match["year"]
        day_first = iso(year, int(second), first)
        month_first = iso(year, int(first), second)
        likely, other = (
            (day_first, month_first) if match["mark"] == "." else (month_first, day_first)
        )
        if likely or other:
            yield (
                match.start(),
                match.end(),
                likely or other or "",
                other if likely and other != likely else None,
            )


def _month_first(text: str) -> Iterator[re.Match[str]]:
    """Yield "March 5, 2024" and "March 2024", looked for where a number follows a word."""
    for number in _AFTER_WORD.finditer(text):
        word = _MONTH_BEFORE.search(text, max(0, number.start() - 20), number.start() + 1)
        if word and word[1].lower() in MONTHS:
            for pattern in (_MONTH_DAY, _MONTH_YEAR):
                match = pattern.match(text, word.start())
                if match:
                    yield match


def times(text: str) -> Iterator[Found]:
    """Yield times of day as `HH:MM`."""
    for pattern in (_CLOCK, _HOUR):
        for match in pattern.finditer(text):
            hour, half = int(match["hour"]), (match["half"] or "").lower()
            if half:
                if not 1 <= hour <= 12:
                    continue
                hour = hour % 12 + (12 if half.startswith("p") else 0)
            if hour <= 24:
                minute = match.groupdict().get("minute") or "00"
                yield match.start(), match.end(), f"{hour:02}:{minute}", None


def iso(year: str | None, month: int, day: str | None) -> str | None:
    """Return an ISO date, whole or partial; None when there is no such day."""
    if not 1 <= month <= 12 or (day is not None and not 1 <= int(day) <= 31):
        return None
    if day is None:
        return f"{year}-{month:02}" if year else None
    return f"{year}-{month:02}-{int(day):02}" if year else f"--{month:02}-{int(day):02}"
