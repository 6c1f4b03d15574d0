import asyncio

import pytest
from msgspec import Struct

from acidtest.data.use import EmbeddingUse, JudgeUse
from acidtest.errors import BadConfig, BudgetSpent, JudgeError, UsageError
from acidtest.judges.backend import Completion, Request
from acidtest.judges.budget import Budget, Budgeted
from acidtest.judges.budget_backend import BudgetedBackend
from acidtest.judges.budget_embed import BudgetedEmbedder
from acidtest.judges.prices import Rates, by_rates
from acidtest.ports import Prompt, Spent, Verdict


class Reply(Struct, frozen=True):
    word: str = "yes"


PROMPT = Prompt(name="p", version="1", template="", reply=Reply)


class Priced:
    model = "m"
    fingerprint = "f"

    def __init__(self, *costs):
        self.costs = list(costs)
        self.calls = 0

    async def ask(self, prompt, **fields):
        self.calls += 1
        await asyncio.sleep(0)
        cost = self.costs.pop(0) if len(self.costs) > 1 else self.costs[0]
        if isinstance(cost, JudgeError):
            raise cost
        return Verdict(reply=Reply(), cost_usd=cost)


def test_rates_by_hand():
    # 800 fresh at $2, 200 cached at $0.5 and 100 out at $8 per million.
    price = by_rates(Rates(input=2, output=8, cached_input=0.5))
    used = Completion(text="", input_tokens=1000, cached_tokens=200, output_tokens=100)
    assert price(used) == pytest.approx((800 * 2 + 200 * 0.5 + 100 * 8) / 1e6)
    assert by_rates(Rates(input=2, output=8))(used) == pytest.approx((1000 * 2 + 100 * 8) / 1e6)
    with pytest.raises(BadConfig, match="below 0"):
        by_rates(Rates(input=-1, output=1))


async def test_asks_until_the_money_is_spent():
    judge = Priced(0.4)
    budget = Budgeted(judge, Budget(usd=1.0))
    for _ in range(3):
        await budget.ask(PROMPT)
    with pytest.raises(BudgetSpent, match=r"\$1 is used up: \$1.2000 spent"):
        await budget.ask(PROMPT)
    assert judge.calls == 3


async def test_calls_in_flight_count():
    judge = Priced(0.3)
    budget = Budgeted(judge, Budget(usd=1.0))
    await budget.ask(PROMPT)
    done = await asyncio.gather(*(budget.ask(PROMPT) for _ in range(20)), return_exceptions=True)
    assert sum(isinstance(d, BudgetSpent) for d in done) == 17
    assert judge.calls == 4  # 0.3 spent and three more in flight are expected to come to 1.2


async def test_lost_calls_cost_too_and_an_unknown_price_stops():
    lost = JudgeError("no verdict")
    lost.spent = Spent(attempts=3, cost_usd=2.0)
    budget = Budgeted(Priced(lost, 0.1), Budget(usd=1.0))
    with pytest.raises(JudgeError, match="no verdict"):
        await budget.ask(PROMPT)
    with pytest.raises(BudgetSpent):
        await budget.ask(PROMPT)
    budget = Budgeted(Priced(None), Budget(usd=1.0))
    assert await budget.ask(PROMPT)  # it is paid for, so it counts
    with pytest.raises(BudgetSpent, match="price of a call is unknown"):
        await budget.ask(PROMPT)
    assert BudgetSpent("x").ends_run


async def test_a_budget_of_nothing_asks_nobody():
    for budget in (Budget(usd=0.0), Budget(tokens=0)):
        judge = Priced(0.1)
        with pytest.raises(BudgetSpent, match=r"used up: (\$0|0) spent"):
            await Budgeted(judge, budget).ask(PROMPT)
        assert judge.calls == 0
        assert budget
    assert not Budget()


class Wordy(Priced):
    """Takes 40 tokens in and 10 out a call, at no known price."""

    async def ask(self, prompt, **fields):
        self.calls += 1
        await asyncio.sleep(0)
        return Verdict(reply=Reply(), input_tokens=40, output_tokens=10)


async def test_a_budget_in_tokens_counts_in_and_out_and_needs_no_price():
    judge = Wordy()
    budget = Budgeted(judge, Budget(tokens=120))
    for _ in range(3):
        await budget.ask(PROMPT)
    with pytest.raises(BudgetSpent, match=r"120 tokens is used up: 150 spent.*budget_tokens"):
        await budget.ask(PROMPT)
    assert judge.calls == 3


async def test_judges_share_a_budget_and_each_knows_its_own_price():
    budget = Budget(usd=1.0)
    cheap, dear = Budgeted(Priced(0.01), budget), Budgeted(Priced(0.6), budget)
    await cheap.ask(PROMPT)
    await dear.ask(PROMPT)
    done = await asyncio.gather(*(dear.ask(PROMPT) for _ in range(5)), return_exceptions=True)
    assert sum(isinstance(d, BudgetSpent) for d in done) == 4
    with pytest.raises(BudgetSpent):
        await cheap.ask(PROMPT)
    assert budget.spent.cost_usd == pytest.approx(1.21)


async def test_what_earlier_executions_took_counts():
    budget = Budget(usd=1.0)
    embedded = EmbeddingUse(tokens=10, cost_usd=0.25)
    budget.carry(JudgeUse(calls=3, tokens=90, cost_usd=0.75, embedding=embedded))
    with pytest.raises(BudgetSpent, match=r"\$1.0000 spent"):
        await Budgeted(Priced(0.1), budget).ask(PROMPT)
    with pytest.raises(UsageError, match="--fresh"):
        Budget(usd=1.0).carry(JudgeUse(calls=3, cost_usd=None))
    in_tokens = Budget(tokens=100)
    in_tokens.carry(JudgeUse(calls=3, tokens=90, cost_usd=None, embedding=EmbeddingUse(tokens=10)))
    with pytest.raises(BudgetSpent):
        await Budgeted(Priced(0.1), in_tokens).ask(PROMPT)


async def test_a_call_that_is_given_up_is_in_flight_no_more():
    class Hangs(Priced):
        async def ask(self, prompt, **fields):
            if self.calls:
                await asyncio.sleep(60)
            return await super().ask(prompt, **fields)

    budget = Budgeted(Hangs(0.6), Budget(usd=1.0))
    await budget.ask(PROMPT)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(budget.ask(PROMPT), 0.01)
    budget.inside.calls = 0
    assert (await budget.ask(PROMPT)).cost_usd == 0.6


class Vectors:
    """An embedder of one token a text."""

    input_tokens = 0

    async def embed(self, texts):
        await asyncio.sleep(0)
        self.input_tokens += len(texts)
        return [[1.0] for _ in texts]


async def test_embedding_shares_the_budget():
    budget = Budget(usd=1.0)
    embedder = BudgetedEmbedder(Vectors(), budget, price=lambda tokens: tokens * 0.1, name="e")
    await asyncio.gather(*(embedder.embed(["a", "b", "c"]) for _ in range(3)))
    assert embedder.spent.input_tokens == 9
    assert embedder.spent.cost_usd == pytest.approx(0.9)
    await Budgeted(Priced(0.2), budget).ask(PROMPT)
    with pytest.raises(BudgetSpent, match="embedder e"):
        await embedder.embed(["a"])


async def test_embedding_without_a_price_is_bounded_in_tokens_only():
    budget = Budget(usd=0.5, tokens=5)
    embedder = BudgetedEmbedder(Vectors(), budget, price=None, name="e")
    await embedder.embed(["a"] * 5)
    assert embedder.spent.cost_usd is None
    with pytest.raises(BudgetSpent, match="5 tokens is used up"):
        await embedder.embed(["a"])


class Slow:
    """A backend whose calls all begin before the first one ends."""

    model = "m"
    endpoint = "http://m"

    def __init__(self):
        self.calls = 0

    async def complete(self, request):
        self.calls += 1
        await asyncio.sleep(0.01)
        return Completion(text="", input_tokens=1_000, output_tokens=10)

    async def aclose(self):
        pass


@pytest.mark.parametrize(
    "budget", [Budget(usd=0.35), Budget(tokens=3_500)], ids=["money", "tokens"]
)
async def test_first_calls_in_flight_count_with_the_text_that_they_send(budget):
    slow = Slow()
    asked = BudgetedBackend(slow, budget, by_rates(Rates(input=100, output=100)))
    request = Request(
        text="word " * 780, system="be a judge, " * 8, schema={}, schema_name="r", max_tokens=9
    )
    done = await asyncio.gather(
        *(asked.complete(request) for _ in range(20)), return_exceptions=True
    )
    assert sum(isinstance(d, BudgetSpent) for d in done) == 16
    assert slow.calls == 4  # about 1,000 tokens and $0.10 each, and nothing was known before
