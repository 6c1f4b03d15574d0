"""Traces on the terminal and as JSON, whatever they hold."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from acidtest.data.answers import Chunk, Usage
from acidtest.data.outcomes import Failure, Score, Skip
from acidtest.data.spans import Span
from acidtest.data.traces import Feedback, Trace
from acidtest.report.traces_json import output_row, traces_json, when_ms
from acidtest.report.traces_order import tree
from acidtest.report.traces_terminal import print_traces
from acidtest.report.traces_tree import print_trace
from acidtest.store.trace_rows import StoredScore, StoredTrace

HOSTILE = "\x1b]0;title\x07[bold]\u202ereversed\ud800 {x}\nline two " + "w" * 300


def stored(given=None, **more) -> StoredTrace:
    outcomes = given or {
        "faithfulness": Score(0.5, HOSTILE),
        "a": Skip("no answer"),
        "b": Failure("time-out"),
    }
    scores = {
        name: StoredScore(metric=name, outcome=outcome, digest="d", created=1)
        for name, outcome in outcomes.items()
    }
    trace = Trace(
        **{
            "id": "t" * 32,
            "name": HOSTILE,
            "question": HOSTILE,
            "answer": HOSTILE,
            "retrieved": (Chunk(id=HOSTILE, text=HOSTILE, score=0.5), Chunk(text="x")),
            "feedback": (Feedback(good=False, comment=HOSTILE), Feedback(name="q", score=3.0)),
            "usage": Usage(input_tokens=5),
            "error": HOSTILE,
            "tags": (HOSTILE,),
            "missing": {"latency": HOSTILE},
            **more,
        }
    )
    return StoredTrace(trace=trace, digest="d", started=1_700_000_000_000, updated=1, scores=scores)


def printed(width: int, write) -> str:
    stream = io.StringIO()
    write(Console(file=stream, width=width, highlight=False))
    return stream.getvalue()


@pytest.mark.parametrize("width", [40, 80, 110])
def test_hostile_texts_neither_break_the_table_nor_rule_the_terminal(width):
    spans = [
        Span(trace_id="t", span_id=str(n), parent_id=str(n - 1), name=HOSTILE) for n in range(60)
    ]
    for told in (
        printed(width, lambda console: print_traces([stored(), stored(question=None)], console)),
        printed(width, lambda console: print_trace(stored(), spans, console, unread=HOSTILE)),
    ):
        assert "\x1b" not in told
        assert "\u202e" not in told
        assert "[bold" in told
        assert max(map(len, told.splitlines())) <= width


def test_json_is_written_whatever_texts_hold():
    document = json.loads(b"".join(traces_json([stored()])))
    (trace,) = document["traces"]
    assert trace["question"].startswith("\x1b]0;title")
    assert trace["scores"]["faithfulness"]["value"] == 0.5
    assert trace["scores"]["a"]["skip"] == "no answer"
    assert trace["scores"]["b"]["failure"] == "time-out"
    assert trace["contexts"][1] == {"id": None, "text": "x"}
    assert trace["usage"]["input_tokens"] == 5
    assert json.loads(b"".join(traces_json([]))) == {
        "format": "acidtest/traces",
        "version": 1,
        "traces": [],
    }


def test_a_trace_that_tells_nothing_is_no_output():
    assert output_row(Trace(id="t", question="q")) is None
    assert output_row(Trace(id="t", answer="")) == {"id": "t", "answer": ""}
    assert output_row(Trace(id="t", retrieved=())) == {"id": "t", "retrieved": []}


def test_moments_beyond_the_calendar_are_numbers():
    assert when_ms(0) == "1970-01-01T00:00:00.000+00:00"
    assert when_ms(2**62) == str(2**62)


def test_children_stand_under_their_parents_by_when_they_began():
    made = [("c", "a", 3), ("b", "a", 2), ("a", None, 1), ("d", "gone", 0)]
    spans = [Span(trace_id="t", span_id=s, parent_id=p, start_ns=at) for s, p, at in made]
    assert [(depth, span.span_id) for depth, span in tree(spans)] == [
        (0, "d"),
        (0, "a"),
        (1, "b"),
        (1, "c"),
    ]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 8) | st.none()), max_size=12))
def test_every_span_comes_once_also_in_circles(pairs):
    spans = [
        Span(trace_id="t", span_id=str(s), parent_id=None if p is None else str(p))
        for s, p in pairs
    ]
    names = [span.span_id for _, span in tree(spans)]
    assert sorted(names) == sorted({span.span_id for span in spans})


@pytest.mark.parametrize(
    ("values", "worst"),
    [
        ({"faithfulness": 0.25, "grounding_leak": 0.0}, "0.25 faithfulness"),
        ({"faithfulness": 0.50, "grounding_leak": 0.9}, "0.90 grounding_leak"),
        ({"faithfulness": 1.00, "grounding_leak": 0.0}, "1.00 faithfulness"),
        ({"grounding_leak": 0.0}, "0.00 grounding_leak"),
    ],
)
def test_the_worst_score_is_told_by_which_way_is_better(values, worst):
    one = stored({name: Score(value) for name, value in values.items()})
    lower = {"grounding_leak"}
    assert worst in printed(120, lambda console: print_traces([one], console, lower=lower))


def test_why_there_is_no_score_is_read_to_its_end():
    why = "the local judge cannot judge 'answer_relevance': it only compares wording"
    one = stored({"answer_relevance": Skip(why), "faithfulness": Score(1.0, "1 of 1 claims")})
    text = printed(80, lambda console: print_trace(one, [], console))
    assert why in " ".join(text.replace("answer_relevance    n/a", "").split())
    assert max(map(len, text.splitlines())) <= 80
