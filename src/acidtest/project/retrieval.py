"""Retrieval metrics over a whole run: qrels and a run in, means and per-query values out.

Counts as trec_eval 10 does with -c: every judged query counts, and one that the run lacks, or that
has no relevant document, counts 0.
"""

import functools
import importlib
import operator
import os
import pkgutil
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import NoneType
from typing import Any, Literal

from acidtest.columns import Labels, Ranked, from_rankings, from_runs
from acidtest.errors import BadData, UsageError
from acidtest.formats.trec import read_qrels, read_run
from acidtest.formats.trec_names import ours
from acidtest.metrics import registry
from acidtest.metrics import retrieval as package
from acidtest.metrics.declare import LabelMetric, bind, split_name

File = str | os.PathLike[str]
Qrels = File | Mapping[str, Labels] | Sequence[Labels]
Run = (
    File
    | Mapping[str, Mapping[str, float]]
    | Mapping[str, Sequence[str]]
    | Sequence[Mapping[str, float]]
    | Sequence[Sequence[str]]
)

DEFAULT = ("recall@5", "recall@20", "precision@5", "hit@5", "mrr", "map", "ndcg@10")
"""What is measured when no metric is named."""


@dataclass(frozen=True)
class RetrievalScores:
    """Retrieval metrics of one run.

    Attributes:
        means: Each metric's mean over all judged queries, by the name that was asked for.
        queries: The judged queries, in the order of their ids' bytes (or as they were given, where
            they have no ids).
        per_query: Each metric's value for every query, in the order of `queries`.
        missing: Judged queries that the run lacks; they count 0.
        unlabelled: Judged queries without a relevant document; they count 0.
    """

    means: dict[str, float]
    queries: list[str]
    per_query: dict[str, list[float]]
    missing: list[str]
    unlabelled: list[str]

    def rows(self) -> dict[str, dict[str, float]]:
        """Return the values by query id, then by metric."""
        columns = zip(*self.per_query.values(), strict=True)
        return {
            query: dict(zip(self.per_query, values, strict=True))
            for query, values in zip(self.queries, columns, strict=True)
        }


def retrieval(
    qrels: Qrels,
    run: Run,
    metrics: Sequence[str] = DEFAULT,
    *,
    level: int = 1,
    depth: int | None = None,
    judged_only: bool = False,
    gain: Literal["linear", "exp"] | None = None,
    compat: Literal["9", "10"] = "10",
) -> RetrievalScores:
    """Measure a whole run against its judgements.

    Args:
        qrels: Query id -> (document id -> grade, or the relevant ids); a TREC qrels file; or a
            sequence of labels, one a query.
        run: Query id -> (document id -> score, or the ids best first); a TREC run file; or a
            sequence of these, in the order of `qrels`.
        metrics: Names such as `recall@5`, `mrr`, `ndcg(gain=exp)@10`.
        level: The lowest grade that counts as relevant; nDCG uses every positive grade.
        depth: Only the first so many documents of each ranking count.
        judged_only: Drop documents without a judgement from the rankings first.
        gain: The gain of every nDCG that does not name its own.
        compat: "9" compares scores in single precision, as trec_eval 9 and pytrec_eval do: scores
            that differ only beyond that tie.

    Returns:
        Means and per-query values, equal bit for bit to trec_eval's.

    Raises:
        BadData: An input cannot be read, has an id twice in a ranking, a score that is NaN or a
            grade that is no whole number; or no judged query is in the run.
        UsageError: A metric that does not exist or needs more than labels; an option out of range.
    """
    _check_options(level, depth, gain, compat)
    asked = [metrics] if isinstance(metrics, str) else metrics
    if not asked:
        raise UsageError(
            "no metric is named", where="metrics", fix=f"Such as {', '.join(DEFAULT)}."
        )
    bound = {name: label_metric(name) for text in asked for name in ours(text)}
    judged = read_qrels(qrels) if isinstance(qrels, str | os.PathLike) else qrels
    results = read_run(run, depth=depth) if isinstance(run, str | os.PathLike) else run
    aligned = _align(judged, results)
    rankings = aligned.rankings
    if compat == "9" and aligned.scored:
        rankings = list(map(_single_precision, rankings))
    build = from_runs if aligned.scored else functools.partial(from_rankings, repeats=False)
    ranked = build(
        rankings,
        aligned.labels,
        level=level,
        depth=depth,
        judged_only=judged_only,
        names=aligned.queries,
    )
    per_query = {
        name: _values(ranked, metric, settings, gain) for name, (metric, settings) in bound.items()
    }
    return RetrievalScores(
        means={name: _mean(values) for name, values in per_query.items()},
        queries=aligned.queries,
        per_query=per_query,
        missing=aligned.missing,
        unlabelled=[q for q, n in zip(aligned.queries, ranked.relevant, strict=True) if not n],
    )


@functools.lru_cache(256)
def label_metric(name: str) -> tuple[LabelMetric[...], Mapping[str, Any]]:
    """Return the label metric that a name stands for, and its settings.

    Raises:
        UnknownName: There is no such metric.
        UsageError: It needs more than labels, or its settings are not right.
    """
    own = _own_metrics().get(split_name(name)[0])
    bound = bind(own, name) if own is not None else registry.find(name)
    if not isinstance(bound.metric, LabelMetric):
        raise UsageError(
            f"{bound.name} cannot be had from labels and ranks alone",
            where=f"metric {name!r}",
            fix=f"Use `acidtest run` for it. From labels: {', '.join(_own_metrics())}.",
        )
    if bound.of != "retrieved":
        raise UsageError(
            "a run holds one ranking a query, and no candidates beside it",
            where=f"metric {name!r}",
            fix=f"Evaluate the first stage as a run of its own: {bound.metric.name}.",
        )
    return bound.metric, bound.values


@functools.cache
def _own_metrics() -> Mapping[str, LabelMetric[...]]:
    # A plugin or another of our metrics is looked up in the registry, which imports them all.
    found = {}
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, LabelMetric):
                found[value.name] = value
    return found


def _check_options(level: int, depth: int | None, gain: str | None, compat: str) -> None:
    for name, value in (("level", level), ("depth", depth)):
        if value is not None and (not isinstance(value, int) or value < 1):
            raise UsageError(f"{value!r} is not a whole number from 1", where=name)
    if gain not in (None, "linear", "exp"):
        raise UsageError(f"{gain!r} is not a gain", where="gain", fix="It is linear or exp.")
    if compat not in ("9", "10"):
        raise UsageError(
            f"{compat!r} is not a version of trec_eval that can be matched",
            where="compat",
            fix='It is "9" or "10".',
        )


@dataclass(frozen=True)
class _Aligned:
    """Queries in order, each with its labels and its ranking."""

    queries: list[str]
    labels: list[Labels]
    rankings: list[Any]
    missing: list[str]
    scored: bool


def _align(judged: Any, results: Any) -> _Aligned:
    if isinstance(judged, Mapping) and isinstance(results, Mapping):
        try:
            queries = sorted(judged)
        except TypeError as error:
            raise BadData("query ids are of several types", fix="Make them all text.") from error
        labels = list(map(judged.__getitem__, queries))
        rankings = list(map(results.get, queries))
        missing = [q for q, ranking in zip(queries, rankings, strict=True) if ranking is None]
    elif _is_list(judged) and _is_list(results):
        if len(judged) != len(results):
            raise UsageError(
                f"{len(judged)} sets of labels and {len(results)} rankings",
                fix="Lists without query ids must be of one length.",
            )
        queries, missing = [str(i) for i in range(len(judged))], []
        labels, rankings = list(judged), list(results)
    else:
        raise UsageError(
            f"judgements are a {type(judged).__name__} and the run is a {type(results).__name__}",
            fix="Give two mappings by query id, two lists, or paths of TREC files.",
        )
    if not queries:
        raise BadData("there are no judged queries", where="qrels")
    if len(missing) == len(queries):
        raise BadData(
            f"none of the {len(queries)} judged queries is in the run",
            where="run",
            fix=f"Judged: {_some(queries)}. In the run: {_some(results)}.",
        )
    kinds = {_kind(kind) for kind in set(map(type, rankings)) if kind is not NoneType}
    if len(kinds) != 1 or kinds == {""}:
        names = ", ".join(sorted({type(r).__name__ for r in rankings}))
        raise UsageError(
            f"the rankings are {names}",
            where="run",
            fix="Give each query a mapping from id to score, or a list of ids, best first.",
        )
    scored = kinds == {"scores"}
    if missing:
        nothing: Any = {} if scored else []
        rankings = [nothing if ranking is None else ranking for ranking in rankings]
    return _Aligned(queries, labels, rankings, missing, scored)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _kind(kind: type) -> str:
    if issubclass(kind, Mapping):
        return "scores"
    return "ids" if issubclass(kind, Sequence) and not issubclass(kind, bytes) else ""


def _some(queries: Iterable[object]) -> str:
    first = [str(query) for query in islice(queries, 4)]
    return ", ".join(first[:3]) + (", ..." if len(first) > 3 else "")


def _single_precision(scores: Mapping[str, float]) -> Mapping[str, float]:
    try:
        return dict(zip(scores, array("f", scores.values()), strict=True))
    except TypeError:
        return scores  # not numbers: the hit table says which


def _values(
    ranked: Ranked, metric: LabelMetric[...], settings: Mapping[str, Any], gain: str | None
) -> list[float]:
    wanted = dict(settings)
    if gain is not None and "gain" in metric.settings:
        wanted.setdefault("gain", gain)
    return [0.0 if value is None else value for value in metric.column(ranked, **wanted)]


def _mean(values: Sequence[float]) -> float:
    # From left to right, as trec_eval adds; sum() compensates from Python 3.12 on.
    return functools.reduce(operator.add, values, 0.0) / len(values)
