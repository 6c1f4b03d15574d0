"""What two runs make clear of their stages: which changes count as clear, and what they leave open."""

from collections.abc import Iterable

from acidtest.comparison.scores import base_name
from acidtest.comparison.stage_evidence import LENGTH, Evidence
from acidtest.data.compared import Change, StageSplit

CLEAR = 0.05
"""A change is clear up to this corrected p-value."""

NAMED = 0.01
"""The generator is named up to this p-value of one measure: a stage that is named has to be right more often."""

TOGETHER = 0.025
"""And up to this one of all measures together: falsely in 3.5 % of comparisons at most."""

FEW = 0.05
"""Up to this share of cases with other contexts is what approximate search does by itself."""

COVERAGE = frozenset({"recall", "hit", "token_recall", "semantic_recall", "context_recall"})
"""Metrics of what was found, whatever its order."""


def is_clear(change: Change, level: float) -> bool:
    """Say whether a corrected p-value is at most `level`."""
    return change.p_adjusted is not None and change.p_adjusted <= level


def clear_ones(changes: Iterable[Change], level: float) -> list[Change]:
    """Return the clear changes, the clearest first."""
    found = [change for change in changes if is_clear(change, level)]
    return sorted(found, key=lambda change: change.p_adjusted or 0.0)


def of_retrieval(e: Evidence) -> list[Change]:
    """Return the changes in metrics of retrieval."""
    return [c for c in e.changes.values() if c.stage == "retrieval"]


def of_answers(e: Evidence) -> list[Change]:
    """Return the changes in metrics that the generator moves."""
    return [c for c in e.changes.values() if c.stage in ("generation", "end_to_end")]


def of_coverage(e: Evidence) -> list[Change]:
    """Return the changes in what was found, whatever its order."""
    return [c for c in of_retrieval(e) if base_name(c.metric) in COVERAGE]


def of_ordering(e: Evidence) -> list[Change]:
    """Return the changes in where it stands."""
    return [c for c in of_retrieval(e) if base_name(c.metric) not in COVERAGE]


def moved_by_contexts(e: Evidence) -> list[StageSplit]:
    """Return the splits by which contexts moved a metric, where nothing else measures retrieval."""
    if of_retrieval(e):
        return []
    clear = {c.metric for c in clear_ones(of_answers(e), CLEAR)}
    return [
        s
        for s in e.splits.values()
        if s.metric in clear and s.retrieval_ci and not s.retrieval_ci[0] <= 0 <= s.retrieval_ci[1]
    ]


def of_kept(e: Evidence) -> list[Change]:
    """Return the changes of metrics over the cases that kept their contexts."""
    return [c for name, c in e.kept.items() if name != LENGTH]


def only_order(e: Evidence) -> bool:
    """Say whether ordering changed clearly, and coverage not."""
    clear = clear_ones(of_ordering(e), CLEAR)
    return bool(clear and of_coverage(e)) and not clear_ones(of_coverage(e), CLEAR)


def undecided(e: Evidence) -> list[Change]:
    """Return the clear changes of answers of which the generator may have brought half, or more."""
    if not e.moved:
        return []
    return [c for c in clear_ones(of_answers(e), CLEAR) if _may_be_half(e.splits.get(c.metric))]


def _may_be_half(split: StageSplit | None) -> bool:
    if split is None or split.generation_ci is None:
        return True
    low, high = split.generation_ci
    return high >= split.delta / 2 if split.delta > 0 else low <= split.delta / 2


def clear_together(e: Evidence, level: float) -> bool:
    """Say whether all measures together have changed in the cases that kept their contexts."""
    return e.together is not None and e.together <= level
