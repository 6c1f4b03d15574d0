"""From questions to amounts: the tokens, money and minutes that they take, each as a range.

- Tokens are counted by characters (`judges.tokens`), give or take a quarter, and replies by their schema
  (`judges.synthetic.reply_tokens`), give or take a factor of 2. Where the journal answers at least five of
  the questions, their real tokens set both right, give or take twice the spread of single questions.
- Money is the model's own price of these tokens: at the upper end all of them as new, at the lower end
  with the passages that prompts share read from the provider's prompt cache from the second prompt on.
- Minutes are calls by seconds a call over those in flight: measured seconds, give or take a third, else 1
  to 4. Pipelines are not in it: they work meanwhile.
"""

from collections.abc import Mapping, Sequence
from math import ceil, floor, sqrt
from statistics import pstdev

from msgspec import Struct

from acidtest.judges.backend import Completion
from acidtest.judges.desk import Model, Question
from acidtest.run.experience import Experience

TOKENS_OFF = 0.25
REPLY_OFF = 2.0
MEAN_REPLY_OFF = 1.5
"""Where only the mean reply of the model is known, to whatever it was asked."""

SECONDS = (1.0, 4.0)
"""Seconds a call of a model that is not known yet."""

SECONDS_OFF = 1 / 3
_Z = 1.96


class Span(Struct, frozen=True):
    """A whole number that is somewhere from `low` to `high`."""

    low: int
    high: int


class Range(Struct, frozen=True):
    """A number that is somewhere from `low` to `high`."""

    low: float
    high: float


class Tokens(Struct, frozen=True):
    """What models read and write."""

    input: Span
    output: Span


class ModelEstimate(Struct, frozen=True, kw_only=True):
    """What one model takes. A local one costs nothing; `cost_usd` is None where its price is unknown.

    `measured_tokens` and `measured_seconds` say whether earlier verdicts of the model set them.
    """

    local: bool
    calls: Span
    tokens: Tokens
    cost_usd: Range | None
    seconds_a_call: Range | None
    measured_tokens: bool = False
    measured_seconds: bool = False


def span(low: float, high: float) -> Span:
    """Return a range of whole numbers, rounded outwards, its ends in order."""
    return Span(floor(min(low, high)), ceil(max(low, high)))


def margin(amounts: Sequence[float]) -> float:
    """Return 1.96 standard errors of a sum of cases, as a share of it; 0 for a sum of nothing.

    As if each case were drawn again from amounts like these: `1.96 * sd * sqrt(n) / sum`.
    """
    total = sum(amounts)
    return _Z * pstdev(amounts) * sqrt(len(amounts)) / total if total else 0.0


def model_estimate(
    model: Model,
    few: Sequence[Question],
    many: Sequence[Question],
    known: Experience,
    *,
    longer: float = 0.0,
) -> ModelEstimate:
    """Return what a model takes.

    Args:
        model: The model.
        few: What it is asked at the lower end.
        many: What it is asked at the upper end.
        known: What earlier verdicts say of it.
        longer: The share by which other answers may be longer than those of the upper end.
    """
    calls = span(len(few), len(many))
    if model.local:
        return ModelEstimate(
            local=True,
            calls=calls,
            tokens=Tokens(Span(0, 0), Span(0, 0)),
            cost_usd=Range(0.0, 0.0),
            seconds_a_call=None,
        )
    read = _read(few, many, known, longer)
    written = _written(few, many, known, longer)
    seconds = known.seconds
    off = SECONDS if seconds is None else (seconds * (1 - SECONDS_OFF), seconds * (1 + SECONDS_OFF))
    return ModelEstimate(
        local=False,
        calls=calls,
        tokens=Tokens(read, written),
        cost_usd=_price(model, calls, read, written, _from_cache(few)),
        seconds_a_call=Range(*off),
        measured_tokens=known.input is not None or known.reply is not None,
        measured_seconds=seconds is not None,
    )


def total(parts: Mapping[str, ModelEstimate]) -> Tokens:
    """Return the tokens of all models."""
    return Tokens(
        Span(
            sum(each.tokens.input.low for each in parts.values()),
            sum(each.tokens.input.high for each in parts.values()),
        ),
        Span(
            sum(each.tokens.output.low for each in parts.values()),
            sum(each.tokens.output.high for each in parts.values()),
        ),
    )


def cost(priced: Sequence[Range | None]) -> Range | None:
    """Return the sum of prices; None where one is unknown."""
    known = [each for each in priced if each is not None]
    if len(known) < len(priced):
        return None
    return Range(sum(each.low for each in known), sum(each.high for each in known))


def minutes(parts: Mapping[str, ModelEstimate], concurrency: int) -> Range:
    """Return how long judging takes, with so many calls in flight."""
    low = high = 0.0
    for each in parts.values():
        if each.seconds_a_call is not None:
            low += _minutes(each.calls.low, each.seconds_a_call.low, concurrency)
            high += _minutes(each.calls.high, each.seconds_a_call.high, concurrency)
    return Range(round(low, 3), round(high, 3))


def _minutes(calls: int, seconds: float, concurrency: int) -> float:
    return calls * seconds / min(concurrency, calls) / 60 if calls else 0.0


def _read(
    few: Sequence[Question], many: Sequence[Question], known: Experience, longer: float
) -> Span:
    ratio, off = (known.input.value, known.input.error) if known.input else (1.0, TOKENS_OFF)
    low, high = (sum(q.input_tokens for q in some) * ratio for some in (few, many))
    return span(low * max(0.0, 1 - off), high * (1 + off) * (1 + longer))


def _written(
    few: Sequence[Question], many: Sequence[Question], known: Experience, longer: float
) -> Span:
    if known.output is None and known.reply is not None:
        low, high = len(few) * known.reply, len(many) * known.reply
        return span(low / MEAN_REPLY_OFF, high * MEAN_REPLY_OFF * (1 + longer))
    low, high = (sum(q.output_tokens for q in some) for some in (few, many))
    if known.output is None:
        return span(low / REPLY_OFF, high * REPLY_OFF * (1 + longer))
    ratio, off = known.output.value, known.output.error
    return span(low * ratio * max(0.0, 1 - off), high * ratio * (1 + off) * (1 + longer))


def _from_cache(some: Sequence[Question]) -> float:
    """Return the share of what is read that a provider's prompt cache may serve."""
    seen: set[int] = set()
    served = 0.0
    for question in some:
        if question.beginning in seen:
            served += question.beginning_tokens
        elif question.beginning is not None:
            seen.add(question.beginning)
    everything = sum(question.input_tokens for question in some)
    return served / everything if everything else 0.0


def _price(model: Model, calls: Span, read: Span, written: Span, from_cache: float) -> Range | None:
    """Return the price: that of a mean call, since prices may rise with a prompt's length."""
    ends = []
    for n, tokens_in, tokens_out, served in (
        (calls.low, read.low, written.low, from_cache),
        (calls.high, read.high, written.high, 0.0),
    ):
        if not n:
            ends.append(0.0)
            continue
        if model.price is None:
            return None
        mean = Completion(
            text="",
            model=model.name,
            input_tokens=round(tokens_in / n),
            output_tokens=round(tokens_out / n),
            cached_tokens=round(tokens_in * served / n),
        )
        price = model.price(mean)
        if price is None:
            return None
        ends.append(price * n)
    return Range(round(ends[0], 6), round(ends[1], 6))
