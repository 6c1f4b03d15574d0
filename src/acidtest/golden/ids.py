"""Ids for cases that have none: from what is asked, so that they are the same in every file.

`q-` and 12 hex digits of question and history. Where several cases ask the same, the digits are those
of the whole case instead, so that neither file order nor file form matters.
"""

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from acidtest.codec.json import content_hash
from acidtest.data.golden import Case

NO_ID = ""
"""The id of a case that still lacks one; no file can give it."""


def with_ids(cases: Iterable[Case]) -> list[Case]:
    """Return the cases in their order, those without an id with the id that follows from them."""
    found = list(cases)
    asked = [_digits([case.question, case.history]) if case.id == NO_ID else "" for case in found]
    often = Counter(asked)
    return [
        replace(case, id=f"q-{digits if often[digits] == 1 else _digits(case)}") if digits else case
        for case, digits in zip(found, asked, strict=True)
    ]


def _digits(value: object) -> str:
    return content_hash(value).removeprefix("sha256:")[:12]
