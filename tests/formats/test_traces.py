"""LangSmith, Langfuse and Phoenix: datasets of several shapes, experiments, traces and spans."""

import json

import pytest

from acidtest.data.outcomes import Failure, Score
from acidtest.errors import DataError
from acidtest.project.convert import convert, read_format

HUMAN = {"role": "user", "content": "Where?"}


def saved(tmp_path, text, name):
    path = tmp_path / name
    path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("inputs", "outputs", "reference", "turns"),
    [
        ({"question": "Where?"}, {"answer": "Here."}, "Here.", 0),
        ({"input": "Where?", "lang": "en"}, {"output": "Here."}, "Here.", 0),
        ({"x": "Where?"}, {"y": "Here."}, "Here.", 0),
        ({"messages": [{"type": "ai", "content": "Hi"}, HUMAN]}, {"text": "Here."}, "Here.", 1),
        ({"question": "Where?", "chat_history": [HUMAN]}, {}, None, 1),
        (
            {
                "messages": [
                    {"id": ["HumanMessage"], "kwargs": {"type": "human", "content": "Where?"}}
                ]
            },
            {"messages": [{"role": "assistant", "content": [{"type": "text", "text": "Here."}]}]},
            "Here.",
            0,
        ),
        ({"question": "Where?"}, {"a": "one", "b": "two"}, None, 0),
    ],
)
def test_keys_of_examples_are_guessed(tmp_path, inputs, outputs, reference, turns):
    rows = [{"inputs": inputs, "outputs": outputs, "metadata": {"k": 1}, "split": "test"}]
    case = (read_format(saved(tmp_path, rows, "e.json")).golden or ())[0]
    assert (case.question, case.reference, len(case.history)) == ("Where?", reference, turns)
    assert (case.split, case.metadata["k"]) == ("test", 1)
    if reference is None and outputs:
        assert case.metadata["outputs"] == outputs  # kept, and taken for no answer


def test_labels_among_the_outputs(tmp_path):
    rows = [{"inputs": {"question": "Q?"}, "outputs": {"answer": "A.", "relevant_ids": ["c1"]}}]
    case = (read_format(saved(tmp_path, rows, "e.json")).golden or ())[0]
    assert case.relevant == {"c1": 1}
    assert case.metadata == {}


def test_inputs_without_a_question_are_refused_with_the_row(tmp_path):
    rows = '{"inputs": {"question": "Q?"}, "outputs": {}}\n{"inputs": {"a": "x", "b": "y"}, "outputs": {}}\n'
    with pytest.raises(DataError, match="no part of it is a question: it has 'a', 'b'") as caught:
        read_format(saved(tmp_path, rows, "e.jsonl"))
    assert "e.jsonl:2" in str(caught.value)


def test_an_experiment_of_langsmith(tmp_path):
    text = (
        "inputs.question,outputs.answer,outputs.contexts,error,reference.answer,feedback.correct,"
        "execution_time,example_id,id\n"
        'Where?,Here.,"[""It is here.""]",,Here.,1.0,1.5,e1,r1\n'
        'Why?,,,"Traceback\nValueError: no",So.,,0.5,e2,r2\n'
    )
    run = read_format(saved(tmp_path, text, "x.csv")).runs[0]
    first, second = run.cases
    assert (first.id, first.answer, first.reference) == ("e1", "Here.", "Here.")
    assert first.scores["langsmith_correct"] == Score(1.0)
    assert first.latency_ms is not None
    assert first.latency_ms.total == 1500
    assert (first.retrieved or ())[0].text == "It is here."
    failure = Failure("ValueError: no", "Traceback\nValueError: no")
    assert (second.failure, second.scores["langsmith_correct"]) == (failure, failure)


def test_items_of_langfuse(tmp_path):
    rows = [
        {
            "id": "i1",
            "status": "ACTIVE",
            "input": {"question": "Where?"},
            "expectedOutput": "Here.",
            "metadata": "m",
            "sourceTraceId": "t1",
            "datasetName": "d",
        },
        {"id": "i2", "status": "ARCHIVED", "input": "Why?", "expectedOutput": "So."},
    ]
    found = read_format(saved(tmp_path, rows, "i.json"))
    case = (found.golden or ())[0]
    assert (case.id, case.reference) == ("i1", "Here.")
    assert case.metadata == {"metadata": "m", "source_trace_id": "t1"}
    assert [(loss.field, loss.count) for loss in found.losses] == [("status", 1)]
    with pytest.raises(DataError, match="every item is archived"):
        read_format(saved(tmp_path, rows[1:], "a.json"))


def test_traces_of_langfuse(tmp_path):
    scores = [
        {"name": "helpful", "value": 1, "comment": "yes", "dataType": "BOOLEAN"},
        {"name": "kind", "stringValue": "odd", "dataType": "CATEGORICAL"},
    ]
    trace = {
        "id": "t1",
        "input": "Where?",
        "output": {"answer": "Here."},
        "latency": 0.5,
        "scores": scores,
    }
    run = read_format(saved(tmp_path, {"data": [trace], "meta": {}}, "t.json")).runs[0]
    assert run.cases[0].scores["langfuse_helpful"] == Score(1.0, "yes")
    assert run.cases[0].scores["langfuse_kind"] == Failure("a category, not a number", "odd")
    bare = [{"id": "s", "traceId": "t1", "name": "helpful", "value": 1, "dataType": "NUMERIC"}]
    with pytest.raises(DataError, match="scores that name traces"):
        read_format(saved(tmp_path, bare, "s.json"))


def test_spans_of_phoenix(tmp_path):
    documents = [
        {"document.content": "It is here.", "document.id": "d1", "document.score": 0.5},
        {"document": {"content": "It is there.", "id": "d2"}},
    ]
    spans = [
        {
            "context.trace_id": "t1",
            "context.span_id": "s1",
            "parent_id": None,
            "attributes.input.value": json.dumps({"question": "Where?"}),
            "attributes.output.value": "Here.",
            "start_time": "2026-01-01T00:00:00+00:00",
            "end_time": "2026-01-01T00:00:01.500000+00:00",
            "hallucination_score": json.dumps(
                {"score": 0.0, "label": "factual", "explanation": "all said"}
            ),
            "Relevance.label": "relevant",
        },
        {
            "context.trace_id": "t1",
            "context.span_id": "s2",
            "parent_id": "s1",
            "attributes.retrieval.documents": documents,
            "attributes.llm.token_count.prompt": 5,
        },
        {
            "context.trace_id": "t2",
            "context.span_id": "s3",
            "attributes.retrieval.documents": documents,
        },
    ]
    found = read_format(saved(tmp_path, "\n".join(map(json.dumps, spans)), "s.jsonl"))
    run = found.runs[0]
    case = run.cases[0]
    assert (case.id, case.question, case.answer) == ("t1", "Where?", "Here.")
    assert [(chunk.id, chunk.text) for chunk in case.retrieved or ()] == [
        ("d1", "It is here."),
        ("d2", "It is there."),
    ]
    assert case.latency_ms is not None
    assert case.latency_ms.total == 1500
    assert case.usage is not None
    assert case.usage.input_tokens == 5
    assert case.scores["phoenix_hallucination"] == Score(0.0, "factual - all said")
    assert run.metrics["phoenix_hallucination"].direction == "lower"
    assert case.scores["phoenix_relevance"] == Failure("the label 'relevant' has no score")
    assert [(loss.field, loss.count) for loss in found.losses] == [("trace", 1)]


def test_a_table_of_questions_and_answers_of_phoenix(tmp_path):
    text = "context.span_id,input,output,reference,score,label,explanation\ns1,Where?,Here.,It is here.,1,correct,\n"
    found = read_format(saved(tmp_path, text, "qa.csv"))
    assert (found.answers[0].retrieved or ())[0].text == "It is here."
    assert found.runs[0].cases[0].scores["phoenix_score"] == Score(1.0, "correct")


@pytest.mark.parametrize("to", ["langsmith", "langfuse", "phoenix"])
def test_datasets_hold_no_outputs(tmp_path, to):
    path = saved(
        tmp_path, json.dumps({"id": "a", "question": "Q?", "generated_answer": "A."}), "g.jsonl"
    )
    done = convert(path, tmp_path / "o.json", "acidtest", to)
    assert [(loss.field, loss.count) for loss in done.lost] == [("answer", 1)]
