"""Answerable cases without a reference: nothing tells whether an answer is right."""

from collections.abc import Iterator

from acidtest.golden.lint.rule import Hit, Rule, Subject


def _check(subject: Subject) -> Iterator[Hit]:
    for case in subject.golden:
        if case.answerable and (case.reference is None or not case.reference.strip()):
            yield Hit(message="has no reference", cases=(case.id,))


RULE = Rule(
    name="missing-reference",
    severity="warning",
    about="an answerable case without an expected answer",
    fix="Write the expected answer into reference, or say answerable: false.",
    check=_check,
)
