"""What two runs show of which stage changed: contexts, answers, and the cases that kept their contexts.

In cases with the same contexts in both runs only the generator can differ. Its answers differ from run
to run all the same where it is not deterministic, so what is asked is whether they differ in a way that
chance does not explain: in a score, in length, which a new prompt or model moves more surely than any
score, or in all of these together.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from acidtest.comparison.change import changes_in, corrected
from acidtest.comparison.context_change import ContextChange, context_change
from acidtest.comparison.paired import Measure, Paired, Pairs, Values, part_of, read_pairs
from acidtest.comparison.split import estimated_splits
from acidtest.data.compared import Change, StageSplit
from acidtest.data.outcomes import Outcome, Score
from acidtest.data.runs import CaseResult
from acidtest.stats.together import sign_flip_together
from acidtest.stats.units import Places

LENGTH = "answer length"
"""The logarithm of an answer's words; a measure of change, not of quality."""


class Evidence(Struct, frozen=True, kw_only=True):
    """What is known of a comparison's stages.

    Attributes:
        cases: Shared cases.
        contexts: How many cases have each kind of change of contexts.
        changes: What changed in each quality metric, corrected over all of them.
        kept: The same over the cases that kept their contexts, of the metrics that the generator
            moves and of the answers' length, corrected over these.
        together: The p-value of nothing having changed in all that `kept` has, taken together.
        answers: In how many cases that kept their contexts both runs have an answer.
        alike: In how many of these it is the same answer.
        splits: The estimated split of each metric that both stages move.
    """

    cases: int
    contexts: Mapping[ContextChange, int]
    changes: Mapping[str, Change]
    kept: Mapping[str, Change]
    together: float | None
    answers: int
    alike: int
    splits: Mapping[str, StageSplit]

    @property
    def known(self) -> int:
        """Cases whose contexts are known in both runs."""
        return self.cases - self.contexts.get("unknown", 0)

    @property
    def same(self) -> int:
        """Cases that kept their contexts."""
        return self.contexts.get("same", 0)

    @property
    def moved(self) -> int:
        """Cases that got other contexts, or the same in another order."""
        return self.known - self.same


def stage_evidence(
    pairs: Pairs, measures: Sequence[Measure], table: Paired, changes: Mapping[str, Change]
) -> Evidence:
    """Gather what the shared cases show.

    Args:
        pairs: The shared cases.
        measures: What was measured of both runs.
        table: The values of these.
        changes: What changed in the metrics of quality, corrected.
    """
    contexts = [context_change(old, new) for old, new in pairs]
    rows = [n for n, kind in enumerate(contexts) if kind == "same"]
    kept = [pairs[n] for n in rows]
    columns = [
        n
        for n, m in enumerate(measures)
        if m.name in changes and m.stage in ("generation", "end_to_end")
    ]
    both = [measures[n] for n in columns]
    told = [(old.answer, new.answer) for old, new in kept if None not in (old.answer, new.answer)]
    length = Measure(LENGTH, "generation", "higher", _length)
    found: list[Change] = []
    together = None
    if kept:
        some, lengths = part_of(table, rows, columns), read_pairs([length], kept)
        # Tests and smallest changes are read of these, intervals are not: a few draws do.
        found += changes_in(some, both, resamples=50)
        found += changes_in(lengths, [length], resamples=50)
        together = sign_flip_together(
            _by_unit(np.concatenate([some.deltas, lengths.deltas], axis=1), some.unit)
        )
    return Evidence(
        cases=len(pairs),
        contexts=dict(Counter(contexts)),
        changes=changes,
        kept={change.metric: change for change in corrected(found)},
        together=together,
        answers=len(told),
        alike=sum(one == other for one, other in told),
        splits=estimated_splits(
            [m.name for m in both], part_of(table, range(len(pairs)), columns), contexts
        ),
    )


def _by_unit(deltas: Values, unit: Places | None) -> Values:
    filled = np.where(np.isnan(deltas), 0.0, deltas)
    if unit is None:
        return filled
    sums = np.zeros((int(unit.max()) + 1, filled.shape[1]))
    np.add.at(sums, unit, filled)
    return sums


def _length(case: CaseResult) -> Outcome | None:
    if case.answer is None:
        return None
    # Languages without spaces have long words: a word counts at most ten characters.
    return Score(math.log1p(sum(1 + len(word) // 10 for word in case.answer.split())))
