"""A run's means held against people's labels."""

import msgspec
import pytest

from acidtest.codec.runs import load_run
from acidtest.comparison.correct import bounds_of, by_metric, corrected_run
from acidtest.comparison.floors import holds
from acidtest.comparison.own_value import held_value
from acidtest.comparison.quantity import Quantity
from acidtest.comparison.scorecard import scorecard
from acidtest.data.human import HumanLabel
from acidtest.data.outcomes import Score, Skip
from acidtest.data.runs import CaseResult, GoldenRef, Ref, Run, RunInfo, Summary

METRIC = "faithfulness"


def made(values, groups=None, metric=METRIC):
    """Return a run with these scores; None is a case without one."""
    scored = [x for x in values if x is not None]
    info = RunInfo(
        id="r1",
        name="rag",
        created="2026-03-01",
        status="finished",
        mode="live",
        golden=GoldenRef(version="sha256:1", cases=len(values)),
        pipeline=Ref(name="rag", fingerprint="sha256:p"),
    )
    return Run(
        info=info,
        metrics={
            metric: Summary(
                stage="generation",
                direction="higher",
                mean=sum(scored) / len(scored) if scored else None,
                n=len(values),
                scored=len(scored),
            )
        },
        cases=tuple(
            CaseResult(
                id=f"q{n}",
                question=f"question {n}",
                group=groups[n] if groups else None,
                scores={metric: Skip("no answer") if x is None else Score(x)},
            )
            for n, x in enumerate(values)
        ),
    )


def said(values, metric=METRIC, **more):
    return tuple(
        HumanLabel(case=f"q{n}", metric=metric, label=x, **more) for n, x in enumerate(values)
    )


LENIENT = [1.0, 1.0, 1.0, 0.0] * 50  # the judge: 0.75
PEOPLE = [1.0, 0.0, 1.0, 0.0] * 10  # of the first forty: 0.50


def test_a_lenient_judge_is_corrected():
    summary = corrected_run(made(LENIENT), said(PEOPLE)).metrics[METRIC]
    assert summary.mean == 0.75
    assert summary.corrected.labels == 40
    assert summary.corrected.mean == pytest.approx(0.5, abs=0.02)
    low, high = summary.corrected.ci
    assert low < 0.5 < high < 0.75
    assert 0 < summary.corrected.weight < 1


def test_several_people_are_one_label():
    both = said([1.0, 0.0], annotator="ann") + said([0.0, 0.0], annotator="ben", weight=3.0)
    held = by_metric(both)[METRIC]
    assert held["q0"].value == 0.5
    assert held["q0"].weight == 2.0
    assert held["q1"].value == 0.0


def test_metrics_without_labels_have_no_correction():
    run = corrected_run(made(LENIENT), said(PEOPLE, metric="correctness"))
    assert not run.metrics[METRIC].corrected
    assert "corrected" not in msgspec.json.decode(run.to_json())["metrics"][METRIC]


def test_few_labels_leave_the_judge_and_say_so():
    held = corrected_run(made(LENIENT), said(PEOPLE[:12])).metrics[METRIC].corrected
    assert (held.mean, held.ci, held.labels) == (None, None, 12)
    assert "12 labels are too few" in held.note


def test_labels_of_unscored_cases_do_not_count():
    values = [None, None, *LENIENT[2:]]
    assert corrected_run(made(values), said(PEOPLE)).metrics[METRIC].corrected.labels == 38
    nothing = corrected_run(made([None] * 30), said(PEOPLE)).metrics[METRIC].corrected
    assert nothing.mean is None
    assert "nothing to correct" in nothing.note


def test_groups_count_once():
    groups = [f"g{n // 4}" for n in range(200)]
    held = corrected_run(made(LENIENT, groups), said(PEOPLE)).metrics[METRIC].corrected
    assert "40 labels in 10 groups are too few" in held.note


def test_floors_and_targets_compare_the_corrected_mean():
    run = corrected_run(made(LENIENT), said(PEOPLE))
    wanted = Quantity(METRIC, stage="generation", direction="higher")
    value, called = held_value(run, wanted, "unsupported")
    assert called == "corrected mean"
    assert not holds(value, 0.6, "higher")
    assert held_value(made(LENIENT), wanted, "unsupported") == (0.75, "mean")
    finding = next(f for f in scorecard(run, {METRIC: 0.6}).findings if f.metric == METRIC)
    assert finding.status == "below"
    assert "corrected by 40 labels; the judge alone says 0.75" in finding.note


def test_without_labels_a_run_comes_back_plain():
    run = made(LENIENT)
    assert corrected_run(corrected_run(run, said(PEOPLE)), ()) == run


def test_corrections_are_kept_in_the_file(tmp_path):
    run = corrected_run(made(LENIENT), said(PEOPLE))
    run.save(tmp_path / "run.json")
    written = msgspec.json.decode((tmp_path / "run.json").read_bytes())["metrics"][METRIC]
    assert set(written["corrected"]) == {"mean", "ci", "labels", "lambda", "note", "method"}
    assert (
        load_run(tmp_path / "run.json").metrics[METRIC].corrected == run.metrics[METRIC].corrected
    )


def test_ranges_are_the_metrics_own_or_told_by_the_values():
    assert bounds_of("faithfulness", [0.5], [None]) == (0.0, 1.0)
    assert bounds_of("my_rubric", [0.5], [None, 1.0]) == (0.0, 1.0)
    assert bounds_of("my_rubric", [0.5], [None, 4.0]) is None
