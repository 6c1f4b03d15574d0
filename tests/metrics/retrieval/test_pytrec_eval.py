"""Against a second implementation: pytrec_eval, that is trec_eval 9, on runs with ties."""

import random

import pytest

from acidtest.formats.trec_names import ours
from acidtest.project.retrieval import retrieval

pytrec_eval = pytest.importorskip("pytrec_eval")

MEASURES = {
    "map",
    "map_cut.1,5,10",
    "recip_rank",
    "P.1,5,10",
    "recall.1,5,10",
    "ndcg",
    "ndcg_cut.1,5,10",
    "Rprec",
    "bpref",
    "success.1,5,10",
    "set_P",
    "set_recall",
    "set_F",
}


def made(seed: int, queries: int) -> tuple[dict, dict]:
    rng = random.Random(seed)
    qrels, run = {}, {}
    for i in range(queries):
        ids = [f"d{rng.randrange(10**6)}" for _ in range(40)]
        ids = list(dict.fromkeys(ids))
        labels = {id_: rng.randint(-1, 3) for id_ in rng.sample(ids, rng.randint(1, 25))}
        # pytrec_eval does not return when a query has no grade of 0 or above.
        qrels[f"q{i}"] = labels | {ids[0]: rng.randint(0, 3)}
        # Coarse scores tie; scores that differ in the ninth digit tie in single precision only.
        run[f"q{i}"] = {
            id_: round(rng.random(), 1) + rng.choice((0.0, 1e-9))
            for id_ in rng.sample(ids, rng.randint(1, 30))
        }
    return qrels, run


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("seed", range(5))
def test_every_value_equals_pytrec_eval(seed: int, level: int) -> None:
    qrels, run = made(seed, 40)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, MEASURES, relevance_level=level)
    expected = evaluator.evaluate(run)
    names = {measure: ours(measure)[0] for measure in expected["q0"]}
    scores = retrieval(qrels, run, list(names.values()), compat="9", level=level)
    rows = scores.rows()
    for query, values in expected.items():
        assert {m: rows[query][names[m]] for m in values} == values


def test_single_precision_is_not_the_default() -> None:
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 0.70000000001, "b": 0.7}}
    assert retrieval(qrels, run, ["mrr"]).means == {"mrr": 1.0}
    assert retrieval(qrels, run, ["mrr"], compat="9").means == {"mrr": 0.5}
