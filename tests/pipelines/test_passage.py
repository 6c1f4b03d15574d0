"""A golden context is text, mapping and object at once."""

import json
import pickle

import pytest

from acidtest.data.answers import Chunk
from acidtest.pipelines.passage import Passage

PASSAGE = Passage(Chunk(id="c1", text="Some text.", score=0.5, doc_id="d", metadata={"page": 1}))


def test_it_reads_as_text():
    assert "\n".join([PASSAGE] * 2) == "Some text.\nSome text."
    assert f"{PASSAGE}" == "Some text."
    assert json.dumps([PASSAGE]) == '["Some text."]'
    assert (PASSAGE[0], PASSAGE[:4], len(PASSAGE)) == ("S", "Some", 10)


@pytest.mark.parametrize("name", ["text", "content", "page_content", "excerpt"])
def test_its_text_under_every_name(name):
    assert getattr(PASSAGE, name) == PASSAGE[name] == PASSAGE.get(name) == "Some text."


def test_its_other_members():
    assert (PASSAGE.id, PASSAGE["chunk_id"], PASSAGE.get("doc_id")) == ("c1", "c1", "d")
    assert (PASSAGE.score, PASSAGE.metadata) == (0.5, {"page": 1})
    assert dict(PASSAGE)["id"] == "c1"
    assert PASSAGE.get("nothing", "else") == PASSAGE.get("source", "else") == "else"
    with pytest.raises(KeyError):
        PASSAGE["nothing"]
    assert not hasattr(PASSAGE, "nothing")


def test_it_survives_a_process_border_and_a_missing_text():
    again = pickle.loads(pickle.dumps(PASSAGE))  # noqa: S301
    assert (again, again.id) == (PASSAGE, "c1")
    assert Passage(Chunk(id="x")) == ""
