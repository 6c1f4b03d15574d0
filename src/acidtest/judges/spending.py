"""What a verdict took, so that it can be summed over judges."""

from typing import Any

from acidtest.ports import Spent, Verdict


def spent_on(verdict: Verdict[Any]) -> Spent:
    """Return what a verdict took; one from the cache took nothing."""
    if verdict.cached:
        return Spent()
    return Spent(
        attempts=verdict.attempts,
        input_tokens=verdict.input_tokens,
        output_tokens=verdict.output_tokens,
        cached_tokens=verdict.cached_tokens,
        cost_usd=verdict.cost_usd,
    )
