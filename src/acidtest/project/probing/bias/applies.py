"""Which metrics are probed, and with what: only where a change has no honest reason to move the score.

A text that is added may honestly change the share of supported claims of metrics that count all claims
together (`factual_correctness`), and another order the value of one that weights by rank.
"""

from collections.abc import Mapping, Sequence

from acidtest.errors import UsageError
from acidtest.metrics.bound import Bound
from acidtest.project.probing.bias.changes import Change
from acidtest.project.probing.bias.plants import FAULTS, Fault

_ANSWER = frozenset({"length", "verbosity", "praise", "style", "rewording", "options"})
_CONTEXTS = frozenset({"contexts", "options"})

SENTENCES = frozenset({"faithfulness", "faithfulness_binary"})
"""Metrics whose verdict is read sentence by sentence, so that added ones do not count."""

_PROBED: Mapping[str, frozenset[str]] = {
    "faithfulness": _ANSWER | _CONTEXTS,
    "faithfulness_binary": _ANSWER | _CONTEXTS,
    "correctness": _ANSWER,
    "answer_relevance": _ANSWER,
    "context_usefulness": _ANSWER | _CONTEXTS,
    "context_recall": _CONTEXTS,
    "context_relevance": _CONTEXTS,
    "factual_correctness": frozenset({"style", "rewording", "options"}),
}

USUAL = ("faithfulness", "correctness", "answer_relevance", "context_usefulness", "context_recall")
"""What is probed unless metrics are named."""


def probed(bound: Bound) -> bool:
    """Say whether there are probes for a metric: one of ours from the table, or a rubric."""
    return bound.metric.name in _PROBED or _rubric(bound)


def check(bounds: Sequence[Bound]) -> None:
    """Refuse metrics that there is no probe for.

    Raises:
        UsageError: One that no judge scores, or whose value the changes may honestly move.
    """
    for bound in bounds:
        if not probed(bound):
            raise UsageError(
                f"there is no probe for {bound.name}",
                where="--metric",
                fix=f"Probed are your own rubrics and: {', '.join(_PROBED)}.",
            )


def applies(change: Change, bound: Bound) -> bool:
    """Say whether a change must leave a metric where it is."""
    needs = bound.metric.needs
    touched = {"contexts": "chunks", "prompt": "judge"}.get(change.of, "text")
    if touched not in needs:
        return False
    known = _PROBED.get(bound.metric.name)
    return known is None or not known.isdisjoint({change.kind, change.name})


def faults(bound: Bound) -> tuple[Fault, ...]:
    """Return the faults that a metric must catch."""
    if bound.metric.name in SENTENCES:
        return FAULTS
    # More detail is fine there: only what the reference states is sure to be asked for.
    return ("number", "name") if bound.metric.name == "correctness" else ()


def _rubric(bound: Bound) -> bool:
    from acidtest.metrics.registry import known

    metric = bound.metric
    return metric.cost == "judge" and metric.prompt is not None and metric.name not in known()
