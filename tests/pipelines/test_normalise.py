"""Whatever a pipeline returns becomes one answer, or an error that says what came."""

import math
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.data.answers import Answer, Chunk, Latency, Usage
from acidtest.errors import PipelineError
from acidtest.pipelines.normalise import (
    MAX_ANSWER_CHARS,
    MAX_NOTES,
    dedupe,
    native_contexts,
    to_answer,
    to_ranking,
)


def ids(answer):
    return None if answer.retrieved is None else [c.id for c in answer.retrieved]


def texts(answer):
    return [c.text for c in answer.retrieved]


@dataclass
class Reply:
    answer: str
    chunks: list = field(default_factory=list)


class Named(NamedTuple):
    answer: str
    contexts: list


class Unnamed(NamedTuple):
    said: str
    found: list


@pytest.mark.parametrize(
    "value",
    [
        ("Paris", [{"id": "c1", "text": "Paris is the capital."}]),
        {"answer": "Paris", "chunks": [{"chunk_id": "c1", "content": "Paris is the capital."}]},
        {"answer": "Paris", "sources": [{"id": "c1", "excerpt": "Paris is the capital."}]},
        {"answer": "Paris", "contexts": [{"_id": "c1", "text": "Paris is the capital."}]},
        {"response": "Paris", "retrieved": [{"id": "c1", "page_content": "Paris is the capital."}]},
        {"result": "Paris", "source_documents": [{"id": "c1", "text": "Paris is the capital."}]},
        {"answer": "Paris", "contexts": ["Paris is the capital."], "retrieved_ids": ["c1"]},
        Reply("Paris", [SimpleNamespace(id="c1", text="Paris is the capital.")]),
        Named("Paris", [SimpleNamespace(id="c1", page_content="Paris is the capital.")]),
        Unnamed("Paris", [{"id": "c1", "text": "Paris is the capital."}]),
        SimpleNamespace(
            response="Paris", documents=[{"id": "c1", "text": "Paris is the capital."}]
        ),
        (SimpleNamespace(content="Paris"), [{"id": "c1", "text": "Paris is the capital."}]),
        {
            "answer": SimpleNamespace(content="Paris"),
            "docs": [{"id": "c1", "text": "Paris is the capital."}],
        },
        ({"answer": "Paris"}, iter([{"id": "c1", "text": "Paris is the capital."}])),
        Answer(
            case_id="other", text="Paris", retrieved=(Chunk(id="c1", text="Paris is the capital."),)
        ),
    ],
)
def test_every_form_gives_the_same_answer(value):
    answer = to_answer(value, "q1")
    assert answer == Answer(
        case_id="q1",
        text="Paris",
        retrieved=(Chunk(id="c1", rank=1, text="Paris is the capital."),),
    )


def test_text_alone_says_nothing_of_contexts():
    assert to_answer("Paris", "q1") == Answer(case_id="q1", text="Paris")


@pytest.mark.parametrize("value", [("no", []), {"answer": "no", "contexts": []}])
def test_empty_contexts_are_not_missing_contexts(value):
    assert to_answer(value, "q1").retrieved == ()


def test_a_pair_without_contexts_says_nothing_of_them():
    assert to_answer(("no", None), "q1").retrieved is None


def test_an_empty_answer_is_an_answer():
    assert to_answer({"answer": "", "contexts": []}, "q1").text == ""


def test_what_is_reported_beside_the_answer_is_kept():
    answer = to_answer(
        {
            "answer": "a",
            "contexts": [],
            "candidates": ["c1", "c2", "c1"],
            "citations": ["c1", 2, {"id": "c3"}],
            "abstained": False,
            "latency_ms": {"retrieve": 1, "generate": 2.5},
            "usage": {"prompt_tokens": 7, "completion_tokens": 2, "cost_usd": 0.5, "model": "m"},
        },
        "q1",
    )
    assert [c.id for c in answer.candidates] == ["c1", "c2"]
    assert answer.citations == ("c1", "2", "c3")
    assert answer.abstained is False
    assert answer.latency_ms == Latency(retrieve=1, generate=2.5)
    assert answer.usage == Usage(input_tokens=7, output_tokens=2, cost_usd=0.5, model="m")


def test_latency_as_a_number_is_the_total():
    assert to_answer({"answer": "a", "latency_ms": 12}, "q").latency_ms == Latency(total=12)


def test_reports_that_are_not_of_their_kind_are_left_out_and_noted():
    answer = to_answer(
        {
            "answer": "a",
            "abstained": "yes",
            "citations": [True, "c1"],
            "latency_ms": -1,
            "usage": {"input_tokens": math.nan, "cost_usd": -2},
        },
        "q1",
    )
    assert (answer.abstained, answer.latency_ms, answer.usage) == (None, None, None)
    assert answer.citations == ("c1",)
    assert len(answer.notes) == 5


def test_amounts_that_no_sum_can_hold_are_left_out():
    answer = to_answer({"answer": "a", "latency_ms": 1e308, "usage": {"cost_usd": 1e308}}, "q1")
    assert (answer.latency_ms, answer.usage, len(answer.notes)) == (None, None, 2)


def test_declining_needs_no_text():
    answer = to_answer({"answer": None, "abstained": True}, "q1")
    assert (answer.text, answer.abstained) == (None, True)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "returned None, which is no answer"),
        (3, "returned int 3"),
        (True, "returned True"),
        (b"x", "returned bytes b'x'"),
        ([1], "list of 1"),
        ([], "list of 0"),
        (("a", "b", "c"), "tuple of 3"),
        (([{"id": "c"}], "a"), "The answer comes first"),
        ({}, "empty dict"),
        ({"anwser": "x"}, "'anwser'"),
        ({"answer": 3}, "its answer is int 3"),
        ({"answer": {"usage": 3}}, "its answer is dict"),
        ({"answer": b"x"}, "its answer is bytes"),
        ({"contexts": ["a b"]}, "contexts, but no answer"),
        ({"answer": None}, "holds no answer"),
        (("a", 3), "the contexts are int 3"),
        (("a", {"x": "y"}), "the contexts are dict"),
        (("a", {"c1", "c2"}), "the contexts are set of 2"),
        (("a", b"xy"), "the contexts are bytes"),
        (("a", [None]), "context 1: this is None"),
        (("a", ["x y", 3]), "context 2: this is int 3"),
        (("a", [{}]), "context 1: this is empty dict"),
        (("a", [{"score": 1}]), "without an id and without a text"),
        (("a", [{"id": 1.5}]), "its id is float 1.5"),
        (("a", [{"id": "x" * 2000}]), "2,000 characters"),
        (("a", [b"x"]), "context 1: this is bytes"),
        (object(), "builtins.object"),
        (len, "builtin"),
        ({"error": "out of quota"}, "it reported an error: out of quota"),
        ({"answer": "a", "retrieved_ids": "c1"}, "retrieved_ids is str 'c1', not a list"),
    ],
)
def test_nonsense_is_refused_with_what_came(value, said):
    with pytest.raises(PipelineError) as caught:
        to_answer(value, "q1", where="pipeline 'p'")
    assert said in str(caught.value)
    assert str(caught.value).startswith("pipeline 'p'")


def test_huge_nonsense_makes_a_short_message():
    with pytest.raises(PipelineError) as caught:
        to_answer({"k" * 10_000: 1, "answer": ["x" * 10_000] * 1000}, "q")
    assert len(str(caught.value)) < 1000
    with pytest.raises(PipelineError) as caught:
        to_answer(10**5000, "q")
    assert "(huge)" in str(caught.value)


def test_a_huge_answer_is_cut_and_noted():
    answer = to_answer("x" * (MAX_ANSWER_CHARS + 1), "q")
    assert len(answer.text) == MAX_ANSWER_CHARS
    assert "was cut" in answer.notes[0]


def test_half_surrogates_are_replaced_so_that_the_answer_can_be_stored():
    answer = to_answer(("a\ud800b", ["x\udfffy z"]), "q\u00e9")
    assert answer.text == "a\ufffdb"
    assert len(answer.notes) == 2
    msgspec.json.encode(answer)


def test_ids_that_come_twice_count_once_at_their_first_place():
    answer = to_answer(("a", ["c5", "c2", "c5", "c9", "c2"]), "q")
    assert ids(answer) == ["c5", "c2", "c9"]
    assert [c.rank for c in answer.retrieved] == [1, 2, 3]
    assert answer.notes == ("chunk ids that came more than once were counted once: c5, c2",)


def test_dedupe_keeps_chunks_without_ids():
    chunks = (Chunk(text="x"), Chunk(text="x"), Chunk(id="a", score=2), Chunk(id="a", score=1))
    assert dedupe(chunks) == (
        chunks[:3],
        ("chunk ids that came more than once were counted once: a",),
    )
    assert dedupe([]) == ((), ())


def test_many_faults_make_few_notes():
    bad = [{"id": f"c{i}", "score": math.nan} for i in range(50)]
    answer = to_answer(("a", bad), "q")
    assert len(answer.notes) == MAX_NOTES + 1
    assert answer.notes[-1] == "and 40 more faults that were mended"


def test_ids_beside_texts_are_joined_only_when_they_fit():
    fits = to_answer({"answer": "a", "contexts": ["x y", "z"], "retrieved_ids": ["1", "2"]}, "q")
    assert ids(fits) == ["1", "2"]
    assert texts(fits) == ["x y", "z"]
    short = to_answer({"answer": "a", "contexts": ["x y", "z"], "retrieved_ids": ["1"]}, "q")
    assert ids(short) == [None, None]
    assert "1 retrieved_ids for 2 contexts" in short.notes[0]


def test_document_ids_are_chunk_and_document():
    answer = to_answer({"answer": "a", "retrieved_doc_ids": ["d1", "d2"]}, "q")
    assert [(c.id, c.doc_id) for c in answer.retrieved] == [("d1", "d1"), ("d2", "d2")]


def test_a_ranking_is_a_list_or_a_mapping_that_holds_one():
    assert ids(to_ranking(["c1", "c2"])) == ["c1", "c2"]
    assert ids(to_ranking({"retrieved": ["c1"], "candidates": ["c1", "c2"]})) == ["c1"]
    assert ids(to_ranking({"retrieved_ids": ["c1"]})) == ["c1"]
    assert ids(to_ranking(iter(["c1"]))) == ["c1"]
    assert to_ranking([]).retrieved == ()


def test_a_run_of_one_query_is_sorted_as_trec_eval_does():
    assert ids(to_ranking({"a": 0.5, "c": 0.7, "b": 0.5})) == ["c", "b", "a"]


@pytest.mark.parametrize("value", [None, 3, {"c1": "text"}, {"c1", "c2"}, b"x", object()])
def test_no_ranking_is_refused(value):
    with pytest.raises(PipelineError, match="retrieve"):
        to_ranking(value)


def test_native_contexts_are_what_the_retriever_returned():
    raw = [object()]
    assert native_contexts(raw) is raw
    assert native_contexts({"retrieved": raw, "candidates": []}) is raw


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["answer", "contexts", "id", "text", "score", "usage", "x"]), inner
        )
        | st.tuples(inner, inner)
    ),
    max_leaves=12,
)


@given(JSON)
def test_anything_is_an_answer_or_an_error(value):
    try:
        answer = to_answer(value, "q")
    except PipelineError as error:
        refused = str(error)
    else:
        refused = None
    if refused is not None:
        assert len(refused) < 2000
        return
    assert isinstance(answer.text, str)
    again = msgspec.json.decode(msgspec.json.encode(answer), type=Answer)
    assert again == answer
    names = [c.id for c in answer.retrieved or () if c.id is not None]
    assert len(names) == len(set(names))
    assert all(math.isfinite(c.score) for c in answer.retrieved or () if c.score is not None)
