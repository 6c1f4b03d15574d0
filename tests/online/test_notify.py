"""Telling of alerts: against a real server that answers well, badly, late, or elsewhere."""

import asyncio
import hashlib
import hmac
import json
import threading
from contextlib import AsyncExitStack, suppress

import pytest
from aiohttp import web
from msgspec.structs import replace
from tests.online.receiver import receiving

from acidtest.data.watching import Alert, Drift, Estimate
from acidtest.errors import BadConfig, MissingExtra
from acidtest.online import apart
from acidtest.online.addresses import filled, shown
from acidtest.online.config import AlertsConfig
from acidtest.online.notify import SECRET, SIGNATURE
from acidtest.online.told import message, tell

ALERT = Alert(
    key="drift:all:faithfulness:2026-02-07",
    state="open",
    opened_ms=7,
    title="faithfulness fell from 0.93 to 0.8",
    drifts=(
        Drift(
            metric="faithfulness",
            kind="score",
            evidence=1e3,
            limit=100,
            alarmed=True,
            rising=False,
            before=Estimate(value=0.93, low=0.92, high=0.94, n=900),
            after=Estimate(value=0.8, low=0.76, high=0.84, n=200),
        ),
    ),
    worst=("t1", "t2"),
)


class Server:
    """Answers with the given statuses, the last one for ever; keeps what it was sent."""

    def __init__(self, *statuses, wait_s=0.0, headers=None):
        self.statuses, self.wait_s, self.headers = list(statuses), wait_s, headers
        self.got = []

    async def answer(self, request):
        self.got.append((request.path, dict(request.headers), await request.read()))
        await asyncio.sleep(self.wait_s)
        status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        return web.Response(status=status, headers=self.headers)

    async def __aenter__(self):
        self.receiver = receiving(self.answer, "/{path:.*}")
        self.url = f"{await self.receiver.__aenter__()}/hook/secret-path?key=secret"
        return self

    async def __aexit__(self, *error):
        await self.receiver.__aexit__(*error)


async def send(url, *, environment=None, timeout_s=5.0, apprise=()):
    config = AlertsConfig(webhook=url, apprise=apprise)
    return await tell(
        [ALERT],
        config,
        now_ms=1_767_571_200_123,
        environment=environment or {},
        pause_s=0.01,
        timeout_s=timeout_s,
    )


async def test_a_webhook_is_posted_the_alert_signed():
    async with Server(204) as server:
        (sent,) = await send(server.url, environment={SECRET: "s3cret"})
    assert (sent.error, sent.tries, sent.key) == ("", 1, ALERT.key)
    assert "secret" not in sent.to
    ((path, headers, body),) = server.got
    assert path == "/hook/secret-path"
    said = json.loads(body)
    assert (said["format"], said["version"]) == ("acidtest/alert", 1)
    assert said["alert"]["worst"] == ["t1", "t2"]
    time, digest = (part.split("=")[1] for part in headers[SIGNATURE].split(","))
    assert time == "1767571200"
    signed = hmac.new(b"s3cret", f"{time}.".encode() + body, hashlib.sha256).hexdigest()
    assert hmac.compare_digest(digest, signed)


async def test_without_a_secret_nothing_is_signed():
    async with Server(200) as server:
        await send(server.url)
    assert SIGNATURE not in server.got[0][1]


async def test_it_is_tried_again_until_it_works():
    async with Server(503, 429, 200) as server:
        (sent,) = await send(server.url)
    assert (sent.error, sent.tries, len(server.got)) == ("", 3, 3)


@pytest.mark.parametrize(
    ("status", "tries", "error"),
    [
        (500, 4, "it answered 500"),
        (404, 1, "it answered 404"),
        (307, 1, "it answered 307; redirects are not followed"),
    ],
)
async def test_what_does_not_arrive_is_told(status, tries, error):
    async with Server(200) as other, Server(status, headers={"Location": other.url}) as server:
        (sent,) = await send(server.url)
    assert (sent.error, sent.tries, len(server.got)) == (error, tries, tries)
    assert other.got == []


async def test_a_server_that_is_slow_or_gone_holds_nobody_up():
    async with Server(200, wait_s=1) as server:
        (slow,) = await asyncio.wait_for(send(server.url, timeout_s=0.05), 3)
    (gone,) = await send(server.url)
    assert slow.error == "it did not answer in time"
    assert gone.error.startswith("it could not be reached")
    assert "secret" not in repr((slow, gone))


@pytest.mark.parametrize("host", ["a..b", "a" * 300, "127.0.0.1:99999", "[::1", "\udcff.example"])
async def test_an_address_that_is_none_is_told(host):
    (sent,) = await send(f"http://{host}/secret")
    assert (sent.error, sent.tries <= 1) == ("it is no address", True)
    assert "secret" not in repr(sent)


async def test_addresses_come_from_the_environment():
    async with Server(200) as server:
        (sent,) = await send("${HOOK}", environment={"HOOK": server.url})
        assert sent.error == ""
    (missing,) = await send("${HOOK}")
    assert missing.error == "the variable HOOK is not set"
    with pytest.raises(BadConfig):
        filled("x://${A}", {})


@pytest.mark.slow  # it loads a hundred services
async def test_apprise_reaches_a_server():
    async with Server(200) as server:
        address = server.url.replace("http://", "json://").partition("?")[0]
        (sent,) = await send(None, apprise=(address,))
        assert sent.error == ""
    assert sent.to == "json://..."
    said = json.loads(server.got[0][2])
    assert said["title"] == "acidtest: alert"
    assert "faithfulness fell" in said["message"]


async def test_apprise_failures_are_told_without_the_address(monkeypatch):
    async with Server(500) as server:
        address = server.url.replace("http://", "json://").partition("?")[0]
        bad, unknown = await send(None, apprise=(address, "nosuch://token-1234"))
    assert bad.error == "it did not arrive"
    assert unknown.error == "apprise knows no such address"
    assert "token" not in repr(unknown)

    def absent(*_, **__):
        raise MissingExtra("no apprise", fix="Install it with: pip install 'acidtest[alerts]'")

    monkeypatch.setattr(apart, "folder", absent)
    (missing,) = await send(None, apprise=("slack://a/b/c",))
    assert "pip install 'acidtest[alerts]'" in missing.error


async def test_apprise_that_is_answered_without_end_does_not_keep_the_program():
    async def without_end(request):
        reply = web.StreamResponse()
        await reply.prepare(request)
        with suppress(OSError):
            while True:
                await reply.write(b"x")
                await asyncio.sleep(0.1)
        return reply

    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(receiving(without_end, "/{path:.*}"))
        config = AlertsConfig(apprise=(url.replace("http://", "json://"),))
        found = []

        def run():
            found.extend(asyncio.run(tell([ALERT], config, now_ms=1, timeout_s=0.5)))

        program = threading.Thread(target=run, daemon=True)
        program.start()
        await asyncio.to_thread(program.join, 40)
        assert not program.is_alive()
    assert [each.error for each in found] == ["it did not answer in time"]


async def test_nothing_to_tell_sends_nothing():
    assert await tell([], AlertsConfig(webhook="http://127.0.0.1:1"), now_ms=0) == []


def test_addresses_are_shown_without_secrets():
    assert shown("https://user:pw@hooks.example.org:8443/T0/B1?k=v") == (
        "https://hooks.example.org:8443/..."
    )
    assert shown("slack://tokenA/tokenB") == "slack://..."
    assert shown("http://[bad") == "an address"


def test_people_get_a_short_text():
    text = message(ALERT)
    assert text.splitlines() == [
        "Alert: faithfulness fell from 0.93 to 0.8",
        "faithfulness: 0.93 (0.92 to 0.94) in 900 traces before, 0.80 (0.76 to 0.84) in 200 traces since",
        "traces: t1, t2",
    ]


def test_what_comes_from_outside_calls_nobody_and_opens_nothing():
    nasty = "@everyone <!channel> <@U1> #general https://evil.example \x1b[2J\nAlert: none"
    nasty += " [in](//evil.example) WWW.evil.example ~town !room #**stream**"
    text = message(replace(ALERT, title=nasty, worst=(nasty,) * 400))
    marks = (
        "@e",
        "<!",
        "<@",
        "#g",
        "://e",
        "\x1b",
        "\nAlert",
        "](",
        "//e",
        "WWW.",
        "~t",
        "!r",
        "#*",
    )
    assert not any(mark in text for mark in marks)
    assert len(text) <= 2_000


async def test_where_it_has_arrived_it_is_not_sent_again():
    async with Server(500, 500, 500, 500, 200) as first, Server(200) as second:
        config = AlertsConfig(
            webhook=first.url,
            apprise=(second.url.replace("http://", "json://").partition("?")[0],),
        )
        more = {"environment": {}, "pause_s": 0.01}
        lost, came = await tell([ALERT], config, now_ms=10, **more)
        assert (lost.error, came.error) == ("it answered 500", "")
        (again,) = await tell([ALERT], config, before=[lost, came], now_ms=20, **more)
        assert (again.error, len(second.got)) == ("", 1)
        # That it is over is another thing to tell, and so is what opens again.
        done = replace(ALERT, state="ended", ended_ms=30)
        anew = replace(ALERT, opened_ms=40)
        before = [came, again]
        assert len(await tell([done, anew], config, before=before, now_ms=50, **more)) == 4
