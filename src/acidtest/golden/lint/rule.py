"""A rule, and what it looks at."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct

from acidtest.data.corpus import Corpus
from acidtest.data.golden import Case, GoldenSet
from acidtest.golden.lint.alike.kin import Kin, kin
from acidtest.golden.lint.finding import Severity

TUNING = frozenset(
    ["tuning", "tune", "train", "training", "dev", "development", "validation", "val"]
)
"""Names of splits that prompts and settings are tuned on, whatever their case."""


class Subject:
    """What is linted.

    Args:
        golden: The set.
        corpus: Today's chunks, if they are known.
        tuning: Other cases that the system was tuned on.
        judged: An LLM judge scores this set.
    """

    def __init__(
        self,
        golden: GoldenSet,
        *,
        corpus: Corpus | None = None,
        tuning: Sequence[Case] = (),
        judged: bool = False,
    ) -> None:
        self.golden = golden
        self.corpus = corpus
        self.tuning = tuple(tuning)
        self.judged = judged

    @cached_property
    def tested(self) -> tuple[Case, ...]:
        """The cases that are measured on: all but those of a tuning split."""
        return tuple(case for case in self.golden if not is_tuning(case))

    @cached_property
    def tuned(self) -> tuple[Case, ...]:
        """The set's own cases of a tuning split."""
        return tuple(case for case in self.golden if is_tuning(case))

    @cached_property
    def kin(self) -> Kin:
        """Which cases ask the same: places in `golden`, and behind them those of `tuning`."""
        return kin((*self.golden, *self.tuning))

    def texts(self, case: Case) -> tuple[str, ...]:
        """Return what a case's answer stands in: its evidence, and its chunks as far as they are known."""
        chunks = self.corpus.by_id if self.corpus is not None else {}
        relevant = (name for name, grade in (case.relevant or {}).items() if grade >= 1)
        return (
            *(each.text for each in case.evidence),
            *(chunks[name].text for name in relevant if name in chunks),
        )


def is_tuning(case: Case) -> bool:
    """Say whether a case is of a split that the system is tuned on."""
    return case.split is not None and case.split.strip().casefold() in TUNING


class Hit(Struct, frozen=True, kw_only=True):
    """What a rule found: the cases that it is about, in words; `fix` where it is another than the rule's."""

    message: str
    cases: tuple[str, ...] = ()
    fix: str | None = None
    fixable: bool = False


class Rule(Struct, frozen=True, kw_only=True):
    """A rule of lint.

    Attributes:
        name: What it is called by, for good.
        severity: How bad what it finds is.
        about: What it finds, as a list of rules says it.
        fix: How to mend it, one sentence.
        check: Finds it.
        needs: What it cannot do without.
    """

    name: str
    severity: Severity
    about: str
    fix: str
    check: Callable[[Subject], Iterable[Hit]]
    needs: Literal["corpus"] | None = None
