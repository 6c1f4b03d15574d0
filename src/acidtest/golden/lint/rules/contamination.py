"""Cases that the system was tuned on: it has seen them, and scores too well."""

from collections.abc import Iterator

from acidtest.golden.lint.rule import Hit, Rule, Subject, is_tuning

_SHOWN = 200  # characters of a question


def _check(subject: Subject) -> Iterator[Hit]:
    if not subject.tuning and not subject.tuned:
        return
    golden, own = subject.golden, len(subject.golden)
    seen: set[int] = set()
    for places, nearly in subject.kin.together():
        tuned = [place for place in places if place >= own or is_tuning(golden[place])]
        if not tuned:
            continue
        other = golden[tuned[0]] if tuned[0] < own else subject.tuning[tuned[0] - own]
        told = "asks nearly what the tuning split asks" if nearly else "is in the tuning split too"
        for place in places:
            if place < own and place not in seen and not is_tuning(golden[place]):
                seen.add(place)
                where = f"case {other.id}: {other.question[:_SHOWN]}"
                yield Hit(message=f"{told} ({where})", cases=(golden[place].id,))


RULE = Rule(
    name="contamination",
    severity="error",
    about="a case, or one that asks nearly the same, is in the tuning split or file",
    fix="Remove it from one of the two: a case that the system was tuned on measures nothing.",
    check=_check,
)
