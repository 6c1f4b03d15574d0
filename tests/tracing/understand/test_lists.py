"""Which list fed generation: fusion, reranking, cut lists, tools, agents."""

import json
from collections.abc import Callable
from typing import Any

from acidtest.data.spans import Span
from acidtest.tracing.understand.trace import understand

Make = Callable[..., Span]
TEXTS = {f"c{i}": f"Passage number {i} says that item {i} costs {i}0 euros." for i in range(1, 9)}


def chain(**told: Any) -> dict[str, Any]:
    return {
        "openinference.span.kind": "CHAIN",
        "input.value": "What does it cost?",
        "output.value": "It costs 10 euros.",
        **told,
    }


def listed(lead: str, ids: str, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = dict(more)
    for place, name in enumerate(ids.split()):
        found[f"{lead}.{place}.document.id"] = name
        found[f"{lead}.{place}.document.content"] = TEXTS[name]
    return found


def retriever(ids: str, **more: Any) -> dict[str, Any]:
    return listed("retrieval.documents", ids, **{"openinference.span.kind": "RETRIEVER"}, **more)


def reranker(given: str, kept: str) -> dict[str, Any]:
    return {
        "openinference.span.kind": "RERANKER",
        "reranker.query": "What does it cost?",
        "reranker.top_k": 2,
        **listed("reranker.input_documents", given),
        **listed("reranker.output_documents", kept),
    }


def model(ids: str, gave: str = "It costs 10 euros.", **more: Any) -> dict[str, Any]:
    context = "\n".join(f"> {TEXTS[name]}" for name in ids.split())
    return {
        "openinference.span.kind": "LLM",
        "llm.model_name": "gpt-x",
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": f"{context}\n\nWhat does it cost?",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": gave,
        **more,
    }


def ids(chunks: Any) -> str | None:
    return None if chunks is None else " ".join(chunk.id or "?" for chunk in chunks)


def test_the_list_before_reranking_is_kept(span: Make) -> None:
    trace = understand(
        [
            span("root", None, 0, 100, chain()),
            span("find", "root", 1, 10, retriever("c1 c2 c3 c4")),
            span("rank", "root", 11, 20, reranker("c1 c2 c3 c4", "c3 c1")),
            span("model", "root", 30, 90, model("c3 c1")),
        ]
    )
    assert (ids(trace.retrieved), ids(trace.candidates)) == ("c3 c1", "c1 c2 c3 c4")
    assert [(s.kind, s.fed) for s in trace.steps] == [("retriever", False), ("reranker", True)]
    assert ids(trace.steps[1].given) == "c1 c2 c3 c4"
    assert trace.latency_ms is not None
    assert trace.latency_ms.retrieve == 18


def test_a_reranker_that_does_not_say_what_it_was_given(span: Make) -> None:
    ranked = listed("reranker.output_documents", "c3 c1", **{"openinference.span.kind": "RERANKER"})
    trace = understand(
        [
            span("root", None, 0, 100, chain()),
            span("find", "root", 1, 10, retriever("c1 c2 c3 c4")),
            span("rank", "root", 11, 20, ranked),
            span("model", "root", 30, 90, model("c3 c1")),
        ]
    )
    assert (ids(trace.retrieved), ids(trace.candidates)) == ("c3 c1", "c1 c2 c3 c4")


def test_a_retriever_around_a_retriever_and_a_reranker(span: Make) -> None:
    trace = understand(
        [
            span("root", None, 0, 100, chain()),
            span("outer", "root", 1, 25, retriever("c3 c1")),
            span("inner", "outer", 2, 10, retriever("c1 c2 c3 c4")),
            span("rank", "outer", 11, 20, reranker("c1 c2 c3 c4", "c3 c1")),
            span("model", "root", 30, 90, model("c3 c1")),
        ]
    )
    assert (ids(trace.retrieved), ids(trace.candidates)) == ("c3 c1", "c1 c2 c3 c4")


def test_fusion_without_a_span_takes_the_prompts_order(span: Make) -> None:
    trace = understand(
        [
            span("root", None, 0, 100, chain()),
            span("dense", "root", 1, 10, retriever("c1 c2 c3")),
            span("sparse", "root", 2, 12, retriever("c3 c4 c5")),
            span("model", "root", 30, 90, model("c3 c1 c4 c2")),
        ]
    )
    assert ids(trace.retrieved) == "c3 c1 c4 c2"
    assert ids(trace.candidates) == "c1 c2 c3 c4 c5"
    assert [step.fed for step in trace.steps] == [True, True]
    assert "2 lists fed one call" in trace.notes[0]


def test_a_fusing_retriever_around_others(span: Make) -> None:
    trace = understand(
        [
            span("root", None, 0, 100, chain()),
            span("fused", "root", 1, 20, retriever("c3 c1 c4")),
            span("dense", "fused", 2, 10, retriever("c1 c2 c3")),
            span("sparse", "fused", 2, 12, retriever("c3 c4 c5")),
            span("model", "root", 30, 90, model("c3 c1 c4")),
        ]
    )
    assert ids(trace.retrieved) == "c3 c1 c4"
    assert ids(trace.candidates) == "c1 c2 c3 c4 c5"
    assert [s.name for s in trace.steps if s.fed] == ["fused"]


def test_only_the_first_chunks_were_put_into_the_prompt(span: Make) -> None:
    trace = understand(
        [
            span("root", None, 0, 100, chain()),
            span("find", "root", 1, 10, retriever("c1 c2 c3 c4")),
            span("model", "root", 30, 90, model("c1 c2")),
        ]
    )
    assert (ids(trace.retrieved), ids(trace.candidates)) == ("c1 c2", "c1 c2 c3 c4")
    assert trace.notes == ("The prompt holds the first 2 of 4 chunks: those were given.",)


def test_a_choice_that_no_span_tells_takes_the_prompts_order(span: Make) -> None:
    trace = understand(
        [
            span("root", None, 0, 100, chain()),
            span("find", "root", 1, 10, retriever("c1 c2 c3 c4")),
            span("model", "root", 30, 90, model("c4 c2")),
        ]
    )
    assert (ids(trace.retrieved), ids(trace.candidates)) == ("c4 c2", "c1 c2 c3 c4")
    assert trace.notes == ("The prompt holds 2 of 4 chunks: those were given, in its order.",)


def test_retrievers_around_each_other_with_one_list_are_one_step(span: Make) -> None:
    silent = {"openinference.span.kind": "RETRIEVER", "input.value": "cost"}
    trace = understand(
        [
            span("root", None, 0, 100, chain()),
            span("fused", "root", 1, 20, retriever("c1 c2")),
            span("_fused", "fused", 2, 19, silent),
            span("dense", "_fused", 3, 10, retriever("c1 c2")),
            span("_dense", "dense", 4, 9, silent),
            span("model", "root", 30, 90, model("c1 c2")),
        ]
    )
    assert [(step.name, step.fed) for step in trace.steps] == [("fused", True)]
    assert trace.candidates is None


def test_a_later_search_that_fed_nothing_is_passed_over(span: Make) -> None:
    trace = understand(
        [
            span("root", None, 0, 100, chain()),
            span("docs", "root", 1, 10, retriever("c1 c2")),
            span("faq", "root", 11, 20, retriever("c7 c8")),
            span("model", "root", 30, 90, model("c1 c2")),
        ]
    )
    assert ids(trace.retrieved) == "c1 c2"
    assert [step.fed for step in trace.steps] == [True, False]


def test_without_texts_the_last_list_near_the_model(span: Make) -> None:
    def bare(names: str) -> dict[str, Any]:
        told = retriever(names)
        return {key: value for key, value in told.items() if not key.endswith("content")}

    trace = understand(
        [
            span("root", None, 0, 100, chain()),
            span("answering", "root", 1, 95, {"openinference.span.kind": "CHAIN"}),
            span("docs", "answering", 2, 10, bare("c1 c2")),
            span("model", "answering", 30, 90, model("c1 c2")),
            span("suggest", "root", 5, 20, bare("c7 c8")),
        ]
    )
    assert ids(trace.retrieved) == "c1 c2"
    assert trace.missing == {
        "texts": "The retriever tells ids and scores, and no texts.",
        "usage": "No call of a model tells its tokens.",
    }
    assert "the last was taken" in trace.notes[0]


def test_an_agent_that_searches_twice(span: Make) -> None:
    def tool(names: str) -> list[dict[str, Any]]:
        return [
            {"openinference.span.kind": "TOOL", "input.value": '{"query": "cost"}'},
            retriever(names),
        ]

    one, two = tool("c1 c2"), tool("c3 c4")
    trace = understand(
        [
            span("root", None, 0, 200, chain(**{"openinference.span.kind": "AGENT"})),
            span("plan", "root", 1, 9, model("", gave="")),
            span("tool1", "root", 10, 20, one[0]),
            span("find1", "tool1", 11, 19, one[1]),
            span("plan2", "root", 21, 29, model("c1 c2", gave="")),
            span("tool2", "root", 30, 40, two[0]),
            span("find2", "tool2", 31, 39, two[1]),
            span("model", "root", 50, 190, model("c1 c2 c3 c4")),
        ]
    )
    assert ids(trace.retrieved) == "c1 c2 c3 c4"
    assert trace.question == "What does it cost?"
    assert [step.fed for step in trace.steps] == [True, True]


def test_a_tool_named_after_retrieval_that_gave_text(span: Make) -> None:
    trace = understand(
        [
            span("root", None, 0, 100, chain()),
            span(
                "tool",
                "root",
                1,
                10,
                {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": "search_handbook",
                    "gen_ai.tool.call.arguments": '{"query": "cost"}',
                    "gen_ai.tool.call.result": TEXTS["c1"],
                },
                name="execute_tool search_handbook",
            ),
            span("model", "root", 30, 90, model("c1")),
        ]
    )
    assert trace.retrieved is not None
    assert [chunk.text for chunk in trace.retrieved] == [TEXTS["c1"]]
    assert trace.steps[0].query == "cost"
    assert "by name: execute_tool search_handbook" in trace.notes[0]


def test_a_tool_of_another_kind_is_no_retrieval(span: Make) -> None:
    weather = {"openinference.span.kind": "TOOL", "output.value": "It is sunny."}
    trace = understand(
        [span("root", None, 0, 100, chain()), span("get_weather", "root", 1, 10, weather)]
    )
    assert trace.retrieved is None
    assert trace.missing["retrieved"] == "No span is a retriever."


def test_an_empty_search_found_nothing(span: Make) -> None:
    empty = {"openinference.span.kind": "RETRIEVER", "output.value": '{"documents": []}'}
    trace = understand(
        [
            span("root", None, 0, 100, chain()),
            span("find", "root", 1, 10, empty),
            span("m", "root", 20, 30, model("")),
        ]
    )
    assert trace.retrieved == ()
    assert "retrieved" not in trace.missing


def test_a_retriever_that_does_not_say_what_it_found(span: Make) -> None:
    silent = {"openinference.span.kind": "RETRIEVER", "input.value": "cost"}
    trace = understand([span("root", None, 0, 100, chain()), span("find", "root", 1, 10, silent)])
    assert trace.retrieved is None
    assert trace.missing["retrieved"] == "No retriever says what it found: find."


def test_documents_beside_the_answer(span: Make) -> None:
    told = chain(
        **{
            "output.value": '{"result": "10 euros.", "source_documents": [{"page_content": "It costs 10."}]}'
        }
    )
    trace = understand([span("root", None, 0, 100, told)])
    assert trace.answer == "10 euros."
    assert trace.retrieved is not None
    assert trace.retrieved[0].text == "It costs 10."
    assert "lists beside its answer" in trace.notes[0]


def test_ids_of_langchain_stand_in_the_output_alone(span: Make) -> None:
    found = [{"id": name, "page_content": TEXTS[f"c{i}"]} for i, name in enumerate("ab", 1)]
    told = retriever("c1 c2", **{"output.value": json.dumps({"documents": found})})
    told = {key: value for key, value in told.items() if not key.endswith("document.id")}
    trace = understand([span("root", None, 0, 100, chain()), span("find", "root", 1, 10, told)])
    assert ids(trace.retrieved) == "a b"


def test_an_evaluator_inside_the_trace_is_no_part_of_the_answer(span: Make) -> None:
    judge = {
        "openinference.span.kind": "EVALUATOR",
        "evaluations.0.evaluation.name": "faithfulness",
        "evaluations.0.evaluation.score": 0.5,
        "evaluations.0.evaluation.annotator_kind": "LLM",
    }
    trace = understand(
        [
            span("root", None, 0, 100, chain()),
            span("find", "root", 1, 10, retriever("c1")),
            span("model", "root", 30, 60, model("c1", **{"llm.token_count.prompt": 5})),
            span("judge", "root", 70, 90, judge),
            span(
                "judged",
                "judge",
                71,
                89,
                model("c1", gave="yes", **{"llm.token_count.prompt": 900}),
            ),
            span("looked", "judge", 71, 72, retriever("c8")),
        ]
    )
    assert ids(trace.retrieved) == "c1"
    assert trace.usage is not None
    assert trace.usage.input_tokens == 5
    assert [(f.name, f.score, f.by, f.good) for f in trace.feedback] == [
        ("faithfulness", 0.5, "machine", None)
    ]


def test_ranks_of_trulens_are_places_in_the_list_before(span: Make) -> None:
    base = "ai.observability"
    told = {
        f"{base}.span_type": "reranking",
        f"{base}.reranking.query_text": "cost",
        f"{base}.reranking.input_context_texts": [TEXTS["c1"], TEXTS["c2"], TEXTS["c3"]],
        f"{base}.reranking.input_context_scores": [0.3, 0.2, 0.1],
        f"{base}.reranking.output_ranks": [2, 0],
    }
    trace = understand([span("root", None, 0, 100, chain()), span("rank", "root", 1, 10, told)])
    assert [(c.text, c.score, c.rank) for c in trace.retrieved or ()] == [
        (TEXTS["c3"], 0.1, 1),
        (TEXTS["c1"], 0.3, 2),
    ]
    assert [chunk.text for chunk in trace.candidates or ()] == [
        TEXTS["c1"],
        TEXTS["c2"],
        TEXTS["c3"],
    ]
