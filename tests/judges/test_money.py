import asyncio

import pytest
from msgspec import Struct

from acidtest.errors import BadConfig, BudgetSpent, JudgeError
from acidtest.judges.backend import Completion
from acidtest.data import EmbeddingUse, JudgeUse
from acidtest.judges.budget import Budget, Budgeted
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
