"""Ceiling and floor: people with each other, and what it takes no judge to say."""

import random

import pytest

from acidtest.data.answers import Chunk
from acidtest.project.calibrate import calibrate


def noisy(yes, r, right):
    return yes if r.random() < right else not yes


def test_two_people_by_hand(run_of, said):
    # 20 both yes, 15 both no, 15 apart: kappa 0.4 is the people's, whatever the judge says of it.
    pairs = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    run = run_of({f"q{n}": int(n % 3 > 0) for n in range(50)})
    rows = [
        (f"q{n}", x, who) for n, each in enumerate(pairs) for who, x in zip("ab", each, strict=True)
    ]
    found = calibrate(run, said(*rows), "correctness")
    # What they disagree on has no truth, and still says how far they agree.
    assert found.n == 35
    assert found.pairs.missing == {"as many people say yes as no": 15}
    assert found.ceiling.n == 50
    assert found.ceiling.accuracy.value == pytest.approx(0.7)
    # Both ways round together: Scott's pi, with 55 of 100 yes.
    assert found.ceiling.kappa.value == pytest.approx(1 - 0.3 / (2 * 0.55 * 0.45))
    assert found.alpha["people"].value == pytest.approx(0.4, abs=0.02)


def test_a_judge_as_good_as_a_person_is_not_told_apart_from_one(run_of, said):
    r = random.Random(1)
    truth = [r.random() < 0.6 for _ in range(200)]
    run = run_of({f"q{n}": int(noisy(yes, r, 0.85)) for n, yes in enumerate(truth)})
    rows = [(f"q{n}", noisy(yes, r, 0.85), who) for n, yes in enumerate(truth) for who in "abc"]
    top = calibrate(run, said(*rows), "correctness").ceiling
    assert top.people == 3
    assert top.judge_minus_people.ci[0] < 0 < top.judge_minus_people.ci[1]
    assert abs(top.judge_minus_people.value) < 0.1
    assert top.kappa.ci[0] < top.kappa.value < top.kappa.ci[1]


def test_a_coin_is_below_people(run_of, said):
    r = random.Random(1)
    truth = [r.random() < 0.6 for _ in range(150)]
    run = run_of({f"q{n}": int(r.random() < 0.5) for n in range(150)})
    rows = [(f"q{n}", noisy(yes, r, 0.9), who) for n, yes in enumerate(truth) for who in "ab"]
    assert calibrate(run, said(*rows), "correctness").ceiling.judge_minus_people.ci[1] < 0


@pytest.fixture
def answered(run_of, said):
    """Answers that contain the reference when they are right, and a judge of a given quality."""

    def make(right, n=150):
        r = random.Random(3)
        truth = {f"q{i}": r.random() < 0.5 for i in range(n)}
        run = run_of(
            {name: int(noisy(yes, r, right)) for name, yes in truth.items()},
            answer={q: f"It was {'the Nile' if yes else 'a dog'}." for q, yes in truth.items()},
            reference=dict.fromkeys(truth, "Nile"),
            retrieved={q: (Chunk(text="It was the Nile, a river."),) for q in truth},
        )
        people = {q: noisy(yes, r, 0.9) for q, yes in truth.items()}
        return calibrate(run, said(*((q, yes, "ann") for q, yes in people.items())), "correctness")

    return make


def test_a_judge_worse_than_a_look_for_the_reference_earns_nothing(answered):
    found = {each.name: each for each in answered(0.7).baselines}
    gold = found["contains-gold"]
    assert gold.says == "does not beat contains-gold: earns nothing"
    assert gold.judge_minus_baseline.ci[1] < 0
    assert gold.kappa.value > 0.7
    assert found["majority"].beaten == "yes"
    assert {"reference-overlap", "context-overlap"} < found.keys()
    assert answered(0.7).floor.kappa.value == max(x.kappa.value for x in found.values())


@pytest.mark.parametrize(("n", "beaten"), [(30, "open"), (300, "no")])
def test_the_same_verdicts_as_a_baseline_earn_nothing_once_there_are_enough(answered, n, beaten):
    found = {each.name: each for each in answered(1.0, n=n).baselines}
    assert found["contains-gold"].judge_minus_baseline.value == 0
    assert found["contains-gold"].beaten == beaten


def test_few_labels_leave_it_open(answered):
    found = {each.name: each for each in answered(0.9, n=20).baselines}
    assert (
        found["contains-gold"].says == "is not shown to beat contains-gold: too few labels to tell"
    )


def test_without_texts_there_is_the_majority_alone(run_of, said):
    run = run_of({"a": 1, "b": 0, "c": 1})
    found = calibrate(run, said(("a", 1, "x"), ("b", 0, "x"), ("c", 1, "x")), "correctness")
    assert [each.name for each in found.baselines] == ["majority"]
    assert found.floor.accuracy.value == pytest.approx(2 / 3)
