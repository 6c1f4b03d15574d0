"""Mostly synthetic: such questions are easier and more alike than those that people ask."""

from collections.abc import Iterator

from acidtest.data.golden import Case
from acidtest.golden.grow.made import SOURCE
from acidtest.golden.lint.rule import Hit, Rule, Subject

MOST = 0.5


def is_synthetic(case: Case) -> bool:
    """Say whether a case was written by a program."""
    return case.source is not None and case.source.strip().casefold().startswith(SOURCE)


def _check(subject: Subject) -> Iterator[Hit]:
    count, of = sum(map(is_synthetic, subject.tested)), len(subject.tested)
    if count > MOST * of:
        yield Hit(message=f"{count:,} of {of:,} cases ({count / of:.0%}) are synthetic")


RULE = Rule(
    name="mostly-synthetic",
    severity="warning",
    about="more than half of the cases are synthetic",
    fix="Add questions that people asked: from logs, tickets and failures in production.",
    check=_check,
)
