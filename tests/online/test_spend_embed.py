"""What embedding costs counts against the day's budget, and stops where that is spent."""

import asyncio

import pytest

from acidtest.data.outcomes import Outcome, Score
from acidtest.errors import OutsideError
from acidtest.metrics.bound import Bound
from acidtest.metrics.declare import metric
from acidtest.online.config import OnlineConfig
from acidtest.online.score import Settings
from acidtest.online.work import run_worker
from acidtest.ports import Embedder, Spent


@metric(stage="generation")
async def embeds(text: str, embedder: Embedder) -> Outcome:
    """Return 1.0 once the text is embedded."""
    await embedder.embed([text])
    return Score(1.0)


class Counted:
    """An embedder that costs a cent an asking, and counts it."""

    def __init__(self, cost=0.01, *, fails=False):
        self.cost, self.fails = cost, fails
        self.asked = 0
        self.spent = Spent()

    async def embed(self, texts):
        self.asked += 1
        await asyncio.sleep(0)
        self.spent += Spent(input_tokens=10, cost_usd=self.cost)
        if self.fails:
            raise OutsideError("the endpoint answered 500")
        return [[1.0]] * len(texts)


class Free:
    """One that counts nothing, as a local one does."""

    def __init__(self):
        self.asked = 0

    async def embed(self, texts):
        self.asked += 1
        return [[1.0]] * len(texts)


@pytest.fixture
def once(tmp_path):
    def run(embedder, **more):
        config = OnlineConfig(**{"sample": 1.0, "concurrency": 1, **more})
        given = Settings(config=config, metrics=(Bound(embeds, {}),), embedder=embedder)
        url = str(tmp_path / "online.db")
        return asyncio.run(run_worker(url, given, once=True, clock=lambda: 1_000))

    return run


def test_the_days_money_stops_embedding(send, once):
    send(*(f"t{n}" for n in range(8)))
    embedder = Counted()
    done = once(embedder, budget_usd_per_day=0.05)
    assert (embedder.asked, done.scored, done.left_out) == (5, 5, 3)
    assert done.spent.usd == pytest.approx(0.05)
    assert (done.spent.tokens, done.spent.calls) == (50, 0)


def test_askings_side_by_side_are_counted_once_each(send, once):
    send(*(f"t{n}" for n in range(8)))
    done = once(Counted(), concurrency=8)
    assert (done.scored, done.spent.tokens) == (8, 80)
    assert done.spent.usd == pytest.approx(0.08)


def test_what_a_failed_asking_took_counts(send, once):
    send("t1")
    done = once(Counted(fails=True))
    assert (done.failed, done.spent.tokens) == (1, 10)
    assert done.spent.usd == pytest.approx(0.01)


def test_a_price_that_nobody_knows_cannot_be_kept_to(send, once):
    send("t1", "t2", "t3")
    embedder = Counted(cost=None)
    done = once(embedder, budget_usd_per_day=5.0)
    assert (embedder.asked, done.scored, done.left_out) == (1, 1, 2)
    assert once(Counted(cost=None)).left_out == 2  # nothing more is due


def test_one_that_costs_nothing_is_never_held_back(send, once):
    send("t1", "t2", "t3")
    embedder = Free()
    done = once(embedder, budget_usd_per_day=0.0)
    assert (embedder.asked, done.scored, done.left_out) == (3, 3, 0)
