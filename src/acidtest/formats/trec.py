"""TREC qrels and runs, as trec_eval 10 reads them.

The score alone orders a run: its rank column is not read. Any blanks part the columns; text after a
run's tag, blank lines and lines that start with # are passed over; CRLF, a byte order mark and gzip are
fine. What trec_eval reads as 0 without a word (a score or grade that is no number) is an error here.
"""

import os
from collections.abc import Collection, Iterator
from itertools import compress, count, islice
from operator import ne

from acidtest.codec.rows.row import shown
from acidtest.errors import BadData
from acidtest.formats.trec_rows import QRELS, RUN, Kind, V, blocks, rows, split


def read_qrels(path: str | os.PathLike[str]) -> dict[str, dict[str, int]]:
    """Read judgements: query id -> document id -> grade.

    A grade is read as C's atol does: 1.9 is 1.

    Raises:
        BadData: The file cannot be read, holds nothing, or has a line that is not a judgement; a
            document is judged twice for a query.
    """
    table, repeated = _read(path, QRELS)
    if repeated:
        _refuse_repeated(path, QRELS, repeated)
    return table


def read_run(
    path: str | os.PathLike[str], *, depth: int | None = None
) -> dict[str, dict[str, float]]:
    """Read a run: query id -> document id -> score.

    Args:
        path: The file, gzip or not.
        depth: The ranking is going to be cut there: below, a document may come again.

    Raises:
        BadData: The file cannot be read, holds nothing, or has a line that is not a result; a
            document comes twice in a query; a score is not a number.
    """
    table, repeated = _read(path, RUN)
    if repeated and depth is None:
        _refuse_repeated(path, RUN, repeated)
    elif repeated and depth is not None:
        table.update(_cut(path, repeated, depth))
    return table


def _read(path: str | os.PathLike[str], kind: Kind[V]) -> tuple[dict[str, dict[str, V]], set[str]]:
    """Read a file; also say in which queries a document came twice."""
    table: dict[str, dict[str, V]] = {}
    lines: dict[str, int] = {}
    for first, block in blocks(path):
        parts = split(block, kind)
        if parts is None:
            found = list(rows(path, first, block, kind))
            parts = [r[1] for r in found], [r[2] for r in found], [r[3] for r in found]
        queries, documents, values = parts
        if not queries:
            continue
        turns: Iterator[int] = compress(count(1), map(ne, queries, islice(queries, 1, None)))
        start = 0
        for end in (*turns, len(queries)):
            query = queries[start]
            group = dict(zip(documents[start:end], values[start:end], strict=True))
            if query in table:
                table[query].update(group)
            else:
                table[query] = group
            lines[query] = lines.get(query, 0) + end - start
            start = end
    if not table:
        raise BadData("the file has no rows", where=os.fspath(path), fix=kind.form)
    return table, {query for query, n in lines.items() if n != len(table[query])}


def _refuse_repeated(path: str | os.PathLike[str], kind: Kind[V], queries: Collection[str]) -> None:
    first: dict[tuple[str, str], int] = {}
    for start, block in blocks(path):
        for number, query, document, _ in rows(path, start, block, kind):
            if query in queries and first.setdefault((query, document), number) != number:
                raise BadData(
                    f"query {shown(query)} has the document {shown(document)} twice",
                    where=f"{os.fspath(path)}:{number}",
                    fix=f"It stands in line {first[query, document]} already: remove one.",
                )


def _cut(
    path: str | os.PathLike[str], queries: Collection[str], depth: int
) -> dict[str, dict[str, float]]:
    """Read those queries again and cut their rankings; what comes twice above the cut is an error."""
    ranked: dict[str, list[tuple[float, str, int]]] = {query: [] for query in queries}
    for start, block in blocks(path):
        for number, query, document, score in rows(path, start, block, RUN):
            if query in queries:
                ranked[query].append((score, document, number))
    table = {}
    for query, results in ranked.items():
        results.sort(key=lambda row: row[:2], reverse=True)
        table[query] = {document: score for score, document, _ in results[:depth]}
        if len(table[query]) < min(depth, len(results)):
            _refuse_repeated(path, RUN, [query])
    return table
