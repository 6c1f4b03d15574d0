"""What personal data and secrets look like: built-in patterns by name.

Each takes time in proportion to the text. Numbers that carry a check (cards, IBANs) are taken out only if
it holds; what merely looks like one stays.
"""

import ipaddress
import re
from collections.abc import Callable, Mapping

Redactor = Callable[[str], str]
"""Returns a text without what must not be stored."""

_EMAIL = re.compile(
    # Also as addresses and HTML write the sign.
    r"[\w.%+'-]{1,64}(?:@|%40|&#64;)(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}[^\W\d_]{2,24}"
)

_SEVEN_DIGITS = re.compile(r"\d(?:[ .()/-]{0,3}\d){6}")
_PHONES = (
    # With the country, +49 or 0049: from 7 to 15 digits.
    re.compile(r"(?<![\w+])\+(?:[ .()/-]{0,2}\d){7,15}(?!\d)"),
    re.compile(r"(?<![\w.,+-])00[1-9](?:[ .()/-]{0,2}\d){7,13}(?![\w-])"),
    # In North America, three, three and four digits.
    re.compile(r"(?<![\w.(-])(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w-])"),
    # Within a country with a 0 before the area: nine digits or more in groups, so that no date is one.
    re.compile(
        r"(?<![\w.,+-])(?=\(?(?:[ ()/-]{0,2}\d){9})\(?0[1-9]\d{0,3}\)?[ /-]{1,2}\d{2,8}(?:[ /-]\d{2,6}){0,4}(?![\w-])"
    ),
)

_DIGITS = re.compile(r"[^\W_]?\d(?:[ -]?\d){12,}[^\W_]?")
_CARD_LENGTHS = range(19, 12, -1)

_TWO_DOTS = re.compile(r"\.\d{1,3}\.")
_TWO_COLONS = re.compile(r":[0-9A-Fa-f]{0,4}:")
_IPV4 = re.compile(
    r"(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?!\.?\d)"
)
_IPV6 = re.compile(
    r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4})(?![\w:])"
)

_IBAN = re.compile(r"(?<![^\W_])[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]){11,30}")
_IBAN_LEAST = 15

_SECRETS: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = (
    # What a text must hold, in lower case, before the pattern is tried; and the pattern.
    (("bearer ",), re.compile(r"(?i)(?<=\bbearer )[\w.~+/-]{8,}=*")),
    (
        ("sk-", "pk-", "rk-", "sk_", "pk_", "rk_"),
        re.compile(r"\b(?:sk|pk|rk)[-_](?:(?:live|test|proj|ant|or|lf)[-_])?[\w-]{16,}"),
    ),
    (
        ("_", "-"),
        re.compile(
            r"\b(?:gh[opsur]_|github_pat_|glpat-|hf_|lsv2_|xox[abeprs]-|npm_|dop_v1_|r8_)[\w-]{16,}"
        ),
    ),
    (("akia", "asia"), re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b")),
    (("aiza",), re.compile(r"\bAIza[\w-]{30,}")),
    (("eyj",), re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?")),
    (("://",), re.compile(r"(?<=://)[^\s/:@]{0,200}:[^\s/@]{1,200}(?=@)")),
    (
        ("key", "token", "secret", "passw"),
        re.compile(
            r"(?i)(?<![^\W_])(?:api[_-]?key|access[_-]?token|secret(?:[_-]?key)?|password|passwd)"
            r"[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?P<value>[^\s\"',;&]{6,})"
        ),
    ),
)
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\Z)",
    re.DOTALL,
)

SECRET_NAMES = re.compile(
    r"(?i)(?:^|[._-])(?:authorization|cookie|api[_-]?key|password|passwd|(?:access|refresh|auth)[_-]?token"
    r"|(?:client[_-]?)?secret|secret[_-]?key|private[_-]?key)$"
)
"""Names of attributes whose whole value is a secret."""


def emails(text: str) -> str:
    """Take out e-mail addresses."""
    return _EMAIL.sub("[email]", text) if "@" in text or "%40" in text or "&#64;" in text else text


def phones(text: str) -> str:
    """Take out telephone numbers: with a country's code, of North America, or with a 0 before the area."""
    if _SEVEN_DIGITS.search(text):
        for pattern in _PHONES:
            text = pattern.sub("[phone]", text)
    return text


def cards(text: str) -> str:
    """Take out card numbers: 13 to 19 digits, beginning with 2 to 6, whose check digit (Luhn) holds."""
    return _DIGITS.sub(_without_cards, text)


def ips(text: str) -> str:
    """Take out addresses of IPv4 and IPv6."""
    text = _IPV4.sub("[ip]", text) if _TWO_DOTS.search(text) else text
    return _IPV6.sub(_without_ipv6, text) if _TWO_COLONS.search(text) else text


def ibans(text: str) -> str:
    """Take out bank accounts (IBAN) whose check digits hold (ISO 7064, 97-10)."""
    return _IBAN.sub(_without_iban, text)


def secrets(text: str) -> str:
    """Take out keys of APIs, tokens, passwords in addresses and assignments, and private keys."""
    if "-----BEGIN " in text:
        text = _PRIVATE_KEY.sub("[secret]", text)
    lower = text.lower()
    for hints, pattern in _SECRETS:
        if any(hint in lower for hint in hints):
            text = pattern.sub(_without_value, text)
    return text


PATTERNS: Mapping[str, Redactor] = {
    "secret": secrets,
    "email": emails,
    "iban": ibans,
    "card": cards,
    "ip": ips,
    "phone": phones,
}
"""By the names that `redact` takes, in the order that they are applied in."""


def _without_value(found: re.Match[str]) -> str:
    whole = found.group()
    value = found.groupdict().get("value")
    return "[secret]" if value is None else whole[: len(whole) - len(value)] + "[secret]"


def _without_cards(found: re.Match[str]) -> str:
    """Take the cards out of digits, which may have other numbers beside them.

    A letter right before or behind tells an id in hex digits: none is a part of it.
    """
    run = found.group()
    places = [i for i, c in enumerate(run) if c not in " -"]
    digits = [int(run[i]) if run[i].isdecimal() else -1 for i in places]
    kept, done, first = list[str](), 0, 0
    while first < len(places):
        length = _card_at(places, digits, first)
        if length:
            kept += [run[done : places[first]], "[card]"]
            done = places[first + length - 1] + 1
        first += length or 1
    return "".join([*kept, run[done:]])


def _card_at(places: list[int], digits: list[int], first: int) -> int:
    """Return how many digits a card has that begins at a digit; 0 where none does."""
    begins = first == 0 or places[first] - places[first - 1] > 1
    if not begins or not 2 <= digits[first] <= 6:
        return 0
    for length in _CARD_LENGTHS:
        last = first + length - 1
        if last < len(places):
            ends = last + 1 == len(places) or places[last + 1] - places[last] > 1
            if ends and -1 not in digits[first : last + 1] and _luhn(digits[first : last + 1]):
                return length
    return 0


def _luhn(digits: list[int]) -> bool:
    doubled = (d if i % 2 == 0 else d * 2 - 9 * (d > 4) for i, d in enumerate(reversed(digits)))
    return sum(doubled) % 10 == 0


def _without_ipv6(found: re.Match[str]) -> str:
    text = found.group()
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return text
    return text if text == "::" else "[ip]"


def _without_iban(found: re.Match[str]) -> str:
    """Take the longest account out that the text begins with; words may follow it."""
    text = found.group()
    after = found.string[found.end() : found.end() + 1]
    ends = [i for i, c in enumerate(text) if c == " "] + ([] if after.isalnum() else [len(text)])
    for end in reversed(ends):
        account = text[:end].replace(" ", "").upper()
        if len(account) >= _IBAN_LEAST and _checked(account):
            return f"[iban]{text[end:]}"
    return text


def _checked(account: str) -> bool:
    return int("".join(str(int(c, 36)) for c in account[4:] + account[:4])) % 97 == 1
