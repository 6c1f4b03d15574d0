"""Cases that ask the same, to the letter: each counts once more in every mean."""

from collections.abc import Iterator

from acidtest.data.golden import Case
from acidtest.golden.lint.mend.twins import but_for_id
from acidtest.golden.lint.rule import Hit, Rule, Subject, is_tuning
from acidtest.golden.lint.rules.contradiction import contradict


def _check(subject: Subject) -> Iterator[Hit]:
    golden = subject.golden
    for places in subject.kin.exact:
        own = [golden[place] for place in places if place < len(golden)]
        for side in (False, True):
            cases = [case for case in own if is_tuning(case) is side]
            if len(cases) > 1 and not contradict(cases):
                told = "ask the same" if len(cases) == 2 else f"({len(cases):,}) ask the same"
                yield Hit(
                    message=f"{told}: {cases[0].question[:200]}",
                    cases=tuple(case.id for case in cases),
                    fixable=_same_but_for_ids(cases),
                )


def _same_but_for_ids(cases: list[Case]) -> bool:
    seen = set()
    for case in cases:
        same = but_for_id(case)
        if same in seen:
            return True
        seen.add(same)
    return False


RULE = Rule(
    name="duplicate",
    severity="warning",
    about="cases that ask the same question after the same turns",
    fix="Keep one; --fix drops those that are equal in everything but their ids.",
    check=_check,
)
