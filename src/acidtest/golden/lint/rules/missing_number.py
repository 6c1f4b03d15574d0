"""References with a number that nothing they rest on has."""

import re
from collections.abc import Iterator

from acidtest.data.golden import Case
from acidtest.golden.lint.rule import Hit, Rule, Subject
from acidtest.text.numbers import Number, lacking, numbers
from acidtest.text.numbers import index as by_value

_DIGITS = re.compile(r"\d+")
_LOOK = 2_000  # characters of a reference


def _check(subject: Subject) -> Iterator[Hit]:
    for case in subject.golden:
        if not case.answerable or not case.reference or not case.evidence:
            continue
        texts = (*subject.texts(case), case.question, *(turn.text for turn in case.history))
        missing = _missing(case, texts)
        if missing:
            told = ", ".join(number.raw for number in missing[:3])
            yield Hit(
                message=f"the reference says {told}, which its evidence does not", cases=(case.id,)
            )


def _missing(case: Case, texts: tuple[str, ...]) -> list[Number]:
    said = (case.reference or "")[:_LOOK]
    if all(any(digits in text for text in texts) for digits in _DIGITS.findall(said)):
        return []  # nearly all cases, and reading numbers takes its time
    wanted = [each for each in numbers(said) if any(sign.isdigit() for sign in each.raw)]
    return lacking(wanted, [by_value(numbers(text)) for text in texts])


RULE = Rule(
    name="missing-number",
    severity="note",
    about="a reference with a number that neither its evidence nor its chunks hold",
    fix="Check the number; add the evidence that it is from, unless it was counted or worked out.",
    check=_check,
)
