"""A part of a golden set: by tag, by split, the first n."""

from collections.abc import Sequence

from acidtest.data.golden import GoldenSet
from acidtest.errors import UnknownName, UsageError


def select(
    golden: GoldenSet,
    *,
    tags: Sequence[str] = (),
    split: str | None = None,
    limit: int | None = None,
) -> GoldenSet:
    """Return the cases that have one of the tags and the split, and of those the first `limit`.

    The part keeps the version of the whole set: a run on it compares with other runs of the set on
    the cases that they share.

    Args:
        golden: The whole set.
        tags: Any of these; none means all cases.
        split: The cases' `split`.
        limit: At most so many, in the set's order.

    Raises:
        UnknownName: No case has that tag or split; the nearest one is suggested.
        UsageError: The limit is under 1, or no case is left.
    """
    if limit is not None and limit < 1:
        raise UsageError(
            f"the limit must be at least 1, not {limit}", where="limit", fix="Give 1 or more."
        )
    known = {tag for case in golden for tag in case.tags}
    for tag in tags:
        if tag not in known:
            raise UnknownName("tag", tag, known, where=golden.path)
    splits = {case.split for case in golden if case.split is not None}
    if split is not None and split not in splits:
        raise UnknownName("split", split, splits, where=golden.path)
    chosen = [
        case
        for case in golden
        if (not tags or not set(tags).isdisjoint(case.tags)) and split in (None, case.split)
    ][:limit]
    if not chosen:
        raise UsageError(
            f"no case has split {split!r} and one of the tags {', '.join(tags)}",
            where=golden.path,
            fix="Name another split, or other tags.",
        )
    kept = {case.id for case in chosen}
    recorded = [answer for answer in golden.recorded if answer.case_id in kept]
    return GoldenSet(chosen, version=golden.version, path=golden.path, recorded=recorded)
