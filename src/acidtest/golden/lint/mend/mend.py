"""Mending a set: everything that `--fix` does, in one pass."""

from collections.abc import Callable, Collection

from msgspec import Struct

from acidtest.data.corpus import Corpus
from acidtest.data.golden import Case, GoldenSet
from acidtest.golden.lint.mend.fill import filled_in
from acidtest.golden.lint.mend.places import replaced
from acidtest.golden.lint.mend.tidy import tidied
from acidtest.golden.lint.mend.twins import without_twins
from acidtest.golden.version import version_of

Mend = Callable[[Case, Corpus | None], tuple[Case, list[str]]]

_MENDS: dict[str, Mend] = {
    "untidy": lambda case, _: tidied(case),
    "evidence-label": replaced,
    "no-evidence": filled_in,
}
"""Rule -> what mends one case of it, in the order in which they are applied."""

FIXABLE = (*_MENDS, "duplicate")
"""The rules of which findings can be mended."""


class Mended(Struct, frozen=True, kw_only=True):
    """A set that was mended.

    Attributes:
        golden: The set as it is now.
        changed: Case id -> what was done to it.
        dropped: Id of a case that went -> id of the equal case that stays.
    """

    golden: GoldenSet
    changed: dict[str, tuple[str, ...]]
    dropped: dict[str, str]


def mend(golden: GoldenSet, corpus: Corpus | None, rules: Collection[str]) -> Mended:
    """Mend what needs no judgement; no label and no text that anybody typed is lost.

    Args:
        golden: The set.
        corpus: Today's chunks: evidence is filled in from them.
        rules: The rules whose findings are mended.
    """
    changed: dict[str, tuple[str, ...]] = {}
    cases: list[Case] = []
    for before in golden:
        case, done = before, list[str]()
        for name, one in _MENDS.items():
            if name in rules:
                case, more = one(case, corpus)
                done += more
        cases.append(case)
        if done:
            changed[case.id] = tuple(done)
    dropped: dict[str, str] = {}
    if "duplicate" in rules:
        cases, dropped = without_twins(cases)
    now = GoldenSet(
        cases,
        version=version_of(cases),
        path=golden.path,
        recorded=[each for each in golden.recorded if each.case_id not in dropped],
    )
    return Mended(golden=now, changed=changed, dropped=dropped)
