"""HTTP endpoints as pipelines, over real sockets on this machine."""

import asyncio
import contextlib
import json
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from aiohttp import web

from acidtest.data.answers import Chunk, Latency
from acidtest.data.golden import Case, Turn
from acidtest.errors import BadConfig, PipelineError, UsageError
from acidtest.pipelines import http as module
from acidtest.pipelines.http import HttpPipeline
from acidtest.ports import PipelineOptions

CASE = Case(id="q1", question="capital?", history=(Turn("user", "hi"),))
TOKEN = "s3cr3t-token-value"  # noqa: S105 - a fake
GOLD = (Chunk(id="g1", text="Gold text.", doc_id="d"),)


@contextlib.asynccontextmanager
async def served(handler, path="/ask"):
    """Serve a handler; give the address."""
    app = web.Application()
    app.router.add_route("*", path, handler)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        yield f"http://127.0.0.1:{port}/ask"
    finally:
        await runner.cleanup()


@contextlib.asynccontextmanager
async def opened(handler, *, headers=None, path="/ask", **options):
    """Serve a handler; give a pipeline that asks it."""
    async with served(handler, path) as url:
        pipeline = HttpPipeline(
            url,
            name="p",
            headers=headers,
            options=PipelineOptions(**options),
            environ={"TOKEN": TOKEN},
        )
        try:
            yield pipeline
        finally:
            await pipeline.aclose()


async def ask(handler, *, mode="live", contexts=None, **more):
    async with opened(handler, **more) as pipeline:
        return await pipeline.ask(CASE, mode=mode, contexts=contexts)


async def failure(handler, **more):
    with pytest.raises(PipelineError) as caught:
        await ask(handler, **more)
    return caught.value


def says(value, **more):
    async def handler(request):
        return web.json_response(value, **more)

    return handler


def echo(seen):
    async def handler(request):
        seen.append((await request.json(), dict(request.headers)))
        return web.json_response({"answer": "Paris", "retrieved": [{"id": "c1", "text": "t"}]})

    return handler


async def test_the_question_and_the_answer():
    seen = []
    answer = await ask(echo(seen), headers={"Authorization": "Bearer ${TOKEN}"})
    body, headers = seen[0]
    assert body == {
        "id": "q1",
        "question": "capital?",
        "history": [{"role": "user", "content": "hi"}],
    }
    assert headers["Content-Type"] == "application/json"
    assert headers["Authorization"] == f"Bearer {TOKEN}"
    assert (answer.case_id, answer.text) == ("q1", "Paris")
    assert answer.retrieved == (Chunk(id="c1", rank=1, text="t"),)
    assert answer.latency_ms.total > 0


async def test_golden_context_hands_over_contexts_and_k_goes_where_configured():
    seen = []
    answer = await ask(echo(seen), mode="golden-context", contexts=GOLD, k=5)
    assert seen[0][0]["contexts"] == [{"id": "g1", "text": "Gold text.", "doc_id": "d"}]
    assert seen[0][0]["k"] == 5
    assert [c.id for c in answer.retrieved] == ["g1"]


async def test_the_endpoints_own_reports_are_kept():
    row = {
        "answer": "no",
        "retrieved": [],
        "candidates": ["c1"],
        "abstained": True,
        "citations": ["c1"],
        "latency_ms": {"retrieve": 2, "total": 9},
        "usage": {"input_tokens": 4},
    }
    answer = await ask(says(row))
    assert answer.latency_ms == Latency(retrieve=2, total=9)
    assert (answer.abstained, answer.citations) == (True, ("c1",))
    assert answer.usage.input_tokens == 4


async def test_nan_scores_as_python_writes_them_are_dropped():
    async def handler(request):
        return web.Response(text='{"answer": "a", "retrieved": [{"id": "c1", "score": NaN}]}')

    answer = await ask(handler)
    assert answer.retrieved[0].score is None
    assert len(answer.notes) == 1


async def test_retrieval_only_is_told_and_held_to():
    calls = []

    async def searches(request):
        body = await request.json()
        calls.append(body.get("mode"))
        return web.json_response({"retrieved": ["c1"]})

    answer = await ask(searches, mode="retrieval-only")
    assert (answer.text, answer.retrieved[0].id, calls) == (None, "c1", ["retrieval-only"])
    error = await failure(searches)
    assert "it returned contexts, but no answer" in str(error)
    assert calls[1] is None


async def test_an_endpoint_that_generates_all_the_same_is_asked_once():
    seen = []
    async with opened(echo(seen), retries=2) as pipeline:
        for _ in range(3):
            with pytest.raises(PipelineError, match="retrieval only and generated an answer"):
                await pipeline.ask(CASE, mode="retrieval-only")
    assert len(seen) == 1


async def test_one_session_serves_all_questions():
    ports = set()

    async def handler(request):
        ports.add(request.transport.get_extra_info("peername")[1])
        return web.json_response({"answer": "a"})

    async with opened(handler) as pipeline:
        for _ in range(5):
            await pipeline.ask(CASE)
    assert len(ports) == 1


async def test_a_closed_pipeline_opens_again():
    async with opened(says({"answer": "a"})) as pipeline:
        await pipeline.ask(CASE)
        await pipeline.aclose()
        await pipeline.aclose()
        assert (await pipeline.ask(CASE)).text == "a"


# ------------------------------------------------------------------------------- what goes wrong


def replies(status, *, times=None, text="", headers=None):
    """Fail so many times, then answer."""
    calls = []

    async def handler(request):
        calls.append(time.monotonic())
        if times is None or len(calls) <= times:
            return web.Response(status=status, text=text, headers=headers)
        return web.json_response({"answer": "a"})

    return handler, calls


@pytest.mark.parametrize("status", [429, 503])
async def test_retry_after_is_obeyed(status):
    handler, calls = replies(status, times=1, headers={"Retry-After": "0.3"})
    assert (await ask(handler, retries=1)).text == "a"
    assert calls[1] - calls[0] >= 0.3


async def test_retry_after_as_a_date_and_as_nonsense():
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=1), usegmt=True)
    handler, calls = replies(503, times=1, headers={"Retry-After": soon})
    assert (await ask(handler, retries=1)).text == "a"
    assert calls[1] - calls[0] < 2
    handler, calls = replies(429, times=1, headers={"Retry-After": "soonish"})
    assert (await ask(handler, retries=1)).text == "a"


async def test_a_retry_after_beyond_the_time_out_is_not_waited_for():
    handler, calls = replies(429, headers={"Retry-After": "3600"}, text="quota")
    error = await failure(handler, retries=3)
    assert "it replied 429 Too Many Requests: quota" in str(error)
    assert len(calls) == 1


@pytest.mark.parametrize("status", [408, 500, 502, 504])
async def test_a_servers_fault_is_repeated(status):
    handler, calls = replies(status, times=1)
    assert (await ask(handler, retries=1)).text == "a"
    assert len(calls) == 2


@pytest.mark.parametrize(
    ("status", "fix"),
    [
        (400, ""),
        (401, "Check the headers"),
        (403, "Check the headers"),
        (404, "Check the path"),
        (405, "must take POST"),
        (422, '{"id", "question", "history"}'),
    ],
)
async def test_our_fault_is_not_repeated(status, fix):
    handler, calls = replies(status, text="because")
    error = await failure(handler, retries=3)
    assert f"it replied {status}" in str(error)
    assert "because" in str(error)
    assert fix in str(error)
    assert len(calls) == 1


async def test_secrets_show_in_no_message():
    async def tells(request):
        return web.Response(status=500, text=f"bad token {request.headers['X-Key']}")

    async def tells_in_an_answer(request):
        return web.Response(text=f"<html>{request.headers['X-Key']}")

    for handler in (tells, tells_in_an_answer):
        error = await failure(handler, headers={"X-Key": "$TOKEN"})
        assert TOKEN not in f"{error} {error.detail}"
        assert "[secret]" in f"{error} {error.detail}"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"<html>hello", "not JSON: bytes b'<html>hello'"),
        (b"", "its reply is empty"),
        (b"[1, 2]", "its reply is list of 2, not an object"),
        (b"3", "its reply is int 3"),
        (b"null", "its reply is None"),
        (b'{"anwser": "x"}', "'anwser', which holds no answer"),
        (b'{"answer": 3}', "its answer is int 3"),
        (b'{"error": "no index"}', "it reported an error: no index"),
        (b"[" * 100_000, "nested too deeply"),
        (b"\xff\xfe{}", "not JSON"),
        (b'{"answer": "a", "retrieved": [null]}', "context 1: this is None"),
    ],
)
async def test_nonsense_is_refused_with_how_it_begins(body, said):
    async def handler(request):
        return web.Response(body=body)

    assert said in str(await failure(handler))


async def test_json_with_a_bom_and_any_content_type_is_read():
    async def handler(request):
        return web.Response(body=b'\xef\xbb\xbf{"answer": "a"}', content_type="text/html")

    assert (await ask(handler)).text == "a"


async def test_a_reply_without_end_is_cut_off(monkeypatch):
    monkeypatch.setattr(module, "MAX_REPLY", 200_000)

    async def handler(request):
        response = web.StreamResponse()
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            while True:
                await response.write(b"x" * 10_000)
        return response

    assert "over 200,000 bytes" in str(await failure(handler))


async def test_a_slow_endpoint_is_given_up():
    async def handler(request):
        await asyncio.sleep(30)

    start = time.monotonic()
    error = await failure(handler, timeout_s=0.1)
    assert "no answer within 0.1 s" in str(error)
    assert time.monotonic() - start < 5


async def test_a_connection_that_breaks_is_repeated():
    calls = []

    async def handler(request):
        calls.append(1)
        if len(calls) == 1:
            request.transport.abort()
        return web.json_response({"answer": "a"})

    assert (await ask(handler, retries=1)).text == "a"
    calls.clear()
    assert "the connection broke" in str(await failure(handler))


async def test_a_closed_port_says_so():
    async with served(says({})) as url:
        pass
    pipeline = HttpPipeline(url)
    with pytest.raises(PipelineError) as caught:
        await pipeline.ask(CASE)
    await pipeline.aclose()
    assert "no connection to 127.0.0.1" in str(caught.value)
    assert "Connection refused" in str(caught.value)
    assert "Start the server" in str(caught.value)


async def test_redirects_that_keep_the_method_are_followed_on_the_same_origin():
    async def handler(request):
        if request.path == "/ask":
            raise web.HTTPTemporaryRedirect("/ask/")
        body = await request.json()
        return web.json_response({"answer": body["question"]})

    answer = await ask(handler, path="/{tail:.*}")
    assert answer.text == "capital?"


@pytest.mark.parametrize(
    "to", [web.HTTPFound("/other"), web.HTTPTemporaryRedirect("http://127.0.0.1:9/ask")]
)
async def test_other_redirects_are_told_and_get_no_headers(to):
    async def handler(request):
        raise to

    error = await failure(handler, headers={"X-Key": "$TOKEN"}, retries=2)
    assert f"redirects ({to.status}) to http://127.0.0.1" in str(error)
    assert "Configure the address" in str(error)


async def test_redirects_in_a_circle_end():
    async def handler(request):
        raise web.HTTPTemporaryRedirect("/ask")

    assert "more than 5 redirects" in str(await failure(handler, retries=2))


@pytest.mark.parametrize(
    "url", ["", "ftp://host/x", "http://", "http://host:port/", "localhost:8000", "http://[::1"]
)
def test_what_is_no_address_is_refused_early(url):
    with pytest.raises(BadConfig, match="is no HTTP address"):
        HttpPipeline(url)


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({"X-Key": "$NOT_SET_AT_ALL"}, "header X-Key: the environment variable NOT_SET_AT_ALL"),
        ({"X Key": "1"}, "'X Key' is no name of a header"),
        ({"X-Key": "a\r\nEvil: 1"}, "holds a line break"),
    ],
)
def test_bad_headers_are_refused_early(headers, said):
    with pytest.raises(BadConfig, match=said):
        HttpPipeline("http://127.0.0.1/", headers=headers, environ={})


def test_impossible_options_are_refused():
    with pytest.raises(UsageError, match="retries is -1"):
        HttpPipeline("http://127.0.0.1/", options=PipelineOptions(retries=-1))


def test_logins_and_keys_in_the_address_are_not_shown():
    pipeline = HttpPipeline("http://user:${TOKEN}@host/ask", environ={"TOKEN": TOKEN})
    assert pipeline.name == "host"
    assert TOKEN not in pipeline._shown
    with pytest.raises(BadConfig) as caught:
        HttpPipeline("ftp://user:password@host/ask")
    assert "password" not in str(caught.value)


def test_the_fingerprint_knows_the_configuration_but_no_secret():
    def made(token="one", url="http://host/ask", **options):  # noqa: S107 - a fake
        return HttpPipeline(
            url,
            name="p",
            headers={"X": "$TOKEN"},
            environ={"TOKEN": token},
            options=PipelineOptions(**options),
        ).fingerprint

    assert made("one") == made("two", timeout_s=5)
    assert len({made(), made(url="http://host/other"), made(k=3)}) == 3


async def test_many_questions_at_once():
    running = []

    async def handler(request):
        running.append(1)
        await asyncio.sleep(0.05)
        body = await request.json()
        return web.json_response({"answer": body["id"]})

    async with opened(handler, concurrency=10) as pipeline:
        cases = [Case(id=str(n), question="q") for n in range(20)]
        answers = await asyncio.gather(*map(pipeline.ask, cases))
    assert [a.text for a in answers] == [c.id for c in cases]


def test_a_pipeline_may_be_used_in_one_loop_after_another():
    pipelines = []

    async def main():
        async with served(says({"answer": "a"})) as url:
            if not pipelines:
                pipelines.append(HttpPipeline(url))
            pipelines[0]._url = url
            answer = await pipelines[0].ask(CASE)
            await pipelines[0].aclose()
            return answer.text

    assert [asyncio.run(main()) for _ in range(2)] == ["a", "a"]


async def test_what_is_sent_is_json_whatever_the_text():
    seen = []
    odd = Case(id="q\u2028", question='quote " and \n new line \u00e9 \U0001f600')
    async with opened(echo(seen)) as pipeline:
        await pipeline.ask(odd)
    assert json.dumps(seen[0][0]["question"]) == json.dumps(odd.question)
