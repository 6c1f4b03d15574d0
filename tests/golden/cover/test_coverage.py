import json

import pytest

import acidtest as at
from acidtest.golden.cover.coverage import coverage, coverage_json
from acidtest.golden.cover.reach import place_of, reached_chunks
from acidtest.golden.cover.record import Asked, Document, KindCount, Section, Topic
from acidtest.golden.cover.suggest import suggestions

CHUNKS = [
    {"id": "p1", "text": "Pro costs €49 a month. " * 5, "doc_id": "pricing", "section": "Pro"},
    {"id": "p2", "text": "Basic costs €9 a month. " * 5, "doc_id": "pricing", "section": "Basic"},
    {"id": "r1", "text": "Refunds take\n14 days. " * 5, "doc_id": "refunds", "section": "Time"},
    {"id": "r2", "text": "Write to us for a refund. " * 9, "doc_id": "refunds", "section": "How"},
    {"id": "s1", "text": "Parcels are sent daily by post. " * 9, "doc_id": "shipping"},
]
CASES = [
    {"id": "a", "question": "What does Pro cost?", "reference": "€49", "relevant": {"p1": 3, "p2": 0}},
    {"id": "b", "question": "How long do refunds take?", "reference": "14 days", "evidence": [{"text": "Refunds take 14 days.", "doc_id": "refunds"}]},
    {"id": "c", "question": "Why?", "reference": "x", "evidence": [{"text": "It is gone.", "doc_id": "refunds"}]},
    {"id": "d", "question": "Who?", "reference": "x", "relevant": ["old#1"]},
    {"id": "e", "question": "Who is the CEO?", "answerable": False},
]  # fmt: skip


@pytest.fixture
def corpus():
    return at.load_corpus(CHUNKS)


@pytest.fixture
def golden():
    return at.load_golden(CASES)


def test_where_cases_lie(golden, corpus):
    places = {case.id: place_of(case, corpus) for case in golden}
    assert {name: sorted(place.chunks) for name, place in places.items()} == {
        "a": ["p1"], "b": ["r1"], "c": [], "d": [], "e": [],
    }  # fmt: skip
    assert places["c"].documents == {"refunds"}
    assert places["b"].documents == frozenset()
    assert reached_chunks(iter(golden), corpus) == {"p1", "r1"}


def test_labels_by_document(corpus):
    (case,) = at.load_golden(
        [{"question": "x", "reference": "y", "relevant_docs": ["shipping", "gone"]}]
    )
    assert place_of(case, corpus).documents == {"shipping"}


def test_what_is_reached(golden, corpus):
    asked = [
        Asked(question="When is it sent?", retrieved=("unknown", "s1", "p1")),
        Asked(question="And by post?", follows=True, retrieved=("s1",)),
        Asked(question="Anything?"),
    ]
    found = coverage(golden, corpus, asked)
    assert (found.cases, found.cases_placed, found.documents_only, found.unplaced) == (
        5,
        3,
        1,
        ("d",),
    )
    assert (found.chunks, found.chunks_reached, found.asked, found.asked_placed) == (5, 2, 3, 2)
    assert [(d.id, d.cases, d.asked) for d in found.documents] == [
        ("pricing", 1, 0), ("refunds", 2, 0), ("shipping", 0, 2),
    ]  # fmt: skip
    refunds = found.documents[1]
    assert [(s.name, s.cases) for s in refunds.sections] == [("Time", 1), ("How", 0)]
    assert found.suggestions[0].name == "shipping"
    assert found.suggestions[0].text == (
        "Write 2 questions about shipping (288 characters in 1 chunk, asked 2 times, no case)."
    )
    assert found.notes == ("under 10 chunks are too few for topics",)


def test_json(golden, corpus):
    document = json.loads(coverage_json(coverage(golden, corpus)))
    assert (document["format"], document["version"]) == ("acidtest/golden-cover", 1)
    assert document["golden_version"] == golden.version
    assert {d["id"] for d in document["documents"]} == {"pricing", "refunds", "shipping"}


def test_a_set_for_another_corpus_is_told(golden):
    found = coverage(golden, at.load_corpus([{"id": "x", "text": "y"}]))
    assert "no case names a chunk or document of this corpus" in found.notes[0]
    assert "the chunks name no documents" in found.notes[1]
    assert (found.cases_placed, found.documents) == (0, ())


def test_questions_of_the_set_itself_say_nothing_of_users(golden, corpus):
    asked = [Asked(question=" what does PRO cost?")]
    assert "say nothing of what users ask" in coverage(golden, corpus, asked).notes[-1]


def document(name, characters, cases=0, asked=0, **sections):
    inside = tuple(
        Section(name=n, chunks=1, characters=c, cases=k, asked=a)
        for n, (c, k, a) in sections.items()
    )
    return Document(
        id=name,
        title=None,
        chunks=1,
        characters=characters,
        cases=cases,
        asked=asked,
        sections=inside,
    )


def test_the_fair_number_worked_by_hand():
    # Ten cases; "big" has 60 % of the characters: 6 by right, has 1, so 5 are missing.
    documents = [
        document("big", 6_000, cases=1, One=(1_000, 1, 0), Two=(5_000, 0, 0)),
        document("small", 4_000, cases=9, One=(4_000, 9, 0)),
    ]
    (found,) = suggestions(documents, (), (), cases=10, placed=10, asked=0)
    assert (found.name, found.questions, found.about) == ("big > Two", 5, "document")
    assert found.weight == pytest.approx(0.5)


def test_what_is_asked_counts_as_much_as_what_there_is():
    # 50 % of the characters and none of the questions against 10 % and all of them.
    documents = [
        document("unasked", 5_000),
        document("asked", 1_000, asked=30),
        document("rest", 4_000, cases=10),
    ]
    found = suggestions(documents, (), (), cases=10, placed=10, asked=30)
    assert [(each.name, each.questions) for each in found] == [("asked", 5), ("unasked", 2)]
    assert found[0].weight == pytest.approx(0.55)


def test_a_section_that_users_ask_about():
    documents = [document("d", 2_000, cases=5, asked=4, One=(1_000, 5, 0), Two=(1_000, 0, 4))]
    (found,) = suggestions(documents, (), (), cases=5, placed=5, asked=4)
    assert (found.about, found.name) == ("section", "d > Two")


def test_topics_and_kinds():
    topics = [
        Topic(words=("refund", "days"), chunks=5, share=0.5, likeness=0.4, documents=("r",), cases=0, asked=0),
        Topic(words=("pro",), chunks=5, share=0.5, likeness=0.4, documents=(), cases=4, asked=0),
    ]  # fmt: skip
    kinds = [
        KindCount(kind="comparison", cases=0, asked=5),
        KindCount(kind="lookup", cases=4, asked=15),
    ]
    found = suggestions((), topics, kinds, cases=4, placed=4, asked=20)
    assert [each.text for each in found] == [
        "Write 2 questions on the topic: refund, days (50% of the chunks, no case), for example from r.",
        "Write 1 question of the kind comparison: 25% of what is asked, 0% of the set.",
    ]
    assert len(suggestions((), topics, kinds, cases=4, placed=4, asked=19)) == 1


def test_nothing_at_all():
    assert suggestions((), (), (), cases=0, placed=0, asked=0) == ()
