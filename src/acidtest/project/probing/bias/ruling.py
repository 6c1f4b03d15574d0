"""From an outcome to what is compared: a value, or left open, or no verdict."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from acidtest.data.outcomes import Failure, Outcome, Score, Skip
from acidtest.metrics.bound import Bound
from acidtest.project.probing.bias.applies import SENTENCES

HALF = 0.5
"""From here on a value passes."""

_AGAINST = ("unsupported", "contradicted")


class Ruling(Struct, frozen=True, kw_only=True):
    """What a metric said of an item.

    `value` is None when it was left open or failed, and `why` says so then; `judged` is False where the
    judge does not judge such a thing, or the metric does not apply. `supported` are the numbers of the
    sentences whose claims are all supported, where claims are told by sentence.
    """

    value: float | None
    failed: bool = False
    judged: bool = True
    why: str = ""
    supported: frozenset[int] = frozenset()

    @property
    def state(self) -> str:
        """Passed, not passed, open: what a flip changes."""
        if self.value is None:
            return "open"
        return "pass" if self.value >= HALF else "fail"


def ruling(bound: Bound, outcome: Outcome, sentences: int) -> Ruling:
    """Read an outcome.

    Args:
        bound: The metric.
        outcome: What it gave.
        sentences: Only claims of so many sentences count, where claims are told by sentence.
    """
    if isinstance(outcome, Failure):
        return Ruling(value=None, failed=True, why=outcome.why)
    if isinstance(outcome, Skip):
        return Ruling(value=None, judged=bool(outcome.parts), why=outcome.why)
    if bound.metric.name not in SENTENCES:
        return Ruling(value=outcome.value)
    claims = [claim for claim in outcome.evidence if claim["sentence"] <= sentences]
    return _of_claims(claims, all_or_nothing=bound.metric.name == "faithfulness_binary")


def _of_claims(claims: Sequence[Mapping[str, Any]], *, all_or_nothing: bool) -> Ruling:
    said = [claim["verdict"] for claim in claims]
    against = sum(word in _AGAINST for word in said)
    supported = said.count("supported")
    if not against and not supported:
        return Ruling(value=None, why="every claim was left open" if said else "it claims nothing")
    if all_or_nothing:
        if not against and supported < len(said):
            return Ruling(value=None, why="a claim was left open")
        return Ruling(value=float(not against), supported=_supported(claims))
    return Ruling(value=supported / (supported + against), supported=_supported(claims))


def _supported(claims: Sequence[Mapping[str, Any]]) -> frozenset[int]:
    every = {claim["sentence"] for claim in claims}
    return frozenset(every - {c["sentence"] for c in claims if c["verdict"] != "supported"})


def caught(bound: Bound, outcome: Outcome, sentence: int) -> bool | None:
    """Say whether a fault planted in a sentence was caught; None when it was left open.

    A sentence that is said to claim nothing has passed: its fault lowers no score.
    """
    if isinstance(outcome, Skip):
        return None if outcome.parts else False
    if bound.metric.name not in SENTENCES:
        return isinstance(outcome, Score) and outcome.value < 1.0
    evidence = outcome.evidence if isinstance(outcome, Score) else ()
    said = [claim["verdict"] for claim in evidence if claim["sentence"] == sentence]
    if any(word in _AGAINST for word in said):
        return True
    return None if "undecided" in said else False
