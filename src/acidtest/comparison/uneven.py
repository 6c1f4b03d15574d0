"""What failed on one side only: such cases are in neither mean, and they may be the hard ones."""

from collections.abc import Sequence

from acidtest.comparison.paired import Pairs
from acidtest.data.outcomes import Failure

TOLD = 0.02
"""Failures that differ by less than this share of the cases are not told, nor is a single one."""


def uneven(pairs: Pairs, metrics: Sequence[str]) -> list[str]:
    """Say where coverage differs between two runs: of the pipeline, and of each metric."""
    said = []
    before, after = (sum(pair[n].failure is not None for pair in pairs) for n in (0, 1))
    if before or after:
        said.append(
            f"The pipeline failed on {before} cases before and {after} after, of {len(pairs)}: they "
            "are left out on both sides."
        )
    sides = [[pair[n].scores for pair in pairs if pair[n].failure is None] for n in (0, 1)]
    for name in metrics:
        before, after = (
            sum([isinstance(scores.get(name), Failure) for scores in side]) for side in sides
        )
        if abs(before - after) > max(1, TOLD * len(pairs)):
            said.append(
                f"{name} could not be scored in {before} cases before and {after} after, of "
                f"{len(pairs)}: left out on both sides, and if they are the hard ones the change "
                "is flattered."
            )
    return said
