import msgspec
import pytest
from msgspec.structs import replace
from tests.server.pages.conftest import NASTY, NOW, make
from tests.server.pages.test_trace import send

from acidtest.data.watching import Alert, Cause, Drift, Estimate, Missed
from acidtest.online.look import State
from acidtest.online.notify import Sent
from acidtest.server.acknowledged import acknowledge, acknowledged
from acidtest.store.alerts import Alerts

DAY = 86_400_000


def est(value, n=100):
    return Estimate(value=value, low=value - 0.02, high=value + 0.02, n=n)


def drift(**more):
    values = {
        "metric": "faithfulness", "kind": "score", "evidence": 1830.0, "limit": 1000.0,
        "alarmed": True, "rising": False, "since_ms": NOW - 3 * DAY, "before": est(0.93, 412),
        "after": est(0.84), "recent": est(0.82, 60),
    }  # fmt: skip
    return Drift(**(values | more))


def alert(key="k", **more):
    values = {"key": key, "state": "open", "opened_ms": NOW - DAY, "title": "faithfulness fell"}
    return Alert(**(values | more))


@pytest.fixture
def told(typical):
    """Save alerts."""

    def save(*some):
        with Alerts(typical.url) as alerts:
            alerts.save(list(some))
        return typical

    return save


async def test_none_is_said(opened, typical):
    async with opened() as client:
        text = (await client("GET", "/alerts")).text
    assert text.count(">none</p>") == 2


async def test_an_alert_has_its_evidence_cause_and_traces(opened, told):
    cause = Cause(by="model", of="small-2", explains=0.87, after=est(0.74), rest=est(0.92))
    told(
        alert(drifts=(drift(),), cause=cause, worst=("a1", "gone")),
        alert("m", missed=(Missed(metric="answer_relevance", target=0.85, at_least=True,
                                  estimate=est(0.79)),)),
        alert("e", state="ended", ended_ms=NOW, title="it is over"),
    )  # fmt: skip
    async with opened() as client:
        text = (await client("GET", "/alerts")).text
    assert "0.93 (0.91 to 0.95, n\u00a0412)" in text
    assert "0.84 (0.82 to 0.86, n\u00a0100)" in text
    assert "1,830, limit\u00a01,000" in text
    assert (
        "model small-2 explains 87% of the fall in faithfulness: 0.74 there, 0.92 elsewhere" in text
    )
    assert '"/traces?model=small-2"' in text
    assert "How long is the battery covered?</a>" in text
    assert "<code>gone</code>" in text
    assert "answer_relevance below the target" in text
    assert text.index("faithfulness fell") < text.index(">Ended</h2>") < text.index("it is over")


async def test_somebody_has_seen_it(opened, told):
    store = told(alert(), alert("k2"))
    async with opened() as client:
        done = await send(client, "/alerts/1/seen", by=f"Ada {NASTY[:30]}")
        assert (done.status, done.header("location")) == (303, "/alerts#alert-1")
        await send(client, "/alerts/1/seen", by="Bob")
        text = (await client("GET", "/alerts")).text
        assert "seen by Ada" in text
        assert "<script>" not in text
        assert text.count("I have seen it") == 1
        assert (await send(client, "/alerts/77/seen")).status == 404
        assert (await send(client, "/alerts/x/seen")).status == 404
        assert (await send(client, f"/alerts/{10**24}/seen")).status == 404
        assert (await client("POST", "/alerts/2/seen", b"by=x")).status == 403
    with Alerts(store.url) as kept:
        assert acknowledged(kept)[1].by.startswith("Ada")


def test_acknowledgements_are_bounded_and_survive_what_is_unreadable(typical):
    with Alerts(typical.url) as kept:
        kept.swap("acknowledged", None, b"{]")
        for number in range(1, 504):
            acknowledge(kept, number, "x", now_ms=NOW)
        assert len(acknowledged(kept)) == 500
        assert 503 in acknowledged(kept)


async def test_hostile_alerts_are_text(opened, told):
    bad = NASTY.replace("\ud800", "")
    many = tuple(drift(metric=bad, by=bad, of=bad, note=bad, kind="topic") for _ in range(100))
    cause = Cause(by=bad, of=bad, explains=0.5, after=est(0.1), rest=None)
    told(alert(title=bad * 50, drifts=many, cause=cause, worst=(bad,) * 300))
    told(alert("z", drifts=(drift(since_ms=None, before=None, evidence=1e300),)))
    async with opened() as client:
        shown = await client("GET", "/alerts")
    assert shown.status == 200
    assert "<script>alert" not in shown.text
    assert "<img src" not in shown.text
    assert "over a billion" in shown.text
    assert len(shown.body) < 200_000


async def test_alerts_link_to_traces_that_are_there(opened, told):
    told(alert(worst=("a1",), drifts=(drift(),)))
    told().traces(make("a1", question=None, missing={"question": "no root span"}))
    async with opened() as client:
        assert "(it tells no question)" in (await client("GET", "/alerts")).text


async def test_an_alert_that_did_not_arrive_says_where_and_why(opened, told):
    told(alert(), alert("fine"))
    first = Sent(key="k", state="open", to="https://a.example/...", at_ms=NOW, tries=4, error="no")
    late = replace(first, to="https://b.example/...", error="it answered 404 <script>")
    came = replace(first, key="fine")
    state = State(sent=(first, late, came, replace(first, error=""), replace(came, error="")))
    with Alerts(told().url) as kept:
        assert kept.swap("watch", None, msgspec.json.encode(state))
    async with opened() as client:
        text = (await client("GET", "/alerts")).text
    assert text.count("Not told to") == 1
    assert "Not told to https://b.example/... at" in text
    assert "it answered 404 &lt;script&gt;" in text
