"""Kappa and alpha against worked examples, properties, and other implementations."""

import math
import random

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.data.outcomes import Skip
from acidtest.stats.agreement import Agreement, cohen_kappa
from acidtest.stats.alpha import krippendorff_alpha

# Computed once by scikit-learn 1.9.1: cohen_kappa_score(a, b, labels=[0, 1, 2, 3], weights=w) with w None,
# "linear", "quadratic". scikit-learn is too large to install for three numbers.
KAPPAS = [
    (
        "213000201003",
        "213000200003",
        (0.8695652173913043, 0.9318181818181819, 0.9696969696969697),
    ),
    (
        "021012000133233221110232320031213300222330023002323203210301",
        "131012000123133021110230330031233300222330023032322203210300",
        (0.7526236881559221, 0.7974683544303798, 0.8332009531374107),
    ),
    ("0013330013", "0333301103", (0.06249999999999989, 0.2465753424657534, 0.3315508021390374)),
]


@pytest.mark.parametrize(("first", "second", "expected"), KAPPAS)
def test_kappa_equals_scikit_learn(first, second, expected):
    a, b = list(map(int, first)), list(map(int, second))
    for weights, value in zip(("none", "linear", "quadratic"), expected, strict=True):
        found = cohen_kappa(a, b, weights=weights)
        assert isinstance(found, Agreement)
        assert math.isclose(found.value, value, abs_tol=1e-9)
        assert found.ci[0] < found.value < found.ci[1]


def test_kappa_by_hand():
    # 20 both yes, 15 both no, 5 and 10 apart: observed 0.7, by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5.
    a = [1] * 25 + [0] * 25
    b = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    assert cohen_kappa(a, b).value == pytest.approx(0.4)


def test_alpha_by_hand():
    # Krippendorff (2011), example C: four observers, twelve units; alpha nominal 0.743, interval 0.849.
    observers = [
        "1 2 3 3 2 1 4 1 2 - - -",
        "1 2 3 3 2 2 4 1 2 5 - 3",
        "- 3 3 3 2 3 4 2 2 5 1 -",
        "1 2 3 3 2 4 4 1 2 5 1 -",
    ]
    rows = [line.split() for line in observers]
    units = [[int(x) for x in column if x != "-"] for column in zip(*rows, strict=True)]
    for level, expected in (("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)):
        found = krippendorff_alpha(units, level=level, grades=6)
        assert round(found.value, 3) == expected
        assert found.n == 11


def test_alpha_equals_the_package():
    rng = random.Random(1)
    compared = 0
    for _ in range(60):
        people, things = rng.randint(2, 5), rng.randint(4, 30)
        rows = [[rng.choice((0, 1, 2, 3, None)) for _ in range(people)] for _ in range(things)]
        units = [[x for x in row if x is not None] for row in rows]
        data = np.array([[math.nan if x is None else x for x in row] for row in rows]).T
        for level in ("nominal", "ordinal", "interval"):
            found = krippendorff_alpha(units, level=level)
            if isinstance(found, Skip):
                continue
            expected = krippendorff.alpha(reliability_data=data, level_of_measurement=level)
            assert abs(found.value - expected) < 1e-9
            compared += 1
    assert compared > 150


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        ([], [], "0 graded"),
        ([1], [2], "1 graded"),
        ([2, 2, 2], [2, 2, 2], "one and the same grade"),
    ],
)
def test_degenerate_kappa_is_missing_with_a_reason(a, b, why):
    found = cohen_kappa(a, b)
    assert isinstance(found, Skip)
    assert why in found.why
    alpha = krippendorff_alpha(list(zip(a, b, strict=True)))
    assert isinstance(alpha, Skip)
    assert why in alpha.why


def test_no_overlap_is_missing():
    assert isinstance(krippendorff_alpha([[1], [2], [], [3]]), Skip)


def test_full_agreement_has_no_interval_but_says_why():
    found = cohen_kappa([0, 1, 2, 3], [0, 1, 2, 3])
    assert (found.value, found.ci) == (1.0, None)
    assert "any draw of cases gives the same" in found.why_no_ci


def test_one_case_has_no_interval():
    found = cohen_kappa([0, 1, 2], [0, 1, 1], groups=["a", "a", "a"])
    assert found.ci is None
    assert found.why_no_ci == "one case tells nothing of others"


def test_cases_are_drawn_whole():
    # Ten copies of a case tell no more than the case: the interval must not shrink.
    a, b = [0, 1, 2, 3, 1, 0, 2, 2], [0, 1, 2, 2, 1, 1, 2, 3]
    alone = cohen_kappa(a, b)
    copies = cohen_kappa(a * 10, b * 10, groups=list(range(8)) * 10)
    assert copies.value == pytest.approx(alone.value)
    assert copies.ci == pytest.approx(alone.ci)
    blind = cohen_kappa(a * 10, b * 10)
    assert blind.ci[1] - blind.ci[0] < 0.6 * (alone.ci[1] - alone.ci[0])


grades = st.integers(0, 3)


@given(
    st.lists(st.tuples(grades, grades), min_size=2, max_size=12),
    st.sampled_from(["none", "linear", "quadratic"]),
)
def test_kappa_does_not_care_who_is_first(pairs, weights):
    a, b = zip(*pairs, strict=True)
    one, other = cohen_kappa(a, b, weights=weights), cohen_kappa(b, a, weights=weights)
    if isinstance(one, Skip):
        assert one == other
    else:
        assert one.value == pytest.approx(other.value)
        assert one.value <= 1
        assert (one.value == 1) == (a == b)


@given(st.lists(st.lists(grades, max_size=4), max_size=10), st.randoms(use_true_random=False))
def test_alpha_does_not_care_for_order(units, rng):
    mixed = [rng.sample(unit, len(unit)) for unit in units]
    rng.shuffle(mixed)
    one, other = krippendorff_alpha(units), krippendorff_alpha(mixed)
    if isinstance(one, Skip):
        assert isinstance(other, Skip)
    else:
        assert one.value == pytest.approx(other.value)
        assert one.ci is None or all(map(math.isfinite, one.ci))
