"""How far annotators agree, with each other and with what a judge said before."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import msgspec
from msgspec import Struct

from acidtest.codec.rows.row import shown
from acidtest.data.outcomes import Skip
from acidtest.errors import UsageError
from acidtest.golden.labelling.judgement import Judgement, Which
from acidtest.golden.labelling.labels_file import Asked, asked_of, read_labels
from acidtest.golden.labelling.votes import Votes, grades, votes_of, words
from acidtest.stats.agreement import Agreement, cohen_kappa
from acidtest.stats.alpha import krippendorff_alpha
from acidtest.text.surrogates import without_halves_in

Measured = dict[str, Agreement | Skip]


class Pair(Struct, frozen=True, kw_only=True):
    """How far two agree.

    Attributes:
        a: The one.
        b: The other; `prelabel NAME` is what a judge said before.
        n: Chunks that both graded.
        same: How many of them got the same grade.
        kappa: Cohen's kappa by weights (`none`, `linear`, `quadratic`), and `relevant` over grade 1 and
            above against 0, which is all that most metrics see.
    """

    a: str
    b: str
    n: int
    same: int
    kappa: Measured


class Agreed(Struct, frozen=True, kw_only=True):
    """How far annotators agree.

    Attributes:
        people: Person -> how often each grade, `skip` and `unsure` was given.
        pairs: Every two people.
        prelabels: Each person and each judge's pre-labels, shown and hidden ones apart.
        alpha: Krippendorff's alpha of all people by level.
        disagreements: What people said differently, or were unsure of, and nobody decided yet.
        votes: What everybody said.
    """

    people: dict[str, dict[str, int]]
    pairs: tuple[Pair, ...]
    prelabels: tuple[Pair, ...]
    alpha: Measured
    disagreements: tuple[Asked, ...]
    votes: Votes


def agreement(files: Sequence[str]) -> Agreed:
    """Say how far the annotators of labels files agree.

    Args:
        files: Labels files.

    Raises:
        UsageError: They hold one annotator only, and no pre-labels.
        BadData: A file is no labels file.
    """
    votes = votes_of(read_labels(file) for file in files)
    if not votes.people:
        raise UsageError(
            "the files hold no judgement",
            where=", ".join(files),
            fix="Label first: acidtest golden label.",
        )
    if len(votes.people) < 2 and not any(said.prelabel for said in _all(votes)):
        raise UsageError(
            f"all labels are by {shown(votes.people[0])}",
            fix="Give the labels files of two annotators at least.",
        )
    given = {which: grades(said) for which, said in votes.said.items()}
    units = list(given.items())
    return Agreed(
        people=_counts(votes),
        pairs=tuple(
            _pair(a, b, [(which, g[a], g[b]) for which, g in units if a in g and b in g])
            for a, b in combinations(votes.people, 2)
        ),
        prelabels=tuple(_with_judges(votes)),
        alpha=_alpha(units),
        disagreements=tuple(_disagreements(votes)),
        votes=votes,
    )


def _alpha(units: Sequence[tuple[Which, dict[str, int]]]) -> Measured:
    given = [list(each.values()) for _, each in units]
    cases = [which[0] for which, _ in units]
    return {
        "nominal": krippendorff_alpha(given, level="nominal", groups=cases),
        "ordinal": krippendorff_alpha(given, level="ordinal", groups=cases),
        "interval": krippendorff_alpha(given, level="interval", groups=cases),
    }


def _pair(a: str, b: str, both: Sequence[tuple[Which, int, int]]) -> Pair:
    cases = [which[0] for which, _, _ in both]
    one, other = [x for _, x, _ in both], [y for _, _, y in both]
    relevant = [[int(x > 0) for x in side] for side in (one, other)]
    return Pair(
        a=a,
        b=b,
        n=len(both),
        same=sum(x == y for x, y in zip(one, other, strict=True)),
        kappa={
            "none": cohen_kappa(one, other, groups=cases),
            "linear": cohen_kappa(one, other, weights="linear", groups=cases),
            "quadratic": cohen_kappa(one, other, weights="quadratic", groups=cases),
            "relevant": cohen_kappa(relevant[0], relevant[1], grades=2, groups=cases),
        },
    )


def _with_judges(votes: Votes) -> Iterator[Pair]:
    found: dict[tuple[str, str], list[tuple[Which, int, int]]] = {}
    for which, said in votes.said.items():
        for name, each in said.items():
            before = each.prelabel
            if before is not None and before.grade is not None and each.grade is not None:
                how = "shown" if each.prelabel_shown else "hidden"
                pair = found.setdefault((name, f"prelabel {before.by}, {how}"), [])
                pair.append((which, each.grade, before.grade))
    for (name, judge), both in found.items():
        yield _pair(name, judge, both)


def _disagreements(votes: Votes) -> Iterator[Asked]:
    for which, said in votes.said.items():
        given = set(grades(said).values())
        unsure = any(each.mark == "unsure" for each in said.values())
        if (len(given) > 1 or unsure) and which not in votes.decided:
            yield asked_of(None, next(iter(said.values())), words(said))


def _counts(votes: Votes) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {name: Counter() for name in votes.people}
    for said in votes.said.values():
        for name, word in words(said).items():
            found[name][str(word)] += 1
    return {name: dict(sorted(counts.items())) for name, counts in found.items()}


def _all(votes: Votes) -> Iterator[Judgement]:
    for said in votes.said.values():
        yield from said.values()


def agree_json(found: Agreed, files: Sequence[str]) -> bytes:
    """Return the agreement as JSON."""
    cases = list(dict.fromkeys(each.case for each in found.disagreements))
    report: dict[str, Any] = {
        "format": "acidtest/golden-agree",
        "version": 1,
        "files": list(files),
        "annotators": found.people,
        "pairs": [_pair_json(pair) for pair in found.pairs],
        "prelabels": [_pair_json(pair) for pair in found.prelabels],
        "alpha": {level: _measured(value) for level, value in found.alpha.items()},
        "disagreements": {
            "count": len(found.disagreements),
            "cases": cases,
            "chunks": [
                {"case": each.case, "chunk": each.chunk, "grades": each.grades}
                for each in found.disagreements
            ],
        },
    }
    return msgspec.json.format(msgspec.json.encode(without_halves_in(report)), indent=1)


def _pair_json(pair: Pair) -> dict[str, Any]:
    return {
        "a": pair.a,
        "b": pair.b,
        "n": pair.n,
        "same": pair.same,
        "kappa": {name: _measured(value) for name, value in pair.kappa.items()},
    }


def _measured(value: Agreement | Skip) -> dict[str, Any]:
    if isinstance(value, Skip):
        return {"skip": value.why}
    return {"value": value.value, "ci": value.ci, "why_no_ci": value.why_no_ci, "n": value.n}
