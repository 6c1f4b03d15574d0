"""Files and columns that evaluators are known to trip over: read without loss, or refused with the row."""

import json

import pytest

import acidtest as at

PIPES = '| plan | price |\n|---|---|\n| Pro | €49 |; a, "b" || c\t\\| d'


@pytest.fixture
def outputs(folder, cli):
    """Score recorded outputs for the one case of a golden set."""

    def run(name, content):
        (folder / name).write_text(content, encoding="utf-8", newline="")
        (folder / "golden.jsonl").write_text('{"id": "one", "question": "q?"}\n')
        return cli("--golden", "golden.jsonl", "--outputs", name, "-m", "abstention_accuracy")

    return run


def texts(run):
    return [chunk.text for chunk in run.cases[0].retrieved]


@pytest.mark.parametrize(
    "cell",
    [
        pytest.param("['first one', 'it''s the second']".replace("''", "\\'"), id="as Python prints it"),
        pytest.param('["first one", "it\'s the second"]', id="as JSON"),
        pytest.param("first one|it's the second", id="with separators"),
    ],
)  # fmt: skip
def test_a_list_written_as_text_in_a_column_of_contexts_is_a_list(outputs, cell):
    quoted = cell.replace('"', '""')
    done = outputs("o.csv", f'id,answer,contexts\none,yes,"{quoted}"\n')
    assert texts(done.run) == ["first one", "it's the second"]


@pytest.mark.parametrize("cell", ["['broken, 'list']", '["never ends"', "[f(x), 1]"])
def test_a_broken_list_in_a_column_of_contexts_is_refused_with_its_row(outputs, cell):
    quoted = cell.replace('"', '""')
    done = outputs("o.csv", f'id,answer,contexts\none,yes,"{quoted}"\n')
    assert done.status == 2
    assert "o.csv:2: field 'contexts'" in done.err


def test_a_chunk_with_pipes_survives_saving_and_reloading(folder):
    case = {"id": "one", "question": "q?"}
    row = {"answer": "a | b", "contexts": [PIPES, "|"]}
    run = at.evaluate(lambda question: row, [case], metrics=["grounding_leak"])
    assert texts(run) == [PIPES, "|"]
    run.save("run.json")
    assert texts(at.load_run("run.json")) == [PIPES, "|"]
    assert at.load_run("run.json") == run


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_a_chunk_with_pipes_is_read_from_recorded_outputs(outputs, suffix):
    listed = json.dumps([PIPES, "|"])
    if suffix == "jsonl":
        content = f'{{"id": "one", "answer": "yes", "contexts": {listed}}}\n'
    else:
        quoted = listed.replace('"', '""')
        content = f'id,answer,contexts\none,yes,"{quoted}"\n'
    assert texts(outputs(f"o.{suffix}", content).run) == [PIPES, "|"]


@pytest.mark.parametrize("cell", ["N/A", "007", "nan", "null", "None", "1e5", "TRUE", "-"])
def test_cells_are_text_whatever_they_look_like(folder, cli, cell):
    (folder / "golden.csv").write_text(f"id,question,reference\n007,{cell},{cell}\n")
    (folder / "o.csv").write_text(f"id,answer,contexts\n007,{cell},{cell}\n")
    files = ("--golden", "golden.csv", "--outputs", "o.csv")
    run = cli(*files, "-m", "exact_match", "-m", "token_f1").run
    case = run.cases[0]
    assert (case.id, case.question, case.reference, case.answer) == ("007", cell, cell, cell)
    assert texts(run) == [cell]
    assert case.scores["exact_match"].value == 1.0


def test_one_row_without_reference_skips_its_metrics_there_and_nowhere_else(folder):
    cases = [{"id": str(n), "question": f"q{n}?", "reference": "yes"} for n in range(3)]
    del cases[1]["reference"]
    run = at.evaluate(lambda question: "yes", cases, metrics=["exact_match", "abstention_accuracy"])
    outcomes = [type(case.scores["exact_match"]) for case in run.cases]
    assert outcomes == [at.Score, at.Skip, at.Score]
    assert run.metrics["exact_match"].mean == 1.0
    assert run.metrics["abstention_accuracy"].scored == 3
