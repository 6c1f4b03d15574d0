"""A run in columns (query, document, score) to the hit table, without a Python string a row.

Works on Polars series: the judged documents are filtered out first, and only they, and scores as plain
numbers, are looked at. A block of rows of one query that is in descending order needs no sorting.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from acidtest.columns.labels import Labels, checked
from acidtest.columns.table import Places, Ranked, tabulate
from acidtest.errors import BadData
from acidtest.extras import need

_MIX = 0x9E3779B97F4A7C15  # odd, with bits all over: keeps a document's hash apart between queries


@dataclass(frozen=True)
class RunFrame:
    """A run as a Polars frame with the columns query, document, score, and its blocks of rows.

    `sizes` are the rows of each query in the order of the frame, in which a query's rows lie together.
    """

    frame: Any
    sizes: Mapping[str, int]


def run_frame(frame: Any) -> RunFrame:
    """Bring each query's rows together.

    Raises:
        BadData: A value is missing, or a score is NaN.
    """
    for column in frame.columns:
        if frame[column].null_count():
            raise BadData(f"a {column} is missing", where="run", fix="Give every row all three.")
    if frame["score"].is_nan().any():
        raise BadData(
            "a score is NaN, which has no place in an order",
            where="run",
            fix="Give every document a number, or leave it out.",
        )
    blocks = frame["query"].rle().struct.unnest()
    sizes = dict(zip(blocks["value"].to_list(), blocks["len"].to_list(), strict=True))
    if len(sizes) < len(blocks):
        return run_frame(frame.sort("query", maintain_order=True))
    return RunFrame(frame, sizes)


def has_repeats(run: RunFrame) -> bool:
    """Say whether a query has a document twice."""
    import numpy as np

    sizes = np.fromiter(run.sizes.values(), np.int64, len(run.sizes))
    block = np.repeat(np.arange(len(sizes), dtype=np.uint64) * np.uint64(_MIX), sizes)
    keys = np.sort(run.frame["document"].hash().to_numpy() ^ block)
    if not (keys[1:] == keys[:-1]).any():
        return False
    return bool(run.frame.select("query", "document").is_duplicated().any())


def from_frame(
    run: RunFrame,
    labels: Sequence[Labels],
    *,
    level: int,
    depth: int | None,
    judged_only: bool,
    single: bool,
    names: Sequence[str],
) -> Ranked:
    """Build the hit table.

    Args:
        run: The run, without repeats.
        labels: The labels of each query.
        level: As for `columns.place.from_runs`, and so are `depth`, `judged_only` and `names`.
        depth: Only the first so many documents of a ranking count.
        judged_only: Drop documents without a judgement from the ranking first.
        single: Compare scores in single precision.
        names: The query ids, in the order of `labels`.

    Raises:
        BadData: A grade is not a whole number.
    """
    import numpy as np

    judged, patterns = checked(labels, names)
    grades = dict(zip(names, judged, strict=True))
    number = {query: i for i, query in enumerate(names)}
    queries = list(run.sizes)
    ends = np.cumsum(np.fromiter(run.sizes.values(), np.int64, len(run.sizes)))
    rows = _judged_rows(run, judged)
    found = [
        (row, block, document, grade)
        for row, block, document in zip(
            rows.tolist(),
            np.searchsorted(ends, rows, side="right").tolist(),
            run.frame["document"].gather(rows).to_list(),
            strict=True,
        )
        if (grade := grades.get(queries[block], {}).get(document)) is not None
    ]
    scores = run.frame["score"].to_numpy()
    ranks = _ranks(found, run, scores.astype(np.float32) if single else scores, ends)
    places = sorted(
        (number[queries[block]], rank, grade)
        for (_, block, _, grade), rank in zip(found, ranks, strict=True)
    )
    return tabulate(
        patterns,
        [run.sizes.get(query, 0) for query in names],
        Places([q for q, _, _ in places], [r for _, r, _ in places], [g for _, _, g in places]),
        level=level,
        depth=depth,
        judged_only=judged_only,
    )


def _judged_rows(run: RunFrame, judged: Sequence[Mapping[str, int]]) -> Any:
    import numpy as np

    pl: Any = need("polars", extra="tables")
    ids = pl.Series("id", list(set().union(*judged)), dtype=pl.String)
    return np.flatnonzero(run.frame["document"].is_in(ids.implode()).to_numpy())


def _ranks(
    found: Sequence[tuple[int, int, str, int]], run: RunFrame, scores: Any, ends: Any
) -> list[int]:
    """Return the rank of each found row in its query; rows are in the frame's order."""
    import numpy as np

    rising = scores[1:] >= scores[:-1]
    rising[ends[:-1] - 1] = False  # from one query to the next
    uneven = set(np.searchsorted(ends, np.flatnonzero(rising), side="right").tolist())
    limits = [0, *ends.tolist()]
    ranks = []
    last, mine, ordered = -1, scores, scores
    for row, block, document, _ in found:
        start = limits[block]
        rank = row - start + 1
        if block in uneven:
            if block != last:  # sort a query's scores once
                last, mine = block, scores[start : limits[block + 1]]
                ordered = np.sort(-mine)
            rank = int(np.searchsorted(ordered, -scores[row])) + 1
            if rank < len(ordered) and ordered[rank] == ordered[rank - 1]:
                tied = np.flatnonzero(mine == scores[row]) + start
                rank += sum(other > document for other in run.frame["document"].gather(tied))
        ranks.append(rank)
    return ranks
