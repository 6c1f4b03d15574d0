"""Names and secrets by their shape."""

import pytest

from acidtest.text.names import names
from acidtest.text.secrets import secrets


def found(text: str) -> list[tuple[str, str]]:
    return [(name.kind, name.text) for name in names(text)]


def test_names_in_a_sentence() -> None:
    assert found("The plan by Acme Corp was sold to Bob's friend in New York.") == [
        ("proper", "Acme Corp"),
        ("proper", "Bob"),
        ("proper", "New York"),
    ]


def test_a_capital_that_only_opens_a_sentence_names_nothing() -> None:
    assert found("Plans differ. Refunds take time.\n- Returns\n- Orders\nThe end.") == []
    assert found("Angela Merkel spoke.") == [("proper", "Angela Merkel")]
    assert names("Use Kubernetes now.")[0].opens
    assert not names("We use Kubernetes Engine.")[0].opens


def test_identifiers_acronyms_and_addresses() -> None:
    assert found(
        "See RFC-2119, my_var, iPhone, gpt-4 and NASA at https://a.b/c?d=1, or mail x@y.co."
    ) == [
        ("identifier", "RFC-2119"),
        ("identifier", "my_var"),
        ("identifier", "iPhone"),
        ("identifier", "gpt-4"),
        ("acronym", "NASA"),
        ("url", "https://a.b/c?d=1"),
        ("email", "x@y.co"),
    ]


def test_measures_months_and_roman_numerals_name_nothing() -> None:
    assert found("it takes 10GB, 3rd, 30-day, v1.2, chapter IV, on Monday in May") == []


def test_german_nouns_are_no_names() -> None:
    assert found("Ich habe im Haus mit Angela Merkel über SAP geredet.") == [
        ("proper", "Angela Merkel"),
        ("acronym", "SAP"),
    ]


def test_a_heading_in_title_case_is_no_name() -> None:
    assert found("So We Come To How All The Great Big New Plans Work Well Today") == []


def test_keys_compare_without_hyphens_and_case() -> None:
    (name,) = names("the RFC-2119 text")
    assert name.key == "rfc 2119"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("AKIAABCDEFGHIJKLMNOP", "AWS access key"),
        ("sk-abcdefghijklmnopqrst", "API key"),
        ("ghp_abcdefghijklmnopqrst0123", "GitHub token"),
        ("password: hunter22", "password"),
        ("4111 1111 1111 1111", "payment card"),
        ("DE89 3704 0044 0532 0130 00", "bank account (IBAN)"),
        ("123-45-6789", "US social security number"),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc", "private key"),
    ],
)
def test_a_secret(text: str, kind: str) -> None:
    (secret,) = secrets(f"it is {text} here")
    assert secret.kind == kind
    assert len(secret.raw) > len(secret.masked.split("...")[0]) == 4


def test_what_is_no_secret() -> None:
    assert secrets("The password is required. Order 4111 1111 1111 1112, call 555-123-4567.") == []
    assert secrets("DE00 3704 0044 0532 0130 00") == []
