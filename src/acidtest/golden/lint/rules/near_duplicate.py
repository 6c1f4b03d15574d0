"""Cases that ask nearly the same: other small words, another order, a slip of the pen."""

from collections.abc import Iterator

from acidtest.golden.lint.rule import Hit, Rule, Subject, is_tuning

_SHOWN = 200  # characters of a question


def _check(subject: Subject) -> Iterator[Hit]:
    golden = subject.golden
    for side in (False, True):
        own = {place for place, case in enumerate(golden) if is_tuning(case) is side}
        for places in subject.kin.near(own.__contains__):
            cases = [golden[place] for place in places]
            more = f" (and {len(cases) - 2:,} more)" if len(cases) > 2 else ""
            asked, other = (case.question[:_SHOWN] for case in cases[:2])
            yield Hit(
                message=f"ask nearly the same: {asked} / {other}{more}",
                cases=tuple(case.id for case in cases),
            )


RULE = Rule(
    name="near-duplicate",
    severity="warning",
    about="cases that ask nearly the same question after the same turns",
    fix="Keep one, or give all of them one group, so that intervals count them together.",
    check=_check,
)
