"""Converting from Python: what goes where, whose outputs, and what is refused."""

import json

import pytest

import acidtest as at
from acidtest.errors import UnknownName, UsageError

RESULTS = [
    {
        "vars": {"question": "Q?"},
        "provider": "a",
        "success": True,
        "score": 1,
        "response": {"output": "A."},
    },
    {
        "vars": {"question": "Q?"},
        "provider": "b",
        "success": False,
        "score": 0,
        "response": {"output": "B."},
    },
]


@pytest.fixture
def results(tmp_path):
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"results": {"results": RESULTS}}))
    return path


@pytest.fixture
def golden(tmp_path):
    path = tmp_path / "golden.jsonl"
    rows = [
        {"id": "a", "question": "=1+1", "reference": "-2", "tags": ["x"]},
        {"id": "b", "question": "Why?", "answerable": False},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_outputs_of_several_systems_are_asked_for(results, tmp_path):
    out = tmp_path / "o.jsonl"
    with pytest.raises(UsageError, match=r"outputs of 2 systems: 'a', 'b'\. Say whose"):
        at.convert(results, out, to="ragas")
    assert not out.exists()
    done = at.convert(results, out, to="ragas", system="b")
    assert (done.read.answers, done.written.answers) == (1, 1)
    assert json.loads(out.read_text())["response"] == "B."
    with pytest.raises(UnknownName, match="unknown system 'c'"):
        at.convert(results, out, to="ragas", system="c")


def test_scores_become_runs_that_gate(results, tmp_path):
    out = tmp_path / "runs.json"
    done = at.convert(results, out, to="acidtest-run")
    assert (done.written.runs, done.losses) == (2, ())
    base, candidate = (at.load_run(f"{out}#{name}") for name in ("a", "b"))
    assert at.gate(candidate, baseline=base, max_drop=0.1).result == "fail"
    assert (
        at.read_format(out).runs == at.read_format(results).runs
    )  # ids follow from what they hold
    one = at.convert(results, tmp_path / "one.json", to="acidtest-run", system="a")
    assert one.written.runs == 1
    assert at.load_run(tmp_path / "one.json").metrics["promptfoo_score"].mean == 1.0


def test_a_golden_set_in_every_form_of_ours(golden, tmp_path):
    version = at.load_golden(golden).version
    for ending in ("jsonl", "json", "yaml", "csv", "tsv", "parquet"):
        out = tmp_path / f"o.{ending}"
        done = at.convert(golden, out)
        assert done.losses == ()
        assert at.load_golden(out).version == version
        assert bool(done.notes) == (ending in ("csv", "tsv"))


@pytest.mark.parametrize(("name", "lost"), [({}, False), ({"id": "own"}, True)])
def test_an_id_that_follows_from_the_question_is_not_lost(tmp_path, name, lost):
    path = tmp_path / "g.jsonl"
    path.write_text(json.dumps({"question": "Where?", "reference": "Here.", **name}))
    done = at.convert(path, tmp_path / "r.jsonl", to="ragas")
    assert ("id" in {loss.field for loss in done.losses}) is lost
    back = at.read_format(tmp_path / "r.jsonl", "ragas").golden
    assert (back[0].id != at.load_golden(path)[0].id) is lost


def test_cells_that_a_spreadsheet_would_run_are_told(golden, tmp_path):
    done = at.convert(golden, tmp_path / "o.csv")
    assert done.notes[0].startswith("2 cells start with =, +, - or @")
    assert "=1+1" in (tmp_path / "o.csv").read_text()


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"to": "acidtest-run"}, "no scores to write as a run"),
        ({"to": "acidtest-outputs"}, "no outputs to write"),
        ({"to": "ragas-annotations"}, "is read, not written"),
        ({"to": "raggas"}, "Did you mean 'ragas'?"),
        ({"from_": "ragas", "to": "deepeval"}, "not written to .xml"),
    ],
)
def test_what_cannot_be_written_is_refused(golden, tmp_path, more, what):
    out = tmp_path / ("o.xml" if "not written" in what else "o.json")
    with pytest.raises(UsageError) as caught:
        at.convert(golden, out, **more)
    assert what in str(caught.value)
    assert not out.exists()


def test_nothing_is_written_over_what_is_read(golden, tmp_path):
    link = tmp_path / "link.jsonl"
    link.symlink_to(golden)
    with pytest.raises(UsageError, match="written over itself"):
        at.convert(golden, link)


def test_outputs_without_questions_stand_alone(tmp_path):
    path = tmp_path / "o.jsonl"
    path.write_text('{"id": "a", "answer": "A."}\n')
    found = at.read_format(path)
    assert (found.golden, found.answers[0].text) == (None, "A.")
    with pytest.raises(UsageError, match="no questions"):
        at.convert(path, tmp_path / "r.jsonl", to="ragas")


def test_a_failed_answer_is_kept_with_the_outputs(results, tmp_path):
    broken = RESULTS[0] | {"response": None, "error": "429", "success": False}
    results.write_text(json.dumps({"results": [broken]}))
    at.convert(results, tmp_path / "o.jsonl", to="acidtest-outputs")
    row = json.loads((tmp_path / "o.jsonl").read_text())
    assert (row["answer"], row["failure"]) == (None, "429")
    assert at.read_format(tmp_path / "o.jsonl").answers[0].failure is not None
