"""The week on a page: what the golden set lacks, links to the traces, and cases of them in a click."""

import json

import msgspec
import pytest
from tests.server.pages.conftest import NASTY, NOW, form_token, make

from acidtest.data.traces import Feedback
from acidtest.online.notify import Sent
from acidtest.online.weekly import Weekly
from acidtest.project.config import load_config
from acidtest.store.alerts import Alerts

PAIR = "How do I pair the headset with bluetooth?"


@pytest.fixture
def week(kept, tmp_path):
    """A week in which nine conversations ask what the golden set lacks, with thumbs down."""
    (tmp_path / "golden.jsonl").write_text(
        json.dumps({"id": "g", "question": "How long is the battery covered?"}) + "\n"
    )
    (tmp_path / "acidtest.toml").write_text(
        'golden = "golden.jsonl"\n[online.alerts]\nwebhook = "${X}"\ndigest = "monday"\n'
    )
    down = (Feedback(good=False),)
    kept.traces(
        *(make(f"a{n}", 60 * n + 1, session=f"s{n}") for n in range(20)),
        *(
            make(f"p{n}", 60 * n + 5, session=f"t{n}", question=PAIR, feedback=down)
            for n in range(9)
        ),
    )
    return load_config(tmp_path / "acidtest.toml")


async def post(client, *pairs, until=""):
    token = form_token(await client("GET", "/traces/a1"))
    fields = [("form_token", token), ("until", until), *pairs]
    body = "&".join(f"{name}={value}" for name, value in fields).encode()
    kind = "application/x-www-form-urlencoded"
    return await client("POST", "/digest/golden", body, content_type=kind)


async def test_what_is_asked_and_lacking_has_its_traces_and_becomes_a_case(opened, week, tmp_path):
    async with opened(config=week) as client:
        text = (await client("GET", "/digest")).text
        assert "29 traces" in text
        assert "9 questions like none in it" in text
        assert "bluetooth" in text
        assert f">{PAIR}</a>" in text
        assert '<a dir="auto" href="/traces/p' in text
        assert "acidtest golden promote p" in text
        assert "thumbs down 9" in text
        trace = text.partition('name="trace" value="')[2].partition('"')[0]
        done = await post(client, ("trace", trace))
        assert (done.status, done.header("location")) == (303, "/digest?done=1")
        after = (await client("GET", "/digest?done=1")).text
        assert "1 case now in the golden set, to be reviewed there." in after
        assert "0 questions like none in it" in after
        again = await post(client, ("trace", trace))
        assert again.status == 422
        assert 'role="alert"' in again.text
        assert (await post(client, ("trace", trace), ("replace", "yes"))).status == 303
    cases = [json.loads(line) for line in (tmp_path / "golden.jsonl").read_text().splitlines()]
    assert [case["question"] for case in cases] == ["How long is the battery covered?", PAIR]
    assert '"review": "open"' in json.dumps(cases[1])


async def test_forms_that_are_not_possible_are_refused(opened, week):
    async with opened(config=week) as client:
        assert (await post(client)).status == 422
        assert (await post(client, *[("trace", "p1")] * 21)).status == 422
        gone = await post(client, ("trace", "gone"), until="2026-13-99")
        assert gone.status == 422
        kind = "application/x-www-form-urlencoded"
        forged = await client("POST", "/digest/golden", b"trace=p1", content_type=kind)
        assert forged.status == 403


async def test_another_week_and_what_is_not_understood(opened, week):
    async with opened(config=week) as client:
        text = (await client("GET", "/digest?until=2020-01-12")).text
        assert "2020-01-06 to 2020-01-12" in text
        assert "0 traces" in text
        assert "No trace began in these days." in text
        assert "Nothing moved" not in text
        assert "0 questions" not in text
        assert "acidtest traces digest --until 2020-01-13" in text
        assert 'href="/digest?until=2020-01-05"' in text
        for query in (
            "until=soon",
            "until=9999-12-31",
            "days=7",
            "until=2020-01-01&until=2020-01-02",
        ):
            shown = await client("GET", f"/digest?{query}")
            assert shown.status == 400
            assert "Nothing moved" not in shown.text
        assert (await client("GET", "/digest?until=0001-01-01")).status == 200


async def test_where_it_went_is_said(opened, week, kept):
    sent = Sent(key="k", state="week", to="https://a.example/...", at_ms=NOW, tries=1)
    lost = msgspec.structs.replace(sent, to="slack://...", error="it did not arrive <b>")
    with Alerts(kept.url) as alerts:
        state = Weekly(until_ms=NOW, sent=(sent, lost))
        assert alerts.swap("digest", None, msgspec.json.encode(state))
    async with opened(config=week) as client:
        text = (await client("GET", "/digest")).text
    assert "Each Monday" in text
    assert "reached https://a.example/..." in text
    assert "did not reach slack://..." in text
    assert "it did not arrive &lt;b&gt;" in text


async def test_without_a_golden_set_all_is_new_and_it_is_said(opened, typical):
    async with opened() as client:
        text = (await client("GET", "/digest")).text
        assert "No golden set is configured" in text
        assert "It is sent nowhere." in text
        assert (await post(client, ("trace", "a1"))).status == 422


async def test_a_golden_set_that_is_not_there_yet_is_empty_and_made(opened, week, tmp_path):
    (tmp_path / "golden.jsonl").unlink()
    async with opened(config=week) as client:
        assert "29 questions like none in it" in (await client("GET", "/digest")).text
        assert (await post(client, ("trace", "p1"))).status == 303
    assert PAIR in (tmp_path / "golden.jsonl").read_text()


async def test_a_golden_set_that_cannot_be_read_is_told_on_the_page(opened, week, tmp_path):
    (tmp_path / "golden.jsonl").write_text("{broken")
    async with opened(config=week) as client:
        shown = await client("GET", "/digest")
    assert shown.status == 200
    assert "golden.jsonl:1" in shown.text
    assert "Asked, and not" not in shown.text


async def test_hostile_questions_are_text(opened, kept):
    kept.traces(*(make(f"n{n}", n + 1, session=f"s{n}", question=NASTY * 40) for n in range(12)))
    kept.traces(*(make(f"o{n}", n + 1, session=f"o{n}") for n in range(12)))
    async with opened() as client:
        shown = await client("GET", "/digest")
    assert shown.status == 200
    assert "onmouseover" in shown.text
    assert "<script>alert" not in shown.text
    assert "<img" not in shown.text
    assert "\u202e" not in shown.text
    assert len(shown.body) < 200_000
