"""Placeholders: what stands in brackets where something personal was taken out of a text, such as `[email]`.

Such words are text: they cite nothing. Those that redaction puts in (`[email]`, `[phone]`, `[redacted]`) are plain
words; other tools count them and shout (`[PERSON_1]`, `[EMAIL_ADDRESS]`), and so look like ids.
"""

import re

_OURS = r"e-?mail|phone|card|iban|ip|secret|redacted|name|person|ssn"
_MORE = (
    r"MAIL|MOBILE|TELEPHONE|FAX|CREDIT|ACCOUNT|BANK|KEY|TOKEN|PASSWORD|API|REMOVED|MASKED|HIDDEN|ANONYMI[SZ]ED"
    r"|FIRST|LAST|USER|CUSTOMER|CLIENT|PATIENT|EMPLOYEE|ADDRESS|STREET|CITY|LOCATION|ZIP|POSTCODE|DATE|TIME|BIRTH"
    r"|DOB|AGE|ORG|ORGANI[SZ]ATION|COMPANY|ID|NUMBER|URL|DOMAIN|NRP|PASSPORT|DRIVER|LICEN[CS]E|TAX|US|UK|MEDICAL"
    r"|CRYPTO|CODE|PII|PHI|PERSONAL|DATA|OF"
)
_CAPS = rf"{_OURS.upper()}|{_MORE}"
_PLACEHOLDER = re.compile(
    rf"(?i:{_OURS})(?:[ _-]?\d{{1,3}})?|(?:{_CAPS})(?:[ _-](?:{_CAPS})){{0,4}}(?:[ _-]?\d{{1,3}})?"
)
_BRACKETED = re.compile(r"\[([^\[\]\n]{1,80})\]")


def placeholder(inner: str) -> bool:
    """Say whether what stands between two brackets is a placeholder."""
    return _PLACEHOLDER.fullmatch(inner) is not None


def without_placeholders(text: str) -> str:
    """Return the text with spaces where placeholders stood, so that offsets stay."""
    return _BRACKETED.sub(lambda m: " " * len(m[0]) if placeholder(m[1]) else m[0], text)
