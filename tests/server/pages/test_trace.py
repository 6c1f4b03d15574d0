import json
import re
from urllib.parse import quote, urlencode

import pytest
from msgspec.structs import replace
from tests.server.pages.conftest import NASTY, NOW, WARRANTY, form_token, make

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Score, Skip
from acidtest.data.spans import Span, SpanEvent
from acidtest.data.traces import Feedback, Generation, Step
from acidtest.online.config import OnlineConfig
from acidtest.report.online_spans import MOST_SPANS, span_tree
from acidtest.report.online_trace import moves
from acidtest.store.spans import SpanStore
from acidtest.store.trace_jobs import TraceJobs
from acidtest.store.traces import TraceStore
from acidtest.tracing.otlp.open import gathered

FORM = "application/x-www-form-urlencoded"


async def send(client, path, /, **fields):
    """Send a form as its page would."""
    token = form_token(await client("GET", "/login"))
    body = urlencode({"form_token": token, **fields}).encode()
    return await client("POST", path, body, content_type=FORM)


def configured(client):
    client.site.config = replace(client.site.config, golden="golden.jsonl")


def put_spans(url, trace_id="a1"):
    at = (NOW - 300_000) * 1_000_000
    spans = [
        Span(trace_id=trace_id, span_id="r", name="ask", start_ns=at, end_ns=at + 1000 * 10**6,
             status="error", status_message="it broke", attributes={"input.value": "why?"},
             events=(SpanEvent(name="exception"),)),
        Span(trace_id=trace_id, span_id="c", parent_id="r", name="find", start_ns=at + 10**8,
             end_ns=at + 5 * 10**8, attributes={"openinference.span.kind": "RETRIEVER"}),
    ]  # fmt: skip
    with SpanStore(url) as store:
        store.add([gathered(spans)], now_ms=NOW, quiet_ms=10**9, ended_ms=10**9)


async def test_a_trace_is_shown_whole(opened, typical):
    put_spans(typical.url)
    async with opened() as client:
        text = (await client("GET", "/traces/a1")).text
    assert "How long is the battery covered?" in text
    assert re.search(r'<mark class="bad">Drops are covered too\.</mark>', text)
    assert '<mark class="quote">covered for twelve months</mark>' in text
    assert 'href="#t-p1">passage 1</a>' in text
    assert 'id="t-p1"' in text
    assert "cited" in text
    assert "1 of 2 claims supported" in text
    assert "ReadTimeout: 120 s" in text
    assert "Drops are not covered!" in text
    assert "up 1" in text
    assert "dropped" in text
    assert "3 chunks in, 2 out" in text
    assert "Within how many days may I return it?" in text  # of the same conversation
    assert '/traces?session=talk-1"' in text
    assert "it broke" in text
    assert "retriever" in text
    assert '<rect x="100.0" width="400.0"' in text


async def test_what_is_not_known_has_its_reason(opened, typical):
    async with opened() as client:
        text = (await client("GET", "/traces/b1")).text
    assert "not known: the generation failed" in text
    assert "RateLimitError: 429" in text
    assert "not scored: neither drawn nor chosen" in text


@pytest.mark.parametrize("path", ["/traces/zz", "/traces/zz%00", "/traces/" + "x" * 3000])
async def test_there_is_no_such_trace(opened, typical, path):
    async with opened() as client:
        shown = await client("GET", path)
        assert shown.status == 404
        assert "There is no such trace" in shown.text
        for action in ("golden", "score", "feedback", "delete"):
            assert (await send(client, f"{path}/{action}", confirm="yes")).status == 404


async def test_nothing_changes_without_the_form_token(opened, typical):
    async with opened() as client:
        await client("GET", "/traces/a1")
        for action in ("golden", "score", "feedback", "delete"):
            answer = await client("POST", f"/traces/a1/{action}", b"confirm=yes", content_type=FORM)
            assert answer.status == 403
    with TraceStore(typical.url) as store:
        assert store.count() == 3


async def test_it_becomes_a_golden_case(opened, typical, tmp_path):
    async with opened() as client:
        configured(client)
        fields = {
            "reference": "Twelve months.\r\nDrops are not.",
            "chunk-1": "warranty#2", "grade-1": "3", "chunk-2": "returns#0", "grade-2": "",
            "tags": "from production, battery", "by": "Ada",
        }  # fmt: skip
        done = await send(client, "/traces/a1/golden", **fields)
        assert done.status == 303
        shown = await client("GET", done.header("location"))
        assert "It is in the golden set now, as case a1" in shown.text
        again = await send(client, "/traces/a1/golden", **fields)
        assert again.status == 422
    (line,) = (tmp_path / "golden.jsonl").read_text().splitlines()
    case = json.loads(line)
    assert case["question"] == "How long is the battery covered?"
    assert case["reference"] == "Twelve months.\nDrops are not."
    assert case["relevant"] == {"warranty#2": 3}
    assert {"from production", "battery"} <= set(case["tags"])
    assert case["source"] == "production"
    assert case["metadata"]["provenance"]["trace"] == "a1"
    assert case["metadata"]["reviewed"]["by"] == "Ada"


async def test_the_same_question_is_refused_and_replaces_when_told(opened, typical, tmp_path):
    async with opened() as client:
        configured(client)
        assert (await send(client, "/traces/a1/golden", reference="One.")).status == 303
        twice = await send(client, "/traces/a1/golden", reference="Two.")
        assert twice.status == 422
        assert ">Two.</textarea>" in twice.text
        done = await send(client, "/traces/a1/golden", reference="Two.", replace="yes")
        assert done.status == 303
    assert json.loads((tmp_path / "golden.jsonl").read_text())["reference"] == "Two."


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"unanswerable": "yes", "reference": "kept"}, "has no right answer"),
        ({"from_answer": "yes", "reference": "kept"}, "not both"),
        ({"unanswerable": "yes", "chunk-1": "warranty#2", "grade-1": "3"}, "no relevant passages"),
        ({"reference": "I don't know."}, "only says that there is no answer"),
    ],
)
async def test_what_was_typed_survives_an_error(opened, typical, tmp_path, fields, why):
    async with opened() as client:
        configured(client)
        shown = await send(client, "/traces/a1/golden", tags="one, two", by="Ada", **fields)
    assert shown.status == 422
    assert why in shown.text
    assert 'name="tags" value="one, two"' in shown.text
    assert 'name="by" value="Ada"' in shown.text
    assert f">{fields.get('reference', '')}</textarea>".replace("'", "&#39;") in shown.text
    assert ('name="unanswerable" value="yes" checked' in shown.text) == ("unanswerable" in fields)
    if "grade-1" in fields:
        assert '<option value="3" selected>' in shown.text
    assert not (tmp_path / "golden.jsonl").exists()


async def test_unanswerable_and_right_answers_need_no_text(opened, typical, tmp_path):
    async with opened() as client:
        configured(client)
        assert (await send(client, "/traces/a1/golden", unanswerable="yes")).status == 303
        assert (await send(client, "/traces/a2/golden", from_answer="yes")).status == 303
        assert (await send(client, "/traces/b1/golden", from_answer="yes")).status == 422
    first, second = map(json.loads, (tmp_path / "golden.jsonl").read_text().splitlines())
    assert first["answerable"] is False
    assert second["reference"] == "Twelve months. Drops are covered too."


async def test_without_a_golden_set_it_says_how_to_name_one(opened, typical):
    async with opened() as client:
        shown = await client("GET", "/traces/a1")
        assert 'golden = "golden.jsonl"' in shown.text
        assert (await send(client, "/traces/a1/golden", reference="x")).status == 422


async def test_it_is_scored_before_all_others_even_when_it_had_given_up(opened, typical):
    typical.dead("a2", "the judge is gone")
    async with opened() as client:
        assert "scoring gave up after 1 attempt" in (await client("GET", "/traces/a2")).text
        for trace_id in ("a1", "a2"):
            done = await send(client, f"/traces/{trace_id}/score")
            shown = await client("GET", done.header("location"))
            assert "It is in the queue" in shown.text
            assert "waits to be scored" in shown.text
    with TraceJobs(typical.url) as jobs:
        found = jobs.jobs(["a1", "a2"])
    assert found["a1"].priority == 0
    assert {job.state for job in found.values()} == {"waiting"}


async def test_feedback_is_kept_and_shown_once(opened, typical):
    async with opened() as client:
        wrong = await send(client, "/traces/a1/feedback", comment="no rating")
        assert wrong.status == 422
        assert ">no rating</textarea>" in wrong.text
        done = await send(client, "/traces/a1/feedback", rating="bad", comment=f"so {NASTY[:60]}")
        shown = await client("GET", done.header("location"))
        assert "Your feedback is kept" in shown.text
        assert shown.text.count("by a person") == 1
        assert "<script>alert" not in shown.text
    with TraceStore(typical.url) as store:
        (said,) = store.feedback(["a1"])["a1"]
    assert (said.good, said.by) == (False, "person")


async def test_feedback_that_cannot_be_redacted_is_not_kept(opened, typical, tmp_path):
    (tmp_path / "mine.py").write_text("def clean(text):\n    raise ValueError(text)\n")
    async with opened() as client:
        online = OnlineConfig(redact_with="mine.py:clean")
        client.site.config = replace(client.site.config, online=online)
        answer = await send(client, "/traces/a1/feedback", rating="bad", comment="Ada")
        assert (answer.status, "could not be redacted" in answer.text) == (422, True)
    with TraceStore(typical.url) as store:
        assert not store.feedback(["a1"]).get("a1")


async def test_feedback_that_is_understood_already_is_not_shown_twice(opened, kept):
    said = Feedback(good=True, comment="fine", by="person")
    kept.traces(make("a1", feedback=(said,)))
    with TraceStore(kept.url) as store:
        store.add_feedback("a1", said, now_ms=NOW)
    async with opened() as client:
        assert (await client("GET", "/traces/a1")).text.count(">fine</div>") == 1


async def test_it_is_deleted_only_when_confirmed(opened, typical):
    put_spans(typical.url)
    async with opened() as client:
        wrong = await send(client, "/traces/a1/delete")
        assert wrong.status == 422
        assert "Tick that it is to be deleted" in wrong.text
        done = await send(client, "/traces/a1/delete", confirm="yes")
        assert (done.status, done.header("location")) == (303, "/traces")
        assert (await client("GET", "/traces/a1")).status == 404
    with TraceStore(typical.url) as store, SpanStore(typical.url) as spans:
        assert store.count() == 2
        assert spans.spans_of(["a1"]) == {"a1": []}


async def test_hostile_and_huge_traces_run_nothing_and_stay_small(opened, kept):
    long = "w" * 100_000
    chunk = Chunk(id=NASTY, doc_id=NASTY, text=NASTY * 10, source=NASTY)
    kept.traces(
        make(
            "n", question=f"{NASTY}{long}", answer=f"{NASTY}{long}", model=NASTY, user=NASTY,
            session=NASTY, service=NASTY, tags=(NASTY, long), error=NASTY, notes=(NASTY, long),
            retrieved=(chunk, *(WARRANTY,) * 400), candidates=(chunk, *(WARRANTY,) * 400),
            steps=(Step(span_id="s", kind="retriever", name=NASTY, query=long, chunks=(chunk,)),),
            generations=(Generation(span_id="g", model=NASTY, prompt_version=long),) * 500,
            feedback=(Feedback(name=NASTY, label=NASTY, comment=long),) * 300,
            missing={NASTY: long}, citations=(NASTY,), metadata={NASTY: NASTY},
        ),
    )  # fmt: skip
    claim = {"claim": NASTY, "sentence": 1, "verdict": NASTY, "passage": 1, "quote": NASTY * 9}
    scores = {"faithfulness": Score(0.5, NASTY, (claim,) * 300), NASTY[:60]: Skip(long)}
    kept.scores("n", scores)
    spans = [
        Span(
            trace_id="n", span_id=f"{n:016x}", parent_id=f"{n - 1:016x}", name=NASTY * 5,
            status_message=NASTY, start_ns=NOW * 10**6, end_ns=0,
            attributes={f"{NASTY}{k}": [NASTY] * 50 for k in range(100)} if n < 20 else {},
        )
        for n in range(MOST_SPANS + 20)
    ]  # fmt: skip
    with SpanStore(kept.url) as store:
        store.add([gathered(spans)], now_ms=NOW, quiet_ms=10**9, ended_ms=10**9)
    async with opened() as client:
        configured(client)
        shown = await client("GET", "/traces/n")
        assert shown.status == 200
        text = shown.text
    assert "<script>alert" not in text
    assert "<img src" not in text
    assert "\u202e" not in text
    assert "</textarea></pre>" not in text
    assert "and 20 spans more" in text
    assert len(text) < 2_500_000


async def test_ids_that_need_quoting_are_reached(opened, kept):
    name = 'a b"><c>?&#%é'
    kept.traces(make(name))
    async with opened() as client:
        link = re.search(r'href="(/traces/[^"?]+)"', (await client("GET", "/traces")).text)[1]
        assert link == f"/traces/{quote(name)}"


def test_ranks_move_by_reranking():
    moved = [(m.name, m.before, m.after, m.word) for m in moves(make())]
    assert moved == [
        ("warranty#2", 2, 1, "up 1"),
        ("returns#0", 1, 2, "down 1"),
        ("faq#9", 3, None, "dropped"),
    ]
    assert list(moves(make(candidates=None))) == []
    same = list(moves(make(retrieved=(WARRANTY,), candidates=(WARRANTY,))))
    assert [m.word for m in same] == ["stays"]
    new = list(moves(make(retrieved=(Chunk(id="n"),))))
    assert new[0].word == "new"


@pytest.mark.parametrize(
    "spans",
    [
        [],
        [Span(trace_id="t", span_id="a")],
        [Span(trace_id="t", span_id="a", start_ns=5, end_ns=1)],
        [Span(trace_id="t", span_id="a", parent_id="b", start_ns=1, end_ns=2),
         Span(trace_id="t", span_id="b", parent_id="a", start_ns=1, end_ns=2)],
        [Span(trace_id="t", span_id="a", start_ns=0, end_ns=9), Span(trace_id="t", span_id="b", start_ns=2**62, end_ns=2**63)],
    ],
)  # fmt: skip
def test_odd_times_and_circles_have_their_place(spans):
    made = span_tree(spans)
    assert len(made.lines) == len(spans)
    for line in made.lines:
        assert line.x is None or 0 <= line.x <= line.x + line.width <= 1000.1
