"""What holds of every label metric, whatever the ranking."""

import random

from hypothesis import given
from hypothesis import strategies as st

from acidtest.columns.place import from_rankings, from_runs
from acidtest.metrics.registry import find

NAMES = (
    "recall",
    "recall@3",
    "precision",
    "precision@3",
    "f1",
    "f1@3",
    "hit",
    "hit@3",
    "mrr",
    "mrr@3",
    "map",
    "map@3",
    "ndcg",
    "ndcg@3",
    "ndcg(gain=exp)@3",
    "r_precision",
    "bpref",
    "context_precision",
    "context_precision@3",
)
IDS = [f"d{i}" for i in range(12)]
LABELS = st.dictionaries(st.sampled_from(IDS), st.integers(-1, 3), max_size=8)
RANKING = st.lists(st.sampled_from(IDS), unique=True)
# Few distinct scores, so that ties are common.
RUN = st.dictionaries(st.sampled_from(IDS), st.sampled_from([-1.5, 0.0, -0.0, 0.1, 0.7, 2.0]))


def values(table) -> dict[str, list[float | None]]:
    bound = {name: find(name) for name in NAMES}
    return {name: b.metric.column(table, **b.values) for name, b in bound.items()}


@given(RANKING, LABELS)
def test_values_lie_between_zero_and_one(ranking, labels) -> None:
    for name, [value] in values(from_rankings([ranking], [labels])).items():
        assert value is None or 0.0 <= value <= 1.0 + 1e-12, name


@given(RANKING, LABELS)
def test_none_just_where_nothing_is_relevant(ranking, labels) -> None:
    relevant = any(grade > 0 for grade in labels.values())
    for [value] in values(from_rankings([ranking], [labels])).values():
        assert (value is not None) == relevant


@given(RUN, LABELS, st.randoms(use_true_random=False))
def test_neither_the_order_of_the_run_nor_of_the_labels_matters(run, labels, rng) -> None:
    rows, judged = list(run.items()), list(labels.items())
    rng.shuffle(rows)
    rng.shuffle(judged)
    assert values(from_runs([dict(rows)], [dict(judged)])) == values(from_runs([run], [labels]))


@given(RUN, LABELS)
def test_a_scored_run_equals_the_ranking_that_it_stands_for(run, labels) -> None:
    ranking = sorted(sorted(run, reverse=True), key=run.__getitem__, reverse=True)
    assert values(from_runs([run], [labels])) == values(from_rankings([ranking], [labels]))


@given(st.lists(st.tuples(RUN, LABELS), max_size=6))
def test_a_query_scores_the_same_alone_and_among_others(queries) -> None:
    together = values(from_runs([run for run, _ in queries], [labels for _, labels in queries]))
    for at, (run, labels) in enumerate(queries):
        alone = values(from_runs([run], [labels]))
        assert {name: [column[at]] for name, column in together.items()} == alone


@given(RANKING, LABELS.filter(lambda labels: any(g > 0 for g in labels.values())))
def test_a_relevant_chunk_more_lowers_no_metric_of_coverage(ranking, labels) -> None:
    missing = [id_ for id_, grade in labels.items() if grade > 0 and id_ not in ranking]
    if not missing:
        return
    before = values(from_rankings([ranking], [labels]))
    after = values(from_rankings([[*ranking, missing[0]]], [labels]))
    for name in ("recall", "recall@3", "hit", "mrr", "map", "ndcg", "r_precision", "bpref"):
        assert after[name][0] >= before[name][0], name


@given(LABELS.filter(lambda labels: any(g > 0 for g in labels.values())))
def test_the_ideal_ranking_has_ndcg_one(labels) -> None:
    ideal = sorted(labels, key=labels.__getitem__, reverse=True)
    table = values(from_rankings([ideal], [labels]))
    for name in ("ndcg", "ndcg@3", "ndcg(gain=exp)@3", "map", "r_precision", "bpref", "mrr"):
        assert table[name] == [1.0], name


@given(RANKING, LABELS, st.integers(1, 14), st.integers(1, 3))
def test_depth_is_the_same_as_a_shorter_ranking(ranking, labels, depth, level) -> None:
    cut = from_rankings([ranking[:depth]], [labels], level=level)
    assert from_rankings([ranking], [labels], level=level, depth=depth) == cut


@given(RUN, LABELS, st.integers(1, 14))
def test_depth_cuts_scored_runs_as_it_cuts_lists(run, labels, depth) -> None:
    ranking = sorted(sorted(run, reverse=True), key=run.__getitem__, reverse=True)
    assert from_runs([run], [labels], depth=depth) == from_rankings(
        [ranking], [labels], depth=depth
    )


@given(RANKING, LABELS)
def test_judged_only_is_the_same_as_dropping_the_unjudged_by_hand(ranking, labels) -> None:
    kept = [id_ for id_ in ranking if labels.get(id_, -1) >= 0]
    assert from_rankings([ranking], [labels], judged_only=True) == from_rankings([kept], [labels])


def test_many_labels_take_the_same_places_as_few() -> None:
    rng = random.Random(3)
    for _ in range(50):
        ids = [f"d{i}" for i in range(40)]
        labels = {id_: rng.randint(-1, 3) for id_ in rng.sample(ids, 30)}
        ranking = rng.sample(ids, 25)
        table = from_rankings([ranking], [labels])
        places = [(rank, labels[id_]) for rank, id_ in enumerate(ranking, 1) if id_ in labels]
        assert table.hits.rank == [rank for rank, grade in places if grade > 0]
        assert table.hits.grade == [grade for _, grade in places if grade > 0]
        assert table.rejected.rank == [rank for rank, grade in places if grade == 0]
