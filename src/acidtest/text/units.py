"""Units: what stands beside a number, under one canonical name, in several languages."""

import re

_SPELLED = {
    "%": "% percent per-cent pct prozent procent procento pourcent porcentaje percento percentuale процент процента процентов yüzde",
    "pp": "pp percentage-points",
    "second": "sec secs second seconds sekunde sekunden seconde secondes segundo segundos secondo secondi seconden sekunda sekundy sekund saniye секунда секунды секунд",
    "ms": "ms millisecond milliseconds millisekunden",
    "minute": "min mins minute minutes minuten minuto minutos minuti minuut minuta minuty minut dakika минута минуты минут",
    "hour": "hr hrs hour hours stunde stunden heure heures hora horas ora ore uur uren godzina godziny godzin saat час часа часов",
    "day": "day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen dzień dni gün день дня дней calendar-days calendar-day",
    "business day": "business-day business-days working-day working-days workday workdays weekday weekdays werktag werktage werktagen arbeitstag arbeitstage arbeitstagen",
    "week": "week weeks wk wks woche wochen semaine semaines semana semanas settimana settimane weken tydzień tygodnie tygodni hafta неделя недели недель",
    "month": "month months mo monat monate monaten mois mes meses mese mesi mês maand maanden miesiąc miesiące miesięcy ay месяц месяца месяцев",
    "quarter": "quarter quarters quartal quartale trimestre trimestres",
    "year": "year years yr yrs jahr jahre jahren ans année années año años anno anni ano anos jaar jaren rok lata lat yıl sene год года лет",
    "USD": "$ us$ usd dollar dollars dólar dólares dollari",
    "EUR": "€ eur euro euros",
    "GBP": "£ gbp pound-sterling pounds-sterling",
    "JPY": "¥ jpy yen",
    "CNY": "cny rmb yuan",
    "INR": "₹ inr rupee rupees",
    "CHF": "chf franken",
    "CAD": "c$ ca$ cad",
    "AUD": "a$ au$ aud",
    "BRL": "r$ brl reais",
    "PLN": "zł pln złoty złotych",
    "RUB": "₽ rub руб рублей рубля рубль",
    "KRW": "₩ krw",
    "TRY": "₺ tl",
    "cent": "¢ cent cents",
    "bit": "bit bits",
    "byte": "byte bytes",
    "kB": "kb kib kilobyte kilobytes",
    "MB": "mb mib megabyte megabytes",
    "GB": "gb gib gigabyte gigabytes",
    "TB": "tb tib terabyte terabytes",
    "PB": "pb pib petabyte petabytes",
    "Mbps": "mbps mbit/s mb/s",
    "Gbps": "gbps gbit/s gb/s",
    "Hz": "hz hertz",
    "kHz": "khz",
    "MHz": "mhz",
    "GHz": "ghz",
    "mm": "mm millimeter millimeters millimetre millimetres",
    "cm": "cm centimeter centimeters centimetre centimetres zentimeter",
    "m": "meter meters metre metres mètre mètres metro metros metri",
    "km": "km kilometer kilometers kilometre kilometres",
    "inch": "inch inches",
    "foot": "ft foot feet",
    "mile": "mi mile miles",
    "km/h": "km/h kmh kph",
    "mph": "mph",
    "mg": "mg milligram milligrams",
    "g": "gram grams gramm gramme grammes",
    "kg": "kg kilo kilos kilogram kilograms kilogramm",
    "tonne": "ton tons tonne tonnes tonnen",
    "ounce": "oz ounce ounces",
    "pound": "lb lbs pound pounds",
    "ml": "ml milliliter milliliters millilitre millilitres",
    "l": "liter liters litre litres",
    "gallon": "gal gallon gallons",
    "W": "watt watts",
    "kW": "kw kilowatt kilowatts",
    "MW": "mw megawatt megawatts",
    "kWh": "kwh",
    "V": "volt volts",
    "A": "amp amps ampere amperes",
    "°C": "°c celsius",
    "°F": "°f fahrenheit",
    "K": "kelvin",
    "degree": "° degree degrees grad",
    "x": "× times fold",
}
UNITS = {name: unit for unit, names in _SPELLED.items() for name in names.split()}
"""Unit by what is written, case-folded; two words are joined by a hyphen (`business-day`)."""

LETTER_UNITS = {
    "s": "second", "h": "hour", "d": "day", "m": "m", "g": "g", "t": "tonne", "l": "l", "L": "l", "x": "x",
    "W": "W", "V": "V", "A": "A",
}  # fmt: skip
"""Units of one letter, in the case they are written in: `5 A` is a current, `5 a day` is not."""

PREFIX_UNITS = {
    "小时": "hour", "小時": "hour", "時間": "hour", "시간": "hour", "ชั่วโมง": "hour", "घंटे": "hour", "ساعة": "hour",
    "分钟": "minute", "分鐘": "minute", "分": "minute", "분": "minute", "นาที": "minute", "मिनट": "minute", "دقيقة": "minute",
    "秒": "second", "초": "second", "วินาที": "second", "सेकंड": "second", "ثانية": "second",
    "工作日": "business day", "个工作日": "business day", "個工作日": "business day", "営業日": "business day", "영업일": "business day", "วันทำการ": "business day",
    "天": "day", "日間": "day", "日": "day", "일": "day", "วัน": "day", "दिन": "day", "दिनों": "day", "يوم": "day", "أيام": "day", "يوما": "day",
    "周": "week", "週間": "week", "週": "week", "星期": "week", "주": "week", "สัปดาห์": "week", "हफ्ते": "week", "सप्ताह": "week", "أسبوع": "week", "أسابيع": "week",
    "个月": "month", "個月": "month", "ヶ月": "month", "か月": "month", "カ月": "month", "개월": "month", "เดือน": "month", "महीने": "month", "شهر": "month", "أشهر": "month",
    "年": "year", "년": "year", "ปี": "year", "साल": "year", "वर्ष": "year", "سنة": "year", "سنوات": "year",
    "美元": "USD", "ドル": "USD", "달러": "USD", "ดอลลาร์": "USD", "डॉलर": "USD", "دولار": "USD",
    "欧元": "EUR", "歐元": "EUR", "ユーロ": "EUR", "유로": "EUR", "ยูโร": "EUR", "यूरो": "EUR", "يورو": "EUR",
    "日元": "JPY", "円": "JPY", "엔": "JPY", "元": "CNY", "块": "CNY", "원": "KRW", "บาท": "THB", "रुपये": "INR", "ريال": "SAR",
    "千米": "km", "公里": "km", "公斤": "kg", "千克": "kg", "米": "m", "厘米": "cm", "倍": "x", "パーセント": "%", "퍼센트": "%", "เปอร์เซ็นต์": "%", "प्रतिशत": "%", "بالمئة": "%",
}  # fmt: skip
"""Unit by how the text after the number begins, for scripts where nothing separates them."""

LONGEST_PREFIX = max(map(len, PREFIX_UNITS))

MULTIPLIERS = {
    "k": 3, "thousand": 3, "tausend": 3, "mille": 3, "mila": 3, "mil": 3, "duizend": 3, "tys": 3, "тыс": 3, "тысяч": 3, "bin": 3,
    "million": 6, "millions": 6, "mio": 6, "mn": 6, "mln": 6, "millionen": 6, "millones": 6, "millón": 6, "milioni": 6, "milione": 6,
    "milhões": 6, "milhão": 6, "miljoen": 6, "milion": 6, "miliony": 6, "milionów": 6, "milyon": 6, "млн": 6, "миллионов": 6,
    "billion": 9, "billions": 9, "bn": 9, "mrd": 9, "milliarde": 9, "milliarden": 9, "milliard": 9, "milliards": 9, "miliardi": 9, "miljard": 9, "млрд": 9, "trillion": 12,
    "lakh": 5, "lakhs": 5, "crore": 7, "crores": 7,
}  # fmt: skip
"""Power of ten by the word after a number, case-folded."""

HAN_MULTIPLIERS = {"百": 2, "千": 3, "万": 4, "萬": 4, "만": 4, "億": 8, "亿": 8, "억": 8, "천": 3}

_CURRENCY_BEFORE = re.compile(r"(?:([A-Za-z]{0,2}[$€£¥₹₽₩₺])|\b([A-Z]{3}))[ \u00a0]?\Z")
_WORD_AFTER = re.compile(
    r"[ \u00a0\u202f-]?([^\W\d_]{1,24}(?:/[hs])?|°[CFcf]?|[%×]|[€$£¥₹₽₩₺¢](?!\d))(?![^\W\d_])"
)
_SECOND_WORD = re.compile(r"[ -]([^\W\d_]{1,12})(?![^\W\d_])")
_ASIAN_AFTER = re.compile(r"[ \u00a0]?([^\x00-\u02ff\d\s]{1,16})")
_TWO_WORDS = frozenset({"business", "working", "calendar", "pound", "pounds", "percentage", "per"})


def multiplier_after(text: str, end: int) -> tuple[int, int]:
    """Return the power of ten that a word after `end` gives (`million`), and where that word ends."""
    following = text[end : end + 1]
    if following in HAN_MULTIPLIERS:
        return HAN_MULTIPLIERS[following], end + 1
    match = _WORD_AFTER.match(text, end)
    power = MULTIPLIERS.get(match[1].casefold(), 6 if match[1] == "M" else 0) if match else 0
    return (power, match.end()) if match and power else (0, end)


def unit_after(text: str, end: int) -> tuple[str | None, int]:
    """Return the unit that follows `end`, and where it ends; None and `end` when none does."""
    match = _WORD_AFTER.match(text, end)
    if match:
        word = match[1].casefold()
        second = _SECOND_WORD.match(text, match.end()) if word in _TWO_WORDS else None
        if second and (unit := UNITS.get(f"{word}-{second[1].casefold()}")):
            return unit, second.end()
        if unit := LETTER_UNITS.get(match[1]) or UNITS.get(word):
            return unit, match.end()
    asian = _ASIAN_AFTER.match(text, end)
    if asian:
        for size in range(min(LONGEST_PREFIX, len(asian[1])), 0, -1):
            if unit := PREFIX_UNITS.get(asian[1][:size]):
                return unit, asian.start(1) + size
    return None, end


def currency_before(text: str, start: int) -> tuple[str | None, int]:
    """Return the currency that stands right before `start`, and where it begins."""
    before = _CURRENCY_BEFORE.search(text, max(0, start - 5), start)
    if before is None:
        return None, start
    sign = (before[1] or before[2]).casefold()
    unit = UNITS.get(sign) or (UNITS.get(sign[-1]) if before[1] else None)
    known = unit is not None and (before[1] is not None or unit.isupper())
    return (unit, before.start()) if known else (None, start)
