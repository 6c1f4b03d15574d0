"""What to label next: chances by what a label would tell, and estimates that stay true."""

import json
import random

import pytest

from acidtest.data.human import HumanLabel
from acidtest.data.outcomes import Score
from acidtest.project.calibrate import calibrate
from acidtest.project.calibrating.answers import labels_of_run
from acidtest.project.calibrating.choosing import (
    carried_over,
    next_to_label,
    rows_to_fill_in,
    spot_check,
)
from acidtest.project.human_labels import read_label_rows, read_labels

M = "correctness"


def test_disagreement_and_nearness_are_chosen_more_often(run_of):
    scores = {f"far{n}": 1.0 for n in range(80)} | {f"low{n}": 0.0 for n in range(10)}
    scores |= {f"near{n}": 0.52 for n in range(5)}
    scores |= {f"split{n}": Score(0.9, trials=(1.0, 0.4)) for n in range(3)}
    scores |= {"panel": Score(1.0, evidence=({"why": "ok (2 of 3 judges; 1 no)"},))}
    run = run_of(scores)
    found = {}
    for seed in range(60):
        for each in next_to_label(run, M, (), 20, seed=seed):
            found.setdefault(each.case.id.rstrip("0123456789"), []).append(each)
    assert {each.why for each in found["near"]} == {"near the threshold"}
    assert {each.why for each in found["split"]} == {"the judges or their repeats disagree"}
    assert {each.why for each in found["panel"]} == {"the judges or their repeats disagree"}
    assert {each.why for each in found["far"]} == {"at random"}
    assert len(found["split"]) == 60 * 3  # surely: they tell most
    assert found["split"][0].weight == pytest.approx(1)
    assert all(each.weight <= 3 * 99 / 20 + 1e-9 for some in found.values() for each in some)


def test_weighted_figures_are_true_of_the_whole_run(run_of):
    r = random.Random(6)
    scores = {f"q{n}": round(r.betavariate(2, 1), 2) for n in range(200)}
    # The judge is wrong where it wavers: chosen cases look worse than the run is.
    truth = {
        q: (x >= 0.5) != (r.random() < 0.6 * max(0, 1 - abs(x - 0.5) / 0.3))
        for q, x in scores.items()
    }
    run = run_of(scores)
    true = sum((x >= 0.5) == truth[q] for q, x in scores.items()) / 200
    weighted, plain = [], []
    for seed in range(150):
        chosen = next_to_label(run, M, (), 40, seed=seed)
        right = [(truth[c.case.id] == (scores[c.case.id] >= 0.5)) for c in chosen]
        weights = [c.weight for c in chosen]
        weighted.append(sum(w for w, ok in zip(weights, right, strict=True) if ok) / sum(weights))
        plain.append(sum(right) / 40)
    assert sum(weighted) / 150 == pytest.approx(true, abs=0.015)
    assert sum(plain) / 150 < true - 0.03


def test_what_is_labelled_is_not_asked_again(run_of):
    run = run_of({"a": 0.4, "b": 0.5, "c": 0.6, "d": None})
    chosen = next_to_label(run, M, {"b"}, 10)
    assert [(each.case.id, each.weight) for each in chosen] == [("a", 1.0), ("c", 1.0)]
    assert next_to_label(run, M, set("abc"), 3) == []


def test_the_file_to_fill_in_keeps_labels_and_is_read_again(run_of, tmp_path):
    run = run_of({f"q{n}": n / 10 for n in range(10)}, answer={"q3": "An \ud800 answer"})
    path = tmp_path / "labels.jsonl"
    rows = [
        {"case": "q0", "metric": M, "label": 1, "annotator": "ann", "weight": 4.0, "note": "so"},
        {"case": "q1", "metric": M, "label": None, "weight": 4.0},
        {"case": "q1", "metric": "faithfulness", "label": 0, "weight": 2.0},
        {"case": "q2", "metric": "faithfulness", "label": None, "weight": 2.0},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    before = read_label_rows(path)
    chosen = next_to_label(run, M, {"q0"}, 9)
    path.write_bytes(rows_to_fill_in(chosen, M, carried_over(before, M)))
    written = [json.loads(line) for line in path.read_text().splitlines()]
    assert written[0] == rows[0] | {"weight": 1.0}
    assert written[1:3] == rows[2:]
    assert [row["case"] for row in written[3:]] == [f"q{n}" for n in range(1, 10)]
    assert all(row["label"] is None and "score" not in row["metadata"] for row in written[3:])
    assert read_labels(path) == (
        HumanLabel(case="q0", metric=M, label=1.0, annotator="ann"),
        HumanLabel(case="q1", metric="faithfulness", label=0.0, weight=2.0),
    )
    filled = [row | {"label": 1} if row["label"] is None else row for row in written]
    path.write_text("".join(json.dumps(row) + "\n" for row in filled))
    assert calibrate(run, read_labels(path), M).n == 10


def test_a_spot_check_takes_its_share_and_stays(run_of):
    run = run_of({f"q{n}": n % 2 for n in range(1000)}, answer={f"q{n}": "A" for n in range(1000)})
    chosen = spot_check(run, M, (), 0.1)
    names = {each.case.id for each in chosen}
    assert 70 < len(names) < 130
    assert {(each.weight, each.why) for each in chosen} == {(10.0, "spot-check")}
    wider = {each.case.id for each in spot_check(run, M, (), 0.2)}
    assert names < wider
    one = min(names)
    assert one not in {each.case.id for each in spot_check(run, M, {one}, 0.1)}
    assert len(spot_check(run, M, (), 1)) == 1000


def test_labels_of_other_answers_are_told_apart(run_of, tmp_path):
    path = tmp_path / "labels.jsonl"
    run = run_of({"a": 1, "b": 0}, answer={"a": "Yes.", "b": "No."})
    path.write_bytes(rows_to_fill_in(next_to_label(run, M, (), 2), M))
    path.write_text(path.read_text().replace('"label":null', '"label":1'))
    rows = read_label_rows(path)
    assert [len(labels_of_run(rows, run)[0]), labels_of_run(rows, run)[1]] == [2, 0]
    later = run_of({"a": 1, "b": 0}, answer={"a": "Yes.", "b": "No more."})
    fit, others = labels_of_run(rows, later)
    assert ([label.case for label in fit], others) == (["a"], 1)
