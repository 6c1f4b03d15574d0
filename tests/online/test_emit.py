import asyncio
import json
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from tests.online.receiver import receiving

from acidtest.data.outcomes import Failure, Score, Skip
from acidtest.data.traces import Generation, Trace
from acidtest.metrics.registry import find
from acidtest.online import emit
from acidtest.online.config import OnlineConfig
from acidtest.online.emit import request
from acidtest.online.score import Settings
from acidtest.online.work import run_worker
from acidtest.store.trace_results import TraceResults
from acidtest.tracing.otlp.open import opened
from acidtest.tracing.otlp.receive import read_json

ID = "4bf92f3577b34da6a3ce929d0e0e4736"
TRACE = Trace(id=ID, generations=(Generation(span_id="a" * 16), Generation(span_id="b" * 16)))
SCORES = {"m": Score(0.5, "half"), "n": Skip("no answer"), "o": Failure("away \ud800")}


def test_results_are_one_span_linked_to_the_trace_with_an_event_a_metric():
    body = request(TRACE, "d1", SCORES, 1_000)
    arrivals = read_json(body)
    (kept,) = arrivals.spans
    span = opened(kept.form, kept.body, next(iter(arrivals.origins.values())))
    assert span.scope == "acidtest.online"
    assert span.attributes["otel.links"] == [{"trace_id": ID, "span_id": "b" * 16}]
    assert span.trace_id != ID
    first, second, third = span.events
    assert {e.name for e in span.events} == {"gen_ai.evaluation.result"}
    assert first.attributes == {
        "gen_ai.evaluation.name": "m",
        "gen_ai.evaluation.score.value": 0.5,
        "gen_ai.evaluation.explanation": "half",
    }
    assert second.attributes["gen_ai.evaluation.score.label"] == "not applicable"
    assert third.attributes["error.type"] == "_OTHER"
    assert third.attributes["gen_ai.evaluation.explanation"] == "away \ufffd"


def test_the_same_result_has_the_same_ids_and_another_has_others():
    def span_id(body):
        return json.loads(body)["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["spanId"]

    assert span_id(request(TRACE, "d1", SCORES, 1)) == span_id(request(TRACE, "d1", SCORES, 2))
    assert span_id(request(TRACE, "d1", SCORES, 1)) != span_id(request(TRACE, "d2", SCORES, 1))


def test_a_trace_without_an_id_of_otlps_is_not_sent():
    assert request(Trace(id="run-7"), "d", SCORES, 1) is None
    assert request(Trace(id="0" * 32), "d", SCORES, 1) is None


@asynccontextmanager
async def collector(statuses):
    """A collector that answers with these statuses in turn, the last one again and again."""
    bodies = []

    async def take(asked):
        bodies.append((asked.path, await asked.read()))
        status = statuses[min(len(bodies), len(statuses)) - 1]
        return web.json_response({}, status=status, headers={"Location": "/elsewhere"})

    async with receiving(take, "/{any:.*}") as url:
        yield url, bodies


def given(url):
    config = OnlineConfig(sample=1.0, emit=url)
    return Settings(config=config, metrics=[find("citation_validity")])


async def watched(rooms, url):
    store = str(rooms.traces.url)
    return await run_worker(store, given(url), once=True, clock=lambda: 1000)


async def test_what_was_scored_is_sent_and_tried_again(rooms, send, monkeypatch):
    monkeypatch.setattr(emit, "_PAUSE_S", 0.01)
    send(ID, "b" * 32, "from-a-file")
    async with collector([503, 429, 200]) as (url, bodies):
        summary = await watched(rooms, url)
    assert (summary.scored, summary.sent, summary.unsent) == (3, 2, 0)
    assert [path for path, _ in bodies] == ["/v1/traces"] * 4


@pytest.mark.parametrize("status", [400, 302, 307, 308])
async def test_what_is_refused_is_counted_and_goes_nowhere_else(rooms, send, status):
    send(ID)
    async with collector([status]) as (url, bodies):
        summary = await watched(rooms, f"{url}/own/path")
    assert (summary.scored, summary.sent, summary.unsent, len(bodies)) == (1, 0, 1, 1)
    assert bodies[0][0] == "/own/path"


async def test_nobody_there_keeps_nothing_from_being_scored(rooms, send, monkeypatch):
    monkeypatch.setattr(emit, "_PAUSE_S", 0.01)
    send(ID)
    summary = await asyncio.wait_for(watched(rooms, "http://127.0.0.1:9"), 20)
    assert (summary.scored, summary.sent, summary.unsent) == (1, 0, 1)


async def test_scores_that_do_not_count_are_not_sent(rooms, send, monkeypatch):
    send(ID)
    done = TraceResults.done

    def taken(self, job, *given, **more):
        """Store the result of a worker that had the job meanwhile; this one's comes to nothing."""
        assert done(self, job, *given, **more)
        return done(self, job, *given, **more)

    monkeypatch.setattr(TraceResults, "done", taken)
    async with collector([200]) as (url, bodies):
        summary = await watched(rooms, url)
    assert (summary.scored, summary.sent, bodies) == (0, 0, [])
