"""Comparisons of recorded runs: real retrievers, and configurations whose means were published."""

import gzip
import json

import pytest

import acidtest as at
from acidtest.comparison.side_by_side import compare_each


def rows(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.fixture
def retriever(shared, make_case, make_run):
    """Make the run of one recorded retriever over the cloud documentation's questions."""
    folder = shared / "data/mtrag_cloud"
    qrels: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, doc, _ = line.split("\t")
        qrels.setdefault(query, {})[doc] = 1
    recorded = rows(folder / "runs.jsonl.gz")

    def make(system, form="lastturn"):
        found = {
            row["qid"]: [doc for doc, _ in row["docs"]]
            for row in recorded
            if (row["system"], row["query_form"]) == (system, form)
        }
        cases = [
            make_case(
                query,
                retrieved=found.get(query, ()),
                relevant=relevant,
                answer=None,
                group=query.partition("<::>")[0],
                scores={
                    "recall@5": at.recall(found.get(query, ()), relevant, k=5),
                    "ndcg@5": at.ndcg(found.get(query, ()), relevant, k=5),
                },
            )
            for query, relevant in qrels.items()
        ]
        return make_run(cases, name=f"{system} {form}")

    return make


def test_retrievers_are_told_apart_and_the_stage_is_named(retriever):
    bm25, bge, elser = map(retriever, ("bm25", "bge_base_1.5", "elser"))
    found = compare_each(bm25, [bge, elser])
    assert [round(c.metrics["ndcg@5"].candidate, 3) for c in found] == [0.276, 0.390]
    assert round(found[0].metrics["recall@5"].base, 3) == 0.217
    for comparison in found:
        assert all(c.p_adjusted <= 0.05 and c.delta > 0 for c in comparison.metrics.values())
        assert "got other contexts: the retriever changed." in comparison.words[0]
    assert at.compare(bge, elser).metrics["recall@5"].p_adjusted <= 0.05


def test_a_rewritten_question_moves_less_than_noise_with_elser(retriever):
    change = at.compare(retriever("elser"), retriever("elser", "rewrite")).metrics["ndcg@5"]
    assert change.delta == pytest.approx(0.005, abs=0.002)
    assert change.p_adjusted > 0.5
    assert change.min_detectable > 0.02


@pytest.fixture
def swept(shared, make_case, make_run):
    """Make the run of one configuration of the sweep."""
    recorded = rows(shared / "data/aragog_sweep/scores.jsonl.gz")

    def make(embedder, top_k, size):
        cases = [
            make_case(
                row["qid"],
                retrieved=None,
                relevant=None,
                answer=row["prediction"],
                scores={
                    name: row[theirs]
                    for name, theirs in (
                        ("context_relevance", "context_relevance"),
                        ("faithfulness", "faithfulness"),
                        ("semantic_similarity", "sas"),
                    )
                    if row[theirs] is not None
                },
            )
            for row in recorded
            if (row["embedder"], row["top_k"], row["chunk_size"]) == (embedder, top_k, size)
        ]
        return make_run(cases, name=f"{embedder} {top_k} {size}")

    return make


def test_published_means_and_a_clear_winner_of_the_sweep(shared, swept):
    lines = (shared / "data/aragog_sweep/reported.jsonl").read_text(encoding="utf-8").splitlines()
    reported = {
        (row["embedder"], row["top_k"], row["chunk_size"]): row["reported"]
        for row in map(json.loads, lines)
    }
    small, large = ("all-MiniLM-L6-v2", 1, 64), ("all-MiniLM-L6-v2", 3, 256)
    found = at.compare(swept(*small), swept(*large))
    change = found.metrics["context_relevance"]
    assert found.cases == 107
    assert change.base == pytest.approx(reported[small]["context_relevance"])
    assert change.candidate == pytest.approx(reported[large]["context_relevance"])
    assert change.p_adjusted <= 0.05
    assert found.words[0].startswith("What was retrieved is not known")
