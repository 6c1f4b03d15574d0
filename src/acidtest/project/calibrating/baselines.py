"""The floor: what it takes no judge to say, from the texts of the run or from nothing at all.

A judge that agrees with people no better than the best of these earns nothing. Baselines that count words get
the threshold that fits the labels best, fitted on other cases than they are measured on.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import numpy as np
from msgspec import Struct

from acidtest.data.outcomes import Skip
from acidtest.data.runs import CaseResult
from acidtest.project.calibrating.pairing import Labelled, Paired
from acidtest.project.calibrating.people import difference
from acidtest.stats.agreement import Agreement
from acidtest.stats.balanced import Bits, Verdicts, agreement_of, tables_of, verdicts_of
from acidtest.stats.threshold import cross_validated
from acidtest.text.citations import uncited
from acidtest.text.squad import tokens

WORTH = 0.05
"""A gain of kappa that cannot be larger than this is none."""

MOST_WORDS = 20_000
"""Words that are read of the contexts of a case."""

Beaten = Literal["yes", "no", "open"]


class Baseline(Struct, frozen=True, kw_only=True):
    """A baseline held against people, and the judge against it on the same cases.

    Attributes:
        name: Which one.
        n: Cases that it can be told of.
        accuracy: As of the judge.
        balanced_accuracy: As of the judge.
        kappa: As of the judge.
        judge_minus_baseline: How much higher the judge's kappa is.
        beaten: Whether the judge beats it; open where the labels do not tell.
        says: That in words.
    """

    name: str
    n: int
    accuracy: Agreement | Skip
    balanced_accuracy: Agreement | Skip
    kappa: Agreement | Skip
    judge_minus_baseline: Agreement | Skip
    beaten: Beaten
    says: str


def baselines(pairs: Paired) -> tuple[Baseline, ...]:
    """Return the baselines that the texts of half of the cases at least allow, the best first."""
    found = [_majority(pairs.cases)] if pairs.cases else []
    for name, measure, fit in _BY_TEXT:
        told = [(case, value) for case in pairs.cases if (value := measure(case.case)) is not None]
        made = _by_text(name, told, fit=fit) if told else None
        if made is not None and made.n * 2 >= len(pairs.cases):
            found.append(made)
    return tuple(sorted(found, key=_kappa, reverse=True))


def _kappa(one: Baseline) -> float:
    return -2.0 if isinstance(one.kappa, Skip) else one.kappa.value


def _majority(cases: Sequence[Labelled]) -> Baseline:
    yes = sum(case.weight for case in cases if case.truth)
    most = yes * 2 >= sum(case.weight for case in cases)
    return _held("majority", cases, np.full(len(cases), most))


def _by_text(name: str, told: Sequence[tuple[Labelled, float]], *, fit: bool) -> Baseline | None:
    cases, values = [case for case, _ in told], np.array([value for _, value in told])
    if not fit:
        return _held(name, cases, values >= 0.5)
    fitted = cross_validated(
        values,
        [case.truth for case in cases],
        weights=[case.weight for case in cases],
        groups=[case.group for case in cases],
    )
    return None if isinstance(fitted, Skip) else _held(name, cases, fitted.verdicts)


def _held(name: str, cases: Sequence[Labelled], said: Bits) -> Baseline:
    baseline = _verdicts(cases, said)
    judge = _verdicts(cases, np.array([case.verdict for case in cases], bool))
    both = np.stack([tables_of(judge), tables_of(baseline)], axis=1)
    apart = difference(both, len(cases))
    beaten = _beaten(apart)
    return Baseline(
        name=name,
        n=len(cases),
        accuracy=agreement_of("accuracy", baseline),
        balanced_accuracy=agreement_of("balanced_accuracy", baseline),
        kappa=agreement_of("kappa", baseline),
        judge_minus_baseline=apart,
        beaten=beaten,
        says=_SAYS[beaten].replace("NAME", name),
    )


_SAYS: dict[Beaten, str] = {
    "yes": "beats NAME",
    "no": "does not beat NAME: earns nothing",
    "open": "is not shown to beat NAME: too few labels to tell",
}


def _beaten(apart: Agreement | Skip) -> Beaten:
    if isinstance(apart, Skip) or apart.ci is None:
        return "open"
    low, high = apart.ci
    if low > 0:
        return "yes"
    return "no" if high < WORTH else "open"


def _verdicts(cases: Sequence[Labelled], said: Bits) -> Verdicts:
    return verdicts_of(
        [case.truth for case in cases],
        said,
        [case.weight for case in cases],
        [case.group for case in cases],
    )


def _contains_gold(case: CaseResult) -> float | None:
    if case.answer is None or not case.reference:
        return None
    wanted, words = tokens(uncited(case.reference)), tokens(uncited(case.answer))
    if not wanted:
        return None
    return float(f" {' '.join(wanted)} " in f" {' '.join(words)} ")


def _reference_overlap(case: CaseResult) -> float | None:
    if case.answer is None or not case.reference:
        return None
    return _share(tokens(uncited(case.reference)), set(tokens(uncited(case.answer))))


def _context_overlap(case: CaseResult) -> float | None:
    if case.answer is None or not case.retrieved:
        return None
    words = set(_context_words(case))
    return _share(tokens(uncited(case.answer)), words) if words else None


def _context_words(case: CaseResult) -> Iterator[str]:
    room = MOST_WORDS
    for chunk in case.retrieved or ():
        some = tokens(chunk.text or "")[:room]
        room -= len(some)
        yield from some


def _share(words: Sequence[str], known: set[str]) -> float | None:
    return sum(word in known for word in words) / len(words) if words else None


_BY_TEXT: tuple[tuple[str, Callable[[CaseResult], float | None], bool], ...] = (
    ("contains-gold", _contains_gold, False),
    ("reference-overlap", _reference_overlap, True),
    ("context-overlap", _context_overlap, True),
)
"""Name, measure of a case (None where its texts are missing), and whether its threshold is fitted."""
