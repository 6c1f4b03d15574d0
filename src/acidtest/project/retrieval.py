"""Retrieval metrics over a whole run: qrels and a run in, means and per-query values out.

Counts as trec_eval 10 does with -c: every judged query counts, and one that the run lacks, or that
has no relevant document, counts 0.
"""

import functools
import importlib
import pkgutil
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Literal

from acidtest.errors import UsageError
from acidtest.formats.judged_run import Qrels, Run, judged_run
from acidtest.formats.trec_names import ours
from acidtest.metrics import retrieval as package
from acidtest.metrics.bound import Bound, bind, split_name
from acidtest.metrics.declare import LabelMetric

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
        qrels: Query id -> (document id -> grade, or the relevant ids); a TREC qrels file; a data frame,
            Parquet or Arrow file with the columns query_id, doc_id and grade; or a sequence of
            labels, one a query.
        run: Query id -> (document id -> score, or the ids best first); a TREC run file; a data frame,
            Parquet or Arrow file with the columns query_id, doc_id and score (or rank); or a sequence
            of these, in the order of `qrels`.
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
    bound = {name: label_metric(name) for text in asked for name in _ours(text)}
    judged = judged_run(
        qrels, run, level=level, depth=depth, judged_only=judged_only, single=compat == "9"
    )
    queries, ranked = judged.queries, judged.ranked
    unlabelled = []
    if not all(ranked.relevant):
        unlabelled = [q for q, n in zip(queries, ranked.relevant, strict=True) if not n]
    means: dict[str, float] = {}
    per_query: dict[str, list[float]] = {}
    for name, (metric, settings) in bound.items():
        wanted = {"gain": gain, **settings} if gain and "gain" in metric.settings else settings
        column: Sequence[Any] = metric.column(ranked, **wanted)
        try:
            means[name] = _mean(column)
        except TypeError:  # a None: a query without a relevant document, which counts 0
            column = [0.0 if value is None else value for value in column]
            means[name] = _mean(column)
        per_query[name] = list(column)
    return RetrievalScores(
        means=means,
        queries=queries,
        per_query=per_query,
        missing=judged.missing,
        unlabelled=unlabelled,
    )


_ours = functools.lru_cache(256)(ours)


@functools.lru_cache(256)
def label_metric(name: str) -> tuple[LabelMetric[...], Mapping[str, Any]]:
    """Return the label metric that a name stands for, and its settings.

    Raises:
        UnknownName: There is no such metric.
        UsageError: It needs more than labels, or its settings are not right.
    """
    own = _own_metrics().get(split_name(name)[0])
    bound = bind(own, name) if own is not None else _find_elsewhere(name)
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


def _find_elsewhere(name: str) -> Bound:
    # Plugins and the rest of our metrics: importing them all takes time, so only when one is named.
    from acidtest.metrics.registry import find

    return find(name)


@functools.cache
def _own_metrics() -> Mapping[str, LabelMetric[...]]:
    found = {}
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, LabelMetric):
                found[value.name] = value
    return found


def _check_options(level: int, depth: int | None, gain: str | None, compat: str) -> None:
    for name, value in (("level", level), ("depth", depth)):
        if value is not None and (not isinstance(value, int) or value < 1):
            raise UsageError(
                f"{value!r} is not a whole number from 1", where=name, fix="Give 1 or more."
            )
    if gain not in (None, "linear", "exp"):
        raise UsageError(f"{gain!r} is not a gain", where="gain", fix="It is linear or exp.")
    if compat not in ("9", "10"):
        raise UsageError(
            f"{compat!r} is not a version of trec_eval that can be matched",
            where="compat",
            fix='It is "9" or "10".',
        )


def _mean(values: Sequence[float]) -> float:
    # From left to right, as trec_eval adds; sum() compensates from Python 3.12 on.
    return deque(accumulate(values, initial=0.0), 1)[0] / len(values)
