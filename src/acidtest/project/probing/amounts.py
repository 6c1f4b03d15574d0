"""What questions that were written down and not asked would take."""

from collections.abc import Sequence

from msgspec import Struct

from acidtest.judges.desk import Question
from acidtest.run.amounts import Range, Tokens, cost, model_estimate, total
from acidtest.run.experience import Experience


class Amounts(Struct, frozen=True, kw_only=True):
    """Calls, tokens and money.

    Attributes:
        calls: Questions to be asked.
        cached: Questions that the store answers.
        tokens: Of the calls.
        cost_usd: US dollars; None when a price is unknown.
    """

    calls: int
    cached: int
    tokens: Tokens
    cost_usd: Range | None


def amounts_of(asked: Sequence[Question]) -> Amounts:
    """Count questions; what is asked twice is asked once."""
    each = {question.key: question for question in asked}
    open_ = [q for q in each.values() if q.answered is None]
    parts = {}
    for name, model in {q.model.name: q.model for q in open_}.items():
        some = [q for q in open_ if q.model.name == name]
        parts[name] = model_estimate(model, some, some, Experience())
    return Amounts(
        calls=len(open_),
        cached=len(each) - len(open_),
        tokens=total(parts),
        cost_usd=cost([part.cost_usd for part in parts.values()]),
    )
