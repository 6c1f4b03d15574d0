"""No, or too few, questions without an answer: then nothing shows whether the system makes answers up."""

from collections.abc import Iterator

from acidtest.golden.lint.rule import Hit, Rule, Subject

LEAST = 0.10


def _check(subject: Subject) -> Iterator[Hit]:
    count, of = sum(not case.answerable for case in subject.tested), len(subject.tested)
    if of and count < LEAST * of:
        told = (
            "no case must be declined" if not count else f"{count} of {of:,} cases must be declined"
        )
        share = "" if not count else f" ({count / of:.0%})"
        yield Hit(message=f"{told}{share}; {LEAST:.0%} is the least")


RULE = Rule(
    name="few-unanswerable",
    severity="warning",
    about="no questions that must be declined, or under 10 %",
    fix="Add questions that the corpus nearly answers, with answerable: false.",
    check=_check,
)
