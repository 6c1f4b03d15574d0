"""The week's digest: sent once, by one of several workers, on both databases; tried again where it did not arrive."""

import asyncio
import hashlib
import hmac
import json
from contextlib import AsyncExitStack

import pytest
from aiohttp import web
from tests.online.receiver import receiving
from tests.online.test_digest import GOLDEN, MONDAY, reading, weeks

from acidtest.data.traces import Feedback, Trace
from acidtest.errors import BadGolden
from acidtest.online.config import AlertsConfig
from acidtest.online.digest import WEEK_MS, digest
from acidtest.online.digest_told import digest_message, digest_parcel
from acidtest.online.notify import Parcel
from acidtest.online.readings import DAY_MS
from acidtest.online.rooms import open_rooms
from acidtest.online.weekly import TRIES, Weekly, read_weekly, week_end, weekly
from acidtest.project.config import load_config
from acidtest.project.digest import digest_sent
from acidtest.store.alerts import Alerts

HOUR = 3_600_000
NASTY = (
    "@everyone <!channel> <b>x</b> https://evil.example/\x1b[2J\u202e bluetooth headset\n- 99 on"
)


@pytest.fixture
async def hooks():
    """Two webhooks: what each was posted, and the statuses that each answers next."""
    async with AsyncExitStack() as stack:
        yield [await one_hook(stack) for _ in range(2)]


async def one_hook(stack):
    got, statuses = [], []

    async def answer(request):
        body = await request.read()
        got.append((request.headers.get("Acidtest-Signature"), body))
        await asyncio.sleep(0.05)
        return web.Response(status=statuses.pop(0) if statuses else 200)

    address = await stack.enter_async_context(receiving(answer, "/{path:.*}"))
    return f"{address}/secret", got, statuses


@pytest.fixture
def opened(any_url):
    with open_rooms(any_url) as rooms:
        yield rooms


def made(since_ms, until_ms):
    return Parcel(key=f"k{until_ms}", state="week", body=b"{}", title="t", text="x")


def at(day, hour=0):
    """A moment: day 0 is Monday, 5 January 2026."""
    return MONDAY + day * DAY_MS + hour * HOUR


def test_the_week_ends_where_the_weekday_last_began():
    assert week_end("monday", at(0)) == at(0)
    assert week_end("monday", at(6, 23)) == at(0)
    assert week_end("monday", at(7)) == at(7)
    assert week_end("sunday", at(0)) == at(-1)
    assert week_end("wednesday", at(2, 5)) == at(2)


async def test_of_several_workers_at_once_one_sends_once_a_week(opened, hooks):
    (url, got, _), _ = hooks
    config = AlertsConfig(webhook=url, digest="monday")
    looks = [weekly(config, made, every_ms=900_000) for _ in range(4)]
    await asyncio.gather(*(look(opened, at(0, 1)) for look in looks))
    assert len(got) == 1
    for hour in (2, 50, 167):
        await looks[1](opened, at(0, hour))
    assert len(got) == 1
    await asyncio.gather(*(look(opened, at(7)) for look in looks))
    assert len(got) == 2
    with Alerts(opened.traces.url) as kept:
        state = read_weekly(kept)
    assert (state.done, state.until_ms, [each.error for each in state.sent]) == (True, at(7), [""])


@pytest.mark.filterwarnings("ignore:'imghdr':DeprecationWarning")
async def test_only_where_it_did_not_arrive_it_is_sent_again_after_a_pause(opened, hooks):
    (url, first, statuses), (other, second, later) = hooks
    config = AlertsConfig(
        webhook=url, apprise=(other.replace("http://", "json://"),), digest="monday"
    )
    look = weekly(config, made, every_ms=900_000)
    statuses += [404, 404]
    await look(opened, at(0))
    assert (len(first), len(second)) == (1, 1)
    with Alerts(opened.traces.url) as kept:
        assert [each.error for each in read_weekly(kept).sent] == ["it answered 404", ""]
        assert "secret" not in repr(read_weekly(kept).sent)
    await look(opened, at(0) + 60_000)
    assert len(first) == 1
    await look(opened, at(0) + 900_000)
    assert (len(first), len(second)) == (2, 1)
    await look(opened, at(0) + 900_000 + 1_800_000)
    await look(opened, at(3))
    assert (len(first), len(second)) == (3, 1)
    assert later == []


async def test_it_is_given_up_at_last_and_the_next_week_begins_anew(opened, hooks):
    (url, got, statuses), _ = hooks
    look = weekly(AlertsConfig(webhook=url, digest="monday"), made, every_ms=0)
    statuses += [404] * TRIES
    for n in range(TRIES + 5):
        await look(opened, at(0, n))
    assert len(got) == TRIES
    await look(opened, at(7))
    assert len(got) == TRIES + 1


async def test_a_claim_of_one_that_was_killed_is_taken_over(opened, hooks):
    import msgspec

    (url, got, _), _ = hooks
    look = weekly(AlertsConfig(webhook=url, digest="monday"), made, every_ms=0)
    with Alerts(opened.traces.url) as kept:
        state = Weekly(until_ms=at(0), claimed_ms=at(0))
        assert kept.swap("digest", None, msgspec.json.encode(state))
    await look(opened, at(0) + 60_000)
    assert got == []
    await look(opened, at(0) + 11 * 60_000)
    assert len(got) == 1


async def test_a_clock_that_was_wrong_ends_nothing_and_what_is_unreadable_begins_anew(
    opened, hooks
):
    (url, got, _), _ = hooks
    look = weekly(AlertsConfig(webhook=url, digest="monday"), made, every_ms=0)
    await look(opened, at(7000))
    await look(opened, at(0))
    assert len(got) == 2
    with Alerts(opened.traces.url) as kept:
        kept.swap("digest", kept.state("digest"), b"{broken")
    await look(opened, at(7))
    assert len(got) == 3


async def test_workers_whose_clocks_differ_send_one(opened, hooks):
    (url, got, _), _ = hooks
    look = weekly(AlertsConfig(webhook=url, digest="monday"), made, every_ms=0)
    await asyncio.gather(*(look(opened, at(7) + ms) for ms in (40, 0, 90_000, 20)))
    assert len(got) == 1
    await look(opened, at(7) - 30_000)  # there it is Sunday still
    await look(opened, at(7) + 120_000)
    assert len(got) == 1


async def test_a_claim_by_a_clock_that_is_ahead_holds(opened, hooks):
    import msgspec

    (url, got, _), _ = hooks
    look = weekly(AlertsConfig(webhook=url, digest="monday"), made, every_ms=0)
    with Alerts(opened.traces.url) as kept:
        state = Weekly(until_ms=at(0), claimed_ms=at(0) + 60_000)
        assert kept.swap("digest", None, msgspec.json.encode(state))
    await look(opened, at(0))
    assert got == []


async def test_off_by_default_and_nothing_to_tell_sends_nothing(opened, hooks):
    (url, got, _), _ = hooks
    await weekly(AlertsConfig(webhook=url), made, every_ms=0)(opened, at(0))
    calls = []

    def nothing_yet(since_ms, until_ms):
        calls.append((since_ms, until_ms))
        return made(since_ms, until_ms) if len(calls) == 3 else None

    look = weekly(AlertsConfig(webhook=url, digest="monday"), nothing_yet, every_ms=0)
    await look(opened, at(0))
    await look(opened, at(1))
    assert calls == [(at(-7), at(0))] * 2
    assert got == []
    # Traces of that week were imported meanwhile, such as those from before there was a watch.
    await look(opened, at(2))
    await look(opened, at(3))
    assert (len(calls), len(got)) == (3, 1)


async def test_what_cannot_be_made_is_told_and_tried_again(opened, hooks):
    (url, got, _), _ = hooks
    broken = [True]

    def make(since_ms, until_ms):
        if broken:
            raise BadGolden("line 3 is no JSON", where="golden.jsonl:3")
        return made(since_ms, until_ms)

    look = weekly(AlertsConfig(webhook=url, digest="monday"), make, every_ms=0)
    await look(opened, at(0))
    with Alerts(opened.traces.url) as kept:
        (lost,) = read_weekly(kept).sent
    assert "golden.jsonl:3" in lost.error
    broken.clear()
    await look(opened, at(1))
    assert len(got) == 1
    with Alerts(opened.traces.url) as kept:
        assert [each.error for each in read_weekly(kept).sent] == [""]


async def test_a_store_is_told_signed_as_json_and_in_words(opened, hooks, tmp_path, monkeypatch):
    (url, got, _), _ = hooks
    monkeypatch.setenv("ACIDTEST_WEBHOOK_SECRET", "s3cret")
    (tmp_path / "golden.jsonl").write_text(
        json.dumps({"id": "g", "question": "How long does a refund take?"}) + "\n"
    )
    (tmp_path / "acidtest.toml").write_text('golden = "golden.jsonl"\n')
    config = load_config(tmp_path / "acidtest.toml")
    asked = ["How long does a refund take?", "How do I pair the headset with bluetooth?"]
    traces = [
        Trace(
            id=f"t{n}",
            started_ns=(at(-1) + n * 60_000) * 1_000_000,
            question=asked[n % 2],
            session=f"s{n}",
            feedback=(Feedback(good=False),) if n % 2 else (),
        )
        for n in range(20)
    ]
    opened.traces.save([(trace, f"d{trace.id}") for trace in traces], now_ms=at(0))
    make = digest_sent(config, opened.traces.url)
    await weekly(AlertsConfig(webhook=url, digest="monday"), make, every_ms=0)(opened, at(0, 3))
    ((signed, body),) = got
    moment, mac = (part.split("=")[1] for part in signed.split(","))
    ours = hmac.new(b"s3cret", f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    assert hmac.compare_digest(mac, ours)
    said = json.loads(body)
    assert (said["format"], said["version"], said["key"]) == (
        "acidtest/digest",
        1,
        "digest:2026-01-04",
    )
    assert said["lacking"][0]["promote"].startswith("acidtest golden promote t")
    assert said["text"].startswith("Live traffic, 2025-12-29 to 2026-01-04: 20 traces\n")
    assert make(at(-70), at(-63)) is None


def test_the_text_is_short_and_whole():
    found = digest(weeks(), GOLDEN, until_ms=MONDAY + WEEK_MS)
    lines = digest_message(found, into="golden.jsonl").splitlines()
    assert lines[0] == "Live traffic, 2026-01-05 to 2026-01-11: 90 traces"
    assert "Failures that are alike (15 failed):" in lines
    assert any("bluetooth" in line and line.endswith("with bluetooth?”") for line in lines)
    assert lines[-1].endswith("acidtest traces digest --until 2026-01-12")
    quiet = digest([], [], until_ms=MONDAY)
    assert digest_message(quiet, into="g").splitlines() == [
        "Live traffic, 2025-12-29 to 2026-01-04: 0 traces",
        "Nothing new is asked, no failures are alike, and nothing moved.",
    ]


def test_hostile_questions_are_bounded_and_do_nothing():
    some = [reading(n, NASTY * 40 + f" {n % 5}", score=0.0) for n in range(30)]
    some += [reading(n, f"What is the tax of order {n % 4}?") for n in range(30, 90)]
    parcel = digest_parcel(digest(some, [], until_ms=MONDAY + WEEK_MS), into="x" * 3000)
    assert "headset" in parcel.text
    for mark in ("@e", "<!", "<b>", "://e", "\x1b", "\u202e", "\n- 99 on"):
        assert mark not in parcel.text
    assert len(parcel.text) <= 2_000
    assert len(parcel.body) < 200_000
