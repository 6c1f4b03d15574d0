"""No hard cases: a set on which everything passes cannot show an improvement."""

from collections.abc import Iterator

from acidtest.data.golden import Case
from acidtest.golden.lint.rule import Hit, Rule, Subject
from acidtest.text.question_kind import question_kinds

HARD_TAGS = frozenset(
    [
        "hard",
        "difficult",
        "multi-hop",
        "multihop",
        "multi-part",
        "multipart",
        "comparison",
        "follow-up",
        "ambiguous",
        "reasoning",
    ]
)
_HARD_KINDS = frozenset(["multi-part", "comparison", "follow-up"])
_READ = 10_000  # cases whose questions are read, where neither tags nor labels tell


def _is_hard(case: Case) -> bool:
    if not case.answerable:
        return False
    if case.history or any(_folded(tag) in HARD_TAGS for tag in case.tags):
        return True
    return sum(grade >= 1 for grade in (case.labels or {}).values()) > 1


def _folded(tag: str) -> str:
    return tag.strip().casefold().replace("_", "-").replace(" ", "-")


def _check(subject: Subject) -> Iterator[Hit]:
    cases = [case for case in subject.tested if case.answerable]
    tags = {_folded(tag) for case in cases for tag in case.tags}
    if "easy" in tags and not tags & (HARD_TAGS | {"medium"}):
        yield Hit(message="cases are tagged easy, and none is tagged hard")
    elif (
        cases
        and not any(map(_is_hard, cases))
        and not any(_HARD_KINDS & {*question_kinds(case.question)} for case in cases[:_READ])
    ):
        which = "" if len(cases) <= _READ else f" of the first {_READ:,}"
        told = f"no question{which} needs two chunks, has two parts, compares, or follows an earlier turn"
        yield Hit(message=told)


RULE = Rule(
    name="no-hard-cases",
    severity="warning",
    about="no hard cases by their tags, labels or words",
    fix="Add questions over several chunks, with several parts, comparisons and follow-ups; tag them hard.",
    check=_check,
)
