import gzip
import json
import random
from itertools import groupby
from statistics import fmean

import msgspec
import pytest

from acidtest.comparison.ranking import rank
from acidtest.data.answers import Latency, Usage
from acidtest.data.outcomes import Failure
from acidtest.data.use import Operations, Percentiles
from acidtest.errors import Incomparable, UnknownName


@pytest.fixture
def tried(make_case, make_run):
    def build(name, value, *, n=40, cost=0.01, p95=100.0, start=0):
        cases = [
            msgspec.structs.replace(
                make_case(str(i), scores={"mrr": value(i)}),
                usage=Usage(cost_usd=cost),
                latency_ms=Latency(total=p95),
            )
            for i in range(start, start + n)
        ]
        took = Operations(latency_ms={"total": Percentiles(p95, p95)})
        return msgspec.structs.replace(make_run(cases, name=name), operations=took)

    return build


def test_a_clear_winner_is_named(tried):
    low = tried("low", lambda i: 0.4 + 0.01 * (i % 3))
    high = tried("high", lambda i: 0.6 + 0.01 * (i % 5), cost=0.02)
    middle = tried("middle", lambda i: 0.5 + 0.01 * (i % 7))
    told = rank([low, high, middle], "mrr")
    assert [c.run.name for c in told.contenders] == ["high", "middle", "low"]
    assert [c.rank for c in told.contenders] == [(1, 1), (2, 2), (3, 3)]
    assert [c.best for c in told.contenders] == [True, False, False]
    assert told.contenders[0].p_best is None
    assert told.contenders[1].p_best <= 0.05
    assert told.words == ("high is clearly the best in mrr.",)
    # middle costs as much as low and is better: low is off the front.
    assert [c.front for c in told.contenders] == [True, True, False]


def test_among_equals_there_is_no_winner_but_a_cheapest(tried):
    rng = random.Random(5)
    base = [rng.random() for _ in range(40)]
    runs = [
        tried(f"r{k}", lambda i: base[i] + rng.gauss(0, 0.1), cost=0.01 * (k + 1)) for k in range(4)
    ]
    told = rank(runs, "mrr")
    assert all(c.best for c in told.contenders)
    assert {c.rank for c in told.contenders} == {(1, 4)}
    assert told.words == (
        "No run is clearly better than another in mrr.",
        "The cheapest of them is r0.",
    )


def test_only_cases_that_all_scored_count(tried, make_run):
    one, other = tried("a", lambda i: 0.5), tried("b", lambda i: 0.6 + 0.001 * i, start=10)
    failing = [
        msgspec.structs.replace(c, scores={"mrr": Failure("x")}) if c.id == "20" else c
        for c in other.cases
    ]
    told = rank([one, msgspec.structs.replace(other, cases=tuple(failing))], "mrr")
    assert told.cases == 29
    assert "29 of 40 cases" in told.notes[0]


def test_what_cannot_be_ranked(tried, make_run, make_case):
    one = tried("a", lambda i: 0.5)
    with pytest.raises(Incomparable, match="at least two runs"):
        rank([one], "mrr")
    with pytest.raises(UnknownName, match="mrrr"):
        rank([one, one], "mrrr")
    with pytest.raises(Incomparable, match="no case was scored"):
        rank([one, tried("b", lambda i: 0.5, start=100)], "mrr")
    with pytest.raises(Incomparable, match="fewer than two"):
        rank([tried("a", lambda i: 0.5, n=1), tried("b", lambda i: 0.5, n=1)], "mrr")


def test_a_published_sweep(shared, make_case, make_run):
    """27 configurations x 107 questions: every published mean, clear losers, no winner among equals."""
    folder = shared / "data/aragog_sweep"
    with gzip.open(folder / "scores.jsonl.gz", "rt") as stream:
        rows = [json.loads(line) for line in stream]

    def key(row):
        return row["embedder"], row["top_k"], row["chunk_size"]

    runs = []
    reported = [json.loads(line) for line in (folder / "reported.jsonl").read_text().splitlines()]
    published = {key(row): row["reported"] for row in reported}
    names = {"semantic_similarity": "sas", "faithfulness": "faithfulness"}
    for config, group in groupby(
        sorted(rows, key=lambda r: (*map(str, key(r)), r["qid"])), key=key
    ):
        some = list(group)
        cases = [
            make_case(
                str(row["qid"]),
                scores={
                    ours: row[theirs] if row[theirs] is not None else Failure("not judged")
                    for ours, theirs in names.items()
                },
            )
            for row in some
        ]
        run = make_run(cases, name=" ".join(map(str, config)))
        for ours, theirs in names.items():
            mean = fmean(row[theirs] for row in some if row[theirs] is not None)
            if published[config][theirs] is not None:  # the mean over a NaN is a NaN there
                assert mean == pytest.approx(published[config][theirs], abs=1e-9)
            assert run.metrics[ours].mean == pytest.approx(mean)
        runs.append(run)
    assert len(runs) == 27
    told = rank(runs, "semantic_similarity")
    assert told.cases == 107
    best = [c for c in told.contenders if c.best]
    assert 1 < len(best) < 27  # no winner claimed among equals, and some are clearly worse
    worst = told.contenders[-1]
    assert not worst.best
    assert worst.rank[0] > 1


def test_a_run_of_summaries_only_is_named(tried):
    one, other = tried("a", lambda i: i % 2), tried("b", lambda i: 1.0)
    with pytest.raises(Incomparable, match="summaries only"):
        rank([one, msgspec.structs.replace(other, cases=())], "mrr")
