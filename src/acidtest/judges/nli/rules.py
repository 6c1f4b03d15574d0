"""Rules: from the probabilities of all windows to a ruling on a claim, or to leaving it open.

The best window decides, as in SummaC (Laban et al., TACL 2022): a claim is as supported as the passage
that supports it most.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

Ruling = Literal["supported", "contradicted", "unsupported", "undecided"]


class Odds(Struct, frozen=True):
    """What a model says of one premise and one claim: probabilities, 0..1.

    `contradiction` is None where the model does not tell it from neutral.
    """

    entailment: float
    contradiction: float | None = None


class Thresholds(Struct, frozen=True, kw_only=True):
    """Where the rules cut.

    The usual cut is entailment at 0.5: what the model holds for likelier than not (as ALCE does, Gao et
    al., EMNLP 2023). SummaC fits a cut for each data set, so none of its own carries over. What is less
    than 0.2 from the usual cut is left open. These are conventions, not measurements.

    Attributes:
        supported: From this probability of entailment on a claim is supported.
        unsupported: Up to this probability, in every window, nothing supports it.
        contradicted: From this probability of contradiction on it is contradicted, if nothing supports it.
            High, because these models were trained on pairs about one scene and call much
            contradictory that is about two (SNLI, Bowman et al., EMNLP 2015). The score is the same as
            for unsupported.
    """

    supported: float = 0.7
    unsupported: float = 0.3
    contradicted: float = 0.9


THRESHOLDS = Thresholds()


class Found(Struct, frozen=True):
    """A ruling, the window that it rests on (its place in the list), and why."""

    ruling: Ruling
    window: int
    why: str


def rule(said: Sequence[Odds], where: Sequence[str], cut: Thresholds = THRESHOLDS) -> Found:
    """Rule on a claim.

    Args:
        said: What the model says of each window; at least one.
        where: What to call each window's text in the reason, such as "passage 2".
        cut: Where the rules cut.
    """
    best = max(range(len(said)), key=lambda i: said[i].entailment)  # of equals the first
    most = said[best].entailment
    if most >= cut.supported:
        return Found("supported", best, f"{where[best]} entails it: {most:.2f}")
    if most > cut.unsupported:
        return Found("undecided", best, f"{where[best]} may entail it: {most:.2f}")
    against = max(range(len(said)), key=lambda i: said[i].contradiction or 0.0)
    least = said[against].contradiction or 0.0
    if least >= cut.contradicted:
        return Found("contradicted", against, f"{where[against]} contradicts it: {least:.2f}")
    return Found("unsupported", best, f"nothing entails it: at most {most:.2f}, {where[best]}")
