import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.data.outcomes import Failure, Score, Skip
from acidtest.run.repeats import merged, repeat_spread

values = st.floats(0, 1)
trials = st.lists(values, min_size=2, max_size=5)


def test_one_trial_is_as_it_is():
    assert merged({0: Score(0.25, "why")}) == Score(0.25, "why")


def test_without_a_score_a_failure_outranks_a_skip():
    assert merged({0: Skip("no"), 1: Skip("no")}) == Skip("no")
    assert merged({0: Failure("a"), 1: Failure("b")}) == Failure("a")
    assert merged({0: Skip("no"), 1: Failure("b")}) == Failure("b")


def test_a_failed_trial_is_told_and_does_not_count():
    both = merged({0: Failure("a"), 1: Score(1.0, "why"), 2: Score(0.0)})
    assert isinstance(both, Score)
    assert both.value == 0.5
    assert both.reason == "mean of 2 of 3 trials, 0 to 1; why"
    assert both.trials == (1.0, 0.0)


def test_the_trial_nearest_to_the_mean_is_shown():
    shown = merged(
        {0: Score(0.0, "none", ("a",)), 1: Score(0.5, "half", ("b",)), 2: Score(1.0, "all", ("c",))}
    )
    assert shown == Score(0.5, "mean of 3 trials, 0 to 1; half", ("b",), {}, (0.0, 0.5, 1.0))


def test_claims_of_a_skipped_trial_still_count():
    told = merged(
        {
            0: Skip("all open", {"claims": 2, "undecided": 2}),
            1: Score(1.0, "", (), {"claims": 2, "supported": 2}),
        }
    )
    assert isinstance(told, Score)
    assert told.parts == {"claims": 4, "undecided": 2, "supported": 2}


def test_spread_by_hand():
    # Case 1: 0, 1 (mean .5: squares .5, freedom 1); case 2: .5, .5, .5 (0, 2); one trial: not counted.
    outcomes = [
        Score(0.5, trials=(0.0, 1.0)),
        Score(0.5, trials=(0.5, 0.5, 0.5)),
        Score(0.9),
        Failure("x"),
    ]
    sd, wavering = repeat_spread(outcomes)
    assert sd == pytest.approx(math.sqrt(0.5 / 3))
    assert wavering == 0.5
    assert repeat_spread([Score(0.9), Skip("x")]) == (None, None)


@given(st.lists(trials, min_size=1, max_size=6))
def test_spread_is_bounded_and_blind_to_how_cases_differ(cases):
    def spread(shift):
        return repeat_spread(
            Score(sum(c) / len(c), trials=tuple(x + n * shift for x in c))
            for n, c in enumerate(cases)
        )

    sd, wavering = spread(0.0)
    assert 0 <= sd <= math.sqrt(0.5) + 1e-12
    assert 0 <= wavering <= 1
    assert spread(8.0)[0] == pytest.approx(sd, abs=1e-9)


@given(trials)
def test_the_mean_does_not_depend_on_the_order(case):
    there = merged(dict(enumerate(map(Score, case))))
    back = merged(dict(enumerate(map(Score, reversed(case)))))
    assert there.value == back.value
    assert min(case) - 1e-12 <= there.value <= max(case) + 1e-12
