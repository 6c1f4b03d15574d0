"""Contexts of every kind become chunks."""

import math
import uuid
from decimal import Decimal
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest

from acidtest.data.answers import Chunk
from acidtest.errors import PipelineError
from acidtest.pipelines.chunks import MAX_CHUNK_CHARS, MAX_CHUNKS, MAX_TOTAL_CHARS, to_chunks


def read(value, name=""):
    notes = []
    return to_chunks(value, where="p", notes=notes, name=name), notes


@pytest.mark.parametrize(
    ("item", "chunk"),
    [
        ("two words", Chunk(text="two words")),
        ("c12", Chunk(id="c12")),
        ("refunds#2", Chunk(id="refunds#2")),
        ({"id": 7, "text": "t"}, Chunk(id="7", text="t")),
        ({"id": np.int64(7), "score": np.float32(0.5)}, Chunk(id="7", score=0.5)),
        ({"id": "a", "score": Decimal("0.25")}, Chunk(id="a", score=0.25)),
        ({"doc_id": "d", "text": "t"}, Chunk(doc_id="d", text="t")),
        ({"docid": "d", "score": 1}, Chunk(id="d", score=1.0)),
        (
            {"text": "t", "source": "a.md", "span": [3, 9]},
            Chunk(text="t", source="a.md", span=(3, 9)),
        ),
        (("c1", 0.5), Chunk(id="c1", score=0.5)),
        (["c1", 0.5], Chunk(id="c1", score=0.5)),
        ((12, 0.5), Chunk(id="12", score=0.5)),
        (("two words", 0.5), Chunk(text="two words", score=0.5)),
        (({"id": "c1"}, 0.5), Chunk(id="c1", score=0.5)),
        ((SimpleNamespace(id="c1", text="t"), np.float64(2)), Chunk(id="c1", text="t", score=2.0)),
        (
            SimpleNamespace(page_content="t", metadata={"chunk_id": "c1", "source": "a.md"}),
            Chunk(id="c1", text="t", source="a.md", metadata={"chunk_id": "c1", "source": "a.md"}),
        ),
        (
            SimpleNamespace(node=SimpleNamespace(node_id="c1", text="t"), score=0.5),
            Chunk(id="c1", text="t", score=0.5),
        ),
        (
            {"id": "p", "score": 0.5, "payload": {"text": "t", "doc_id": "d"}},
            Chunk(id="p", text="t", score=0.5, doc_id="d"),
        ),
        ({"_id": "e", "_score": 2, "_source": {"text": "t"}}, Chunk(id="e", text="t", score=2.0)),
        ({"chunk": "the text", "id": "c1"}, Chunk(id="c1", text="the text")),
        (Chunk(id="c1", text="t", score=0.5, rank=9), Chunk(id="c1", text="t", score=0.5)),
        ({"id": "", "text": ""}, Chunk(text="")),
    ],
)
def test_a_context_of_any_kind(item, chunk):
    assert read([item]) == ((chunk,), [])


def test_ids_of_the_uuid_type_are_written_out():
    name = uuid.UUID(int=5)
    assert read([{"id": name}])[0][0].id == str(name)


def test_strings_are_ids_only_when_all_of_them_look_like_ids():
    assert [c.id for c in read(["c1", "c2"])[0]] == ["c1", "c2"]
    assert [c.text for c in read(["c1", "two words"])[0]] == ["c1", "two words"]
    assert [c.text for c in read(["東京は日本の首都です。"])[0]] == ["東京は日本の首都です。"]
    assert [c.text for c in read([("Paris is", 0.5), ("Rome", 0.4)])[0]] == ["Paris is", "Rome"]
    assert read(["x" * 201])[0][0].text == "x" * 201


def test_a_name_that_says_text_means_text():
    assert read(["Paris"], "contexts")[0] == (Chunk(text="Paris"),)
    assert read(["d1"], "documents")[0] == (Chunk(id="d1", doc_id="d1"),)


def test_one_text_is_one_context():
    assert read("Paris")[0] == (Chunk(text="Paris"),)


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, "high", True, [1]])
def test_a_score_that_is_no_number_is_left_out_and_noted(score):
    chunks, notes = read([{"id": "c1", "score": score}])
    assert chunks == (Chunk(id="c1"),)
    assert "context 1: its score" in notes[0]


def test_methods_and_missing_members_are_not_data():
    class Odd:
        text = "t"

        def id(self):
            return "method"

        def __getattr__(self, name):
            raise AttributeError(name)

    assert read([Odd()])[0] == (Chunk(text="t"),)


def test_sizes_are_bounded():
    chunks, notes = read(f"a {i}" for i in range(MAX_CHUNKS + 5))
    assert len(chunks) == MAX_CHUNKS
    assert "rest were left out" in notes[0]
    chunks, notes = read([{"text": "x" * (MAX_CHUNK_CHARS + 1)}])
    assert len(chunks[0].text) == MAX_CHUNK_CHARS
    assert len(notes) == 1
    chunks, notes = read([{"text": "x" * MAX_CHUNK_CHARS}] * 20)
    assert sum(len(c.text) for c in chunks) == MAX_TOTAL_CHARS
    assert len(chunks) == 20


def test_metadata_keeps_what_json_can_hold():
    metadata = {"page": 3, "tags": ["a"], "client": object(), "vector": np.zeros(3), 5: "x"}
    kept = read([{"id": "c", "metadata": metadata}])[0][0]
    assert kept.metadata == {"page": 3, "tags": ["a"]}
    msgspec.json.encode(kept)


def test_big_metadata_is_left_out():
    chunks, notes = read([{"id": "c", "metadata": {f"k{i}": "x" * 1000 for i in range(50)}}])
    assert chunks[0].metadata == {}
    assert "metadata" in notes[0]


def test_a_list_that_is_a_record_is_not_mistaken_for_a_pair():
    with pytest.raises(PipelineError, match="p: context 1: this is list of 3"):
        read([[1, 2, 3]])
    with pytest.raises(PipelineError, match="p: context 1: this is list of 2"):
        read([["a", "b"]])
    with pytest.raises(PipelineError, match="p: context 1"):
        read([[0.5, 0.25]])
