"""Tags that leave a set lopsided: thirty easy look-ups measure one thing thirty times."""

from collections import Counter
from collections.abc import Iterator

from acidtest.codec.rows.row import shown
from acidtest.golden.lint.rule import Hit, Rule, Subject

MOST = 0.8
LEAST_CASES = 5
_ENOUGH = 10  # tagged cases, from which shares say something
_NO_KIND = frozenset(["easy", "medium", "hard", "unanswerable", "answerable", "test", "smoke"])
_SHOWN = 8


def _check(subject: Subject) -> Iterator[Hit]:
    cases = subject.tested
    tagged = [case for case in cases if case.tags]
    if not tagged:
        if len(cases) >= _ENOUGH:
            yield Hit(
                message="no case has a tag: a weak kind of question cannot stand out",
                fix="Tag each case with its kind, such as lookup, multi-hop or identifier.",
            )
        return
    counts = Counter(tag for case in tagged for tag in case.tags if tag.casefold() not in _NO_KIND)
    if len(tagged) >= _ENOUGH and counts:
        tag, most = counts.most_common(1)[0]
        if most > MOST * len(tagged):
            yield Hit(
                message=f"{most} of {len(tagged)} tagged cases ({most / len(tagged):.0%}) are {shown(tag)}"
            )
    few = sorted(tag for tag, count in counts.items() if count < LEAST_CASES)
    if few and len(tagged) >= _ENOUGH:
        more = f" and {len(few) - _SHOWN} more" if len(few) > _SHOWN else ""
        named = ", ".join(f"{tag} {counts[tag]}" for tag in few[:_SHOWN])
        yield Hit(
            message=f"tags of fewer than {LEAST_CASES} cases say little: {named}{more}",
            fix="Add cases of these kinds, or do not read their rows.",
        )


RULE = Rule(
    name="tag-imbalance",
    severity="note",
    about="no tags, one kind in more than 80 % of the tagged cases, or tags of fewer than 5 cases",
    fix="Add cases of the other kinds.",
    check=_check,
)
