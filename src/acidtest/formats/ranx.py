"""ranx: judgements and runs as JSON (query -> document -> number) or Parquet (`q_id`, `doc_id`, `score`).

Its TREC files are read as `trec` and `trec-run`. Judgements are whole numbers and runs are not, unless the
file's name says otherwise; the questions of judgements are in the file of queries beside them.
"""

import math
from collections.abc import Mapping
from typing import Any

from acidtest.formats.format import Format, Found, Likeness
from acidtest.formats.judged import graded, labelled, queries_beside
from acidtest.formats.losses import Losses
from acidtest.formats.source import Source
from acidtest.formats.trec_run import rankings

_COLUMNS = frozenset(("q_id", "doc_id", "score"))


def _sniff(source: Source) -> Likeness:
    if source.form == "parquet":
        return 2 if source.keys == _COLUMNS else 0
    # Summaries of scores look the same: such JSON is known by its name.
    named = source.form == "json" and any(word in source.stem.lower() for word in ("qrels", "run"))
    document = source.document if named else None
    if not isinstance(document, dict) or not document:
        return 0
    return 2 if all(_is_ranking(value) for value in document.values()) else 0


def _is_ranking(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(map(_is_number, value.values()))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)


def _read(source: Source) -> Found:
    table = _table(source)
    name = source.stem.lower()
    whole = all(isinstance(x, int) for scores in table.values() for x in scores.values())
    if "run" in name or not (whole or "qrels" in name):
        return Found(answers=rankings(table))
    losses = Losses()
    rows = labelled(queries_beside(source), graded(table, losses), losses)
    return Found(rows=rows, losses=losses.told())


def _table(source: Source) -> Mapping[str, Mapping[str, float]]:
    found: dict[str, dict[str, float]] = {}
    if source.form == "parquet":
        for row in source.rows:
            query, document = row.values.get("q_id"), row.values.get("doc_id")
            score: Any = row.values.get("score")
            if query is None or document is None or not _is_number(score):
                raise row.fault("a query, a document or a score is missing")
            if str(document) in found.setdefault(str(query), {}):
                raise row.fault(f"document {str(document)[:60]!r} comes twice in a query")
            found[str(query)][str(document)] = score
        return found
    document = source.document
    if not isinstance(document, dict):
        raise source.fault("ranx's JSON is a mapping: query -> document -> number")
    for query, scores in document.items():
        if not _is_ranking(scores):
            raise source.fault(
                "its documents must be a mapping to numbers", at=f"query {str(query)[:60]!r}"
            )
        found[query] = scores
    return found


FORMAT = Format(name="ranx", sniff=_sniff, read=_read)
