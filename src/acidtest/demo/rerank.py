"""Reordering candidates by what BM25 cannot see: coverage, headings, neighbouring and near words."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from acidtest.demo.corpus import Passage
from acidtest.demo.words import stems

WEIGHTS = {"bm25": 1.0, "coverage": 1.0, "heading": 0.6, "pairs": 0.4, "near": 0.4}
"""Set by hand, by reading questions of the handbook's own headings; not fitted to the golden set."""

WINDOW = 25


def rarity(found: Sequence[Passage]) -> dict[str, float]:
    """Return how much a stem says: log of passages over passages that hold it."""
    counts: dict[str, int] = {}
    for passage in found:
        for stem in set(stems(f"{passage.heading} {passage.text}")):
            counts[stem] = counts.get(stem, 0) + 1
    return {stem: math.log(1 + len(found) / n) for stem, n in counts.items()}


def rerank(
    query: str, candidates: Sequence[tuple[Passage, float]], weigh: Mapping[str, float]
) -> list[tuple[Passage, float]]:
    """Return the candidates in their new order with their new scores."""
    asked = stems(query)
    top = max((score for _, score in candidates), default=1.0)
    scored = [(p, _score(asked, p, score / top, weigh)) for p, score in candidates]
    return sorted(scored, key=lambda pair: -pair[1])


def _score(asked: list[str], passage: Passage, bm25: float, weigh: Mapping[str, float]) -> float:
    text = stems(passage.text)
    head = set(stems(f"{passage.title} {passage.heading}"))
    features = {
        "bm25": bm25,
        "coverage": share(asked, set(text) | head, weigh),
        "heading": share(asked, head, weigh),
        "pairs": _pairs(asked, text),
        "near": _near(asked, text, weigh),
    }
    return sum(WEIGHTS[name] * value for name, value in features.items())


def share(asked: Sequence[str], found: set[str], weigh: Mapping[str, float]) -> float:
    """Return the share of what was asked that was found, rare words counting more.

    A word that the corpus lacks altogether counts as the rarest.
    """
    rarest = max(weigh.values(), default=1.0)
    weights = {stem: weigh.get(stem, rarest) for stem in asked}
    whole = sum(weights.values())
    return sum(w for stem, w in weights.items() if stem in found) / whole if whole else 0.0


def _pairs(asked: list[str], text: list[str]) -> float:
    wanted = set(pairwise(asked))
    return len(wanted & set(pairwise(text))) / len(wanted) if wanted else 0.0


def _near(asked: list[str], text: list[str], weigh: Mapping[str, float]) -> float:
    windows = range(0, max(1, len(text) - WINDOW // 2), max(1, WINDOW // 2))
    return max((share(asked, set(text[i : i + WINDOW]), weigh) for i in windows), default=0.0)
