"""What a plan will take, before anything is spent: calls, tokens, money, minutes, and how sure that is.

Calls come from a rehearsal (`run.rehearse`), everything else from its questions (`run.amounts`). Calls
are those of the fewest and of the most questions that the metrics may ask; re-asks of invalid replies
come on top. With the answers of an earlier run the lower end takes them for the new ones, word for word,
and the upper end for others like them: all asked anew, what was declined answered, and as much longer as
1.96 standard errors of the cases' sum, as if each case were drawn again.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from acidtest.judges.budget_embed import BudgetedEmbedder
from acidtest.judges.desk import Model, Question
from acidtest.judges.local_embed import LocalEmbedder
from acidtest.ports import Embedder
from acidtest.run.amounts import (
    TOKENS_OFF,
    ModelEstimate,
    Range,
    Span,
    Tokens,
    cost,
    margin,
    minutes,
    model_estimate,
    span,
    total,
)
from acidtest.run.experience import Experience
from acidtest.run.plan import Plan
from acidtest.run.rehearse import Ledger
from acidtest.run.suppose import BASES, Basis, Supposition


class Embeddings(Struct, frozen=True):
    """What is embedded; `cost_usd` is None where the price is unknown.

    A local embedder costs nothing. Tokens are counted by characters, give or take a quarter.
    """

    local: bool
    calls: Span
    texts: Span
    tokens: Span
    cost_usd: Range | None


class Estimate(Struct, frozen=True, kw_only=True):
    """What a plan will take, told by `--dry-run`.

    Attributes:
        name: The run's name.
        cases: How many there are.
        pipeline_calls: How often the pipeline is asked.
        metrics: What is scored.
        judged: Those metrics that ask a judge.
        basis: What most answers are supposed from.
        answers: Basis -> cases.
        run: The run that answers were taken from.
        sure: How sure it is, in words.
        calls: Judge calls, of all models; those of the local judge only where no other is asked.
        cached: Questions that the store answers.
        shared: How often a question comes up again and is not asked again.
        prompt_bytes: UTF-8 of all prompts that are sent, the schemas of their replies included.
        tokens: Of all models; a local one takes none.
        cost_usd: US dollars, embeddings included; None when a price is unknown.
        minutes: Of judging.
        embeddings: None where nothing is embedded.
        by_metric: Metric -> judge calls that it is the first to make.
        models: Model -> its part.
        concurrency: Judge calls in flight.
        budget_usd: What may be spent; None for no bound.
        spent_usd: What an unfinished run of the plan has taken of it already.
    """

    name: str
    cases: int
    pipeline_calls: int
    metrics: tuple[str, ...]
    judged: tuple[str, ...]
    basis: Basis
    answers: dict[str, int]
    run: str | None
    sure: str
    calls: Span
    cached: int
    shared: int
    prompt_bytes: Span
    tokens: Tokens
    cost_usd: Range | None
    minutes: Range
    embeddings: Embeddings | None
    by_metric: dict[str, Span]
    models: dict[str, ModelEstimate]
    concurrency: int
    budget_usd: float | None
    spent_usd: float


def estimate(
    plan: Plan,
    supposed: Supposition,
    ends: tuple[Ledger, Ledger],
    known: Mapping[str, Experience],
) -> Estimate:
    """Say what a plan will take.

    Args:
        plan: The plan.
        supposed: What its rehearsal supposed.
        ends: The rehearsal's lower and upper end.
        known: Model -> what earlier verdicts say of it.
    """
    low, high = ends
    answers = {basis: _cases(supposed, basis) for basis in BASES}
    judged = tuple(m.name for m in plan.judged)
    drawn = answers["earlier run"] > 0 and not supposed.steady
    longer = margin(high.by_case) if drawn else 0.0
    models = {}
    local = all(not model.kept for model in models_of(ends))
    for model in models_of(ends):
        had = known.get(model.name, Experience())
        least, most = (_asked(ledger, model) for ledger in ends)
        models[model.name] = model_estimate(model, least, most, had, longer=longer)
    embeddings = _embeddings(plan.embedder, low, high)
    priced = [each.cost_usd for each in models.values()]
    if embeddings is not None:
        priced.append(embeddings.cost_usd)
    few, many = (_calls(ledger.questions.values(), local=local) for ledger in ends)
    return Estimate(
        name=plan.name,
        cases=len(plan.cases),
        pipeline_calls=supposed.pipeline_calls,
        metrics=tuple(m.name for m in plan.metrics),
        judged=judged,
        basis=max(BASES, key=lambda each: (answers[each], BASES.index(each))),
        answers={name: n for name, n in answers.items() if n},
        run=supposed.run,
        sure=_sure(answers, supposed, exact=few == many),
        calls=span(few, many),
        cached=len(low.answered),
        shared=low.shared,
        prompt_bytes=span(_bytes(low), _bytes(high) * (1 + longer)),
        tokens=total(models),
        cost_usd=cost(priced),
        minutes=minutes(models, plan.concurrency),
        embeddings=embeddings,
        by_metric={
            name: span(*(_calls(ledger.by_metric[name], local=local) for ledger in ends))
            for name in judged
        },
        models=models,
        concurrency=plan.concurrency,
        budget_usd=plan.budget.usd if plan.budget is not None else None,
        spent_usd=supposed.spent_usd,
    )


def models_of(ends: Iterable[Ledger]) -> list[Model]:
    """Return the models that are asked or were, each once."""
    found = {
        question.model.name: question.model
        for ledger in ends
        for question in (*ledger.questions.values(), *ledger.answered.values())
    }
    return list(found.values())


def _asked(ledger: Ledger, model: Model) -> list[Question]:
    return [q for q in ledger.questions.values() if q.model.name == model.name]


def _calls(questions: Iterable[Question], *, local: bool) -> int:
    """Count calls as a run counts them: those of the local judge only where no other is asked."""
    return sum(local or question.model.kept for question in questions)


def _cases(supposed: Supposition, basis: Basis) -> int:
    return sum(each.basis == basis for each in supposed.cases.values())


def _bytes(ledger: Ledger) -> int:
    return sum(question.bytes for question in ledger.questions.values())


def _sure(answers: Mapping[Basis, int], supposed: Supposition, *, exact: bool) -> str:
    known, earlier, guessed = (answers[basis] for basis in BASES)
    parts = []
    if earlier:
        again = "as two runs gave them" if supposed.steady else "or others like them"
        parts.append(f"from the answers of run {supposed.run}, {again}")
    if guessed:
        some = f" for {guessed} of {known + earlier + guessed} cases" if known + earlier else ""
        parts.append(
            f"guessed from the golden set{some}, from the references with their evidence to answers "
            "twice as long with more and longer passages"
        )
    if not parts:
        parts.append("exact up to re-asks")
        if not exact:
            parts.append("some questions hang on the reply to another")
    return "; ".join(parts)


def _embeddings(embedder: Embedder | None, low: Ledger, high: Ledger) -> Embeddings | None:
    few, many = low.embedded, high.embedded
    if not many.calls:
        return None
    local = isinstance(embedder, LocalEmbedder)
    tokens = span(few.tokens * (1 - TOKENS_OFF), many.tokens * (1 + TOKENS_OFF))
    return Embeddings(
        local=local,
        calls=span(few.calls, many.calls),
        texts=span(few.texts, many.texts),
        tokens=tokens,
        cost_usd=Range(0.0, 0.0) if local else _embedding_price(embedder, tokens),
    )


def _embedding_price(embedder: Embedder | None, tokens: Span) -> Range | None:
    price = embedder.price if isinstance(embedder, BudgetedEmbedder) else None
    ends = [price(n) if price is not None else None for n in (tokens.low, tokens.high)]
    low, high = ends
    return None if low is None or high is None else Range(low, high)
