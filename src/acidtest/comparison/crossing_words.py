"""What a crossing says of one metric, in a sentence: which stage moved it, and what is not clear."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from acidtest.data.compared import StageSplit

Part = Literal["retrieval", "generation", "interaction"]


@dataclass(frozen=True)
class Spread:
    """What is known of a split beside it.

    Attributes:
        p_values: Of each part being 0.
        still: Parts that are 0 in every case.
        on_old_contexts: What changing the generator does on the baseline's contexts.
        on_new_contexts: What it does on the candidate's.
    """

    p_values: Mapping[Part, float]
    still: frozenset[Part]
    on_old_contexts: float
    on_new_contexts: float


def sentence(split: StageSplit, spread: Spread, named: frozenset[Part]) -> str:
    """Say which stage changed a metric.

    Args:
        split: The metric's split.
        spread: What is known beside it.
        named: The parts that are clear.
    """
    retriever = _amount(split.retrieval, split.retrieval_ci)
    generator = _amount(split.generation, split.generation_ci)
    if {"retrieval", "generation"} <= spread.still:
        told = "neither stage changed it."
    elif {"retrieval", "generation"} <= named:
        told = f"the retriever changed it by {retriever}, the generator by {generator}."
    elif "retrieval" in named:
        rest = _rest("generation" in spread.still, "generator", generator)
        told = f"the retriever changed it, by {retriever}; {rest}."
    elif "generation" in named:
        rest = _rest("retrieval" in spread.still, "retriever", retriever)
        told = f"the generator changed it, by {generator}; {rest}."
    else:
        told = f"neither stage's part is clear (retriever {retriever}, generator {generator})."
    if "interaction" in named and split.interaction is not None:
        told += (
            f" The stages depend on each other (interaction "
            f"{_amount(split.interaction, split.interaction_ci)}): the new generator changes it "
            f"by {signed(spread.on_old_contexts)} on the old contexts and by "
            f"{signed(spread.on_new_contexts)} on the new."
        )
    return f"{split.metric} {signed(split.delta)}: {told}"


def _rest(still: bool, stage: str, amount: str) -> str:  # noqa: FBT001 - one of two endings
    return f"the {stage} did nothing" if still else f"the {stage}'s part is not clear ({amount})"


def _amount(value: float, ci: tuple[float, float] | None) -> str:
    return signed(value) if ci is None else f"{signed(value)} [{signed(ci[0])}, {signed(ci[1])}]"


def signed(value: float) -> str:
    """Return +0.12, -0.004 or 0."""
    digits = 2 if abs(value) >= 0.01 else 3
    told = f"{value:+.{digits}f}"
    return "0" if float(told) == 0 else told
