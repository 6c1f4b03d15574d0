"""Question, answer, turns, tokens, faults and feedback."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from acidtest.data.golden import Turn
from acidtest.data.spans import Span, SpanEvent
from acidtest.tracing.understand.trace import understand

Make = Callable[..., Span]
KIND = "openinference.span.kind"


def turn(asked: str, answered: str, kind: str = "CHAIN") -> dict[str, Any]:
    return {KIND: kind, "input.value": asked, "output.value": answered}


def model(gave: str | None, *tokens: int, **more: Any) -> dict[str, Any]:
    told: dict[str, Any] = {KIND: "LLM", "llm.model_name": "gpt-x", **more}
    if gave is not None:
        told["llm.output_messages.0.message.role"] = "assistant"
        told["llm.output_messages.0.message.content"] = gave
    if tokens:
        told["llm.token_count.prompt"], told["llm.token_count.completion"] = tokens
    return told


@pytest.mark.parametrize(
    "given",
    [
        "How long?",
        '"How long?"',
        '{"question": "How long?"}',
        '{"query": "How long?", "top_k": 3}',
        '{"input": {"query": "How long?"}}',
        '{"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How long?"}]}',
        '{"messages": [["human", "x"], {"type": "human", "content": "How long?"}]}',
        '[{"role": "user", "content": [{"type": "text", "text": "How long?"}]}]',
        '{"messages": [[{"lc": 1, "type": "constructor", "id": ["langchain", "HumanMessage"], "kwargs": {"content": "How long?"}}]]}',
        '{"query_bundle": {"query_str": "How long?"}}',
        '{"new_message": {"role": "user", "parts": [{"text": "How long?"}]}}',
        '{"args": ["How long?"]}',
        '{"customer_wrote": "How long?"}',
    ],
)
def test_shapes_of_a_question(span: Make, given: str) -> None:
    assert understand([span("root", None, 0, 9, turn(given, "x"))]).question == "How long?"


@pytest.mark.parametrize(
    "given",
    [
        "14 days.",
        '"14 days."',
        '{"answer": "14 days."}',
        '{"result": "14 days.", "source_documents": []}',
        '{"output": {"response": "14 days."}}',
        '{"messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "14 days."}]}',
        '{"messages": [{"type": "human", "content": "?"}, {"type": "ai", "content": "14 days."}]}',
        '{"choices": [{"message": {"role": "assistant", "content": "14 days."}}]}',
        '{"generations": [[{"text": "14 days.", "message": {"type": "ai"}}]]}',
        '{"candidates": [{"content": {"role": "model", "parts": [{"text": "14 days."}]}}]}',
        '{"output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "14 days."}]}]}',
        '[{"type": "AIMessageChunk", "content": "14 "}, {"type": "AIMessageChunk", "content": "days."}]',
        '{"content": [{"type": "thinking", "text": "Hm."}, {"type": "text", "text": "14 days."}]}',
    ],
)
def test_shapes_of_an_answer(span: Make, given: str) -> None:
    assert understand([span("root", None, 0, 9, turn("?", given))]).answer == "14 days."


def test_what_a_user_says_last_is_no_answer(span: Make) -> None:
    given = '[{"role": "assistant", "content": "Hello"}, {"role": "user", "content": "Bye"}]'
    trace = understand([span("root", None, 0, 9, turn("?", given))])
    assert trace.answer is None
    assert trace.missing["answer"] == "No span has an output that is an answer."


def test_a_conversation_in_the_input_is_history(span: Make) -> None:
    given = json.dumps(
        {
            "messages": [
                {"role": "user", "content": "Do you ship?"},
                {"role": "assistant", "content": "Yes."},
                {"role": "user", "content": "And to Norway?"},
            ]
        }
    )
    trace = understand([span("root", None, 0, 9, turn(given, "Also there."))])
    assert trace.question == "And to Norway?"
    assert trace.history == (Turn("user", "Do you ship?"), Turn("assistant", "Yes."))


def test_a_history_beside_the_question(span: Make) -> None:
    given = json.dumps({"question": "And to Norway?", "chat_history": [["Do you ship?", "Yes."]]})
    trace = understand([span("root", None, 0, 9, turn(given, "Also there."))])
    assert trace.history == (Turn("user", "Do you ship?"), Turn("assistant", "Yes."))


@pytest.mark.parametrize("above", [None, "session", "gone"], ids=["roots", "under", "orphans"])
def test_several_turns_in_one_trace(span: Make, above: str | None) -> None:
    spans = [
        span("t1", above, 0, 9, turn("Do you ship?", "Yes."), name="turn 1"),
        span("m1", "t1", 1, 8, model("Yes.", 10, 1)),
        span("t2", above, 20, 29, turn("And to Norway?", "Also there."), name="turn 2"),
        span("m2", "t2", 21, 28, model("Also there.", 20, 2)),
    ]
    if above == "session":
        spans.append(span("session", None, 0, 30, {KIND: "CHAIN", "session.id": "s1"}))
    trace = understand(spans)
    assert (trace.question, trace.answer) == ("And to Norway?", "Also there.")
    assert trace.history == (Turn("user", "Do you ship?"), Turn("assistant", "Yes."))
    assert trace.usage is not None
    assert trace.usage.input_tokens == 20
    assert trace.latency_ms is not None
    assert trace.latency_ms.total == 9
    assert any("holds 2 turns" in note for note in trace.notes)


def test_the_same_question_asked_again_is_a_turn(span: Make) -> None:
    trace = understand(
        [
            span("t1", None, 0, 9, turn("Do you ship?", "Perhaps."), name="ask"),
            span("m1", "t1", 1, 8, model("Perhaps.")),
            span("t2", None, 20, 29, turn("Do you ship?", "Yes."), name="ask"),
            span("m2", "t2", 21, 28, model("Yes.")),
        ]
    )
    assert (trace.question, trace.answer) == ("Do you ship?", "Yes.")
    assert len(trace.history) == 2


def test_question_and_answer_are_of_one_span(span: Make) -> None:
    trace = understand(
        [
            span("warm", None, 0, 5, {KIND: "CHAIN", "output.value": "ready"}),
            span("ask", None, 10, 30, turn("Do you ship?", "Yes.")),
        ]
    )
    assert (trace.question, trace.answer) == ("Do you ship?", "Yes.")


def test_steps_of_one_answer_are_no_turns(span: Make) -> None:
    trace = understand(
        [
            span("root", None, 0, 50, turn("Do you ship?", "Yes, to Norway too.")),
            span("a", "root", 1, 9, turn("Do you ship?", "shipping"), name="step"),
            span("m1", "a", 2, 8, model("shipping", 10, 1)),
            span("b", "root", 20, 29, turn("shipping", "Yes, to Norway too."), name="step"),
            span("m2", "b", 21, 28, model("Yes, to Norway too.", 20, 2)),
        ]
    )
    assert (trace.question, trace.history) == ("Do you ship?", ())
    assert trace.usage is not None
    assert trace.usage.input_tokens == 30


def test_a_wrapper_is_not_counted_twice(span: Make) -> None:
    trace = understand(
        [
            span("root", None, 0, 50, turn("?", "Yes.")),
            span("predict", "root", 1, 40, model("Yes.", 100, 10)),
            span("complete", "predict", 2, 39, model("Yes.", 100, 10)),
        ]
    )
    assert trace.usage is not None
    assert (trace.usage.input_tokens, trace.usage.output_tokens) == (100, 10)
    assert [g.span_id for g in trace.generations] == ["complete"]


def test_only_the_wrapper_tells_tokens(span: Make) -> None:
    trace = understand(
        [
            span("root", None, 0, 50, turn("?", "Yes.")),
            span("predict", "root", 1, 40, model("Yes.", 100, 10)),
            span("complete", "predict", 2, 39, model("Yes.")),
            span("rewrite", "root", 0, 1, model("q", 7, 1)),
        ]
    )
    assert trace.usage is not None
    assert (trace.usage.input_tokens, trace.usage.output_tokens) == (107, 11)


def test_an_agents_sum_counts_where_no_call_tells(span: Make) -> None:
    told = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.usage.input_tokens": 70,
        "gen_ai.usage.output_tokens": 7,
    }
    trace = understand([span("root", None, 0, 50, told), span("m", "root", 1, 9, model("Yes."))])
    assert trace.usage is not None
    assert trace.usage.input_tokens == 70


def test_a_stream_that_ends_after_its_chain(span: Make) -> None:
    trace = understand(
        [
            span("root", None, 0, 20, {KIND: "CHAIN", "input.value": "?"}),
            span("m", "root", 5, 80, model("Streamed.", 10, 2)),
        ]
    )
    assert trace.answer == "Streamed."
    assert trace.latency_ms is not None
    assert (trace.latency_ms.generate, trace.latency_ms.total) == (75, 20)


def test_overlapping_calls_take_their_wall_time(span: Make) -> None:
    trace = understand(
        [
            span("root", None, 0, 50, turn("?", "Yes.")),
            span("a", "root", 10, 30, model("x")),
            span("b", "root", 20, 40, model("Yes.")),
        ]
    )
    assert trace.latency_ms is not None
    assert trace.latency_ms.generate == 30


def test_the_call_that_gave_the_answer_names_the_model(span: Make) -> None:
    trace = understand(
        [
            span("root", None, 0, 90, turn("?", "Yes, we do.")),
            span("a", "root", 10, 30, model("Yes, we do.", **{"llm.model_name": "large"})),
            span("title", "root", 40, 50, model("Shipping", **{"llm.model_name": "small"})),
        ]
    )
    assert trace.model == "large"


def test_a_failed_answer(span: Make) -> None:
    raised = SpanEvent(name="exception", attributes={"exception.message": "429 too many requests"})
    trace = understand(
        [
            span(
                "root",
                None,
                0,
                50,
                {KIND: "CHAIN", "input.value": "?"},
                status="error",
                events=(raised,),
            ),
            span("m", "root", 1, 9, model(None), status="error", status_message="429"),
        ]
    )
    assert trace.error == "429 too many requests"
    assert trace.answer is None
    assert trace.missing["answer"] == "The answer failed before it was given."


def test_what_a_step_gave_before_the_fault_is_no_answer(span: Make) -> None:
    raised = SpanEvent(name="exception", attributes={"exception.message": "overloaded"})
    fault = {"status": "error", "status_message": "Traceback ...", "events": (raised,)}
    trace = understand(
        [
            span("root", None, 0, 50, {KIND: "CHAIN", "input.value": "?"}, **fault),
            span("context", "root", 1, 9, turn("?", "Refunds take 14 days.")),
        ]
    )
    assert (trace.answer, trace.error) == (None, "overloaded")


def test_a_call_that_was_retried_is_told_and_no_error(span: Make) -> None:
    trace = understand(
        [
            span("root", None, 0, 50, turn("?", "Yes.")),
            span("m1", "root", 1, 9, model(None), status="error", status_message="timeout"),
            span("m2", "root", 10, 40, model("Yes.")),
        ]
    )
    assert trace.error is None
    assert trace.notes == ("The step 'm1' failed: timeout",)


def test_what_users_said(span: Make) -> None:
    told = {
        **turn("?", "Yes."),
        "annotations.0.annotation.name": "user_feedback",
        "annotations.0.annotation.label": "thumbs-down",
        "annotations.0.annotation.explanation": "Wrong country.",
        "annotations.0.annotation.annotator_kind": "HUMAN",
        "trace.annotations.0.annotation.name": "tone",
        "trace.annotations.0.annotation.score": 1,
        "trace.annotations.0.annotation.annotator_kind": "HUMAN",
        "feedback.score": 0,
    }
    found = understand([span("root", None, 0, 9, told)]).feedback
    assert [(f.name, f.by, f.good, f.comment) for f in found] == [
        ("user_feedback", "user", False, "Wrong country."),
        ("tone", "person", True, None),
        ("feedback", "user", False, None),
    ]


def test_a_high_score_of_a_fault_is_no_praise(span: Make) -> None:
    event = SpanEvent(
        name="gen_ai.evaluation.result",
        attributes={"gen_ai.evaluation.name": "toxicity", "gen_ai.evaluation.score.value": 1.0},
    )
    found = understand([span("root", None, 0, 9, turn("?", "x"), events=(event,))]).feedback
    assert [(f.name, f.score, f.good, f.by) for f in found] == [("toxicity", 1.0, None, "machine")]


def test_abstention_only_where_the_system_says_so(span: Make) -> None:
    said = json.dumps({"answer": "I do not know.", "abstained": True, "citations": [{"id": "c1"}]})
    trace = understand([span("root", None, 0, 9, turn("?", said))])
    assert (trace.abstained, trace.citations) == (True, ("c1",))
    assert understand([span("root", None, 0, 9, turn("?", "I do not know."))]).abstained is None


def test_a_span_of_the_web_server_above(span: Make) -> None:
    trace = understand(
        [
            span("http", None, 0, 60, {"http.method": "POST"}, name="POST /chat"),
            span("chain", "http", 1, 50, turn("Do you ship?", "Yes.")),
            span("m", "chain", 2, 40, model("Raw yes.")),
        ]
    )
    assert (trace.name, trace.question, trace.answer) == ("POST /chat", "Do you ship?", "Yes.")


def test_parts_that_come_late(span: Make) -> None:
    spans = [
        span("root", None, 0, 60, turn("Do you ship?", "Yes.")),
        span("chain", "root", 1, 50, {KIND: "CHAIN"}),
        span("m", "chain", 2, 40, model("Yes.", 10, 1)),
    ]
    early = understand(spans[2:])
    assert early.answer == "Yes."
    assert early.missing["question"]
    assert early.notes == ("1 of 1 spans stand under a span that is not there.",)
    assert understand(spans).question == "Do you ship?"
    assert understand(spans).notes == ()


def test_no_spans() -> None:
    trace = understand([])
    assert trace.id == ""
    assert set(trace.missing.values()) == {"There are no spans."}


def test_a_span_that_came_twice_counts_as_it_ended(span: Make) -> None:
    begun = span("root", None, 0, 1, {KIND: "CHAIN", "input.value": "?"})
    ended = span("root", None, 0, 60, turn("?", "Yes."))
    assert understand([begun, ended]) == understand([ended, begun]) == understand([ended])


def test_a_ring_of_spans_is_cut(span: Make) -> None:
    spans = [
        span("a", "b", 0, 9, turn("Do you ship?", "Yes.")),
        span("b", "a", 1, 8, {KIND: "CHAIN"}),
        span("c", "c", 2, 7, model("Yes.")),
    ]
    trace = understand(spans)
    assert (trace.question, trace.answer) == ("Do you ship?", "Yes.")
    assert "1 rings of spans that stand under each other were cut." in trace.notes


def test_what_is_cut_is_told(span: Make) -> None:
    told = turn("?", "x" * 1_000_005)
    listed = {f"retrieval.documents.{i}.document.content": f"Text {i}." for i in range(1_005)}
    spans = [
        span("root", None, 0, 60, told),
        span("find", "root", 1, 2, {KIND: "RETRIEVER", **listed}),
    ]
    trace = understand(spans + [span(f"s{i:05}", "root", 3, 4) for i in range(10_005)])
    assert len(trace.answer or "") == 1_000_000
    assert len(trace.retrieved or ()) == 1_000
    assert trace.spans == 10_000
    assert trace.notes == (
        "Of 10,007 spans the earliest 10,000 were read.",
        "A text was cut at 1,000,000 characters.",
        "A list of chunks was cut at 1,000.",
    )


def test_a_user_in_the_metadata_is_the_user_unless_one_is_named(span: Make) -> None:
    root = {KIND: "CHAIN", "input.value": "Why?", "metadata": '{"user_id": "u-1"}'}
    assert understand([span("ask", None, 0, 9, root)]).user == "u-1"
    assert understand([span("ask", None, 0, 9, {**root, "user.id": "u-2"})]).user == "u-2"
