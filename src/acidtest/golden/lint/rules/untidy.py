"""White space at the ends of what people typed, and characters that nobody sees."""

from collections.abc import Iterator

from acidtest.golden.lint.mend.tidy import unseen, untidy
from acidtest.golden.lint.rule import Hit, Rule, Subject


def _check(subject: Subject) -> Iterator[Hit]:
    for case in subject.golden:
        fields = untidy(case)
        if fields:
            told = f"white space at the ends of {', '.join(fields)}"
            yield Hit(message=told, cases=(case.id,), fixable=True)
        hidden = unseen(case)
        if hidden:
            yield Hit(
                message=f"characters that nobody sees in {', '.join(hidden)}",
                cases=(case.id,),
                fix="Type the text anew, or paste it as plain text.",
            )


RULE = Rule(
    name="untidy",
    severity="note",
    about="white space at the ends of question, reference or tags, or characters that nobody sees",
    fix="Remove it; --fix does.",
    check=_check,
)
