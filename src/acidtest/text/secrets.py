"""Secrets: keys, tokens, passwords and account numbers by their well-known shapes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Secret:
    """Something that must not be shown.

    Attributes:
        kind: What it looks like, in words.
        raw: The secret itself; print `masked` instead.
        start: Offset in the text.
        end: Offset after it.
    """

    kind: str
    raw: str
    start: int
    end: int

    @property
    def masked(self) -> str:
        """The first four characters and how many follow."""
        return f"{self.raw[:4]}...({len(self.raw)} characters)"


_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("private key", re.compile(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s]{0,8000}")),
    ("AWS access key", re.compile(r"(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])")),
    ("API key", re.compile(r"(?<![\w-])(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,200}")),
    ("Google API key", re.compile(r"(?<![\w-])AIza[A-Za-z0-9_-]{35}")),
    ("GitHub token", re.compile(r"(?<!\w)(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255})")),
    ("GitLab token", re.compile(r"(?<![\w-])glpat-[A-Za-z0-9_-]{16,100}")),
    ("Slack token", re.compile(r"(?<![\w-])xox[abeoprs]-[A-Za-z0-9-]{10,250}")),
    ("JSON web token", re.compile(r"(?<![\w-])eyJ[\w-]{8,4000}\.eyJ[\w-]{8,4000}\.[\w-]{0,1000}")),
    (
        "password",
        re.compile(
            r"(?i)(?<![a-z])(?:password|passwd|pwd|passwort|secret|api[_-]?key|access[_-]?token)"
            r"[\"']?\s{0,3}(?:[:=]|\bis\b)\s{0,3}[\"'`]?(?P<secret>(?=[^\s\"'`]{0,80}[0-9$!@#%&*_])[^\s\"'`,;]{6,80})"
        ),
    ),
    (
        "bank account (IBAN)",
        re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?(?!\w)"),
    ),
    ("payment card", re.compile(r"(?<![\w.-])\d{4}(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?![\w-])")),
    ("US social security number", re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])")),
)


def secrets(text: str) -> list[Secret]:
    """Return what looks like a secret, in order, without overlaps.

    Payment cards and bank accounts are checked by their check digits, so that long numbers do not
    pass for them.
    """
    found = sorted(_candidates(text), key=lambda s: (s.start, -s.end))
    kept: list[Secret] = []
    for secret in found:
        if not kept or secret.start >= kept[-1].end:
            kept.append(secret)
    return kept


def _candidates(text: str) -> Iterator[Secret]:
    for kind, shape in _SHAPES:
        for match in shape.finditer(text):
            group = "secret" if "secret" in shape.groupindex else 0
            raw = match[group]
            if kind == "payment card" and not _luhn(raw):
                continue
            if kind.startswith("bank") and not _iban(raw):
                continue
            yield Secret(kind, raw, match.start(group), match.end(group))


def _luhn(raw: str) -> bool:
    """Check a payment card number (ISO/IEC 7812)."""
    digits = [int(c) for c in raw if c.isdigit()]
    if not 13 <= len(digits) <= 19:
        return False
    doubled = (d if i % 2 == 0 else d * 2 - 9 * (d > 4) for i, d in enumerate(reversed(digits)))
    return sum(doubled) % 10 == 0


def _iban(raw: str) -> bool:
    """Check an account number (ISO 13616): the rearranged number is 1 modulo 97."""
    bare = raw.replace(" ", "")
    return int("".join(str(int(c, 36)) for c in bare[4:] + bare[:4])) % 97 == 1
