"""Ids that could never be found: pairs or records where ids belong, numbers on one side and text on the other.

Each would count as not relevant, and the metric would be 0 without a word.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from numbers import Integral
from typing import Any

from acidtest.columns.labels import named
from acidtest.errors import BadData

_QUERIES = 5
"""The first so many queries are looked at: who gives pairs gives them everywhere, and a look must cost nothing."""

_LONGEST = 80


def refuse_no_ids(
    labels: Sequence[Mapping[Any, int]],
    retrieved: Sequence[Iterable[Any]],
    names: Sequence[str] | None,
) -> None:
    """Refuse what can be no id, or can equal none.

    Args:
        labels: The labels of each query.
        retrieved: What was found for each, in the same order: ids, or a mapping from ids.
        names: What to call each query in an error.

    Raises:
        BadData: The first thing in a query's labels or ranking is a pair, a record or nothing; or the ids
            of labels and rankings are of types that are never equal.
    """
    judged: set[str] = set()
    found: set[str] = set()
    for i, (own, ranking) in enumerate(zip(islice(labels, _QUERIES), retrieved, strict=False)):
        for id_ in islice(own, 1):
            judged.add(_kind(id_, "labels begin", i, names, "a mapping from id to grade"))
        if isinstance(ranking, Collection):  # what can be gone through once is left alone
            for id_ in islice(ranking, 1):
                found.add(_kind(id_, "ranking begins", i, names, "a mapping from id to score"))
    if judged and found and not judged & found:
        raise BadData(
            f"the ids of documents are {_listed(judged)} in the labels and {_listed(found)} in what was"
            " retrieved: none can be found",
            fix="Make them all text.",
        )


def _kind(id_: object, what: str, i: int, names: Sequence[str] | None, or_else: str) -> str:
    if isinstance(id_, str):
        return "text"
    if isinstance(id_, Integral):
        return "whole numbers"
    if id_ is None or isinstance(id_, list | tuple | dict | set):
        raise BadData(
            f"the {what} with {repr(id_)[:_LONGEST]}, which is no id",
            where=named(i, names),
            fix=f"Give ids alone, or {or_else}.",
        )
    return f"of the type {type(id_).__name__}"


def _listed(kinds: set[str]) -> str:
    return " and ".join(sorted(kinds))
