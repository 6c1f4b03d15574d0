"""Cases that no person has accepted yet."""

from collections.abc import Iterator

from acidtest.golden.grow.review import ACCEPTED, REJECTED, is_open
from acidtest.golden.lint.rule import Hit, Rule, Subject
from acidtest.golden.lint.rules.mostly_synthetic import is_synthetic


def _check(subject: Subject) -> Iterator[Hit]:
    for case in subject.golden:
        mark = case.metadata.get("review")
        if is_open(case):
            yield Hit(message="waits for a person to accept it", cases=(case.id,))
        elif mark == REJECTED:
            fix = "Remove it: a person rejected it."
            yield Hit(message="was rejected, and is still in the set", cases=(case.id,), fix=fix)
        elif is_synthetic(case) and mark != ACCEPTED:
            yield Hit(message="is synthetic, and nobody has accepted it", cases=(case.id,))


RULE = Rule(
    name="unaccepted",
    severity="warning",
    about="synthetic or promoted cases that no person has accepted",
    fix="Look at it: acidtest golden review shows it, acidtest golden accept takes or rejects it.",
    check=_check,
)
