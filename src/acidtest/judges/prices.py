"""What a completion costs: by prices that were given, else by the tables of `genai-prices`.

A price that is not known is unknown, never 0.
"""

import functools
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from acidtest.errors import BadConfig, MissingExtra
from acidtest.extras import need
from acidtest.judges.backend import Completion

_MILLION = 1_000_000

Price = Callable[[Completion], float | None]


class Rates(Struct, frozen=True, kw_only=True):
    """US dollars per million tokens.

    `cached_input` is the price of those input tokens that the provider read from its prompt cache,
    `cache_write` of those that it wrote there; by default that of the others.
    """

    input: float
    output: float
    cached_input: float | None = None
    cache_write: float | None = None


def by_rates(rates: Rates) -> Price:
    """Return the price by given rates.

    Raises:
        BadConfig: A rate is negative.
    """
    if min(rates.input, rates.output, rates.cached_input or 0.0, rates.cache_write or 0.0) < 0:
        raise BadConfig(
            "a price is below 0",
            where="[judge.price]",
            fix="Give US dollars per million tokens, 0 or more.",
        )
    read = rates.input if rates.cached_input is None else rates.cached_input
    written = rates.input if rates.cache_write is None else rates.cache_write

    def price(completion: Completion) -> float:
        kept = completion.cached_tokens + completion.cache_write_tokens
        return (
            max(0, completion.input_tokens - kept) * rates.input
            + completion.cached_tokens * read
            + completion.cache_write_tokens * written
            + completion.output_tokens * rates.output
        ) / _MILLION

    return price


def by_table(model: str, provider: str) -> Price | None:
    """Return the price by the published tables (extra `prices`).

    Args:
        model: The model as it was named.
        provider: `openai`, `anthropic` or `google`.

    Returns:
        The price, or None when the extra is not installed or the tables lack the model.
    """
    try:
        tables: Any = need("genai_prices", extra="prices")
    except MissingExtra:
        return None
    quote = functools.partial(_quote, tables, model, provider)
    return (
        quote if quote(Completion(text="", input_tokens=1, output_tokens=1)) is not None else None
    )


def _quote(tables: Any, model: str, provider: str, completion: Completion) -> float | None:
    kept = completion.cached_tokens + completion.cache_write_tokens
    usage = tables.Usage(
        input_tokens=max(completion.input_tokens, kept),  # some gateways do not count what was kept
        output_tokens=completion.output_tokens,
        cache_read_tokens=completion.cached_tokens,
        cache_write_tokens=completion.cache_write_tokens,
    )
    try:
        return float(tables.calc_price(usage, model, provider_id=provider).total_price)
    except LookupError:
        return None
