"""What a synthesis will take, before anything is spent: each slot's prompts as they would be asked."""

import contextlib

from msgspec import Struct

from acidtest.data.outcomes import Skip
from acidtest.errors import JudgeError
from acidtest.golden.grow.answerable import ANSWERABLE
from acidtest.golden.grow.draft import PROMPTS
from acidtest.golden.grow.drafting import NEAR, check_fields, question_fields, slot_fields
from acidtest.golden.grow.near import Nearest
from acidtest.golden.grow.plan import Slot
from acidtest.golden.grow.synthesise import Shortfall
from acidtest.judges.counting import counting_judge
from acidtest.judges.desk import Desk, Question
from acidtest.project.golden_grow_plan import Prepared
from acidtest.project.judging import Judging
from acidtest.run.amounts import ModelEstimate, Range, Span, cost, minutes, model_estimate, span
from acidtest.run.experience import experience
from acidtest.store.runs import Store

AGAIN = 2
"""At the upper end as many calls come on top for drafts that are written again or dropped."""

_QUESTION = (
    "Which of the things that are named here would apply in the case that is described, and why?"
)


class Forecast(Struct, frozen=True, kw_only=True):
    """What a synthesis will take.

    Attributes:
        asked: Questions that are asked for.
        before: Those that are there already.
        calls: Of all models.
        cached: Replies that the store holds already.
        models: Model -> its part; none for templates.
        cost_usd: US dollars; None when a price is unknown.
        minutes: Of waiting for models.
        shortfall: Kinds that the corpus does not offer enough for.
        budget_usd: What may be spent; None for no bound.
    """

    format: str = "acidtest/golden-synthesize-estimate"
    version: int = 1
    asked: int
    before: int
    calls: Span
    cached: int
    models: dict[str, ModelEstimate]
    cost_usd: Range | None
    minutes: Range
    shortfall: tuple[Shortfall, ...]
    budget_usd: float | None = None


async def forecast(
    prepared: Prepared,
    judging: Judging | None,
    store: Store | None,
    *,
    checking: Judging | None = None,
) -> Forecast:
    """Say what an order will take; nobody is asked, and nothing is written."""
    ours = [c for c in prepared.file.cases if c.metadata.get("plan") == prepared.key]
    filled = {str(case.metadata.get("slot")) for case in ours}
    slots = [
        slot
        for kind, count in prepared.quota.items()
        for slot in prepared.plan.slots[kind][:count]
        if slot.name not in filled
    ]
    known = store if prepared.order.use_cache else None
    asked: list[Question] = []
    nearest = Nearest(prepared.corpus)
    if judging is not None:
        desks = [
            Desk(each.judge, known=known.verdict if known is not None else None)
            for each in (judging, checking or judging)
        ]
        for slot in slots:
            await _rehearsed(slot, prepared, nearest, desks, asked)
    by_model = {question.model.name: question.model for question in asked}
    models = {}
    for name, model in by_model.items():
        new = [q for q in asked if q.model.name == name and q.answered is None]
        had = experience(store, name, [q for q in asked if q.model.name == name])
        models[name] = model_estimate(model, new, new * AGAIN, had)
    new_calls = sum(question.answered is None for question in asked)
    return Forecast(
        asked=prepared.order.n,
        before=len(ours),
        calls=span(new_calls, AGAIN * new_calls),
        cached=len(asked) - new_calls,
        models=models,
        cost_usd=cost([each.cost_usd for each in models.values()]),
        minutes=minutes(models, prepared.order.concurrency),
        shortfall=tuple(
            Shortfall(
                kind=kind,
                missing=count - len(prepared.plan.slots[kind]),
                why=prepared.plan.why_few(kind),
            )
            for kind, count in prepared.quota.items()
            if len(prepared.plan.slots[kind]) < count
        ),
        budget_usd=_budget(judging),
    )


def _budget(judging: Judging | None) -> float | None:
    return judging.means.budget.usd if judging is not None and judging.means is not None else None


async def _rehearsed(
    slot: Slot, prepared: Prepared, nearest: Nearest, desks: list[Desk], asked: list[Question]
) -> None:
    writer, checker = (counting_judge(desk, asked) for desk in desks)
    fields = slot_fields(slot, prepared.plan.wish.language, ())
    question = question_fields(fields["passages"], _QUESTION, ())
    if slot.kind == "unanswerable":
        question["passages"] = (question["passages"] * NEAR)[:NEAR]
    with contextlib.suppress(JudgeError):  # no reply is made up that quotes the chunk
        said = await writer.ask(PROMPTS[slot.kind], **fields)
        if not isinstance(said, Skip) and asked[-1].answered is not None:
            question = check_fields(slot, said.reply, nearest)
    with contextlib.suppress(JudgeError):
        await checker.ask(ANSWERABLE, **question)
