import pytest
from tests.server.pages.conftest import NASTY, make
from tests.server.test_guard import BEARER, TOKEN

from acidtest.data.outcomes import Score
from acidtest.data.watching import Alert
from acidtest.store.alerts import Alerts

DAY = 24 * 60


async def test_before_the_first_trace_it_says_how_to_send_one(opened):
    async with opened() as client:
        shown = await client("GET", "/", host="127.0.0.1:9")
        assert shown.status == 200
        assert "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://127.0.0.1:9/v1/traces" in shown.text
        assert "at.Recorder('http://127.0.0.1:9')" in shown.text


async def test_where_the_server_has_a_token_it_says_how_to_send_it(opened):
    async with opened(token=TOKEN) as client:
        shown = await client("GET", "/", authorization=BEARER)
    assert "OTEL_EXPORTER_OTLP_TRACES_HEADERS" in shown.text
    assert "export ACIDTEST_TOKEN=YOUR-TOKEN\npython -c" in shown.text
    assert TOKEN not in shown.text


async def test_a_page_that_is_not_there_says_so(opened):
    async with opened() as client:
        shown = await client("GET", "/nix")
    assert (shown.status, "There is no such page" in shown.text) == (404, True)


async def test_figures_of_all_traces(opened, typical):
    async with opened() as client:
        text = (await client("GET", "/")).text
    assert ">3</a></p>" in text  # traces
    assert "2 scored, 67%" in text
    assert "<code>faithfulness</code>" in text
    assert "33.3%" in text  # a third failed, a third has a thumbs down
    assert "1.2\u00a0s" in text
    assert "No trace" not in text


async def test_a_slice_holds_its_own_and_links_keep_it(opened, typical):
    async with opened() as client:
        text = (await client("GET", "/?model=large-1&days=7")).text
    assert ">1</a></p>" in text
    assert "None of these traces is scored" in text
    assert "/traces?model=large-1&amp;since=" in text
    assert 'value="large-1" selected' in text


async def test_slices_are_of_model_version_service_and_tag(opened, typical):
    async with opened() as client:
        for query, n in (("tag=beta", 2), ("service=shop", 1), ("prompt_version=v7", 3)):
            assert f">{n}</a></p>" in (await client("GET", f"/?{query}")).text
        none = (await client("GET", "/?tag=beta&model=large-1")).text
        assert "No trace from" in none
        assert "Show all" in none


async def test_old_traces_are_looked_at_where_they_are(opened, kept):
    kept.traces(make("old", 200 * DAY))
    async with opened() as client:
        text = (await client("GET", "/")).text
        assert "these are the latest days that there are" in text
        assert ">1</a></p>" in text
        assert "No trace from" in (await client("GET", "/?until=2020-01-01")).text


@pytest.mark.parametrize(
    "query",
    ["until=9999-12-31", "until=0001-01-01", "tag=nosuch", "days=7&days=7", "=&&&"],
)
async def test_what_leads_nowhere_is_no_fault(opened, typical, query):
    async with opened() as client:
        assert (await client("GET", f"/?{query}")).status == 200


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("days=7&days=x", "It is given twice"), ("days=-1", "Write one of 7, 14, 30, 90."), ("until=1-1-1", "Write a day: 2026-11-30."),
        ("until=%00", "Write a day: 2026-11-30."), ("until=soon", "Write a day: 2026-11-30."),
        ("tag=" + "%ff" * 50, "It is not UTF-8."), ("model=" + "x" * 5000, "Write up to 500"),
        ("since=7d", "There is no such field"),
    ],
)  # fmt: skip
async def test_what_is_not_understood_is_told_and_nothing_shown(opened, typical, query, why):
    async with opened() as client:
        shown = await client("GET", f"/?{query}")
        assert shown.status == 400
        assert why in shown.text
        assert 'class="tiles"' not in shown.text
        assert '<form class="query"' in shown.text


async def test_the_form_keeps_what_was_typed(opened, typical):
    async with opened() as client:
        shown = (await client("GET", "/?days=8&until=2026-13-01&model=small-2")).text
        assert '<option value="8" selected>8</option>' in shown
        assert 'value="2026-13-01" aria-invalid="true"' in shown
        assert '<option value="small-2" selected>' in shown


async def test_an_address_is_told_without_any_trace_too(opened, kept):
    async with opened() as client:
        shown = await client("GET", "/?days=8")
        assert (shown.status, "Write one of 7" in shown.text) == (400, True)


async def test_open_alerts_stand_on_top(opened, typical):
    alert = Alert(key="k", state="open", opened_ms=1, title=f"faithfulness fell {NASTY}")
    with Alerts(typical.url) as alerts:
        alerts.save([alert, Alert(key="e", state="ended", opened_ms=1, title="long over")])
    async with opened() as client:
        text = (await client("GET", "/")).text
    assert "1 open alert" in text
    assert "faithfulness fell" in text
    assert "long over" not in text
    assert "<script>alert" not in text


async def test_hostile_names_are_text(opened, kept):
    kept.traces(make("n", model=NASTY, service=NASTY, prompt_version=NASTY, tags=(NASTY,)))
    kept.scores("n", {f"m{NASTY}".replace("\ud800", ""): Score(0.5)})
    async with opened() as client:
        text = (await client("GET", "/")).text
    assert "<script>alert" not in text
    assert "<img" not in text
    assert "\u202e" not in text
    assert "{{ 7 * 7 }}" in text


async def test_what_was_made_is_kept_for_a_moment(opened, typical):
    async with opened() as client:
        before = (await client("GET", "/")).text
        typical.traces(make("new", 1))
        assert (
            (await client("GET", "/")).text.count(">3</a></p>") == before.count(">3</a></p>") == 1
        )
