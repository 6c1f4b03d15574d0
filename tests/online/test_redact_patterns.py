"""What the built-in patterns take out, and what they leave."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.online.redact_own import NAMES
from acidtest.online.redact_patterns import PATTERNS


def test_each_name_has_its_pattern():
    assert tuple(PATTERNS) == NAMES


TAKEN = {
    "email": [
        ("write to anna.b+c@mail.example.co.uk, please", "write to [email], please"),
        ("Müller@büro.example or a%40b.example", "[email] or [email]"),
    ],
    "phone": [
        ("call +49 89 123456-78 now", "call [phone] now"),
        ("call 0049 (0)89 1234567", "call [phone]"),
        ("(415) 555-0132, 415.555.0132", "[phone], [phone]"),
        ("Tel. 089/12 34 56 78", "Tel. [phone]"),
        ("020 7946 0958 or 06 12 34 56 78", "[phone] or [phone]"),
    ],
    "card": [
        ("4111 1111 1111 1111 12/27", "[card] 12/27"),
        ("in 2026 4111-1111-1111-1111", "in 2026 [card]"),
        ("378282246310005", "[card]"),
        ("card=4111111111111111;x", "card=[card];x"),
    ],
    "ip": [
        ("from 10.0.0.1.", "from [ip]."),
        ("fe80::1 and 2001:db8:0:0:0:0:0:1", "[ip] and [ip]"),
    ],
    "iban": [
        ("to DE89 3704 0044 0532 0130 00 by Friday", "to [iban] by Friday"),
        ("GB82WEST12345698765432", "[iban]"),
    ],
    "secret": [
        ("Authorization: Bearer abcdef123456.x-y", "Authorization: Bearer [secret]"),
        ("sk-proj-" + "a1B2" * 8, "[secret]"),
        ("ghp_" + "a1B2" * 9, "[secret]"),
        ("postgresql://me:secret@db/x", "postgresql://[secret]@db/x"),
        ('{"api_key": "0123456789"}', '{"api_key": "[secret]"}'),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc", "[secret]"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "[secret]"),
    ],
}
LEFT = {
    "email": ["@anna", "3 @ 5", "user@localhost"],
    "phone": ["2026-11-30", "01-02-2026", "12:30:45", "1 000 000 000", "10.0.0.1", "12345678901"],
    "card": [
        "4111 1111 1111 1112",
        "1700000000000000000",
        "2026-11-30 12:00:00",
        "be4111-1111-1111-1111c1",
    ],
    "ip": ["12:30:45", "1.2.3", "std::vector", "::", "300.1.1.1"],
    "iban": ["DE89 3704 0044 0532 0130 01", "AB12 is a short code"],
    "secret": ["the bearer of this", "max_tokens: 100000", "a token is a word"],
}


@pytest.mark.parametrize(
    ("name", "text", "clean"), [(n, *pair) for n, pairs in TAKEN.items() for pair in pairs]
)
def test_what_must_not_be_stored_is_taken_out(name, text, clean):
    assert PATTERNS[name](text) == clean


@pytest.mark.parametrize(
    ("name", "text"), [(n, text) for n, texts in LEFT.items() for text in texts]
)
def test_what_only_looks_alike_stays(name, text):
    assert PATTERNS[name](text) == text


@given(st.text(max_size=30), st.text(max_size=30))
def test_an_address_is_found_between_any_words(before, after):
    text = PATTERNS["email"](f"{before} anna@mail.example {after}")
    assert "anna@mail.example" not in text


HARD = ["a", "1", "1 ", "a@", "a.", "1.", "a:", "0 ", "+1 ", "de12 ", "-", "sk-", "eyJaaaaaaaa."]


@pytest.mark.parametrize("name", PATTERNS)
def test_time_grows_with_the_text_alone(name):
    for hard in HARD:
        text = (hard * 200_000)[:200_000]
        began = time.process_time()
        PATTERNS[name](text)
        assert time.process_time() - began < 1.5, (name, hard)
