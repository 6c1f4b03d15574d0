"""Numbers made comparable: separators, units, dates, versions, number words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acidtest.text.decimals import plain, readings, scaled
from acidtest.text.number_words import han
from acidtest.text.numbers import Number, holds, numbers, unmatched


def read(text: str, language: str | None = None) -> list[tuple[str, str, str | None]]:
    return [(n.kind, n.value, n.unit) for n in numbers(text, language=language)]


def one(text: str) -> Number:
    (number,) = numbers(text)
    return number


def quantity(value: str, unit: str | None = None) -> tuple[str, str, str | None]:
    return ("quantity", value, unit)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("1000", "1000", None),
        ("1,000", "1000", None),
        ("1 000", "1000", None),
        ("1\u202f000", "1000", None),
        ("1'000", "1000", None),
        ("1.000,5", "1000.5", None),
        ("1,000.50", "1000.5", None),
        ("1.000.000", "1000000", None),
        ("1,00,000", "100000", None),
        ("007", "7", None),
        ("3,5 Stunden", "3.5", "hour"),
        ("49 €", "49", "EUR"),
        ("€49", "49", "EUR"),
        ("EUR 49", "49", "EUR"),
        ("49 euros", "49", "EUR"),
        ("US$ 5.50", "5.5", "USD"),
        ("£5bn", "5000000000", "GBP"),
        ("$2.5 million", "2500000", "USD"),
        ("5k", "5000", None),
        ("30 days", "30", "day"),
        ("30-day", "30", "day"),
        ("14 business days", "14", "business day"),
        ("5 %", "5", "%"),
        ("5%", "5", "%"),
        ("5 per cent", "5", "%"),
        ("10GB", "10", "GB"),
        ("-5 °C", "-5", "°C"),
        ("5 A", "5", "A"),
        ("5 a", "5", None),
        ("30 Tage", "30", "day"),
        ("30 jours", "30", "day"),
        ("30 días", "30", "day"),
        ("30 дней", "30", "day"),
        ("30天", "30", "day"),
        ("30日間", "30", "day"),
        ("30일", "30", "day"),
        ("30 วัน", "30", "day"),
        ("๓๐ วัน", "30", "day"),
        ("٣٠ يوم", "30", "day"),
        ("३० दिन", "30", "day"),
        ("三十天", "30", "day"),
        ("5万元", "50000", "CNY"),
        ("百分之五", "5", "%"),
    ],
)
def test_a_quantity(text: str, value: str, unit: str | None) -> None:
    assert read(text) == [quantity(value, unit)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2024-03-05", "2024-03-05"),
        ("5 March 2024", "2024-03-05"),
        ("March 5th, 2024", "2024-03-05"),
        ("5. März 2024", "2024-03-05"),
        ("5 de março de 2024", "2024-03-05"),
        ("05.03.2024", "2024-03-05"),
        ("3/5/2024", "2024-03-05"),
        ("2024年3月5日", "2024-03-05"),
        ("2024년 3월 5일", "2024-03-05"),
        ("March 2024", "2024-03"),
        ("May 5", "--05-05"),
    ],
)
def test_a_date(text: str, value: str) -> None:
    assert read(text) == [("date", value, None)]


def test_times_versions_and_ordinals() -> None:
    assert read("14:30 and 2:30 pm and 9am") == [
        ("time", "14:30", None),
        ("time", "14:30", None),
        ("time", "09:00", None),
    ]
    assert read("v2.1 or 10.0.1") == [("version", "2.1", None), ("version", "10.0.1", None)]
    assert read("the 3rd and the 21st") == [("ordinal", "3", None), ("ordinal", "21", None)]


def test_what_is_no_number() -> None:
    assert read("RFC-2119, gpt-4, x86, 3D, [1], [2, 3] and https://a.b/7") == []
    assert read("1. Open it\n2. Close it\n  (3) Wait") == []
    assert read("open 24/7") == []


def test_several_numbers_in_a_row() -> None:
    assert read("options 1,2,3") == [quantity("1"), quantity("2"), quantity("3")]
    assert read("10-20 km") == [quantity("10"), quantity("20", "km")]
    assert read("49 EUR, 49 $5") == [quantity("49", "EUR"), quantity("49"), quantity("5", "USD")]


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("twenty-five", "en", "25"),
        ("two hundred and fifty thousand", "en", "250000"),
        ("three million", "en", "3000000"),
        ("thirteen", "en", "13"),
        ("dreißig", "de", "30"),
        ("trente", "fr", "30"),
        ("treinta", "es", "30"),
        ("тридцать", "ru", "30"),
    ],
)
def test_number_words(text: str, language: str, value: str) -> None:
    assert read(text, language) == [quantity(value)]


def test_one_counts_only_with_a_unit() -> None:
    assert read("one of them", "en") == []
    assert read("one day", "en") == [quantity("1", "day")]


def test_chinese_numerals_count_only_with_a_unit() -> None:
    assert read("统一的第一步") == []
    assert han("三百零五") == 305
    assert han("二〇二四") == 2024
    assert han("十二万") == 120_000


def test_a_source_holds_what_it_says_and_vaguer() -> None:
    assert holds(one("1,000 users"), one("1000"))
    assert holds(one("30 days"), one("30"))
    assert holds(one("49 €"), one("EUR 49"))
    assert holds(one("1.000"), one("1000"))  # as German writes it
    assert holds(one("2024-03-05"), one("March 2024"))
    assert holds(one("2024-03-05"), one("2024"))
    assert holds(one("2024-03-05"), one("March 5"))
    assert holds(one("05.03.2024"), one("3/5/2024"))


def test_a_source_does_not_hold_another_value_unit_or_more_exact_date() -> None:
    assert not holds(one("30 days"), one("14 days"))
    assert not holds(one("30 days"), one("30 weeks"))
    assert not holds(one("30 business days"), one("30 days"))
    assert not holds(one("March 2024"), one("5 March 2024"))
    assert not holds(one("5%"), one("5 GB"))
    assert not holds(one("9am"), one("9"))


def test_unmatched_names_the_strangers() -> None:
    claim = numbers("Refunds take 14 days and cost €5 until March 2024.")
    source = numbers("Refunds take 30 days, cost 5 EUR, and end on 2024-03-31.")
    assert [n.raw for n in unmatched(claim, source)] == ["14 days"]
    assert unmatched([], source) == []


def test_spans_point_at_the_text() -> None:
    text = "It costs €1,000 for 30 days from 5 March 2024."
    assert [text[n.start : n.end] for n in numbers(text)] == ["€1,000", "30 days", "5 March 2024"]
    assert all(text[n.start : n.end] == n.raw for n in numbers(text))


def test_readings_of_separators() -> None:
    assert readings("1.000") == ("1", "1000")
    assert readings("1,000") == ("1000", "1")
    assert readings("0.500") == ("0.5", None)
    assert readings("1,2,3") is None
    assert plain("007.50") == "7.5"
    assert scaled("2.5", 6) == "2500000"


@settings(deadline=None, derandomize=True)
@given(st.integers(0, 10**12))
def test_grouping_changes_no_value(number: int) -> None:
    english, german, french = f"{number:,}", f"{number:,}".replace(",", "."), f"{number:_}"
    assert readings(english)[0] == str(number)  # type: ignore[index]
    assert str(number) in readings(german)  # type: ignore[operator]
    assert readings(french)[0] == str(number)  # type: ignore[index]


@settings(deadline=None, derandomize=True)
@given(st.text(max_size=200))
def test_any_text_gives_numbers_that_point_into_it(text: str) -> None:
    for number in numbers(text):
        assert text[number.start : number.end] == number.raw
        assert number.value


@settings(deadline=None, derandomize=True)
@given(st.text(st.sampled_from("0123456789.,'-: \u00a0%€$/vMay [](){}年月日天十五百"), max_size=60))
def test_digits_and_marks_in_any_order_are_read_without_fail(text: str) -> None:
    found = numbers(text)
    assert unmatched(found, found) == []


def test_the_tenth_version_is_not_the_first():
    assert unmatched(numbers("version 2.10"), numbers("Version 2.1"))
    assert not unmatched(numbers("version 2.1"), numbers("the API v2.1"))
    assert not unmatched(numbers("It costs 2.10"), numbers("2.1"))


def test_ordinals_in_capitals():
    assert not unmatched(numbers("THE 3RD DAY"), numbers("the 3rd day"))
