"""Which cases of a set ask the same, exactly and nearly."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from acidtest.data.golden import Case
from acidtest.golden.grow.same import asked_by
from acidtest.golden.lint.alike.counted import counted
from acidtest.golden.lint.alike.pairs import near_pairs


class Kin(Struct, frozen=True):
    """The places of cases that ask the same.

    Attributes:
        exact: Groups that ask the same to the letter, but for case, white space and punctuation at the ends.
        groups: The first places of what asks the same to the letter, together where their counted words are
            the same.
        pairs: Groups that are nearly the same, by their place in `groups`.
    """

    exact: tuple[tuple[int, ...], ...]
    groups: tuple[tuple[int, ...], ...]
    pairs: tuple[tuple[int, int], ...]

    def near(self, keep: Callable[[int], bool]) -> Iterator[tuple[int, ...]]:
        """Yield the places of a case and of the later ones that ask nearly what it asks.

        Each place comes once as a later one, beside the first that it is like.

        Args:
            keep: Which places are looked at.
        """
        members = [tuple(filter(keep, places)) for places in self.groups]
        later: dict[int, list[int]] = {}
        taken: set[int] = set()
        for one, other in self.pairs:
            if members[one] and members[other]:
                first, second = sorted((members[one][0], members[other][0]))
                if second not in taken:
                    taken.add(second)
                    later.setdefault(first, []).append(second)
        for places in members:
            found = sorted([*places[1:], *later.get(places[0], ())]) if places else ()
            if found:
                yield (places[0], *found)

    def together(self) -> Iterator[tuple[tuple[int, ...], bool]]:
        """Yield the places of everything that asks the same, and whether it does so only nearly.

        Places come in several groups.
        """
        same = {places[0]: places for places in self.exact}
        for places in self.exact:
            yield places, False
        whole = [
            tuple(one for place in places for one in same.get(place, (place,)))
            for places in self.groups
        ]
        for places, group in zip(self.groups, whole, strict=True):
            if len(places) > 1:
                yield group, True
        for one, other in self.pairs:
            yield whole[one] + whole[other], True


def kin(cases: Sequence[Case]) -> Kin:
    """Return which cases ask the same.

    Args:
        cases: Any number of them.
    """
    asked: dict[str, list[int]] = {}
    for place, case in enumerate(cases):
        key = asked_by(case.question, case.history)
        if (
            not key or key[-1] == "\n"
        ):  # a question of punctuation alone, which comparing leaves out
            key += f"\n{case.question.strip()}"
        asked.setdefault(key, []).append(place)
    groups: dict[tuple[object, ...], list[int]] = {}
    questions = []
    for places in asked.values():
        question = counted(cases[places[0]])
        group = groups.setdefault(question.key, [])
        if not group:
            questions.append(question)
        group.append(places[0])
    return Kin(
        exact=tuple(tuple(places) for places in asked.values() if len(places) > 1),
        groups=tuple(map(tuple, groups.values())),
        pairs=tuple(sorted(near_pairs(questions))),
    )
