import re

from msgspec.structs import replace
from tests.server.pages.conftest import NASTY, NOW
from tests.server.pages.test_trace import FORM, send

from acidtest.store.spending import Limits, Spending
from acidtest.store.trace_jobs import TraceJobs


def figure(text, title):
    return re.search(f'aria-label="{title}">.*?<p class="figure[^"]*">([^<]*)<', text)[1]


async def test_an_empty_queue(opened):
    async with opened() as client:
        text = (await client("GET", "/queue")).text
    assert figure(text, "Gave up") == "0"
    assert "nothing yet" in text
    assert "There is no budget" in text


async def test_what_waits_and_what_gave_up(opened, typical):
    typical.dead("a1", f"the judge is gone {NASTY}")
    typical.job("a2")
    async with opened() as client:
        text = (await client("GET", "/queue")).text
    assert figure(text, "Waiting to be scored") == "1"
    assert figure(text, "Gave up") == "1"
    assert "the judge is gone" in text
    assert '<a href="/traces/a1">' in text
    assert "<script>" not in text
    assert "Nothing is being scored right now" in text


async def test_what_is_being_scored_does_not_wait_too(opened, typical):
    typical.job("a1")
    typical.job("a2")
    with TraceJobs(typical.url) as jobs:
        # An hour: the page goes by the clock, and this file may be read long before its tests run.
        jobs.lease("w", 1, 3600, now_ms=NOW)
    async with opened() as client:
        text = (await client("GET", "/queue")).text
    assert (figure(text, "Waiting to be scored"), figure(text, "Being scored")) == ("1", "1")


async def test_one_is_tried_again_and_then_all(opened, typical):
    typical.dead("a1", "x")
    typical.dead("a2", "y")
    async with opened() as client:
        done = await send(client, "/queue/revive", trace="a1")
        shown = await client("GET", done.header("location"))
        assert "1 trace put back" in shown.text
        assert figure(shown.text, "Gave up") == "1"
        await send(client, "/queue/revive", state="dead")
        assert figure((await client("GET", "/queue")).text, "Gave up") == "0"
        nothing = await send(client, "/queue/revive", state="waiting")
        assert nothing.header("location") == "/queue?back=0"
        assert (
            await client("POST", "/queue/revive", b"state=dead", content_type=FORM)
        ).status == 403


async def test_what_the_budget_left_out_is_scored_after_all(opened, typical):
    typical.job("a1")
    with TraceJobs(typical.url) as jobs:
        (job,) = jobs.lease("w", 1, 60, now_ms=NOW)
        jobs.leave_out(job, "spent", now_ms=NOW)
    async with opened() as client:
        assert figure((await client("GET", "/queue")).text, "Out of budget") == "1"
        await send(client, "/queue/revive", state="out")
        assert figure((await client("GET", "/queue")).text, "Out of budget") == "0"


async def test_days_and_the_budget(opened, typical):
    with Spending(typical.url) as spending:
        spending.take(Limits(), now_ms=NOW, usd=1.5, calls=3)
    async with opened() as client:
        online = replace(client.site.config.online, budget_usd_per_day=2.0, calls_per_day=1000)
        client.site.config = replace(client.site.config, online=online)
        text = (await client("GET", "/queue")).text
    assert "$1.50" in text
    assert "$2.00 1,000 calls" in " ".join(text.split())


async def test_what_came_in_is_counted(opened):
    async with opened() as client:
        await client("POST", "/v1/traces", b"{}", content_type="text/plain")
        text = (await client("GET", "/queue")).text
    assert "1 answered 415" in text
    assert "<b>" not in text
