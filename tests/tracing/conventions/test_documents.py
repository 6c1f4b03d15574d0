"""Documents in the shapes of frameworks and vector stores."""

import json
from typing import Any

import pytest

from acidtest.data.answers import Chunk
from acidtest.tracing.conventions.documents import MAX_CHUNKS, completed, documents

LANGCHAIN = {
    "id": "c1",
    "page_content": "One.",
    "metadata": {"source": "a.md", "score": 0.5},
    "type": "Document",
}
SERIALISED = {"lc": 1, "type": "constructor", "id": ["langchain", "Document"], "kwargs": LANGCHAIN}
LLAMAINDEX = {
    "node": {"id_": "c1", "text": "One.", "metadata": {"file_path": "a.md"}},
    "score": 0.5,
}
PINECONE = {"matches": [{"id": "c1", "score": 0.5, "metadata": {"text": "One.", "source": "a.md"}}]}
CHROMA = {
    "ids": [["c1"]],
    "documents": [["One."]],
    "metadatas": [[{"source": "a.md", "score": 0.5}]],
    "distances": [[0.2]],
}


@pytest.mark.parametrize(
    "given",
    [
        [LANGCHAIN],
        [SERIALISED],
        [LLAMAINDEX],
        {"documents": [LANGCHAIN]},
        {"result": "x", "source_documents": [LANGCHAIN]},
        {"nodes": json.dumps([LLAMAINDEX])},
        PINECONE,
        CHROMA,
        json.dumps([json.dumps(LANGCHAIN)]),
    ],
)
def test_one_document(given: Any) -> None:
    found = documents(given)
    assert found is not None
    (one,) = found
    assert (one.id, one.text, one.score, one.source, one.rank) == ("c1", "One.", 0.5, "a.md", 1)


def test_a_distance_is_no_score() -> None:
    found = documents([{"id": "c1", "text": "One.", "distance": 0.2}])
    assert found is not None
    assert (found[0].score, found[0].metadata) == (None, {"distance": 0.2})


@pytest.mark.parametrize(
    "given",
    [
        "One.",
        [{"role": "user", "content": "One."}],
        ["One.", "Two."],
        {"answer": "One."},
        [{"toolCallId": "x"}],
        None,
        [LANGCHAIN, 3],
    ],
)
def test_what_is_no_list_of_documents(given: Any) -> None:
    assert documents(given) is None


def test_bare_texts_where_they_are_expected() -> None:
    found = documents(["One.", "Two."], texts=True)
    assert [chunk.text for chunk in found or ()] == ["One.", "Two."]


def test_printed_objects_are_no_texts() -> None:
    given = ["<NodeWithScore(node=TextNode(id_=c1), score=0.9)>", "[object Object]"]
    assert [chunk.text for chunk in documents(given, texts=True) or ()] == [None, None]


def test_an_empty_list_is_a_list() -> None:
    assert documents({"documents": []}) == ()


def test_a_long_list_is_cut() -> None:
    assert (
        len(documents([f"Text {i}." for i in range(MAX_CHUNKS + 9)], texts=True) or ())
        == MAX_CHUNKS
    )


def test_two_copies_of_a_list_complete_each_other() -> None:
    texts = (Chunk(text="One.", score=0.5), Chunk(text="Two."))
    ids = (Chunk(id="c1"), Chunk(id="c2", score=0.1))
    found = completed(texts, ids)
    assert [(c.id, c.text, c.score) for c in found or ()] == [
        ("c1", "One.", 0.5),
        ("c2", "Two.", 0.1),
    ]


def test_lists_that_differ_are_left_apart() -> None:
    one, other = (Chunk(text="One."),), (Chunk(id="c2", text="Two."),)
    assert completed(one, other) == one
    assert completed(one, (*other, *other)) == one
    assert completed(None, other) == other
    assert completed((), ()) == ()
