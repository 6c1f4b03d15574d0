"""What goes into a provider's prompt cache and comes out of it, at its price."""

import pytest

from acidtest.errors import BadConfig
from acidtest.judges.backend import Completion
from acidtest.judges.prices import Rates, by_rates, by_table


def test_what_goes_into_the_cache_and_out_of_it_by_hand():
    # Of 10,000 in: 7,000 written at $1.25, 2,000 read at $0.1, 1,000 fresh at $1; 100 out at $5.
    rates = Rates(input=1, output=5, cached_input=0.1, cache_write=1.25)
    used = Completion(
        text="",
        input_tokens=10_000,
        cached_tokens=2_000,
        cache_write_tokens=7_000,
        output_tokens=100,
    )
    assert by_rates(rates)(used) == pytest.approx((1000 + 2000 * 0.1 + 7000 * 1.25 + 500) / 1e6)
    unstated = by_rates(Rates(input=1, output=5))(used)
    assert unstated == pytest.approx((10_000 + 500) / 1e6)
    with pytest.raises(BadConfig, match="below 0"):
        by_rates(Rates(input=1, output=1, cache_write=-1))


def test_two_prompts_of_one_case_by_hand():
    # 4,000 tokens of passages, 500 more a prompt: the first writes, the second reads.
    price = by_rates(Rates(input=1, output=5, cached_input=0.1, cache_write=1.25))
    first = price(Completion(text="", input_tokens=4500, cache_write_tokens=4000))
    second = price(Completion(text="", input_tokens=4500, cached_tokens=4000))
    assert first + second == pytest.approx((1.35 * 4000 + 1000) / 1e6)
    apart = 2 * price(Completion(text="", input_tokens=4500))
    assert apart == pytest.approx((2 * 4000 + 1000) / 1e6)


def test_a_gateway_that_does_not_count_what_was_kept_costs_no_less_than_nothing():
    odd = Completion(text="", input_tokens=100, cached_tokens=300)
    assert by_rates(Rates(input=1, output=5, cached_input=0.1))(odd) == pytest.approx(300 * 0.1e-6)


def test_the_published_tables_know_the_cache():
    pytest.importorskip("genai_prices")
    price = by_table("claude-haiku-4-5", "anthropic")  # $1 in, $5 out, $0.1 read, $1.25 written
    used = Completion(
        text="", input_tokens=1000, cached_tokens=300, cache_write_tokens=500, output_tokens=100
    )
    assert price(used) == pytest.approx((200 + 300 * 0.1 + 500 * 1.25 + 500) / 1e6)
    assert price(Completion(text="", input_tokens=100, cached_tokens=300)) > 0
    assert by_table("no-such-model", "anthropic") is None
