"""The kinds of questions that are synthesised, and how many of each."""

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from acidtest.errors import UnknownName, UsageError

Kind = Literal[
    "lookup", "multi-part", "multi-hop", "comparison", "follow-up", "identifier", "unanswerable"
]
KINDS: tuple[Kind, ...] = get_args(Kind)

SHARES: Mapping[Kind, float] = {
    "lookup": 0.30,
    "multi-part": 0.10,
    "multi-hop": 0.15,
    "comparison": 0.10,
    "follow-up": 0.10,
    "identifier": 0.10,
    "unanswerable": 0.15,
}
"""What a set has by default: easy questions are not the rule, and some must be declined."""

PAIRED: frozenset[Kind] = frozenset({"multi-hop", "comparison"})
"""Kinds that need two related chunks."""


def parse_kinds(given: Sequence[str]) -> dict[Kind, float] | None:
    """Read kinds with their weights: `lookup`, `multi-hop=2`, or several with commas between.

    Returns:
        Kind -> weight; None when nothing was given, which means `SHARES`.

    Raises:
        UnknownName: There is no such kind.
        UsageError: A weight is no number above 0, or a kind is named twice.
    """
    found: dict[Kind, float] = {}
    for item in (part.strip() for text in given for part in text.split(",")):
        name, weighted, weight = item.partition("=")
        kind = next((each for each in KINDS if each == name.strip()), None)
        if kind is None:
            raise UnknownName("kind", name.strip(), KINDS, where="--kinds")
        if kind in found:
            raise UsageError(f"{kind} is named twice", where="--kinds", fix="Name each kind once.")
        found[kind] = _weight(weight) if weighted else 1.0
    return found or None


def _weight(text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = 0.0
    if not 0 < weight < 1e9:
        raise UsageError(
            f"the weight {text!r} is no number above 0", where="--kinds", fix="Write multi-hop=2."
        )
    return weight


def quotas(n: int, weights: Mapping[Kind, float]) -> dict[Kind, int]:
    """Share n out by weight, by largest remainders; in a tie the kind that comes first has it."""
    total = sum(weights.values())
    exact = {kind: n * weight / total for kind, weight in weights.items()}
    counts = {kind: int(share) for kind, share in exact.items()}
    left = n - sum(counts.values())
    by_rest = sorted(weights, key=lambda kind: (counts[kind] - exact[kind], KINDS.index(kind)))
    for kind in by_rest[:left]:
        counts[kind] += 1
    return {kind: counts[kind] for kind in KINDS if counts.get(kind)}
