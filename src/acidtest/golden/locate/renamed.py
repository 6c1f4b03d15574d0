"""Documents that have another name now: most of what is known of their text is in one other document."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from acidtest.golden.locate.find import Found
from acidtest.golden.locate.fold import fold

MOST = 0.5
"""More than this share of a document's known text must be in one other document."""


def renames(found: Iterable[tuple[str, str | None, Found]], today: Iterable[str]) -> dict[str, str]:
    """Return old name -> new name.

    Args:
        found: Texts, the documents that they were taken from, and where they stand today.
        today: The documents that there are today.
    """
    here = set(today)
    whole: dict[str, float] = defaultdict(float)
    votes: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for text, doc_id, places in found:
        if doc_id is None or doc_id in here:
            continue
        weight = len(fold(text))
        whole[doc_id] += weight
        best = places.occurrences[0].similarity if places.occurrences else 0.0
        holders = {
            each.doc_id
            for each in places.occurrences
            if each.doc_id is not None and each.similarity >= best - 0.02
        }
        for name in holders:
            votes[doc_id][name] += weight * best
    return {
        old: new
        for old, names in votes.items()
        if (new := _winner(names, MOST * whole[old])) is not None
    }


def _winner(names: Mapping[str, float], least: float) -> str | None:
    ranked = sorted(names.items(), key=lambda each: (-each[1], each[0]))
    if len(ranked) > 1 and ranked[0][1] - ranked[1][1] < 1e-9:
        return None  # two documents with the same text: which is the old one?
    return ranked[0][0] if ranked[0][1] > least else None
