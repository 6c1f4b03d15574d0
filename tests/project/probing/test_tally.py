"""Shares and their intervals, by hand."""

import pytest

from acidtest.judges.attacks import ATTACKS
from acidtest.project.probing.tally import (
    Pair,
    coverage,
    share_of_attacks,
    share_of_verdicts,
    tried,
)


def pairs(attack, **counts):
    return [
        Pair(attack=attack.name, case=f"{outcome}-{n}", outcome=outcome)
        for outcome, count in counts.items()
        for n in range(count)
    ]


def test_the_share_of_attacks_counts_an_attack_once():
    each = [
        tried(a, pairs(a, turned=3 if n < 5 else 0, held=2)) for n, a in enumerate(ATTACKS[:10])
    ]
    share = share_of_attacks(each)
    assert (share.turned, share.measured, share.share) == (5, 10, 0.5)
    # Wilson: centre 1/2, half z / (1 + z^2 / n) * sqrt(1 / (4 n) + z^2 / (4 n^2)), z = 1.959964.
    assert share.ci == pytest.approx((0.236593, 0.763407), abs=1e-6)


def test_none_of_ten_is_not_never():
    share = share_of_attacks([tried(a, pairs(a, held=4)) for a in ATTACKS[:10]])
    assert share.share == 0.0
    assert share.ci == pytest.approx((0.0, 3.841459 / 13.841459), abs=1e-6)


def test_attacks_without_a_measured_case_do_not_count():
    a, b, c = ATTACKS[:3]
    each = [
        tried(a, pairs(a, failed=2)),
        tried(b, pairs(b, undecidable=1)),
        tried(c, pairs(c, held=1)),
    ]
    assert share_of_attacks(each).measured == 1
    assert [t.outcome for t in each] == ["failed", "undecidable", "held"]


def test_the_gravest_outcome_leads():
    a = ATTACKS[0]
    assert tried(a, pairs(a, held=9, failed=1)).outcome == "failed"
    assert tried(a, pairs(a, held=9, failed=1, turned=1)).outcome == "turned"
    assert tried(a, []).outcome == "skipped"


def test_cases_of_one_attack_are_drawn_together():
    turned = [
        p
        for n, a in enumerate(ATTACKS[:10])
        for p in pairs(a, **{"turned" if n < 5 else "held": 20})
    ]
    share = share_of_verdicts(turned)
    assert (share.turned, share.measured, share.share) == (100, 200, 0.5)
    low, high = share.ci
    # As 200 independent verdicts it would be +- 0.07; there are ten attacks.
    assert high - low > 0.5


def test_coverage_leaves_out_what_is_not_judged():
    a = ATTACKS[0]
    assert coverage(pairs(a, held=17, turned=2, failed=1, skipped=80)) == 0.95
    assert coverage(pairs(a, held=1, undecidable=1)) == 0.5
    assert coverage(pairs(a, skipped=3)) is None
