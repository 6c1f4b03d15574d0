"""What earlier verdicts say of a model: how many tokens and seconds its replies really take.

Questions of the rehearsal that the journal answers show how far the count by characters is off. Where
there are none, the model's newest verdicts, whatever they answered, show the length of its replies.
"""

from collections.abc import Iterable, Sequence
from statistics import fmean, pstdev

import msgspec
from msgspec import Struct

from acidtest.judges.desk import Question
from acidtest.store.runs import Store

ENOUGH = 5
"""Verdicts under which nothing is read from them."""

LATEST = 200
"""Verdicts of a model that are read."""


class Ratio(Struct, frozen=True):
    """Real tokens over counted ones; `error` is the share by which that may be off either way."""

    value: float
    error: float


class Experience(Struct, frozen=True, kw_only=True):
    """What is known of a model; None where nothing is.

    Attributes:
        input: Of what is sent.
        output: Of what comes back.
        reply: Mean tokens of a reply, of its newest verdicts.
        seconds: Mean seconds from question to verdict, waiting for a place included.
    """

    input: Ratio | None = None
    output: Ratio | None = None
    reply: float | None = None
    seconds: float | None = None


class _Took(Struct):
    output_tokens: int = 0
    seconds: float = 0.0


def experience(store: Store | None, model: str, known: Iterable[Question]) -> Experience:
    """Read what earlier verdicts say.

    Args:
        store: Where verdicts are kept.
        model: The model as it was named; the provider may add a date to it.
        known: The questions that the journal answers.
    """
    met = [(q, q.answered) for q in known if q.answered is not None and q.answered.input_tokens]
    spent = [(real.input_tokens, q.input_tokens) for q, real in met]
    said = [(real.output_tokens, q.output_tokens) for q, real in met if real.output_tokens]
    latest = _latest(store, model) if store is not None else []
    replies = [took.output_tokens for took in latest if took.output_tokens]
    seconds = [took.seconds for took in latest if took.seconds]
    return Experience(
        input=_ratio(spent),
        output=_ratio(said),
        reply=fmean(replies) if len(replies) >= ENOUGH else None,
        seconds=fmean(seconds) if len(seconds) >= ENOUGH else None,
    )


def reported_as(named: str, reported: str) -> bool:
    """Tell whether a provider's name for a model is the one that was asked for, with its date."""
    rest = reported.removeprefix(named)
    return reported.startswith(named) and (not rest or (rest[0] == "-" and rest[1:2].isdigit()))


def _ratio(pairs: Sequence[tuple[float, float]]) -> Ratio | None:
    if len(pairs) < ENOUGH:
        return None
    each = [real / counted for real, counted in pairs]
    value = sum(real for real, _ in pairs) / sum(counted for _, counted in pairs)
    # Twice the spread of single questions: as if all of them erred to the same side.
    return Ratio(value, max(0.05, 2 * pstdev(each) / fmean(each)))


def _latest(store: Store, model: str) -> list[_Took]:
    found = []
    for body in store.lately(lambda reported: reported_as(model, reported), LATEST):
        try:
            found.append(msgspec.json.decode(body, type=_Took))
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue  # a damaged verdict tells nothing
    return found
