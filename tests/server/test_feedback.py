"""Feedback as JSON: kept, redacted, refused; and never by a page of another site."""

import json

import pytest
from tests.server.conftest import Client, alive

from acidtest.online.config import OnlineConfig
from acidtest.project.config import Config
from acidtest.server.app import create_app
from acidtest.server.settings import Settings
from acidtest.server.site import Site
from acidtest.store.traces import TraceStore

ID = "4bf92f3577b34da6a3ce929d0e0e4736"
PATH = f"/api/traces/{ID}/feedback"
JSON = {"content_type": "application/json"}


async def said(client, given, status=202, **headers):
    body = given if isinstance(given, bytes) else json.dumps(given).encode()
    answer = await client("POST", PATH, body, **(JSON | headers))
    assert answer.status == status, answer.text
    return answer.json() if answer.body.startswith(b"{") else answer.text


def kept(client):
    return client.site.open(TraceStore).feedback([ID]).get(ID, ())


@pytest.mark.parametrize(
    ("given", "good", "score"),
    [
        ({"score": 1}, True, 1.0),
        ({"score": 0, "comment": "wrong city"}, False, 0.0),
        ({"score": -1}, False, -1.0),
        ({"score": 3.5, "name": "stars"}, None, 3.5),
        ({"good": True}, True, None),
        ({"good": False, "score": 2}, False, 2.0),
        ({"label": "thumbs_down"}, False, None),
        ({"comment": "hm"}, None, None),
    ],
)
async def test_it_is_kept_and_the_trace_is_due(opened, given, good, score):
    async with opened() as client:
        told = await said(client, given)
        assert (told["format"], told["trace_id"]) == ("acidtest/feedback", ID)
        (one,) = kept(client)
        assert (one.good, one.score, one.by) == (good, score, "user")
        assert (one.comment, one.name) == (given.get("comment"), given.get("name", "feedback"))
        assert client.site.open(TraceStore).waiting(10**15) == (1, 1)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, "at least one"),
        ({"name": "stars"}, "at least one"),
        ({"rating": 1}, "rating"),
        ({"score": "good"}, "score"),
        ({"score": True}, "score"),
        ({"comment": "x" * 20_001}, "20000"),
        ([], "no feedback"),
        (b"", "no feedback"),
        (b"\xff\xfe", "no feedback"),
        (b"[" * 100_000, "no feedback"),
        (b'{"score": 1e999}', "score"),
    ],
)
async def test_what_is_no_feedback_is_refused_with_the_reason(opened, given, why):
    async with opened() as client:
        assert why in (await said(client, given, status=400))["error"]
        assert kept(client) == ()


async def test_an_id_that_no_trace_has_is_refused(opened):
    async with opened() as client:
        answer = await client("POST", f"/api/traces/{'x' * 65}/feedback", b'{"score": 1}', **JSON)
        assert answer.status == 400


async def test_what_a_page_elsewhere_can_send_is_refused(opened):
    async with opened() as client:
        await said(client, {"score": 0}, status=415, content_type="text/plain")
        await said(client, b"score=0", status=415, content_type="application/x-www-form-urlencoded")
        await said(client, {"score": 0}, status=403, origin="https://evil.example")
        assert kept(client) == ()


async def test_with_a_token_it_is_asked_for(opened):
    async with opened(token="a-long-enough-token") as client:  # noqa: S106 - of no server
        await said(client, {"score": 0}, status=401)
        await said(client, {"score": 0}, status=401, authorization="Bearer other")
        assert kept(client) == ()
        await said(client, {"score": 0}, authorization="Bearer a-long-enough-token")
        assert len(kept(client)) == 1


async def test_it_is_redacted_or_not_kept(tmp_path):
    (tmp_path / "mine.py").write_text(
        "def clean(text):\n    if 'refuse' in text:\n        raise ValueError(text)\n    return text\n"
    )
    online = OnlineConfig(redact=("email",), redact_with="mine.py:clean")
    config = Config(folder=str(tmp_path), online=online)
    settings = Settings(store=str(tmp_path / "s.db"))
    site = Site(settings, config)
    app = create_app(settings, config, site=site)
    async with alive(app):
        client = Client(app, site)
        told = await said(
            client, {"score": 0, "comment": "Mail ada@mail.example", "name": "a@b.de"}
        )
        assert told["feedback"]["comment"] == "Mail [email]"
        (one,) = kept(client)
        assert (one.comment, one.name) == ("Mail [email]", "[email]")
        refused = await said(client, {"score": 0, "comment": "refuse ada@mail.example"}, status=400)
        assert "ada" not in json.dumps(refused)
        assert len(kept(client)) == 1
