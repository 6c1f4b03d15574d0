"""Judgements and a run, in any of the shapes people have them in, to the hit table."""

import os
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import NoneType
from typing import Any, TypedDict, Unpack

from acidtest.columns.labels import Labels
from acidtest.columns.place import from_rankings, from_runs
from acidtest.columns.table import Ranked
from acidtest.errors import BadData, UsageError
from acidtest.formats.frame_columns import is_table
from acidtest.formats.judged_frames import qrels_of, run_of
from acidtest.formats.judged_ids import with_text_ids
from acidtest.formats.judged_json import is_json, read_json
from acidtest.formats.run_frame import RunFrame, from_frame
from acidtest.formats.trec import read_qrels, read_run
from acidtest.formats.trec_scan import scan_run

File = str | os.PathLike[str]
Table = Any
"""A data frame: of Polars (lazy, too), pandas, or anything that gives an Arrow stream."""

Qrels = File | Table | Mapping[str, Labels] | Sequence[Labels]
Run = (
    File
    | Table
    | Mapping[str, Mapping[str, float]]
    | Mapping[str, Sequence[str]]
    | Sequence[Mapping[str, float]]
    | Sequence[Sequence[str]]
)


_OTHER_TABLES = {
    ".csv": "read_csv",
    ".tsv": "read_csv",
    ".jsonl": "read_ndjson",
    ".ndjson": "read_ndjson",
}


class Options(TypedDict):
    """Which documents count: see `columns.place.from_runs`."""

    level: int
    depth: int | None
    judged_only: bool


@dataclass(frozen=True)
class JudgedRun:
    """The hit table of every judged query, in the order of `queries`; `missing` are not in the run."""

    queries: list[str]
    missing: list[str]
    ranked: Ranked


def judged_run(qrels: Qrels, run: Run, *, single: bool, **options: Unpack[Options]) -> JudgedRun:
    """Bring judgements and a run together.

    Args:
        qrels: Query id -> labels, the path of a TREC qrels file, a data frame or the path of one, or
            one set of labels a query.
        run: Query id -> (document id -> score, or ids best first), the path of a TREC run file, a data
            frame or the path of one, or a sequence of these in the order of `qrels`.
        single: Compare scores in single precision.
        **options: Which documents count.

    Raises:
        BadData: An input cannot be read or holds what has no place in a table; no judged query is
            in the run.
        UsageError: The two do not go together.
    """
    judged, given = _judgements(qrels), _results(run, options["depth"])
    if _is_read(run) and not _is_read(qrels):
        judged = with_text_ids(judged, "qrels")
    elif _is_read(qrels) and not _is_read(run):
        given = with_text_ids(given, "run")
    if isinstance(given, RunFrame):
        queries, labels = _in_order(judged)
        missing = [query for query in queries if query not in given.sizes]
        _refuse_strangers(queries, missing, given.sizes)
        ranked = from_frame(given, labels, names=queries, single=single, **options)
        return JudgedRun(queries, missing, ranked)
    if isinstance(judged, Mapping) and isinstance(given, Mapping):
        queries, labels = _in_order(judged)
        rankings: list[Any] = list(map(given.get, queries))
        missing = []
        if NoneType in set(map(type, rankings)):
            missing = [q for q, ranking in zip(queries, rankings, strict=True) if ranking is None]
        _refuse_strangers(queries, missing, given)
    elif _is_list(judged) and _is_list(given):
        if len(judged) != len(given):
            raise UsageError(
                f"there are {len(judged)} sets of labels and {len(given)} rankings",
                fix="Lists without query ids must be of one length.",
            )
        queries, missing = [str(i) for i in range(len(judged))], []
        labels, rankings = list(judged), list(given)
        _refuse_strangers(queries, missing, queries)
    else:
        raise UsageError(
            f"judgements are a {type(judged).__name__} and the run is a {type(given).__name__}",
            fix="Give two mappings by query id, two lists, data frames, or paths of files.",
        )
    return JudgedRun(queries, missing, _tabulate(queries, labels, rankings, options, single=single))


def _is_read(given: object) -> bool:
    """Say whether something comes from a file or a table, in which ids are text."""
    return isinstance(given, str | os.PathLike) or is_table(given)


def _judgements(qrels: Qrels) -> Any:
    """Return judgements by query id; what is given so, or as a list, as it is."""
    if is_table(qrels):
        return qrels_of(qrels)
    if not isinstance(qrels, str | os.PathLike):
        return qrels
    if is_json(qrels):
        return read_json(qrels)
    with _told_of_frames(qrels):
        return read_qrels(qrels)


def _results(run: Run, depth: int | None) -> Any:
    """Return a run as columns where it is a table or a big file; what is given otherwise, as it is."""
    if is_table(run):
        return run_of(run, depth=depth)
    if not isinstance(run, str | os.PathLike):
        return run
    if is_json(run):
        return read_json(run)
    with _told_of_frames(run):
        return scan_run(run) or read_run(run, depth=depth)


@contextmanager
def _told_of_frames(path: File) -> Iterator[None]:
    """Say how tables are read that are neither Parquet nor Arrow, where a file is no TREC file."""
    try:
        yield
    except BadData as error:
        if (ending := Path(os.fspath(path)).suffix.lower()) not in _OTHER_TABLES:
            raise
        fix = f"{error.fix or ''} A table in {ending} goes through a data frame, such as polars.{_OTHER_TABLES[ending]}(...)."
        raise BadData(error.what, where=error.where, fix=fix.strip()) from error


def _in_order(judged: Mapping[str, Labels]) -> tuple[list[str], list[Labels]]:
    if not isinstance(judged, Mapping):
        raise UsageError(
            f"judgements are a {type(judged).__name__} and the run has query ids",
            fix="Give judgements by query id.",
        )
    try:
        queries = sorted(judged)
    except TypeError as error:
        raise BadData("query ids are of several types", fix="Make them all text.") from error
    return queries, list(map(judged.__getitem__, queries))


def _refuse_strangers(queries: list[str], missing: list[str], run: Iterable[str]) -> None:
    if not queries:
        raise BadData(
            "there are no judged queries",
            where="qrels",
            fix="Give at least one relevance judgement.",
        )
    if len(missing) == len(queries):
        raise BadData(
            f"none of the {len(queries)} judged queries is in the run",
            where="run",
            fix=f"Judged: {_some(queries)}. In the run: {_some(run)}.{_types(queries, run)}",
        )


def _tabulate(
    queries: list[str],
    labels: list[Labels],
    rankings: list[Any],
    options: Options,
    *,
    single: bool,
) -> Ranked:
    kinds = set(map(type, rankings))
    absent = NoneType in kinds
    kinds.discard(NoneType)
    if all(issubclass(kind, Mapping) for kind in kinds):
        if absent:
            rankings = [{} if scores is None else scores for scores in rankings]
        if single:
            rankings = list(map(_single_precision, rankings))
        return from_runs(rankings, labels, names=queries, **options)
    if all(issubclass(kind, Sequence) and kind is not bytes for kind in kinds):
        if absent:
            rankings = [[] if ids is None else ids for ids in rankings]
        return from_rankings(rankings, labels, names=queries, repeats=False, **options)
    raise UsageError(
        f"the rankings are of the types {', '.join(sorted(kind.__name__ for kind in kinds))}",
        where="run",
        fix="Give each query a mapping from id to score, or a list of ids, best first.",
    )


def _single_precision(scores: Mapping[str, float]) -> Mapping[str, float]:
    try:
        return dict(zip(scores, array("f", scores.values()), strict=True))
    except TypeError:
        return scores  # not numbers: the hit table says which


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _types(queries: Iterable[object], run: Iterable[object]) -> str:
    """Say which types ids are of, where that is why they look alike and are not."""
    one, other = (next((type(q).__name__ for q in ids), "") for ids in (queries, run))
    return f" Their types are {one} and {other}: make them all text." if one != other else ""


def _some(queries: Iterable[object]) -> str:
    first = [str(query) for query in islice(queries, 4)]
    return ", ".join(first[:3]) + (", ..." if len(first) > 3 else "")
