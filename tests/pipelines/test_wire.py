"""Replies to a question that came with contexts: which are taken, and what is told of others."""

import pytest

from acidtest.data.answers import Chunk
from acidtest.data.golden import Case
from acidtest.pipelines.wire import answer_of

GIVEN = (Chunk(id="a", text="A text"), Chunk(id="b", text="B text"))


@pytest.mark.parametrize(
    ("named", "noted"),
    [
        (None, False),
        ([], False),
        ([{"id": "a", "text": "A text"}], False),  # the one that was used
        ([{"id": "b"}, {"id": "a"}], False),
        (["B text"], False),
        ([{"id": "c", "text": "C text"}], True),
        ([{"id": "a"}, {"id": "c"}], True),
    ],
)
def test_contexts_that_were_not_given_are_noted_and_do_not_count(named, noted):
    row = {"answer": "yes"} | ({} if named is None else {"retrieved": named})
    answer = answer_of(
        row,
        Case(id="1", question="Q?"),
        mode="golden-context",
        contexts=GIVEN,
        ms=1.0,
        where="here",
    )
    assert [chunk.id for chunk in answer.retrieved] == ["a", "b"]
    told = ["the reply named other contexts than it was given; the given ones count"]
    assert list(answer.notes) == (told if noted else [])
