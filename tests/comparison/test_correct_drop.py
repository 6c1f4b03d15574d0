"""The gate, held against means that people's labels correct."""

import random

import pytest
from msgspec.structs import replace

from acidtest.comparison.decide import gate
from acidtest.data.answers import Chunk
from acidtest.data.human import HumanLabel
from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult, GoldenRef, Ref, Run, RunInfo, Summary

METRIC = "faithfulness"
CASES, LABELLED = 400, 100


def made(name, values, answers=None):
    info = RunInfo(
        id=name,
        name=name,
        created="2026-03-01",
        status="finished",
        mode="live",
        golden=GoldenRef(version="sha256:1", cases=len(values)),
        pipeline=Ref(name=name, fingerprint=f"sha256:{name}"),
    )
    mean = sum(values) / len(values)
    return Run(
        info=info,
        metrics={
            METRIC: Summary(
                stage="generation",
                direction="higher",
                mean=mean,
                p10=min(values),
                n=len(values),
                scored=len(values),
            )
        },
        cases=tuple(
            CaseResult(
                id=f"q{n}",
                question=f"question {n}",
                answer=answers[n] if answers else f"{name} {n}",
                retrieved=(Chunk(id="c1", text="text"),),
                scores={METRIC: Score(x)},
                tags=("faq",),
            )
            for n, x in enumerate(values)
        ),
    )


def said(values, metric=METRIC):
    return [HumanLabel(case=f"q{n}", metric=metric, label=x) for n, x in enumerate(values)]


@pytest.fixture
def flattered():
    """A baseline that is right in 80 % and judged well, and a candidate that is right in 60 % and judged as 80 %."""
    rng = random.Random(2)
    base = [float(n % 5 < 4) for n in range(CASES)]
    right = [float(n % 5 < 3) for n in range(CASES)]
    judged = [float(n % 5 < 4) if rng.random() < 0.95 else y for n, y in enumerate(right)]
    return made("base", base), made("new", judged), said(base[:LABELLED]), said(right[:LABELLED])


def test_a_drop_that_the_judge_does_not_see_fails(flattered):
    base, new, of_base, of_new = flattered
    assert gate(new, baseline=base, max_drop=0.05).result == "pass"
    found = gate(new, baseline=base, max_drop=0.05, labels=of_new, baseline_labels=of_base)
    entry = found.metrics[METRIC]
    assert (found.result, entry.flag) == ("fail", "REGRESSION")
    assert entry.delta == pytest.approx(-0.2, abs=0.03)
    assert entry.candidate - entry.baseline == pytest.approx(entry.delta)
    assert (
        entry.candidate == entry.corrected.mean
    )  # a floor is held against the figure that is shown
    assert entry.ci[0] < -0.2 < entry.ci[1] < -0.05
    assert entry.corrected_drop.mean == pytest.approx(entry.delta)
    assert entry.corrected_drop.labels == LABELLED
    assert any(note.startswith("faithfulness is corrected by 100 labels") for note in found.notes)


def test_statistics_are_of_the_corrected_drop(flattered):
    base, new, of_base, of_new = flattered
    sides = {"labels": of_new, "baseline_labels": of_base}
    found = gate(new, baseline=base, max_drop=0.05, mode="statistical", **sides)
    assert found.metrics[METRIC].flag == "REGRESSION"
    assert found.metrics[METRIC].p_drop < 0.05
    wide = gate(new, baseline=base, max_drop=0.19, mode="statistical", **sides)
    assert wide.metrics[METRIC].flag is None
    assert wide.metrics[METRIC].p_drop > 0.05


def test_floors_are_held_against_the_corrected_mean(flattered):
    _, new, _, of_new = flattered
    assert gate(new, min={METRIC: 0.7}).result == "pass"
    found = gate(new, min={METRIC: 0.7}, labels=of_new)
    entry = found.metrics[METRIC]
    assert entry.flag == "BELOW FLOOR"
    assert entry.candidate == entry.corrected.mean == pytest.approx(0.6, abs=0.02)
    assert "(corrected mean), below its floor 0.7" in found.reasons[0]


def test_labels_of_one_side_leave_the_drop_to_the_judge_and_say_so(flattered):
    base, new, _, of_new = flattered
    found = gate(new, baseline=base, max_drop=0.05, labels=of_new)
    entry = found.metrics[METRIC]
    assert entry.flag is None
    assert entry.delta == gate(new, baseline=base, max_drop=0.05).metrics[METRIC].delta
    assert entry.corrected_drop.mean is None
    assert (
        "The drop of faithfulness is the judge's own (the baseline: there are no labels)."
        in found.notes
    )


def test_a_label_counts_for_the_same_answer_of_the_baseline():
    values = [float(n % 5 < 4) for n in range(CASES)]
    answers = [f"answer {n}" for n in range(CASES)]
    base, new = made("base", values, answers), made("new", values, answers)
    labels = said([float(n % 5 < 3) for n in range(LABELLED)])
    entry = gate(new, baseline=base, max_drop=0.05, labels=labels).metrics[METRIC]
    assert entry.corrected_drop.labels == LABELLED
    assert entry.delta == pytest.approx(0, abs=1e-9)
    # from other contexts the same words may be unfaithful
    moved = replace(
        base, cases=tuple(replace(c, retrieved=(Chunk(id="c2", text="other"),)) for c in base.cases)
    )
    entry = gate(new, baseline=moved, max_drop=0.05, labels=labels).metrics[METRIC]
    assert entry.corrected_drop.mean is None


def test_what_is_not_a_mean_of_all_cases_is_the_judges_own(flattered):
    _, new, _, of_new = flattered
    tagged = f"{METRIC}[faq]"
    found = gate(new, min={tagged: 0.7}, labels=of_new)
    assert found.result == "pass"
    assert f"{tagged} is the judge's own: only means of all cases are corrected." in found.notes
    assert not found.metrics[tagged].corrected


def test_few_labels_leave_the_floor_to_the_judge(flattered):
    _, new, _, of_new = flattered
    found = gate(new, min={METRIC: 0.7}, labels=of_new[:10])
    assert found.result == "pass"
    assert any("is not corrected (10 labels are too few" in note for note in found.notes)


def test_corrections_of_an_earlier_command_do_not_count(flattered):
    from acidtest.comparison.correct import corrected_run

    _, new, _, of_new = flattered
    assert gate(corrected_run(new, of_new), min={METRIC: 0.7}).result == "pass"


def test_lower_is_better_turns_the_drop_around(flattered):
    base, new, of_base, of_new = flattered

    def turned(run):
        return replace(run, metrics={METRIC: replace(run.metrics[METRIC], direction="lower")})

    found = gate(
        turned(base), baseline=turned(new), max_drop=0.05, labels=of_base, baseline_labels=of_new
    )
    assert found.metrics[METRIC].flag == "REGRESSION"
    assert found.metrics[METRIC].delta > 0.15


@pytest.mark.parametrize(("cost", "told"), [("judge", True), ("free", False)])
def test_a_judged_metric_without_labels_is_told(flattered, cost, told):
    _, new, _, of_new = flattered
    metrics = {METRIC: replace(new.metrics[METRIC], cost=cost)}
    found = gate(
        replace(new, metrics=metrics),
        min={METRIC: 0.7},
        labels=[replace(label, metric="correctness") for label in of_new],
    )
    note = "faithfulness has no label: the judge's own value counts."
    assert (note in found.notes) == told
