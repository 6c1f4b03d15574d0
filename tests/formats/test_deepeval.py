"""DeepEval's goldens, conversations and test runs."""

import json

import pytest

from acidtest.data.outcomes import Failure, Score
from acidtest.errors import DataError
from acidtest.project.convert import convert, read_format


def saved(tmp_path, document, name="d.json"):
    path = tmp_path / name
    path.write_text(json.dumps(document))
    return path


def test_names_in_camel_case_and_sources_of_passages(tmp_path):
    golden = {
        "input": "Where?",
        "expectedOutput": "Here.",
        "actualOutput": "There.",
        "retrievalContext": ["deepeval_source=a.md,deepeval_context=It is, there.", "Plain."],
        "context": ["It is here."],
        "additionalMetadata": {"k": 1},
        "customColumnKeyValues": {"team": "x"},
    }
    found = read_format(saved(tmp_path, [golden]))
    case = (found.golden or ())[0]
    assert (case.reference, case.evidence[0].text) == ("Here.", "It is here.")
    assert case.metadata == {"k": 1, "custom_column_key_values": {"team": "x"}}
    chunks = found.answers[0].retrieved or ()
    assert [(chunk.text, chunk.source) for chunk in chunks] == [
        ("It is, there.", "a.md"),
        ("Plain.", None),
    ]


def test_lists_in_one_text(tmp_path):
    row = {
        "input": "Where?",
        "expected_output": "Here.",
        "context": "One.|Two.",
        "retrieval_context": None,
    }
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps(row))
    case = (read_format(path).golden or ())[0]
    assert [one.text for one in case.evidence] == ["One.", "Two."]


def test_the_mark_between_texts_inside_a_text_is_told(tmp_path):
    path = tmp_path / "g.jsonl"
    path.write_text(json.dumps({"id": "a", "question": "Q?", "evidence": ["a|b"]}))
    done = convert(path, tmp_path / "out.csv", "acidtest", "deepeval")
    assert [(loss.field, loss.first) for loss in done.lost] == [("evidence", "a")]


def test_what_was_edited_in_the_tool_outweighs_what_was_packed(tmp_path):
    path = tmp_path / "g.jsonl"
    row = {
        "id": "a",
        "question": "Q?",
        "evidence": [{"text": "old", "chunk_id": "c1"}],
        "tags": ["t"],
    }
    path.write_text(json.dumps(row))
    convert(path, tmp_path / "d.json", "acidtest", "deepeval")
    goldens = json.loads((tmp_path / "d.json").read_text())
    goldens[0]["context"] = ["new"]
    case = (read_format(saved(tmp_path, goldens)).golden or ())[0]
    assert (case.id, case.tags) == ("a", ("t",))
    assert [(one.text, one.chunk_id) for one in case.evidence] == [("new", None)]


def test_a_conversation_is_its_last_question(tmp_path):
    golden = {
        "scenario": "Refund",
        "expected_outcome": "It is refunded.",
        "turns": [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "Hello", "user_id": "u"},
            {"role": "user", "content": "Refund me."},
            {"role": "assistant", "content": "Done.", "retrieval_context": ["Refunds take a day."]},
        ],
    }
    found = read_format(saved(tmp_path, [golden]))
    case = (found.golden or ())[0]
    assert (case.question, len(case.history), case.reference) == ("Refund me.", 2, None)
    assert case.metadata["expected_outcome"] == "It is refunded."
    assert (found.answers[0].retrieved or ())[0].text == "Refunds take a day."
    assert [loss.field for loss in found.losses] == ["expected_outcome"]


def test_a_scenario_alone_asks_nothing(tmp_path):
    alone = {"scenario": "Refund", "expected_outcome": "Refunded."}
    with pytest.raises(DataError, match="a scenario alone asks nothing"):
        read_format(saved(tmp_path, [alone]))
    spoken = alone | {"turns": json.dumps([{"role": "user", "content": "Refund me."}])}
    found = read_format(saved(tmp_path, [alone, spoken]))
    assert len(found.golden or ()) == 1
    assert ("scenario", 1) in [(loss.field, loss.count) for loss in found.losses]


@pytest.mark.parametrize("turns", ["nonsense", [{"role": "user"}], ["Hi"], 3])
def test_turns_at_fault_are_refused_with_the_row(tmp_path, turns):
    with pytest.raises(DataError, match="turns") as caught:
        read_format(saved(tmp_path, [{"scenario": "s", "turns": turns}], "c.json"), "deepeval")
    assert "c.json:1" in str(caught.value)


def test_a_test_run_is_a_run(tmp_path):
    metrics = [
        {
            "name": "Faithfulness",
            "score": 0.5,
            "success": True,
            "reason": "half",
            "evaluationModel": "gpt",
        },
        {"name": "Hallucination", "score": 0.25, "threshold": 0.5, "success": True},
        {"name": "Answer Relevancy", "score": None, "error": "rate limit"},
    ]
    case = {
        "name": "t0",
        "input": "Where?",
        "actualOutput": "Here.",
        "expectedOutput": "Here.",
        "retrievalContext": ["It is here."],
        "metricsData": metrics,
        "inputTokenCount": 7,
    }
    document = {
        "identifier": "nightly",
        "testCases": [case, case | {"input": "Why?", "metricsData": metrics[:1]}],
        "conversationalTestCases": [{"name": "c"}],
    }
    found = read_format(saved(tmp_path, document))
    run = found.runs[0]
    assert (run.name, run.info.judge and run.info.judge.model) == ("nightly", "gpt")
    scores = run.cases[0].scores
    assert scores["deepeval_faithfulness"] == Score(0.5, "half")
    assert scores["deepeval_answer_relevancy"] == Failure(
        "DeepEval could not score it", "rate limit"
    )
    assert (
        run.metrics["deepeval_hallucination"].direction == "lower"
    )  # it passed below its threshold
    assert run.metrics["deepeval_faithfulness"].direction == "higher"
    assert isinstance(run.cases[1].scores["deepeval_hallucination"], Failure)
    assert run.cases[0].usage is not None
    assert run.cases[0].usage.input_tokens == 7
    assert [loss.field for loss in found.losses] == ["conversationalTestCases"]
