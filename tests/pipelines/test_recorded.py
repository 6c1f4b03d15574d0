"""Recorded outputs play back as a pipeline, whoever wrote them."""

import csv
import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from acidtest.data.answers import Answer, Chunk, Latency, Usage
from acidtest.data.golden import Case
from acidtest.data.outcomes import Failure, Score
from acidtest.data.runs import CaseResult, GoldenRef, Ref, Run, RunInfo
from acidtest.errors import BadData, PipelineError
from acidtest.golden.load import load_golden
from acidtest.pipelines.recorded import RecordedPipeline, load_recorded
from acidtest.ports import Pipeline

CASE = Case(id="c1", question="What does Pro cost?")


def jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


async def played(folder: Path, row: Mapping[str, Any], case: Case = CASE) -> Answer:
    return await load_recorded(jsonl(folder / "outputs.jsonl", [row])).ask(case)


async def test_the_documented_row(tmp_path: Path) -> None:
    answer = await played(
        tmp_path,
        {
            "id": "c1",
            "question": CASE.question,
            "answer": "€49 [1]",
            "retrieved": [
                {"id": "p#0", "text": "Pro is €49.", "score": 2, "doc_id": "p"},
                {
                    "id": "p#1",
                    "text": "More.",
                    "score": None,
                    "page": 3,
                    "metadata": {"lang": "en"},
                },
            ],
            "candidates": ["p#1", "p#0"],
            "citations": ["p#0", 2],
            "abstained": False,
            "latency_ms": {"retrieve": 12.5, "generate": 800, "total": 812.5},
            "usage": {"input_tokens": 900, "output_tokens": 12, "cost_usd": 0.001, "model": "m"},
        },
    )
    assert answer == Answer(
        case_id="c1",
        text="€49 [1]",
        retrieved=(
            Chunk(id="p#0", rank=1, text="Pro is €49.", score=2, doc_id="p"),
            Chunk(id="p#1", rank=2, text="More.", metadata={"lang": "en", "page": 3}),
        ),
        candidates=(Chunk(id="p#1", rank=1), Chunk(id="p#0", rank=2)),
        citations=("p#0", "2"),
        abstained=False,
        latency_ms=Latency(retrieve=12.5, generate=800, total=812.5),
        usage=Usage(input_tokens=900, output_tokens=12, cost_usd=0.001, model="m"),
    )


PEERS = [
    {
        "user_input": CASE.question,
        "response": "said",
        "retrieved_contexts": ["one", "two"],
        "reference": "r",
    },
    {"question": CASE.question, "answer": "said", "contexts": ["one", "two"], "ground_truth": "r"},
    {
        "input": CASE.question,
        "actual_output": "said",
        "retrieval_context": ["one", "two"],
        "context": ["c"],
    },
    {
        "query": CASE.question,
        "output": "said",
        "chunks": [{"content": "one"}, {"page_content": "two"}],
    },
    {
        "question": CASE.question,
        "answer": "said",
        "sources": [{"excerpt": "one"}, {"excerpt": "two"}],
    },
    {
        "question": CASE.question,
        "prediction": "said",
        "documents": [{"text": "one"}, {"text": "two"}],
    },
    {"Question": CASE.question, "Generated Answer": "said", "retrievedContexts": ["one", "two"]},
]


@pytest.mark.parametrize("row", PEERS)
async def test_other_tools_rows(tmp_path: Path, row: dict[str, Any]) -> None:
    answer = await played(tmp_path, row)
    assert (answer.case_id, answer.text) == ("c1", "said")
    assert [c.text for c in answer.retrieved or ()] == ["one", "two"]
    assert [c.id for c in answer.retrieved or ()] == [None, None]


RANKINGS: list[tuple[dict[str, Any], list[tuple[Any, ...]]]] = [
    ({"retrieved": ["c12", "c5"]}, [("c12", None, None, None), ("c5", None, None, None)]),
    (
        {"retrieved": ["two words", "c5"]},
        [(None, "two words", None, None), (None, "c5", None, None)],
    ),
    ({"retrieved": ["日本語"]}, [(None, "日本語", None, None)]),
    ({"contexts": ["word"]}, [(None, "word", None, None)]),
    ({"retrieved": [["a", 1.5], ["b", 1]]}, [("a", None, 1.5, None), ("b", None, 1, None)]),
    (
        {"retrieved": {"a": 1, "b": 2, "c": 2}},
        [("c", None, 2, None), ("b", None, 2, None), ("a", None, 1, None)],
    ),
    ({"retrieved": [7]}, [("7", None, None, None)]),
    ({"retrieved_ids": ["a", "b"]}, [("a", None, None, None), ("b", None, None, None)]),
    (
        {"contexts": ["x", "y"], "retrieved_context_ids": ["a", "b"]},
        [("a", "x", None, None), ("b", "y", None, None)],
    ),
    ({"docs": ["d1"]}, [("d1", None, None, "d1")]),
    ({"retrieved_doc_ids": ["d1"]}, [("d1", None, None, "d1")]),
    ({"retrieved_ids": ["a"], "retrieved_doc_ids": ["d"]}, [("a", None, None, "d")]),
    ({"retrieved": [{"document_id": "d"}]}, [(None, None, None, "d")]),
    (
        {"retrieved": [{"page_content": "t", "metadata": {"id": "a", "doc_id": "d"}}]},
        [("a", "t", None, "d")],
    ),
    ({"retrieved": []}, []),
]


@pytest.mark.parametrize(("row", "chunks"), RANKINGS)
async def test_forms_of_rankings(
    tmp_path: Path, row: dict[str, Any], chunks: list[tuple[Any, ...]]
) -> None:
    answer = await played(tmp_path, {"id": "c1", **row})
    assert answer.retrieved is not None
    assert [(c.id, c.text, c.score, c.doc_id) for c in answer.retrieved] == chunks
    assert [c.rank for c in answer.retrieved] == list(range(1, len(chunks) + 1))


async def test_nothing_said_and_nothing_retrieved_are_apart(tmp_path: Path) -> None:
    assert (await played(tmp_path, {"id": "c1", "answer": "x"})).retrieved is None
    assert (await played(tmp_path, {"id": "c1", "answer": "", "retrieved": []})).retrieved == ()


async def test_other_spellings_of_latency_and_usage(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7, "details": {"x": 1}}
    answer = await played(tmp_path, {"id": "c1", "answer": "x", "latency_ms": 5, "usage": usage})
    assert answer.latency_ms == Latency(total=5)
    assert answer.usage == Usage(input_tokens=3, output_tokens=4)


async def test_matching_by_id_then_by_exact_question(tmp_path: Path) -> None:
    pipeline = load_recorded(
        jsonl(
            tmp_path / "o.jsonl",
            [
                {"id": "a", "question": "one", "answer": "by id"},
                {"question": "two", "answer": "by question"},
                {"id": "x", "question": "three", "answer": "by question though it has an id"},
                {"id": "stray", "answer": "nobody's"},
                {"question": "Two", "answer": "not exact"},
            ],
        )
    )
    golden = load_golden(
        [{"id": "a", "question": "one"}, {"id": "b", "question": "two"}, {"question": "three"}]
    )
    assert [(await pipeline.ask(case)).text for case in golden] == [
        "by id",
        "by question",
        "by question though it has an id",
    ]
    assert pipeline.unmatched(golden) == ["stray", "Two"]
    assert len(pipeline) == 5
    with pytest.raises(PipelineError, match="no recorded output for this case"):
        await pipeline.ask(Case(id="c", question="other"))


async def test_an_id_with_another_question_is_told(tmp_path: Path) -> None:
    answer = await played(tmp_path, {"id": "c1", "question": "Something else?", "answer": "x"})
    assert answer.notes == ("the recorded row of this id has another question",)


async def test_one_question_under_several_ids_is_not_guessed(tmp_path: Path) -> None:
    rows = [{"id": i, "question": "q", "answer": i} for i in "ab"]
    pipeline = load_recorded(jsonl(tmp_path / "o.jsonl", rows))
    assert (await pipeline.ask(Case(id="b", question="q"))).text == "b"
    with pytest.raises(PipelineError, match="several recorded rows have this question"):
        await pipeline.ask(Case(id="c", question="q"))


async def test_a_chunk_id_counts_once_and_is_told(tmp_path: Path) -> None:
    answer = await played(tmp_path, {"id": "c1", "retrieved": ["a", "b", "a", "c"]})
    assert [(c.id, c.rank) for c in answer.retrieved or ()] == [("a", 1), ("b", 2), ("c", 3)]
    assert len(answer.notes) == 1
    assert "a" in answer.notes[0]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"error": "timed out"}, "timed out"),
        ({"failure": {"outcome": "failure", "failure": "it threw"}, "answer": None}, "it threw"),
        ({"answer": None}, "no answer and no retrieved chunks"),
        ({}, "no answer and no retrieved chunks"),
    ],
)
async def test_a_row_without_output_fails_its_case(
    tmp_path: Path, row: dict[str, Any], said: str
) -> None:
    with pytest.raises(PipelineError, match=said) as caught:
        await played(tmp_path, {"id": "c1", **row})
    assert "outputs.jsonl:1" in str(caught.value)


async def test_modes(tmp_path: Path) -> None:
    rows = [{"id": "c1", "answer": "x", "retrieved": ["a"], "citations": ["a"]}]
    pipeline: Pipeline = load_recorded(jsonl(tmp_path / "o.jsonl", rows), name="mine")
    assert pipeline.name == "mine"
    assert pipeline.refuses("live") is None
    assert pipeline.refuses("retrieval-only") is None
    assert "contexts" in str(pipeline.refuses("golden-context"))
    answer = await pipeline.ask(CASE, mode="retrieval-only")
    assert (answer.text, answer.citations) == (None, None)
    assert answer.retrieved == (Chunk(id="a", rank=1),)
    with pytest.raises(PipelineError):
        await pipeline.ask(CASE, mode="golden-context", contexts=[])
    await pipeline.aclose()
    textual = RecordedPipeline([Answer(case_id="c1", text="x")])
    assert "no retrieved chunks" in str(textual.refuses("retrieval-only"))


async def test_answers_of_a_golden_set_play_back() -> None:
    golden = load_golden([{"id": "c1", "question": "q", "response": "said", "contexts": ["x y"]}])
    pipeline = RecordedPipeline(golden.recorded)
    answer = await pipeline.ask(golden[0])
    assert (answer.text, answer.retrieved) == ("said", (Chunk(rank=1, text="x y"),))
    failed = RecordedPipeline([Answer(case_id="c1", failure=Failure("broke", detail="trace"))])
    with pytest.raises(PipelineError, match="broke") as caught:
        await failed.ask(CASE)
    assert caught.value.detail == "trace"


def test_fingerprint_is_of_the_content(tmp_path: Path) -> None:
    row = {"id": "c1", "answer": "x"}
    one = load_recorded(jsonl(tmp_path / "one.jsonl", [row]))
    two = load_recorded(jsonl(tmp_path / "two.jsonl", [{"response": "x", "qid": "c1"}]))
    other = load_recorded(jsonl(tmp_path / "three.jsonl", [{**row, "answer": "y"}]))
    assert one.fingerprint == two.fingerprint != other.fingerprint
    assert (one.name, two.name) == ("one", "two")
    assert load_recorded(jsonl(tmp_path / "bge_1.5.jsonl", [row])).name == "bge_1.5"


async def test_every_form_of_file(tmp_path: Path) -> None:
    row = {"id": "c1", "answer": "said", "retrieved": [{"id": "a", "score": 0.5}], "latency_ms": 3}
    jsonl(tmp_path / "o.jsonl", [row])
    (tmp_path / "o.json").write_text(json.dumps({"cases": [row]}))
    (tmp_path / "o.yaml").write_text(json.dumps([row]))
    with (tmp_path / "o.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([list(row), ["c1", "said", json.dumps(row["retrieved"]), "3"]])
    pl.DataFrame([row]).write_parquet(tmp_path / "o.parquet")
    (tmp_path / "o.jsonl.gz").write_bytes(gzip.compress(json.dumps(row).encode()))
    for form in ("jsonl", "json", "yaml", "csv", "parquet", "jsonl.gz"):
        path = tmp_path / f"o.{form}"
        answer = await load_recorded(path).ask(CASE)
        assert answer.retrieved == (Chunk(id="a", rank=1, score=0.5),), path.name
        assert (answer.text, answer.latency_ms) == ("said", Latency(total=3)), path.name


async def test_a_saved_run_plays_back(tmp_path: Path) -> None:
    info = RunInfo(
        id="r",
        name="r",
        created="2026-01-01T00:00:00Z",
        status="finished",
        mode="live",
        golden=GoldenRef(version="sha256:0", cases=1),
        pipeline=Ref(name="p", fingerprint="sha256:0"),
    )
    case = CaseResult(
        id="c1",
        question=CASE.question,
        answer="said",
        retrieved=(Chunk(id="a", rank=1, text="t", score=0.5, metadata={"n": 1}),),
        latency_ms=Latency(total=3),
        scores={"mrr": Score(1.0)},
        relevant={"a": 1},
        notes=("told",),
    )
    Run(info=info, cases=(case,)).save(tmp_path / "run.json")
    answer = await load_recorded(tmp_path / "run.json").ask(CASE)
    assert (answer.text, answer.retrieved, answer.latency_ms) == (
        "said",
        case.retrieved,
        Latency(total=3),
    )


@pytest.mark.parametrize("name", ["r.trec", "r.run", "r.txt", "r.trec.gz"])
async def test_trec_runs_are_rankings(tmp_path: Path, name: str) -> None:
    raw = b"c1 Q0 b 1 0.5 x\nc1 Q0 a 2 0.75 x\n"
    (tmp_path / name).write_bytes(gzip.compress(raw) if name.endswith("gz") else raw)
    answer = await load_recorded(tmp_path / name).ask(CASE)
    assert answer.text is None
    assert answer.retrieved == (
        Chunk(id="a", rank=1, score=0.75),
        Chunk(id="b", rank=2, score=0.5),
    )


BAD: list[tuple[dict[str, Any], list[str]]] = [
    ({"answer": "x"}, ["neither an id nor a question"]),
    ({"id": "c2", "anwser": "x"}, ["'anwser'", "Did you mean 'answer'"]),
    ({"id": "c2", "answer": "x", "response": "y"}, ["'answer'", "'response'"]),
    ({"id": "c2", "answer": 3}, ["'answer'", "the number 3"]),
    ({"id": "c2", "answer": "x" * 1_000_001}, ["'answer'", "1,000,001"]),
    ({"id": "c2", "retrieved": [{"id": "a", "score": "high"}]}, ["retrieved[0].score", "'high'"]),
    ({"id": "c2", "retrieved": [["a", "b"]]}, ["retrieved[0]", "'b'"]),
    ({"id": "c2", "retrieved": ["a", None]}, ["retrieved[1]", "null", "[id, score]"]),
    ({"id": "c2", "retrieved": [{"text": 3}]}, ["retrieved[0].text", "the number 3"]),
    ({"id": "c2", "retrieved": [{"text": "x" * 1_000_001}]}, ["retrieved[0].text", "1,000,001"]),
    ({"id": "c2", "retrieved": ["a"] * 10_001}, ["'retrieved'", "10,001 chunks"]),
    ({"id": "c2", "retrieved": [{"id": "a", "span": [2, 1]}]}, ["retrieved[0].span"]),
    ({"id": "c2", "retrieved": {"a": "x"}}, ["'x'", "finite number"]),
    ({"id": "c2", "contexts": ["a"], "retrieved_ids": []}, ["'retrieved_ids'", "0 ids for 1"]),
    ({"id": "c2", "answer": "x", "context": ["t"]}, ["'context'", "retrieved_contexts"]),
    ({"id": "c2", "error": [1]}, ["'error'", "a list"]),
    ({"id": "c1", "answer": "again"}, ["the id 'c1' is already at", "o.jsonl:1", "one system"]),
]


@pytest.mark.parametrize(("row", "said"), BAD, ids=[str(i) for i in range(len(BAD))])
def test_bad_rows_say_file_line_and_field(
    tmp_path: Path, row: dict[str, Any], said: list[str]
) -> None:
    path = jsonl(tmp_path / "o.jsonl", [{"id": "c1", "answer": "x"}, row])
    with pytest.raises(BadData) as caught:
        load_recorded(path)
    message = str(caught.value)
    assert [word for word in [f"{path}:2", *said] if word not in message] == []
    assert len(message) < 1500


def test_doubled_questions_without_ids(tmp_path: Path) -> None:
    rows = [{"question": "q", "answer": "x"}, {"question": "q", "answer": "y"}]
    with pytest.raises(BadData, match=r"o\.jsonl:2: the question 'q' is already at .*o\.jsonl:1"):
        load_recorded(jsonl(tmp_path / "o.jsonl", rows))


def test_nan_scores_are_refused_with_their_place(tmp_path: Path) -> None:
    (tmp_path / "o.jsonl").write_text('{"id": "c1", "retrieved": [["a", NaN]]}')
    pl.DataFrame({"id": ["c1"], "retrieved": [[{"id": "a", "score": float("nan")}]]}).write_parquet(
        tmp_path / "o.parquet"
    )
    (tmp_path / "o.csv").write_text('id,retrieved\nc1,"[[""a"", NaN]]"\n')
    for name, place in (("o.jsonl", "o.jsonl:1"), ("o.parquet", "row 1"), ("o.csv", "o.csv:2")):
        with pytest.raises(BadData) as caught:
            load_recorded(tmp_path / name)
        assert place in str(caught.value)
        assert "nan" in str(caught.value).lower()


# ------------------------------------------------------------------------------- real data


def rows_of(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


async def test_retriever_runs_over_product_documentation(shared: Path, tmp_path: Path) -> None:
    folder = shared / "data" / "mtrag_cloud"
    golden = load_golden(
        {"id": r["qid"], "question": r["question"], "relevant": r["relevant_doc_ids"]}
        for r in rows_of(folder / "golden.jsonl.gz")
        if r["relevant_doc_ids"]
    )
    for system, published in (("bm25", 0.217), ("bge_base_1.5", 0.312), ("elser", 0.421)):
        rows = [
            {"id": r["qid"], "retrieved": r["docs"]}
            for r in rows_of(folder / "runs.jsonl.gz")
            if (r["system"], r["query_form"]) == (system, "lastturn")
        ]
        pipeline = load_recorded(jsonl(tmp_path / f"{system}.jsonl", rows))
        assert pipeline.unmatched(golden) == []
        found = 0.0
        for case in golden:
            top = {c.id for c in ((await pipeline.ask(case)).retrieved or ())[:5]}
            found += len(top & (case.relevant or {}).keys()) / len(case.relevant or {})
        assert found / len(golden) == pytest.approx(published, abs=0.0005)


async def test_documentation_search_with_document_labels(shared: Path, tmp_path: Path) -> None:
    folder = shared / "data" / "anthropic_docs"
    golden = load_golden(folder / "golden.jsonl")
    rows = [r for r in rows_of(folder / "runs.jsonl.gz") if r.pop("system") == "retrieve_level_two"]
    pipeline = load_recorded(jsonl(tmp_path / "two.jsonl", rows))
    assert pipeline.unmatched(golden) == []
    found = 0.0
    for case in golden:
        docs = {c.doc_id for c in (await pipeline.ask(case)).retrieved or ()}
        found += len(docs & (case.relevant_docs or {}).keys()) / len(case.relevant_docs or {})
    assert found / len(golden) == pytest.approx(0.709, abs=0.0005)


async def test_other_tools_files(shared: Path) -> None:
    peers = shared / "data" / "peer_formats"
    run = load_recorded(peers / "ranx" / "run.trec")
    answer = await run.ask(Case(id="q1", question="?"))
    assert [c.id for c in answer.retrieved or ()] == ["d3", "d2", "d1"]
    assert len(load_recorded(peers / "continuous_eval" / "retrieval_sm.jsonl")) == 10
