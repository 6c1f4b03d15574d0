"""The drift watch: exact where it can be, by simulation where it must."""

import copy
import math

import numpy as np
import pytest
from scipy.stats import binom, norm

from acidtest.stats.drift import LIMIT, Day, Evidence, Reference, Watch, looks
from acidtest.stats.drift_days import Values, days_of, reference_of, session_effect, weekdays_of
from acidtest.stats.drift_shape import Shape, Tilts, perfect, ranks, shape, with_perfect
from acidtest.stats.drift_window import seldom, tails, window

HALF = Shape((0.0, 1.0), (499.5, 499.5))  # with the half observations 500 each


def claims(draw, n, mean):
    """Draw faithfulness: the share of 2 to 8 claims that are supported; most answers are perfect."""
    claims = draw.integers(2, 9, n)
    bad = draw.random(n) < (1 - mean) / 0.4
    return np.where(bad, draw.binomial(claims, 0.6), claims) / claims


def yes(draw, n, mean):
    return (draw.random(n) < mean).astype(float)


def system(seed, kind, mean, *, per, days, reference=28, noise=0.005, fall=0.0, weekend=0.0):
    """Return a reference and the days after it; the fall comes at once."""
    draw = np.random.default_rng(seed)
    at, values = [], []
    for day in range(reference + days):
        level = mean - (fall if day >= reference else 0) - (weekend if day % 7 >= 5 else 0)
        n = max(1, draw.poisson(per))
        values.append(kind(draw, n, np.clip(level + noise * draw.standard_normal(), 0, 1)))
        at += [day] * n
    drawn, old = np.concatenate(values), np.asarray(at) < reference
    some = Values.of(at, with_perfect(drawn, perfect(drawn[old])))
    held = reference_of(Values(*(getattr(some, f)[old] for f in Values.__struct_fields__)))
    new = Values(*(getattr(some, f)[~old] for f in Values.__struct_fields__))
    return held, days_of(new, effect=held.effect)


def test_the_tilts_of_yes_and_no_are_the_bernoulli_distributions():
    tilts = Tilts(HALF)
    assert (tilts.mean, tilts.deviation) == pytest.approx((0.5, 0.5))
    assert tilts.log_mean(np.array([0.7])) == pytest.approx([math.log(math.cosh(0.7))])
    assert tilts.spread(np.array([0.7])) == pytest.approx([1 - math.tanh(0.7) ** 2])
    # The deviance of a mean of 0.8 from 0.5 is the divergence of the two coins.
    apart = 0.8 * math.log(0.8 / 0.5) + 0.2 * math.log(0.2 / 0.5)
    assert tilts.best(tilts.scaled(0.8)) == pytest.approx(apart, abs=1e-3)
    assert tilts.best(tilts.scaled(1.0)) == pytest.approx(math.log(2), abs=1e-3)


@pytest.mark.parametrize("mean", [0.5, 0.5123, 0.61, 0.9])
def test_the_deviance_is_exact(mean):
    # Of a thousand values an error of a thousandth would be one of a whole logarithm.
    tilts = Tilts(HALF)
    exact = mean * math.log(mean / 0.5) + (1 - mean) * math.log((1 - mean) / 0.5)
    assert tilts.best(tilts.scaled(mean)) == pytest.approx(exact, abs=1e-9)


def test_a_shape_keeps_what_observations_weigh():
    found = shape([1.0, 1.0, 0.25], [1.0, 1.0, 2.0])
    assert found.values == (0.25, 1.0)
    assert found.counts == pytest.approx((1.5, 1.5))
    assert found.total == pytest.approx(3)


def test_perfect_scores_count_by_how_many_there_are():
    assert perfect([0.0, 0.5, 1.0, 1.0]) == 0.5
    assert with_perfect([0.0, 0.4, 1.0], 0.75).tolist() == pytest.approx([0.0, 0.1, 1.0])
    assert with_perfect([0.0, 0.4, 1.0], 0.0).tolist() == [0.0, 0.4, 1.0]
    assert with_perfect([0.0, 1.0], 0.9).tolist() == [0.0, 1.0]  # yes and no stay


def test_ranks_among_the_reference():
    assert ranks([3.0, 1.0, 2.0, 2.0], [0.0, 2.0, 2.5, 9.0]).tolist() == [0.0, 0.5, 0.75, 1.0]


def test_a_day_is_worth_less_where_weights_differ_and_where_sessions_hold_together():
    some = Values.of([1, 1, 2, 2], [0.0, 1.0, 1.0, 1.0], [1.0, 3.0, 1.0, 1.0])
    first, second = days_of(some)
    assert (first.day, first.mean, first.n) == (1, 0.75, pytest.approx(1.6))
    assert second == Day(day=2, mean=1.0, n=2.0)
    assert days_of(some, effect=2.0)[1].n == 1.0

    pairs = Values.of([1] * 4, [0.0, 0.0, 1.0, 1.0], sessions=["a", "a", "b", "b"])
    assert session_effect(pairs) == 2.0
    alone = Values.of([1] * 4, [0.0, 0.0, 1.0, 1.0])
    assert session_effect(alone) == 1.0
    same = Values.of([1] * 4, [1.0] * 4, sessions=["a", "a", "a", "b"])
    assert session_effect(same) == 2.5  # (3^2 + 1^2) / 4


def test_a_session_that_goes_on_over_days_counts_by_day():
    some = Values.of([1, 2, 3, 4], [0.0, 1.0, 0.0, 1.0], sessions=["a"] * 4)
    assert session_effect(some) == 1.0
    perfect = Values.of([1, 1, 2, 2], [1.0] * 4, sessions=["a"] * 4)
    assert session_effect(perfect) == 2.0


def test_weekdays_are_told_as_far_as_the_reference_can():
    quiet = [Day(day=n, mean=0.5, n=1000.0) for n in range(28)]
    assert weekdays_of(Tilts(HALF), quiet).tilts == (0.0,) * 7
    weekends = [Day(day=n, mean=0.4 if n % 7 >= 5 else 0.5, n=1000.0) for n in range(28)]
    tilts = weekdays_of(Tilts(HALF), weekends).tilts
    assert sum(tilts) == pytest.approx(0)
    assert tilts[6] - tilts[0] == pytest.approx(-0.2, rel=0.1)
    assert weekdays_of(Tilts(HALF), weekends[:13]).tilts == (0.0,) * 7  # one Sunday tells nothing


def test_the_statistic_is_the_sum_of_likelihood_ratios():
    # After one day there is one first day; nothing moved, so every bet lost a little.
    reference = Reference(shape=HALF, days=tuple(Day(day=n, mean=0.5, n=100.0) for n in range(10)))
    watch = Watch(reference)
    first, second = (watch.look(Day(day=n, mean=0.5, n=100.0)).summed for n in (10, 11))
    assert first < 0
    assert second < math.log(2)


def test_both_looks_are_told_from_one_limit():
    # A hundred and twenty-five days to a false alarm of the latest days alone are a hundred of both.
    assert Evidence(-5.0, math.log(125)).log == pytest.approx(math.log(100))
    assert Evidence(math.log(200), -5.0).log == pytest.approx(math.log(100))


def test_it_tells_which_way_and_since_when():
    reference, days = system(1, claims, 0.9, per=100, days=10)
    _, bad = system(2, claims, 0.75, per=100, days=10)
    later = [Day(day=d.day + 10, mean=d.mean, n=d.n) for d in bad]
    watch = Watch(reference)
    assert watch.change() is None
    logs = [watch.look(day).log for day in (*days, *later)]
    assert max(logs[:10]) < math.log(LIMIT) < logs[12]
    change = watch.change()
    assert change is not None
    assert (change.since, change.rising) == (later[0].day, False)
    assert change.sure > 0.99


def test_both_directions_are_seen_and_a_bet_on_falls_sees_falls_sooner():
    reference, _ = system(1, claims, 0.85, per=100, days=1)
    for mean, rising in ((0.95, True), (0.7, False)):
        watch = Watch(reference)
        for day in system(2, claims, mean, per=100, days=5)[1]:
            watch.look(day)
        change = watch.change()
        assert change is not None
        assert change.rising is rising
    fallen = system(3, claims, 0.75, per=50, days=3)[1]
    assert looks(reference, fallen, falls=0.75)[-1] > looks(reference, fallen, falls=0.25)[-1]


def test_one_error_after_a_thousand_perfect_answers_is_no_alarm_and_a_burst_is():
    perfect = reference_of(Values.of([n // 20 for n in range(1000)], [1.0] * 1000))
    one = looks(perfect, [Day(day=60, mean=0.95, n=20.0)])
    burst = looks(perfect, [Day(day=60, mean=0.5, n=20.0)])
    assert one[0] < math.log(LIMIT) < burst[0]


@pytest.mark.parametrize(
    ("kind", "mean", "per", "noise", "weekend"),
    [
        (claims, 0.9, 20, 0.005, 0.0),
        (claims, 0.9, 100, 0.005, 0.03),
        (claims, 0.9, 500, 0.005, 0.03),
        (yes, 0.02, 100, 0.002, 0.0),
    ],
)
def test_quiet_days_raise_one_false_alarm_in_a_hundred_at_most(kind, mean, per, noise, weekend):
    alarms = 0
    for seed in range(7):
        reference, days = system(seed, kind, mean, per=per, days=100, noise=noise, weekend=weekend)
        alarms += max(looks(reference, days)) >= math.log(LIMIT)
    assert alarms <= 4  # the bar is one in a hundred days: 7 * (1 - 1/e) = 4.4


def test_a_fall_of_five_points_is_seen_within_300_answers():
    found = 0
    for seed in range(20):
        reference, days = system(seed, claims, 0.95, per=20, days=15, reference=50, fall=0.05)
        found += max(looks(reference, days, falls=0.75)) >= math.log(LIMIT)
    assert found >= 17


def test_the_latest_days_are_as_unlikely_as_the_binomial_says():
    # Days do not differ, and the level is known: the chance of so few in 400 tosses of a fair coin.
    tilts = Tilts(HALF)
    known = np.array([0.0]), np.array([0.0]), np.array([[1.0]])
    sides = {"means": [0.46, 0.44], "worth": [200.0, 200.0], "offsets": [0.0, 0.0]}
    low, high = tails(tilts, *known, **sides)
    exact = binom(400, 0.5)
    assert low == pytest.approx((exact.cdf(180) + exact.cdf(179)) / 2, rel=0.02)
    assert low + high == pytest.approx(1)
    # Where each day may be off by a tenth of a deviation, the same mean says less.
    wider, _ = tails(tilts, known[0], np.array([0.01]), known[2], **sides)
    assert wider == pytest.approx(norm.cdf(-2 / math.sqrt(1 + 0.01 * 200)), rel=0.02)


def test_a_tail_keeps_the_skew_of_rare_errors():
    rare = Shape((0.0, 1.0), (9.5, 989.5))  # with the half observations one in a hundred
    one = np.array([0.0]), np.array([0.0]), np.array([[1.0]])
    low, _ = tails(Tilts(rare), *one, means=[1 - 8 / 300], worth=[300.0], offsets=[0.0])
    exact = binom(300, 0.01)
    assert low == pytest.approx((exact.sf(7) + exact.sf(8)) / 2, rel=0.3)  # a normal curve: 0.002


def test_so_many_days_are_looked_at_that_they_are_worth_250():
    assert [window([300.0] * 3), window([100.0] * 9), window([20.0] * 30)] == [1, 3, 13]
    assert window([20.0] * 2) == 2


def test_a_run_of_alike_windows_is_one_alarm():
    assert seldom(0.005, 1) == 0.005
    # z = 2.5758, x = z sqrt(2 / 3) = 2.1032, v = (2 / x) (Phi(x / 2) - 1 / 2) / (x / 2 Phi(x / 2) + phi(x / 2)) = 0.2983
    assert seldom(0.005, 3) == pytest.approx(2.5758 * 0.014459 / 3 * 0.2983, rel=1e-3)
    assert seldom(0.005, 30) == seldom(0.005, 5) < seldom(0.005, 4)
    # As rare as can be; and it only grows.
    assert seldom(1e-300, 3) == pytest.approx(1e-300)
    rates = [seldom(p, 5) for p in (1e-9, 1e-4, 0.01, 0.1, 0.16, 0.3, 0.5)]
    assert rates == sorted(rates)


@pytest.mark.parametrize("days", [2, 3, 5])
def test_runs_begin_as_often_as_told(days):
    noise = np.random.default_rng(days).standard_normal(400_000)
    means = np.convolve(noise, np.ones(days) / math.sqrt(days), "valid")
    high = np.flatnonzero(means > norm.isf(0.005))
    runs = 1 + (np.diff(high) >= days).sum()
    assert runs / len(means) == pytest.approx(seldom(0.005, days), rel=0.15)


def test_a_day_that_goes_on_says_less_than_one_that_is_over():
    # z = 3 after half of the values counts as 3 / 4.
    assert seldom(norm.sf(3), 1, 0.5) == pytest.approx(norm.sf(0.75))
    assert seldom(norm.sf(3), 1, 1.0) == pytest.approx(norm.sf(3))
    watch = Watch(
        Reference(shape=HALF, days=tuple(Day(day=n, mean=0.5, n=300.0) for n in range(28)))
    )
    half = Day(day=28, mean=0.38, n=150.0)
    early, late = (copy.copy(watch).look(half, over=over) for over in (False, True))
    assert early.summed == late.summed
    assert early.log < math.log(LIMIT) < late.log
    whole = Day(day=28, mean=0.4, n=300.0)
    assert copy.copy(watch).look(whole, over=False) == copy.copy(watch).look(whole)
    # Far worse is told within the day.
    assert watch.look(Day(day=28, mean=0.2, n=150.0), over=False).log > math.log(LIMIT)


def test_looking_all_day_long_is_no_more_alarms():
    alarms = 0
    for seed in range(6):
        draw = np.random.default_rng(seed)
        known = tuple(Day(day=n, mean=draw.binomial(300, 0.5) / 300, n=300.0) for n in range(28))
        watch = Watch(Reference(shape=HALF, days=known))
        early = daily = False
        for day in range(28, 78):
            tosses = draw.random(300) < 0.5
            for n in range(150, 300, 30):
                begun = Day(day=day, mean=float(tosses[:n].mean()), n=float(n))
                early |= copy.copy(watch).look(begun, over=False).log >= math.log(LIMIT)
            over = Day(day=day, mean=float(tosses.mean()), n=300.0)
            daily |= watch.look(over).log >= math.log(LIMIT)
        alarms += early and not daily
    assert alarms <= 1


def test_a_level_that_a_weekday_made_itself_does_not_make_it_look_steady():
    tilts, own, others, doubt = Tilts(HALF), [], [], []
    for seed in range(20):
        draw = np.random.default_rng(seed)
        means = [0.5 - 0.1 * (n % 7 >= 5) + 0.03 * draw.standard_normal() for n in range(28)]
        days = [Day(day=n, mean=mean, n=1000.0) for n, mean in enumerate(means)]
        y = np.array([tilts.scaled(day.mean) for day in days])
        found = weekdays_of(tilts, days)
        rest = [weekdays_of(tilts, days[:n] + days[n + 1 :]) for n in range(28)]
        own.append((y - [found.tilts[n % 7] for n in range(28)]).var())
        others.append((y - [each.tilts[n % 7] for n, each in enumerate(rest)]).var())
        doubt.append(found.doubt)
    # Days differ by 0.06 deviations; of four weeks a level takes a fourth of the variance.
    assert np.mean(own) == pytest.approx(0.06**2 * 3 / 4, rel=0.15)
    assert np.mean(others) == pytest.approx(0.06**2 * 4 / 3, rel=0.15)
    assert np.mean(doubt) == pytest.approx(0.06**2 / 4, rel=0.15)
