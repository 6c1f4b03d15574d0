"""`--labels F --correct ppi`: what commands do with people's labels."""

import json

import pytest


def write(name, rows):
    with open(name, "w", encoding="utf-8") as file:  # noqa: PTH123 - in the test's own folder
        file.writelines(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def harsh(folder):
    """Outputs that exact_match finds right in half of the cases, and people in three of four."""
    write(
        "golden.jsonl",
        [
            {"id": f"q{n}", "question": f"What is {n}?", "reference": f"item {n}"}
            for n in range(120)
        ],
    )
    write(
        "outputs.jsonl",
        [{"id": f"q{n}", "answer": f"item {n}" if n % 4 < 2 else "another"} for n in range(120)],
    )
    write(
        "labels.jsonl",
        [{"case": f"q{n}", "metric": "exact_match", "label": n % 4 < 3} for n in range(40)],
    )
    return folder


RUN = ("run", "--golden", "golden.jsonl", "--outputs", "outputs.jsonl", "-m", "exact_match")
CORRECT = ("--labels", "labels.jsonl", "--correct", "ppi")


def test_the_scorecard_shows_the_corrected_mean_beside_the_plain_one(cli, harsh):
    done = cli(*RUN, *CORRECT, "--html", "r.html", "--markdown", "r.md", "--json", "r.json")
    assert done.status == 0
    assert "Corrected by people's labels" in done.out
    held = json.loads((harsh / "r.json").read_text())["metrics"]["exact_match"]
    assert held["mean"] == 0.5
    assert held["corrected"]["mean"] == pytest.approx(0.75, abs=0.01)
    assert held["corrected"]["labels"] == 40
    for name in ("r.html", "r.md"):
        page = (harsh / name).read_text()
        assert "Corrected by people&#39;s labels" in page or "Corrected by people's labels" in page
        assert f"{held['corrected']['mean']:.3f}" in page


def test_floors_compare_the_corrected_mean(cli, harsh):
    assert cli(*RUN, "--min", "exact_match=0.6").status == 1
    done = cli(*RUN, "--min", "exact_match=0.6", *CORRECT)
    assert done.status == 0
    assert "(corrected mean), floor 0.6" in done.err


def test_few_labels_correct_nothing_and_say_so(cli, harsh):
    write("labels.jsonl", [{"case": "q1", "metric": "exact_match", "label": "yes"}])
    done = cli(*RUN, "--min", "exact_match=0.6", *CORRECT)
    assert done.status == 1
    assert "exact_match is not corrected: 1 label is too few" in done.err
    assert "1 label is too few to correct anything" in done.out


def test_labelled_cases_that_are_not_in_the_run_are_told(cli, harsh):
    done = cli(*RUN, "--limit", "30", *CORRECT)
    assert done.status == 0
    assert "10 labelled cases are not in outputs, such as q30" in done.err


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--labels", "labels.jsonl"), "it is not said what the labels are for"),
        (("--correct", "ppi"), "there are no labels to correct by"),
        (("--labels", "no.jsonl", "--correct", "ppi"), "no.jsonl"),
    ],
)
def test_half_of_it_is_refused(cli, harsh, given, told):
    done = cli(*RUN, *given)
    assert done.status == 2
    assert told in done.err


def test_labels_of_another_metric_are_refused_before_anything_is_asked(cli, harsh):
    write("labels.jsonl", [{"case": "q1", "metric": "faithfulness", "label": 1}])
    done = cli(*RUN, *CORRECT)
    assert done.status == 2
    assert "the labels are of faithfulness, and no such metric is scored" in done.err
    assert not (harsh / ".acidtest").exists()


def test_labels_of_other_cases_are_refused(cli, harsh):
    write("labels.jsonl", [{"case": "x1", "metric": "exact_match", "label": 1}])
    done = cli(*RUN, *CORRECT)
    assert done.status == 2
    assert "no label is of a case of the run 'outputs'" in done.err


def test_labels_are_of_one_run(cli, harsh):
    (harsh / "rag.py").write_text(
        "def one(question):\n    raise AssertionError\n\n\ntwo = one\n", encoding="utf-8"
    )
    asked = ("rag.py:one", "rag.py:two", "--golden", "golden.jsonl", "-m", "exact_match")
    done = cli("run", *asked, *CORRECT)
    assert done.status == 2
    assert "labels are of the answers of one run, and this would make 2" in done.err


def test_labels_are_never_written_over(cli, harsh):
    done = cli(*RUN, *CORRECT, "--json", "labels.jsonl")
    assert done.status == 2
    assert "the labels" in done.err


@pytest.fixture
def runs(cli, harsh):
    assert cli(*RUN, "--json", "run.json", "--name", "rag").status == 0
    return harsh


def test_the_gate_holds_floors_against_corrected_means(cli, runs):
    assert cli("gate", "run.json", "--min", "exact_match=0.6").status == 1
    done = cli("gate", "run.json", "--min", "exact_match=0.6", *CORRECT, "--json", "-")
    assert done.status == 0
    entry = done.json["metrics"]["exact_match"]
    assert entry["candidate"] == entry["corrected"]["mean"] == pytest.approx(0.75, abs=0.01)
    assert "corrected_drop" not in entry
    assert any("is corrected by 40 labels" in note for note in done.json["notes"])


def test_the_gate_without_labels_has_no_new_members(cli, runs):
    entry = cli("gate", "run.json", "--min", "exact_match=0.4", "--json", "-").json["metrics"]
    assert not {"corrected", "corrected_drop"} & set(entry["exact_match"])


def test_the_gate_corrects_drops_by_labels_of_both(cli, runs):
    write(
        "before.jsonl",
        [{"case": f"q{n}", "metric": "exact_match", "label": True} for n in range(1, 40)]
        + [{"case": "q0", "metric": "exact_match", "label": False}],
    )
    asked = ("gate", "run.json", "--baseline", "run.json", "--max-drop", "exact_match=0.1")
    assert cli(*asked).status == 0
    done = cli(*asked, *CORRECT, "--baseline-labels", "before.jsonl", "--json", "-")
    assert done.status == 1
    assert done.json["metrics"]["exact_match"]["corrected_drop"]["labels"] == 40
    assert done.json["metrics"]["exact_match"]["delta"] == pytest.approx(-0.225, abs=0.03)


def test_labels_of_a_baseline_need_one(cli, runs):
    floor = ("gate", "run.json", "--min", "exact_match=0.1")
    done = cli(*floor, *CORRECT, "--baseline-labels", "labels.jsonl")
    assert done.status == 2
    assert "--baseline-labels: labels of the baseline serve to correct a drop" in done.err


def of_answer(n, answer):
    about = {"case": f"q{n}", "metric": "exact_match", "label": n % 4 < 3}
    return about | {"metadata": {"answer": answer}}


def test_labels_of_other_answers_are_left_out(cli, runs):
    same = [of_answer(n, f"item {n}" if n % 4 < 2 else "another") for n in range(30)]
    write("labels.jsonl", [*same, *(of_answer(n, "an older one") for n in range(30, 40))])
    for command in (RUN, ("gate", "run.json", "--min", "exact_match=0.1")):
        done = cli(*command, *CORRECT)
        assert done.status == 0
        assert "10 labels are of another answer than" in done.err
    write("labels.jsonl", [of_answer(n, "an older one") for n in range(40)])
    done = cli("gate", "run.json", "--min", "exact_match=0.1", *CORRECT)
    assert done.status == 2
    assert "every label is of another answer than 'rag' gave" in done.err


def test_a_queue_that_nobody_filled_in_is_no_file_of_labels(cli, harsh):
    write("labels.jsonl", [{"case": "q1", "metric": "exact_match", "label": None}])
    done = cli(*RUN, *CORRECT)
    assert done.status == 2
    assert "no row has a label yet" in done.err
