"""A change split into its stages exactly: both generators answer from both retrievers' contexts.

With the scores of a case in four runs - the baseline, the candidate, the baseline's generator on the
candidate's contexts and the candidate's generator on the baseline's - each stage's part is the mean over
the two orders of changing one stage at a time. This is the Shapley value of a game of two players
(L. S. Shapley, "A Value for n-Person Games", 1953): the parts add up to the change, and what only both
together bring is shared equally.

Where the contexts of a case are the same in both runs nothing has to be asked: a generator on the other
run's contexts is a generator on its own.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace

from acidtest.comparison.context_change import context_change
from acidtest.comparison.crossing_words import Part, Spread, sentence
from acidtest.comparison.pair import shared_cases
from acidtest.comparison.paired import TIE, Values
from acidtest.data.answers import Chunk
from acidtest.data.compared import Comparison, StageSplit
from acidtest.data.outcomes import Failure, Outcome, Score
from acidtest.data.runs import CaseResult, Run
from acidtest.stats.holm import holm
from acidtest.stats.paired import paired_intervals
from acidtest.stats.permutation import sign_flip
from acidtest.stats.rates import Interval
from acidtest.stats.units import units

NAMED = 0.025
"""A part is named up to this p-value, corrected over parts and metrics."""

LOST = 0.05
"""Where more of the crossed answers than this share failed, a metric is not split."""

_BOTH = ("generation", "end_to_end")


@dataclass(frozen=True, kw_only=True)
class Four:
    """The runs of a crossing.

    Attributes:
        base: The baseline's own answers.
        candidate: The candidate's own.
        base_generator: Answers of the baseline's generator from the candidate's contexts; None where no
            case got other contexts.
        candidate_generator: Answers of the candidate's generator from the baseline's contexts.
    """

    base: Run
    candidate: Run
    base_generator: Run | None
    candidate_generator: Run | None


def crossable(base: Run, candidate: Run) -> list[str]:
    """Return the metrics that both runs have and both stages can move, in the baseline's order."""
    return [
        name
        for name, summary in base.metrics.items()
        if summary.stage in _BOTH and name in candidate.metrics
    ]


def same_contexts(one: CaseResult, other: CaseResult) -> bool:
    """Say whether two runs gave the generator the same for a case: the same chunks in the same order.

    What a prompt may hold beside the text counts too; scores do not, since they differ in their last digits.
    """
    if one.retrieved is None or other.retrieved is None or context_change(one, other) != "same":
        return False
    pairs = zip(one.retrieved, other.retrieved, strict=True)
    return all(_beside(a) == _beside(b) for a, b in pairs)


def _beside(chunk: Chunk) -> tuple[object, ...]:
    return chunk.id, chunk.doc_id, chunk.source, chunk.metadata


def crossed_splits(four: Four) -> tuple[dict[str, StageSplit], tuple[str, ...]]:
    """Split the change of every metric that depends on both stages.

    Each split is over the cases that are scored in all four runs. A metric without such a case is left
    out, and so is one that lost more than `LOST` of its crossed answers; the sentences say so.

    Returns:
        The splits by metric, and what they say, in sentences.

    Raises:
        Incomparable: The runs share no case.
    """
    pairs = shared_cases(four.base, four.candidate)
    changed = {old.id for old, new in pairs if not same_contexts(old, new)}
    cells = {
        name: _cells(name, four, pairs, changed) for name in crossable(four.base, four.candidate)
    }
    splits: dict[str, StageSplit] = {}
    spreads: dict[str, Spread] = {}
    for name, found in cells.items():
        if len(found.base) and not found.lost:
            splits[name], spreads[name] = _split(name, found)
    named = _named(spreads)
    asked = sum(case_id in changed for case_id in _by_id(four.base_generator))
    words = [_opening(len(pairs), len(changed), asked)]
    for name, found in cells.items():
        if found.lost:
            words.append(f"{name} is not split: {found.lost}")
        elif name in splits:
            words.append(sentence(splits[name], spreads[name], named[name]))
            if found.left_out:
                words[-1] += f" {_cases(found.left_out)} left out: not scored on all four sides."
    return splits, tuple(words)


def with_crossing(
    comparison: Comparison,
    splits: Mapping[str, StageSplit],
    words: Sequence[str],
    notes: Sequence[str] = (),
) -> Comparison:
    """Return a comparison in which what was crossed stands in place of what was estimated.

    Sentences that rest on an estimate, or say that only crossing could tell, go out of it.
    """
    kept = [w for w in comparison.words if "estimate" not in w and "(--cross)" not in w]
    return replace(
        comparison,
        stages={**comparison.stages, **splits},
        words=(*kept, *words),
        notes=(*comparison.notes, *notes),
    )


@dataclass(frozen=True)
class _Cells:
    """One metric's scores, a row a case: baseline, baseline's generator, candidate's, candidate."""

    base: Values
    base_generator: Values
    candidate_generator: Values
    candidate: Values
    groups: Sequence[Hashable]
    changed: int
    left_out: int
    lost: str


def _cells(
    name: str,
    four: Four,
    pairs: Sequence[tuple[CaseResult, CaseResult]],
    changed: set[str],
) -> _Cells:
    by_base, by_candidate = _by_id(four.base_generator), _by_id(four.candidate_generator)
    rows: list[tuple[float, ...]] = []
    groups: list[Hashable] = []
    asked = left_out = moved = 0
    failures: list[str] = []
    for old, new in pairs:
        one, other = old.scores.get(name), new.scores.get(name)
        if not (isinstance(one, Score) and isinstance(other, Score)):
            continue
        first: Outcome | None = one
        second: Outcome | None = other
        if old.id in changed:
            asked += 1
            first, second = (_outcome(by.get(old.id), name) for by in (by_base, by_candidate))
        if isinstance(first, Score) and isinstance(second, Score):
            rows.append((one.value, first.value, second.value, other.value))
            groups.append(old.group if old.group is not None else (old.id,))
            moved += old.id in changed
            continue
        left_out += 1
        failures += [o.why for o in (first, second) if isinstance(o, Failure)][:1]
    table = np.array(rows, dtype=np.float64).reshape(-1, 4)
    lost = ""
    if failures and len(failures) > LOST * asked:
        lost = f"{len(failures)} of {asked} crossed cases failed, such as: {failures[0]}"
    return _Cells(
        base=table[:, 0],
        base_generator=table[:, 1],
        candidate_generator=table[:, 2],
        candidate=table[:, 3],
        groups=groups,
        changed=moved,
        left_out=left_out,
        lost=lost,
    )


def _by_id(run: Run | None) -> Mapping[str, CaseResult]:
    return {} if run is None else {case.id: case for case in run.cases}


def _outcome(case: CaseResult | None, name: str) -> Outcome | None:
    return None if case is None else case.scores.get(name)


def _split(name: str, cells: _Cells) -> tuple[StageSplit, Spread]:
    base, candidate = cells.base, cells.candidate
    old, new = cells.base_generator, cells.candidate_generator
    keys = cells.groups if len(set(cells.groups)) < len(cells.groups) else None
    retrieval = _rounded((old - base + candidate - new) / 2)
    generation = _rounded((new - base + candidate - old) / 2)
    interaction = _rounded(candidate - old - new + base)
    retrieval_ci, generation_ci, interaction_ci = _intervals(
        (retrieval, generation, interaction), keys
    )
    if not cells.changed:  # given the very same, the retriever has no part
        retrieval_ci = interaction_ci = (0.0, 0.0)
    split = StageSplit(
        metric=name,
        delta=float(np.mean(candidate - base)),
        retrieval=float(retrieval.mean()),
        generation=float(generation.mean()),
        retrieval_ci=retrieval_ci,
        generation_ci=generation_ci,
        n=len(base),
        changed=cells.changed,
        method="crossed",
        interaction=float(interaction.mean()),
        interaction_ci=interaction_ci,
    )
    values: dict[Part, Values] = {
        "retrieval": retrieval,
        "generation": generation,
        "interaction": interaction,
    }
    spread = Spread(
        p_values={part: sign_flip(some, keys) or 1.0 for part, some in values.items()},
        still=frozenset(part for part, some in values.items() if not some.any()),
        on_old_contexts=float(np.mean(new - base)),
        on_new_contexts=float(np.mean(candidate - old)),
    )
    return split, spread


def _intervals(parts: Sequence[Values], keys: Sequence[Hashable] | None) -> list[Interval | None]:
    """Return each part's interval, from one drawing of the cases."""
    columns = [units(part, keys) for part in parts]
    return paired_intervals(
        np.column_stack([sums for sums, _ in columns]),
        np.column_stack([counts for _, counts in columns]),
    )


def _rounded(some: Values) -> Values:
    return np.where(np.abs(some) <= TIE, 0.0, some)


def _named(spreads: Mapping[str, Spread]) -> dict[str, frozenset[Part]]:
    """Return the parts of each metric that are clear: the two stages in one family, interactions in another."""
    named: dict[str, set[Part]] = {name: set() for name in spreads}
    families: tuple[tuple[Part, ...], ...] = (("retrieval", "generation"), ("interaction",))
    for family in families:
        asked = [(name, part) for name in spreads for part in family]
        adjusted = holm([spreads[name].p_values[part] for name, part in asked])
        for (name, part), p in zip(asked, adjusted, strict=True):
            if p <= NAMED:
                named[name].add(part)
    return {name: frozenset(parts) for name, parts in named.items()}


def _opening(cases: int, changed: int, asked: int) -> str:
    if not changed:
        return (
            f"The contexts are the same in all {cases} cases: only the generator can have changed."
        )
    return f"Crossed: {asked} of {_cases(cases)} got other contexts, and each generator answered from both."


def _cases(count: int) -> str:
    return "1 case" if count == 1 else f"{count} cases"
