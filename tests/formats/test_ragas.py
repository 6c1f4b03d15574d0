"""Ragas' datasets, testsets and results."""

import json
import math

import pytest

from acidtest.data.outcomes import Failure, Score
from acidtest.errors import DataError
from acidtest.project.convert import convert, read_format

ROW = {
    "user_input": "Where?",
    "retrieved_contexts": ["Here.", "There."],
    "response": "Here.",
    "reference": "Here.",
    "reference_contexts": ["Here."],
    "reference_context_ids": ["c1"],
}


def written(tmp_path, rows, name="rows.jsonl"):
    path = tmp_path / name
    lines = [json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) if name.endswith("jsonl") else f"[{','.join(lines)}]")
    return path


def test_names_of_today_and_of_old(tmp_path):
    old = {
        "question": "Where?",
        "contexts": ["Here.", "There."],
        "answer": "Here.",
        "ground_truth": "Here.",
    }
    now = {key: value for key, value in ROW.items() if not key.startswith("reference_")}
    one, other = (
        read_format(written(tmp_path, [row], name))
        for row, name in ((old, "old.jsonl"), (now, "now.jsonl"))
    )
    assert list(one.golden or ()) == list(other.golden or ())
    assert one.answers == other.answers


def test_contexts_and_their_ids_belong_together(tmp_path):
    case = (read_format(written(tmp_path, [ROW])).golden or ())[0]
    assert case.relevant == {"c1": 1}
    assert (case.evidence[0].text, case.evidence[0].chunk_id) == ("Here.", "c1")


def test_a_testset_calls_its_sources_contexts(tmp_path):
    row = {
        "question": "Where?",
        "contexts": ["Here."],
        "ground_truth": "Here.",
        "evolution_type": "simple",
    }
    found = read_format(written(tmp_path, [row]), "ragas")
    case = (found.golden or ())[0]
    assert [one.text for one in case.evidence] == ["Here."]
    assert case.metadata == {"evolution_type": "simple"}
    assert found.answers == ()


@pytest.mark.parametrize("name", ["r.jsonl", "r.json"])
def test_nan_is_a_failure(tmp_path, name):
    rows = [ROW | {"faithfulness": 0.5}, ROW | {"user_input": "Why?", "faithfulness": math.nan}]
    run = read_format(written(tmp_path, rows, name)).runs[0]
    assert [case.scores["ragas_faithfulness"] for case in run.cases] == [
        Score(0.5),
        Failure("NaN in the file: the tool obtained no score"),
    ]
    summary = run.metrics["ragas_faithfulness"]
    assert (summary.mean, summary.scored, summary.failed) == (0.5, 1, 1)


def test_results_in_csv(tmp_path):
    path = tmp_path / "result.csv"
    path.write_text(
        "\ufeffuser_input,retrieved_contexts,response,reference,context_recall,noise_sensitivity(mode=relevant),note\r\n"
        "\"Where?\",\"['Here.', 'There.']\",Here.,Here.,1.0,0.25,a\r\n"
        "Why?,[],Because.,So.,,0,b\r\n",
        encoding="utf-8",
    )
    found = read_format(path)
    run = found.runs[0]
    assert set(run.metrics) == {"ragas_context_recall", "ragas_noise_sensitivity_mode_relevant"}
    assert run.metrics["ragas_noise_sensitivity_mode_relevant"].direction == "lower"
    assert run.metrics["ragas_context_recall"].stage == "retrieval"
    assert isinstance(run.cases[1].scores["ragas_context_recall"], Failure)
    assert [case.metadata for case in found.golden or ()] == [{"note": "a"}, {"note": "b"}]
    assert [chunk.text for chunk in found.answers[0].retrieved or ()] == ["Here.", "There."]


def test_numbers_beside_a_dataset_without_answers_are_no_scores(tmp_path):
    found = read_format(written(tmp_path, [{"user_input": "Where?", "difficulty": 3}]))
    assert found.runs == ()
    assert (found.golden or ())[0].metadata == {"difficulty": 3}


def test_a_conversation_is_its_last_question(tmp_path):
    talk = [
        {"content": "Hi", "type": "human"},
        {"content": "Hello", "type": "ai", "tool_calls": [{"name": "t", "args": {}}]},
        {"content": "7", "type": "tool"},
        {"content": "Where?", "type": "human"},
        {"content": "Here.", "type": "ai"},
    ]
    found = read_format(written(tmp_path, [{"user_input": talk, "reference": "He is told where."}]))
    case = (found.golden or ())[0]
    assert (case.question, found.answers[0].text) == ("Where?", "Here.")
    assert [(turn.role, turn.text) for turn in case.history] == [
        ("user", "Hi"),
        ("assistant", "Hello"),
        ("tool", "7"),
    ]
    assert [loss.field for loss in found.losses] == ["user_input.tool_calls"]


@pytest.mark.parametrize(
    ("talk", "what"),
    [
        ([{"content": "Hi", "type": "ai"}], "no message is a person's"),
        ([{"content": "Hi", "type": "robot"}], r"user_input\[0\]"),
        (["Hi"], "a message is not text"),
    ],
)
def test_a_conversation_at_fault_is_refused_with_its_row(tmp_path, talk, what):
    with pytest.raises(DataError, match=what) as caught:
        read_format(written(tmp_path, [ROW, {"user_input": talk}], "r.jsonl"), "ragas")
    assert "r.jsonl:2" in str(caught.value)


def test_a_printed_conversation_is_refused(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("user_input,reference\n\"[{'content': 'Hi', 'type': 'human'}]\",x\n")
    with pytest.raises(DataError, match="as Python prints it"):
        read_format(path)


def test_the_same_question_twice_is_two_cases_of_one_group(tmp_path):
    found = read_format(written(tmp_path, [ROW, ROW | {"response": "There."}]))
    cases = list(found.golden or ())
    assert cases[0].id != cases[1].id
    assert cases[0].group == cases[1].group == cases[0].id.removesuffix("-1")
    assert found.notes[0].startswith("2 rows ask what others ask")


def test_losses_are_counted_by_field(tmp_path):
    rows = [
        {"id": "a", "question": "Where?", "tags": ["x"], "relevant": {"c1": 3}},
        {"id": "b", "question": "Why?", "tags": ["y"], "answerable": False},
        {"id": "c", "question": "When?", "reference": "Now."},
    ]
    done = convert(written(tmp_path, rows), tmp_path / "out.json", "acidtest", "ragas")
    told = {loss.field: (loss.count, loss.first) for loss in done.lost}
    assert told == {"id": (3, "a"), "tags": (2, "a"), "relevant": (1, "a"), "answerable": (1, "b")}
    assert json.loads((tmp_path / "out.json").read_text()) == [
        {"user_input": "Where?", "reference_context_ids": ["c1"]},
        {"user_input": "Why?"},
        {"user_input": "When?", "reference": "Now."},
    ]
