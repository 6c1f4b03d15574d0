import pytest

from acidtest.judges.nli.rules import Odds, rule


def names(n):
    return [f"passage {i + 1}" for i in range(n)]


@pytest.mark.parametrize(
    ("entailment", "ruling"),
    [
        (1.0, "supported"),
        (0.7, "supported"),
        (0.69, "undecided"),
        (0.31, "undecided"),
        (0.3, "unsupported"),
        (0.0, "unsupported"),
    ],
)
def test_entailment_is_cut_twice_and_left_open_between(entailment, ruling):
    assert rule([Odds(entailment)], names(1)).ruling == ruling
    assert rule([Odds(entailment, 0.0)], names(1)).ruling == ruling


def test_the_passage_that_supports_a_claim_most_decides():
    found = rule([Odds(0.1, 0.9), Odds(0.9, 0.05), Odds(0.2, 0.7)], names(3))
    assert (found.ruling, found.window, found.why) == ("supported", 1, "passage 2 entails it: 0.90")


def test_contradiction_counts_only_where_nothing_supports():
    found = rule([Odds(0.02, 0.4), Odds(0.01, 0.97)], names(2))
    assert (found.ruling, found.window, found.why) == (
        "contradicted",
        1,
        "passage 2 contradicts it: 0.97",
    )
    assert rule([Odds(0.02, 0.89)], names(1)).ruling == "unsupported"
    assert rule([Odds(0.5, 0.0), Odds(0.01, 0.99)], names(2)).ruling == "undecided"


def test_of_equals_the_first_is_named():
    assert rule([Odds(0.9), Odds(0.9)], names(2)).window == 0
    assert rule([Odds(0.1, 0.95), Odds(0.1, 0.95)], names(2)).window == 0


def test_an_unsupported_claim_names_what_came_nearest():
    assert (
        rule([Odds(0.1), Odds(0.2)], names(2)).why == "nothing entails it: at most 0.20, passage 2"
    )
