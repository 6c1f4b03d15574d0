"""The demo's golden set: its labels are true, its kinds are all there, and it separates the pipelines."""

from collections import Counter
from statistics import fmean

from acidtest.demo.corpus import Passage, demo_folder, passages
from acidtest.demo.rag import baseline, reranked
from acidtest.demo.relabel import faults, read, relabelled
from acidtest.golden.load import load_golden
from acidtest.metrics.registry import find
from acidtest.project.config import load_config

KINDS = {
    "lookup",
    "multi-part",
    "multi-hop",
    "comparison",
    "follow-up",
    "identifier",
    "ambiguous",
    "long",
    "unanswerable",
    "easy",
    "hard",
}


def test_every_label_is_true():
    found = passages()
    said = [fault for case in read() for fault in faults(case, found)]
    assert not said, "\n".join([*said, "Mend with: python -m acidtest.demo.relabel"])


def test_it_is_large_enough_and_has_every_kind():
    golden = load_golden(demo_folder() / "golden.jsonl")
    assert len(golden) >= 45
    unanswerable = [case for case in golden if not case.answerable]
    assert 0.15 <= len(unanswerable) / len(golden) <= 0.20
    tags = Counter(tag for case in golden for tag in case.tags)
    assert set(tags) >= KINDS
    assert min(tags[kind] for kind in KINDS) >= 3
    assert all(case.history for case in golden if "follow-up" in case.tags)
    for case in golden:
        assert ("unanswerable" in case.tags) is not case.answerable, case.id
        assert not case.answerable or (case.reference and case.evidence), case.id
    assert len({case.question for case in golden}) == len(golden)


def test_the_pipelines_differ_for_real_and_neither_is_perfect():
    golden = [case for case in load_golden(demo_folder() / "golden.jsonl") if case.answerable]
    means = {}
    for name, pipeline in (("baseline", baseline), ("reranked", reranked)):
        for metric in ("recall@5", "mrr"):
            bound = find(metric)
            means[name, metric] = fmean(
                bound.metric(
                    [c["id"] for c in pipeline.retrieve(case.question, turns(case))["retrieved"]],
                    case.labels,
                    **bound.values,
                )
                for case in golden
            )
    for metric in ("recall@5", "mrr"):
        assert means["baseline", metric] + 0.05 < means["reranked", metric] < 0.97


def turns(case):
    return [{"role": turn.role, "content": turn.text} for turn in case.history]


def test_the_configuration_is_a_users_and_loads():
    config = load_config(demo_folder() / "acidtest.toml")
    assert list(config.pipelines) == ["baseline", "reranked"]
    assert "demo" in config.metrics


OLD = {
    "id": "q",
    "relevant": {"docs/a#x-1": 3},
    "evidence": [{"text": "the  fact", "chunk_id": "docs/a#x-1", "doc_id": "docs/a"}],
}


def chunk(name: str, text: str) -> Passage:
    return Passage(name, name.partition("#")[0], "", "", text)


def test_moved_evidence_is_named_and_relabelled():
    found = [chunk("docs/a#x-1", "else"), chunk("docs/b#y-1", "here the\nfact stands")]
    assert faults(OLD, found) == ["q: docs/a#x-1 lacks 'the  fact': now in docs/b#y-1"]
    new = relabelled(OLD, found)
    assert new["relevant"] == {"docs/b#y-1": 3}
    assert new["evidence"][0]["doc_id"] == "docs/b"
    assert faults(new, found) == []


def test_lost_and_ambiguous_evidence_is_left_for_a_person():
    lost = [chunk("docs/a#x-1", "else")]
    twice = [chunk("docs/b#y-1", "the fact"), chunk("docs/c#z-1", "the fact")]
    assert faults(OLD, lost) == ["q: docs/a#x-1 lacks 'the  fact': now in no chunk"]
    assert relabelled(OLD, lost)["relevant"] == {"docs/a#x-1": 3}
    assert relabelled(OLD, twice)["relevant"] == {"docs/a#x-1": 3}
    assert faults(OLD, twice) == ["q: docs/a#x-1 lacks 'the  fact': now in docs/b#y-1, docs/c#z-1"]
