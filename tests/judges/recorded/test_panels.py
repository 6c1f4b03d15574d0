"""Real panels and cascades over recorded verdicts: what they save, and what becomes of the agreement."""

import pytest

from acidtest.judges.cascade import Cascade
from acidtest.judges.panel import Panel


@pytest.fixture(scope="module")
def short(bench, shared):
    return bench("judges_panels").short_answers(shared / "data").figures


@pytest.fixture(scope="module")
def adversarial(bench, shared):
    return bench("judges_panels").preferences(shared / "data", "x", "Adversarial/").figures


@pytest.fixture
def recorded(bench):
    return bench("judges_recorded")


def test_single_judges_have_their_published_kappa(short):
    assert short["gpt-4"]["kappa"].value == pytest.approx(0.696, abs=5e-4)
    assert short["gpt-4"]["kappa"].n == 1479
    assert short["davinci"]["kappa"].value == pytest.approx(0.675, abs=5e-4)


def test_two_cheap_judges_that_agree_spare_most_calls_at_no_loss(short):
    found = short["davinci + BEM > gpt-4"]
    assert found["dear"] == pytest.approx(0.13, abs=0.005)
    assert found["kappa"].value == pytest.approx(0.710, abs=2e-3)
    assert found["less"].ci[0] > -0.04
    whole = short["gpt-4 + davinci + BEM"]
    assert whole["dear"] == 1
    assert found["kappa"].value == pytest.approx(whole["kappa"].value, abs=0.005)


def test_the_surer_the_first_must_be_the_fewer_calls_are_spared(short):
    asked = [
        short[f"BEM where it is {sure} sure > gpt-4"]["dear"] for sure in ("80%", "90%", "95%")
    ]
    assert asked == sorted(asked)
    assert short["BEM where it is 95% sure > gpt-4"]["less"].ci[0] > -0.04


def test_the_local_judge_in_front_costs_nothing_where_only_its_yes_counts(short):
    assert short["local > gpt-4"]["dear"] < 0.3
    careful = short["local where it says correct > gpt-4"]
    assert careful["dear"] < 0.7
    assert careful["less"].ci[0] > -0.04


def test_a_cheap_judge_that_is_swayed_ruins_the_cascade(adversarial):
    found = adversarial["ChatGPT in both orders > GPT-4"]
    assert found["kappa"].value == pytest.approx(-0.17, abs=0.01)
    assert found["less"].ci[1] < -0.5
    assert adversarial["GPT-4"]["kappa"].value == pytest.approx(0.62, abs=0.005)


def test_calls_are_those_that_were_made(recorded):
    first = recorded.Recorded("a", lambda row: row["a"])
    second = recorded.Recorded("b", lambda row: row["b"])
    rows = [{"a": "1", "b": "2"}, {"a": "undecided", "b": "2"}, {"a": None, "b": None}]
    played = recorded.play(Cascade(first, second), recorded.PREFERENCE, rows)
    assert played == recorded.Played(["1", "2", None], {"a": [1, 1, 1], "b": [0, 1, 1]})
    played = recorded.play(Panel([first, second]), recorded.PREFERENCE, rows[:2])
    assert played.said == [None, "2"]
    assert played.spent(["a", "b"]) == [2, 2]
