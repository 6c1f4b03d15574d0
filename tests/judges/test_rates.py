"""Reading rate-limit headers and spans of time."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multidict import CIMultiDict

from acidtest.judges.rates import retry_after, room_after, seconds

NOW = datetime(2026, 11, 29, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12", 12.0),
        ("0.5", 0.5),
        ("1s", 1.0),
        ("6m0s", 360.0),
        ("2m59.56s", 179.56),
        ("12ms", 0.012),
        ("1h2m3s", 3723.0),
        ("-3", 0.0),
        ("2026-11-29T12:00:30Z", 30.0),
        ("Sun, 29 Nov 2026 12:01:00 GMT", 60.0),
        ("Sun, 29 Nov 2026 11:00:00 GMT", 0.0),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("1e300", None),
        ("Mon, 99 Foo 2026", None),
    ],
)
def test_spans_and_dates(text, expected):
    assert seconds(text, NOW) == (None if expected is None else pytest.approx(expected))


@given(st.text())
def test_any_text_is_seconds_or_nothing(text):
    found = seconds(text, NOW)
    assert found is None or 0 <= found <= 1e7


def test_retry_after_in_both_forms():
    assert retry_after(CIMultiDict({"retry-after": "3"})) == 3.0
    assert retry_after(CIMultiDict({"Retry-After": "9", "retry-after-ms": "250"})) == 0.25
    assert retry_after(CIMultiDict()) is None
    assert retry_after(CIMultiDict({"Retry-After": "later"})) is None


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, 0.0),
        # 60 a minute, none left: the bucket drips one a second.
        (
            {
                "x-ratelimit-limit-requests": "60",
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "1m0s",
            },
            1.0,
        ),
        (
            {
                "x-ratelimit-limit-requests": "60",
                "x-ratelimit-remaining-requests": "1",
                "x-ratelimit-reset-requests": "59s",
            },
            0.0,
        ),
        # 400 tokens left of 10,000, which fill again in 48 s; a call takes 1,000.
        (
            {
                "x-ratelimit-limit-tokens": "10000",
                "x-ratelimit-remaining-tokens": "400",
                "x-ratelimit-reset-tokens": "48s",
            },
            3.0,
        ),
        (
            {
                "anthropic-ratelimit-requests-limit": "50",
                "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-requests-reset": "2026-11-29T12:01:00Z",
            },
            1.2,
        ),
        # No limit is named: wait for the whole reset.
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "5"}, 5.0),
        # Azure's way of saying that it does not know.
        ({"x-ratelimit-remaining-tokens": "-1", "x-ratelimit-reset-tokens": "0"}, 0.0),
        ({"x-ratelimit-remaining-requests": "none", "x-ratelimit-reset-requests": "5"}, 0.0),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "?"}, 0.0),
    ],
)
def test_room(headers, expected):
    assert room_after(CIMultiDict(headers), tokens=1000, now=NOW) == pytest.approx(expected)


@pytest.mark.parametrize("year", ["99999", "9" * 20])
def test_a_year_that_no_calendar_has(year):
    assert retry_after({"Retry-After": f"Mon, 01 Jan {year} 00:00:00 GMT"}) is None
