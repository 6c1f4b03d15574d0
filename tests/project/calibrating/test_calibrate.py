"""A judge held against people: what is compared, by hand, and what is missing with a reason."""

import json
import random

import pytest
from msgspec import structs

from acidtest.data.outcomes import Failure, Skip
from acidtest.errors import UnknownName, UsageError
from acidtest.project.calibrate import calibrate, calibration_json

# 20 yes called yes, 5 yes called no, 10 no called yes, 15 no called no: kappa 0.4 by hand.
CELLS = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15


@pytest.fixture(scope="module")
def fifty(run_of, said):
    run = run_of(
        {f"q{n}": verdict for n, (_, verdict) in enumerate(CELLS)},
        tags={f"q{n}": ("odd",) if n % 2 else ("even", "hard") for n in range(50)},
    )
    labels = said(*((f"q{n}", label, "ann") for n, (label, _) in enumerate(CELLS)))
    return calibrate(run, labels, "correctness")


def test_by_hand(fifty):
    assert fifty.n == 50
    assert not fifty.few
    values = {name: round(each.value, 9) for name, each in fifty.measures.items()}
    assert values == {"accuracy": 0.7, "balanced_accuracy": 0.7, "kappa": 0.4, "auc": 0.7}
    for each in fifty.measures.values():
        assert each.ci[0] < each.value < each.ci[1]
    assert fifty.confusion == {"yes": {"yes": 20, "no": 5}, "no": {"yes": 10, "no": 15}}
    yes, no = fifty.classes["yes"], fifty.classes["no"]
    assert (yes.recall.value, yes.precision.value) == (0.8, pytest.approx(2 / 3))
    assert (no.recall.value, no.precision.value) == (0.6, 0.75)
    assert yes.precision.ci[0] < 2 / 3 < yes.precision.ci[1]
    assert set(fifty.disagreements) == {f"q{n}" for n in range(20, 35)}


def test_tags_apart(fifty):
    assert {tag: each.n for tag, each in fifty.tags.items()} == {"even": 25, "odd": 25, "hard": 25}
    assert sum(fifty.tags["odd"].confusion["no"].values()) == 13


def test_more_labels_for_a_narrower_interval(fifty):
    low, high = fifty.measures["kappa"].ci
    assert fifty.enough["kappa"] == pytest.approx(50 * ((high - low) / 0.2) ** 2, abs=1)
    assert fifty.enough["accuracy"] < fifty.enough["kappa"]


def test_json_has_each_measure_with_interval_ceiling_and_floor(fifty):
    told = json.loads(calibration_json(fifty))
    assert (told["format"], told["version"], told["n"]) == ("acidtest/judge-calibrate", 1, 50)
    for name in ("accuracy", "balanced_accuracy", "kappa", "auc"):
        assert {"value", "ci", "ceiling", "floor"} <= told[name].keys()
        assert len(told[name]["ci"]) == 2
    assert told["kappa"]["floor"] == pytest.approx(0)
    assert told["accuracy"]["floor"] == 0.5
    assert told["ceiling"] == {
        "skip": "the labels are of one person: two must label the same cases"
    }
    assert told["weighted_kappa"]["linear"]["skip"].startswith("the labels are yes or no")
    assert "next" not in told


@pytest.mark.parametrize(
    ("scores", "rows", "n", "missing"),
    [
        ({"a": 1}, [("b", 1, "x")], 0, {"the run has no such case": 1}),
        ({"a": None}, [("a", 1, "x")], 0, {"not scored": 1}),
        ({"a": Failure("timed out")}, [("a", 1, "x")], 0, {"not scored: timed out": 1}),
        ({"a": 1}, [("a", 1, "x")], 1, {}),
        ({"a": 1, "b": 1}, [("a", 1, "x"), ("b", 1, "x")], 2, {}),
        ({"a": 1}, [("a", 1, "x"), ("a", 0, "y")], 0, {"as many people say yes as no": 1}),
        ({"a": 0.5, "b": 0.5}, [("a", 1, "x"), ("b", 0, "x")], 2, {}),
        ({"a": 1}, [], 0, {}),
    ],
)
def test_what_cannot_be_measured_has_a_reason(run_of, said, scores, rows, n, missing):
    run = run_of({"z": 0.0, **scores})
    found = calibrate(run, said(*rows), "correctness")
    assert (found.n, found.few) == (n, True)
    assert found.pairs.missing == missing
    told = json.loads(calibration_json(found))
    assert "NaN" not in json.dumps(told)
    if n < 2:
        assert told["balanced_accuracy"]["skip"]
        assert told["auc"]["skip"]
    assert isinstance(found.fitted, Skip)


def test_grades_by_their_distance(run_of, said):
    thirds = [0, 1 / 3, 2 / 3, 1]
    r = random.Random(2)
    labels = [r.choice(thirds) for _ in range(60)]
    near = [min(1, max(0, x + r.choice((-1 / 3, 0, 0, 1 / 3)))) for x in labels]
    run = run_of({f"q{n}": x for n, x in enumerate(near)})
    found = calibrate(
        run, said(*((f"q{n}", x, "ann") for n, x in enumerate(labels))), "correctness"
    )
    weighted = {name: each.value for name, each in found.weighted_kappa.items()}
    assert found.measures["kappa"].value < weighted["quadratic"]
    assert weighted["linear"] < weighted["quadratic"]
    assert found.alpha["with_judge"].value == pytest.approx(weighted["quadratic"], abs=0.15)
    assert found.alpha["people"].why.startswith("0 graded by two people")


def test_a_threshold_that_fits_better_is_told_with_what_it_is_worth_elsewhere(run_of, said):
    r = random.Random(4)
    labels = [r.random() < 0.5 for _ in range(80)]
    scores = {f"q{n}": (0.9 if yes else 0.7) + r.gauss(0, 0.03) for n, yes in enumerate(labels)}
    run = run_of({name: min(1.0, x) for name, x in scores.items()})
    found = calibrate(
        run, said(*((f"q{n}", yes, "ann") for n, yes in enumerate(labels))), "correctness"
    )
    assert found.measures["balanced_accuracy"].value == 0.5
    assert 0.75 < found.fitted.threshold < 0.85
    assert found.fitted.kappa.value > 0.9
    assert found.measures["auc"].value > 0.95


def test_weights_count(run_of, said):
    from msgspec.structs import replace

    run = run_of({"a": 1, "b": 1, "c": 0, "d": 1})
    labels = said(("a", 1, "x"), ("b", 0, "x"), ("c", 0, "x"), ("d", 1, "x"))
    heavy = [replace(each, weight=7.0 if each.case == "b" else 1.0) for each in labels]
    assert calibrate(run, labels, "correctness").measures["accuracy"].value == 0.75
    assert calibrate(run, heavy, "correctness").measures["accuracy"].value == pytest.approx(0.3)


def test_the_scale_of_an_own_metric_must_be_said(run_of, said):
    run = run_of({"a": 80, "b": 20}, metric="own")
    labels = said(("a", 90, "x"), ("b", 10, "x"), metric="own")
    with pytest.raises(UsageError, match="--threshold X"):
        calibrate(run, labels, "own")
    assert calibrate(run, labels, "own", threshold=50).measures["accuracy"].value == 1


def test_the_public_door_reads_a_file(run_of, tmp_path):
    import acidtest as at

    path = tmp_path / "labels.jsonl"
    rows = [{"case": q, "metric": "correctness", "label": x} for q, x in (("a", 1), ("b", None))]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = at.calibrate(run_of({"a": 1, "b": 0}), path, "correctness")
    assert (found.n, found.measures["accuracy"].value) == (1, 1.0)


def test_unknown_metrics(run_of, said):
    run = run_of({"a": 1})
    with pytest.raises(UnknownName, match="Did you mean 'correctness'"):
        calibrate(run, said(("a", 1, "x")), "correctnes")
    with pytest.raises(UsageError, match=r"the labels: none is of 'correctness'\. Known: faith"):
        calibrate(run, said(("a", 1, "x"), metric="faithfulness"), "correctness")


@pytest.mark.parametrize(
    "given", [{"threshold": 0.0}, {"threshold": 1.5}, {"label_threshold": -1.0}]
)
def test_a_threshold_that_calls_all_the_same_is_refused(run_of, said, given):
    run = run_of({"a": 1, "b": 0})
    with pytest.raises(UsageError, match="correctness is from 0 to 1"):
        calibrate(run, said(("a", 1, "x"), ("b", 0, "x")), "correctness", **given)
    assert calibrate(run, said(("a", 1, "x"), ("b", 0, "x")), "correctness", threshold=1.0).n == 2


def test_without_a_label_nobody_is_called_one_person(run_of, said):
    found = calibrate(run_of({"a": 1}), said(("other", 1, "x")), "correctness")
    assert found.n == 0
    assert found.ceiling == Skip("no verdict has a label")


@pytest.mark.parametrize(("yes", "no"), [(1e-320, 1e-320), (1e-320, 1e9), (1e-320, 1.0)])
def test_weights_that_vanish_leave_no_figure_that_is_none(run_of, said, yes, no):
    labels = [
        structs.replace(each, weight=yes if each.label else no)
        for each in said(*((f"q{n}", n % 2, "x") for n in range(40)))
    ]
    run = run_of({f"q{n}": (n % 3) / 2 for n in range(40)})
    text = calibration_json(calibrate(run, labels, "correctness"))
    auc = json.loads(text)["auc"]
    assert "skip" in auc if no > 1 else 0.4 < auc["value"] < 0.6
