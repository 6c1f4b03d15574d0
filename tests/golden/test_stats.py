import json

import pytest

import acidtest as at
from acidtest.golden.stats import golden_stats, stats_json

ROWS = [
    {"id": "a", "question": "What does Pro cost?", "reference": "€49", "relevant": {"p#1": 3, "p#2": 1, "x": 0}, "evidence": [{"text": "Pro costs €49.", "doc_version": "v1"}], "tags": ["lookup"], "split": "test", "source": "log"},
    {"id": "b", "question": "And for students?", "reference": "Half.", "relevant": ["p#2"], "history": [{"role": "user", "text": "What does Pro cost?"}], "group": "g"},
    {"id": "c", "question": "Wie lange dauert die Rückgabe?", "reference": "30 Tage.", "relevant_docs": ["gone"], "group": "g"},
    {"id": "d", "question": "Why?", "reference": "So."},
    {"id": "e", "question": "Who is the CEO?", "answerable": False, "tags": ["unanswerable"]},
]  # fmt: skip


@pytest.fixture
def golden():
    return at.load_golden(ROWS)


def test_what_a_set_holds(golden):
    stats = golden_stats(golden)
    assert (stats.cases, stats.answerable, stats.unanswerable, stats.with_reference) == (5, 4, 1, 4)
    assert (stats.labelled_by_chunk, stats.labelled_by_document, stats.unlabelled) == (2, 1, 1)
    assert (stats.graded, stats.grades) == (1, {0: 1, 1: 3, 3: 1})
    assert (stats.with_evidence, stats.evidence, stats.evidence_with_version) == (1, 1, 1)
    assert (stats.with_history, stats.groups, stats.largest_group) == (1, 1, 2)
    assert stats.tags == {"lookup": 1, "unanswerable": 1}
    assert (stats.untagged, stats.splits, stats.sources) == (
        3,
        {"(none)": 4, "test": 1},
        {"(none)": 4, "log": 1},
    )
    assert stats.languages == {"en": 4, "de": 1}
    assert stats.kinds["follow-up"] == 1
    assert stats.corpus is None


def test_ceilings_of_precision_worked_by_hand(golden):
    # Two, one and one relevant: (2 + 1 + 1) / (3 * 3) at 3.
    stats = golden_stats(golden)
    assert stats.relevant_counts == {1: 2, 2: 1}
    assert stats.ceilings == pytest.approx(
        {"precision@1": 1.0, "precision@3": 4 / 9, "precision@5": 4 / 15, "precision@10": 4 / 30}
    )


def test_against_a_corpus(golden):
    corpus = at.load_corpus(
        [
            {"id": "p#1", "text": "x", "doc_id": "p"},
            {"id": "p#2", "text": "y", "doc_id": "p"},
            {"id": "q#1", "text": "z", "doc_id": "q"},
        ]
    )
    found = golden_stats(golden, corpus).corpus
    assert (found.chunks, found.documents) == (3, 2)
    assert (found.chunks_labelled, found.documents_labelled) == (2, 1)
    assert (found.labels, found.labels_missing, found.cases_with_missing) == (5, 2, ("a", "c"))


def test_json_has_every_figure_and_no_nan(golden):
    document = json.loads(stats_json(golden_stats(golden)))
    assert (document["format"], document["version"]) == ("acidtest/golden-stats", 1)
    assert document["golden_version"] == golden.version
    assert document["relevant_counts"] == {"1": 2, "2": 1}
    assert document["question_words"] == {
        "least": 1,
        "median": 4.0,
        "mean": 3.4,
        "p90": 5,
        "most": 5,
    }


def test_a_set_without_labels_has_no_ceiling():
    stats = golden_stats(at.load_golden([{"question": "Why?", "reference": "So."}]))
    assert (stats.relevant, stats.ceilings) == (None, {})
