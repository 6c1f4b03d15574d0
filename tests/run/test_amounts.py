import pytest

from acidtest.judges.desk import Model, Question
from acidtest.judges.prices import Rates, by_rates
from acidtest.run.amounts import (
    Range,
    Span,
    cost,
    margin,
    minutes,
    model_estimate,
    span,
    total,
)
from acidtest.run.experience import Experience, Ratio

PRICED = Model(name="m", price=by_rates(Rates(input=1.0, output=10.0)))
UNPRICED = Model(name="m")
NOTHING = Experience()


def questions(n, model=PRICED):
    return [
        Question(key=str(i), model=model, bytes=4000, input_tokens=1000, output_tokens=100)
        for i in range(n)
    ]


def test_what_is_not_measured_is_wide():
    found = model_estimate(PRICED, questions(8), questions(16), NOTHING)
    assert found.calls == Span(8, 16)
    assert found.tokens.input == Span(6000, 20000)
    assert found.tokens.output == Span(400, 3200)
    assert found.seconds_a_call == Range(1.0, 4.0)
    assert found.cost_usd == Range(pytest.approx(0.01), pytest.approx(0.052))
    assert not found.measured_tokens


def test_what_is_measured_is_narrow():
    known = Experience(input=Ratio(1.2, 0.05), output=Ratio(0.5, 0.1), reply=9.0, seconds=3.0)
    found = model_estimate(PRICED, questions(10), questions(10), known)
    assert found.tokens.input == Span(11400, 12600)
    assert found.tokens.output == Span(450, 550)
    assert found.seconds_a_call == Range(pytest.approx(2.0), pytest.approx(4.0))
    assert found.measured_tokens
    assert found.measured_seconds


def test_the_mean_reply_of_a_model_is_better_than_none():
    found = model_estimate(PRICED, questions(10), questions(10), Experience(reply=60.0))
    assert found.tokens.output == Span(400, 900)


def test_an_unknown_price_is_unknown_and_asking_nothing_costs_nothing():
    assert model_estimate(UNPRICED, questions(1), questions(1), NOTHING).cost_usd is None
    assert model_estimate(UNPRICED, [], [], NOTHING).cost_usd == Range(0.0, 0.0)
    sold_out = Model(name="m", price=lambda _completion: None)
    assert model_estimate(sold_out, [], questions(1), NOTHING).cost_usd is None


def test_prices_are_those_of_a_mean_call():
    dear = Model(name="m", price=lambda c: 1.0 if c.input_tokens > 2000 else 0.1)
    assert model_estimate(dear, questions(3), questions(3), NOTHING).cost_usd == Range(0.3, 0.3)


def test_a_local_model_takes_nothing():
    local = Model(name="local", local=True)
    found = model_estimate(local, questions(3, local), questions(5, local), NOTHING)
    assert (found.calls, found.cost_usd) == (Span(3, 5), Range(0.0, 0.0))
    assert total({"local": found}).input == Span(0, 0)
    assert minutes({"local": found}, 8) == Range(0.0, 0.0)


def test_several_models_add_up():
    one = model_estimate(PRICED, questions(60), questions(60), NOTHING)
    local = model_estimate(Model(name="l", local=True), questions(9), questions(9), NOTHING)
    other = model_estimate(UNPRICED, questions(1), questions(2), NOTHING)
    assert cost([one.cost_usd, local.cost_usd]) == one.cost_usd
    assert cost([one.cost_usd, other.cost_usd]) is None
    assert total({"m": one, "u": other}).input.low == one.tokens.input.low + 750
    assert minutes({"m": one}, 6) == Range(
        pytest.approx(1 / 6, abs=1e-3), pytest.approx(4 / 6, abs=1e-3)
    )
    # Fewer calls than may be in flight take one call's time.
    assert minutes({"u": other}, 100).high == pytest.approx(4 / 60, abs=1e-3)


def test_longer_answers_widen_the_upper_end_only():
    found = model_estimate(PRICED, questions(8), questions(8), NOTHING, longer=0.5)
    assert found.tokens.input == Span(6000, 15000)
    assert found.calls == Span(8, 8)


def test_margin_is_1_96_standard_errors_of_the_sum():
    assert margin([]) == 0.0
    assert margin([0.0, 0.0]) == 0.0
    assert margin([5.0] * 9) == 0.0
    # sd 1, n 4, sum 8: 1.96 * 1 * 2 / 8
    assert margin([1.0, 1.0, 3.0, 3.0]) == pytest.approx(0.49)


def test_spans_are_rounded_outwards_and_in_order():
    assert span(2.1, 1.2) == Span(1, 3)


def test_the_lower_price_reads_shared_passages_from_the_prompt_cache():
    rates = Rates(input=1.0, output=0.0, cached_input=0.1)
    model = Model(name="m", price=by_rates(rates), shared_from=100)
    alike = [
        Question(
            key=str(n),
            model=model,
            bytes=4000,
            input_tokens=1000,
            output_tokens=0,
            beginning=n // 4,
            beginning_tokens=800.0,
        )
        for n in range(8)
    ]
    found = model_estimate(model, alike, alike, NOTHING)
    # 6 of 8 prompts find 800 of their 1,000 tokens: 0.6 of all, at a tenth of the price.
    assert found.cost_usd.low == pytest.approx(6000e-6 * (0.4 + 0.6 * 0.1), rel=1e-3)
    assert found.cost_usd.high == pytest.approx(10000e-6)
