"""Whether what a judge of somebody's own returned can be a verdict at all.

A model's reply is checked as it is parsed. Other code makes verdicts itself: what cannot be is its
failure and not the store's, a sum's or a report's later on.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from acidtest.data.outcomes import Skip
from acidtest.judges.schema import misfit, schema
from acidtest.judges.told import MOST_TOKENS
from acidtest.ports import Prompt, Verdict

_COUNTS = ("input_tokens", "output_tokens", "cached_tokens", "attempts")
_TEXTS = ("raw", "model")


def fault(said: Any, prompt: Prompt[Any], fields: Mapping[str, Any]) -> str | None:
    """Return what is wrong with an answer, in one clause; None when nothing is.

    Args:
        said: What the judge returned.
        prompt: What it was asked.
        fields: Of what.
    """
    if isinstance(said, Skip):
        return None if isinstance(said.why, str) else "its Skip gives no reason in words"
    if not isinstance(said, Verdict):
        return f"it returned {type(said).__name__}, and a Verdict or a Skip was expected"
    return next(_about(said), None) or _misfit(said.reply, prompt, fields)


def _about(said: Verdict[Any]) -> Iterator[str]:
    """Yield what cannot be among the things that a verdict says of itself."""
    for name in _COUNTS:
        if not _is_count(getattr(said, name)):
            yield f"{name} of its verdict is {_short(getattr(said, name))}, and no count"
    for name in _TEXTS:
        if not isinstance(getattr(said, name), str):
            yield f"{name} of its verdict is {_short(getattr(said, name))}, and no text"
    if not _is_amount(said.seconds):
        yield f"seconds of its verdict are {_short(said.seconds)}"
    if said.cost_usd is not None and not _is_amount(said.cost_usd):
        yield f"cost_usd of its verdict is {_short(said.cost_usd)}; None says that it is not known"


def _misfit(reply: Any, prompt: Prompt[Any], fields: Mapping[str, Any]) -> str | None:
    if not isinstance(reply, prompt.reply):
        return f"its reply to {prompt.name!r} is not valid: it is a {type(reply).__name__}"
    # Code that goes by rules may abstain, unlike a model.
    form = schema(msgspec.structs.replace(prompt, abstain=None), fields)
    try:
        plain = msgspec.to_builtins(reply)
        msgspec.convert(plain, prompt.reply)
        complaint = misfit(plain, form)
    except (msgspec.ValidationError, TypeError, RecursionError) as error:  # made past its type
        complaint = str(error)
    return complaint and f"its reply to {prompt.name!r} is not valid: {complaint}"


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS


def _is_amount(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0 <= value < math.inf


def _short(value: Any) -> str:
    # A huge integer cannot even be written out.
    if isinstance(value, float | None) or (isinstance(value, int) and abs(value) < 10**20):
        return str(value)
    return "too great" if isinstance(value, int) else f"a {type(value).__name__}"
