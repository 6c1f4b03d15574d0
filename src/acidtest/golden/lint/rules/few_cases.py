"""Too few cases: gross faults show, improvements do not."""

from collections.abc import Iterator

from acidtest.golden.lint.rule import Hit, Rule, Subject

LEAST = 30
LEAST_JUDGED = 50
"""A judge adds noise of its own."""


def _check(subject: Subject) -> Iterator[Hit]:
    count = len(subject.tested)
    least = LEAST_JUDGED if subject.judged else LEAST
    if count < least:
        noun = "case" if count == 1 else "cases"
        of_tuning = " beside those of a tuning split" if subject.tuned else ""
        why = " where a judge scores" if subject.judged else ""
        yield Hit(message=f"{count} {noun}{of_tuning}; {least} is the least{why}")


RULE = Rule(
    name="few-cases",
    severity="warning",
    about="fewer than 30 cases, or than 50 where a judge scores",
    fix="Add cases, best from real failures: acidtest golden promote, or acidtest golden synthesize.",
    check=_check,
)
