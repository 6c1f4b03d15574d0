"""Answerable cases whose reference is a refusal: a system that declines rightly would fail them."""

from collections.abc import Iterator

from acidtest.golden.lint.rule import Hit, Rule, Subject
from acidtest.text.refusal import declined

_LOOK = 300  # characters: a longer reference answers something


def _check(subject: Subject) -> Iterator[Hit]:
    for case in subject.golden:
        said = case.reference
        if case.answerable and said and len(said) <= _LOOK and declined(said).declined:
            yield Hit(
                message=f"is answerable, and its reference declines: {said}", cases=(case.id,)
            )


RULE = Rule(
    name="reference-declines",
    severity="warning",
    about="an answerable case whose reference says that there is no answer",
    fix="Say answerable: false and remove the labels, or write the answer.",
    check=_check,
)
