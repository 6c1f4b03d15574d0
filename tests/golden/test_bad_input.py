"""Every malformed case is refused with file, line, field and how to mend it."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from acidtest.data.golden import Case
from acidtest.errors import AcidtestError, BadGolden
from acidtest.golden.load import load_golden

# the row beside an ordinary question, then what the message holds
BAD: list[tuple[dict[str, Any], list[str]]] = [
    ({"relevent": ["a"]}, ["'relevent'", "Did you mean 'relevant'"]),
    ({"expected": "x"}, ["'expected'", "Did you mean"]),
    ({"zzzzzz": 1}, ["'zzzzzz'", "The fields are: id, question", "metadata"]),
    ({"x" * 5000: 1}, ["xx'...", "metadata"]),
    ({"query": "other"}, ["'question'", "'query'", "filled differently"]),
    ({"ground_truth": "a", "expected_answer": "b"}, ["'ground_truth'", "'expected_answer'"]),
    ({"response": "a", "actual_output": "b"}, ["'response'", "'actual_output'"]),
    ({"answer": "x"}, ["'answer'", "reference (expected)", "generated_answer"]),
    ({"question": ""}, ["'question'", "must not be empty"]),
    ({"question": "  "}, ["'question'", "must not be empty"]),
    ({"question": 42}, ["'question'", "the number 42", "quotes"]),
    ({"question": None}, ["no question", "user_input"]),
    ({"question": ["q"]}, ["'question'", "a list"]),
    ({"id": ""}, ["'id'", "empty"]),
    ({"id": 1.5}, ["'id'", "1.5"]),
    ({"id": True}, ["'id'", "true"]),
    ({"reference": 42}, ["'reference'", "the number 42", "quotes"]),
    ({"reference": {}}, ["'reference'", "a mapping"]),
    ({"ground_truths": ["a", 1]}, ["ground_truths[1]", "the number 1"]),
    ({"relevant": {"c1": "2"}}, ["relevant['c1']", "the text '2'", "without quotes"]),
    ({"relevant": {"c1": "high"}}, ["relevant['c1']", "the text 'high'"]),
    ({"relevant": {"c1": 4}}, ["relevant['c1']", "0 to 3", "4"]),
    ({"relevant": {"c1": -1}}, ["relevant['c1']", "-1"]),
    ({"relevant": {"c1": 1.5}}, ["relevant['c1']", "1.5"]),
    ({"relevant": {"c1": True}}, ["relevant['c1']", "true"]),
    ({"relevant": {"c1": None}}, ["relevant['c1']", "null"]),
    ({"relevant": ["c1", "c2", "c1"]}, ["'relevant'", "'c1'", "listed twice"]),
    ({"relevant": ["c1", ""]}, ["'relevant'", "empty"]),
    ({"relevant": ["c1", {"id": "x"}]}, ["'relevant'", "a mapping"]),
    ({"relevant": ["c1", None]}, ["'relevant'", "null"]),
    ({"relevant": 1.5}, ["'relevant'", "1.5"]),
    ({"relevant_docs": [["d"]]}, ["'relevant_docs'", "a list"]),
    ({"evidence": [1]}, ["evidence[0]", "the number 1"]),
    ({"evidence": [{"txt": "x"}]}, ["evidence[0]", "'txt'", "Did you mean 'text'"]),
    ({"evidence": [{"doc_id": "d"}]}, ["evidence[0]", "has no text"]),
    ({"evidence": [{"text": "t", "content": "u"}]}, ["evidence[0]", "two names"]),
    ({"evidence": [{"text": "t", "start": "0"}]}, ["evidence[0].start", "whole number"]),
    ({"evidence": [{"text": "t", "start": 5, "end": 2}]}, ["evidence[0]", "before"]),
    ({"evidence": [""]}, ["evidence[0]", "empty"]),
    ({"answerable": "maybe"}, ["'answerable'", "'maybe'"]),
    ({"answerable": 2}, ["'answerable'", "2"]),
    ({"answerable": []}, ["'answerable'", "a list"]),
    ({"tags": 3}, ["'tags'", "the number 3"]),
    ({"tags": ["a", 3]}, ["'tags'", "the number 3"]),
    ({"history": [{"role": "user"}]}, ["history[0]", "role and a content"]),
    ({"history": [{"content": "x"}]}, ["history[0]", "role and a content"]),
    ({"history": [{"role": "user", "content": "x", "text": "y"}]}, ["history[0]"]),
    ({"history": [{"role": "user", "said": "x"}]}, ["history[0]", "'said'"]),
    ({"history": ["x", {"role": "user", "content": "y"}]}, ["history[0]", "text"]),
    ({"history": [3]}, ["history[0]", "the number 3"]),
    ({"history": ["x", " "]}, ["history[1]", "empty"]),
    ({"metadata": "x"}, ["'metadata'", "text"]),
    ({"metadata": {"name": "a"}, "name": "b"}, ["'name'", "another value"]),
    ({"split": ["a"]}, ["'split'", "a list"]),
    ({"source": ""}, ["'source'", "empty"]),
    ({"generated_answer": 3}, ["'generated_answer'", "the number 3"]),
    ({"retrieved": [3.5]}, ["retrieved[0]", "3.5"]),
    ({"retrieved": [{"score": 1}]}, ["retrieved[0]", "neither an id nor a text"]),
    ({"retrieved": [{"id": "a", "score": "0.5"}]}, ["retrieved[0].score", "'0.5'"]),
    ({"retrieved": ["a"], "retrieved_ids": ["a", "b"]}, ["'retrieved_ids'", "2 ids for 1"]),
    ({"latency_ms": -1}, ["'latency_ms'", "at least 0"]),
    ({"latency_ms": "fast"}, ["'latency_ms'", "'fast'"]),
    ({"latency_ms": {"retreive": 1}}, ["latency_ms.retreive", "retrieve, generate and total"]),
    ({"usage": 3}, ["'usage'", "input_tokens"]),
    ({"usage": {"input_tokens": "3"}}, ["usage.input_tokens", "'3'"]),
    ({"abstained": "perhaps"}, ["'abstained'", "'perhaps'"]),
    ({"citations": [1.5]}, ["'citations'", "1.5"]),
]


@pytest.mark.parametrize(("row", "said"), BAD, ids=[str(i) for i in range(len(BAD))])
def test_bad_cases_say_file_line_and_field(
    tmp_path: Path, row: dict[str, Any], said: list[str]
) -> None:
    path = tmp_path / "golden.jsonl"
    rows = [{"question": "fine"}, {"question": "q", **row}]
    path.write_text("\n".join(json.dumps(r) for r in rows), encoding="utf-8")
    with pytest.raises(BadGolden) as caught:
        load_golden(path)
    message = str(caught.value)
    assert [word for word in [f"{path}:2", *said] if word not in message] == []
    assert len(message) < 1500
    assert caught.value.exit_status == 2


def test_duplicate_ids_name_both_lines(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    path.write_text('{"id": "a", "question": "x"}\n\n{"qid": "a", "question": "y"}\n')
    with pytest.raises(BadGolden, match=r"g\.jsonl:3: the id 'a' is already that of .*g\.jsonl:1"):
        load_golden(path)


CSV_BAD = [
    ('question,relevant\nq,"c1,c2"\n', ["g.csv:2", "'relevant'", "comma", "|"]),
    ("question,relevant\nq,\"['a' 'b']\"\n", ["g.csv:2", "'relevant'", "not JSON"]),
    ('question,relevant\nq,"{""a"": ""2""}"\n', ["g.csv:2", "relevant['a']", "without quotes"]),
    ("question,latency_ms\nq,nan\n", ["g.csv:2", "'latency_ms'", "finite"]),
    ("question,metadata\nq,word\n", ["g.csv:2", "'metadata'", "mapping"]),
    ("question,answerable\nq,perhaps\n", ["g.csv:2", "'answerable'"]),
    ('question,reference\n"two\nlines",r\nq,\n,r\n', ["g.csv:5", "no question"]),
]


@pytest.mark.parametrize(("text", "said"), CSV_BAD)
def test_bad_cells(tmp_path: Path, text: str, said: list[str]) -> None:
    path = tmp_path / "g.csv"
    path.write_text(text)
    with pytest.raises(BadGolden) as caught:
        load_golden(path)
    assert [word for word in said if word not in str(caught.value)] == []


MEMORY: list[tuple[Any, str]] = [
    ([], "no case"),
    ({"question": "q"}, "cannot be read from a mapping"),
    (3, "cannot be read from"),
    (b"x", "cannot be read from"),
    (["question"], "row 1: a case must be a mapping"),
    (
        [{"question": "q"}, {"question": "q2", "metadata": {"x": math.nan}}],
        "row 2: field 'metadata'",
    ),
    ([{"question": "q", "metadata": {"x": object()}}], "a object is not text"),
    ([{"question": "q", "metadata": {"x": 10**30}}], "too large"),
    ([{"question": "q", "metadata": {(1, 2): 1}}], "not text"),
    ([{"question": "half \ud800"}], "surrogate"),
    ([{1: "q"}], "not text"),
    ([Case(id="a", question="q", metadata={"x": object()})], "row 1: field 'metadata'"),
    ([Case(id="a", question="q", relevant={})], "'relevant'"),
]


@pytest.mark.parametrize(("source", "said"), MEMORY)
def test_bad_rows_in_memory(source: Any, said: str) -> None:
    with pytest.raises(BadGolden) as caught:
        load_golden(source)
    assert said in str(caught.value)


def test_a_missing_value_of_a_data_frame_is_missing() -> None:
    assert load_golden([{"question": "q", "reference": math.nan}])[0].reference is None


def test_deep_nesting_in_metadata_is_refused() -> None:
    deep: dict[str, Any] = {}
    for _ in range(200):
        deep = {"x": deep}
    with pytest.raises(AcidtestError, match="deep"):
        load_golden([{"question": "q", "metadata": deep}])
