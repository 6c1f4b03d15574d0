"""Cases that ask the same and say opposite things of the right answer."""

from collections.abc import Iterator, Sequence

from acidtest.data.golden import Case
from acidtest.golden.lint.rule import Hit, Rule, Subject


def contradict(cases: Sequence[Case]) -> bool:
    """Say whether cases that ask the same cannot all be right: one has an answer, and one must be declined."""
    return len({case.answerable for case in cases}) > 1


def _check(subject: Subject) -> Iterator[Hit]:
    golden = subject.golden
    for places in subject.kin.exact:
        cases = [golden[place] for place in places if place < len(golden)]
        if contradict(cases):
            told = "ask the same, and only some of them must be declined"
            yield Hit(
                message=f"{told}: {cases[0].question[:200]}",
                cases=tuple(case.id for case in cases),
            )


RULE = Rule(
    name="contradiction",
    severity="error",
    about="a question that is answerable in one case and must be declined in another",
    fix="Decide whether the corpus answers it, and remove the other case.",
    check=_check,
)
