"""A golden set is the same set whatever file, names and order it is written in."""

import csv
import json
from pathlib import Path

import msgspec
import polars as pl
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acidtest.data.golden import Case, Evidence, GoldenSet, Turn
from acidtest.errors import BadGolden
from acidtest.golden.load import load_golden
from acidtest.golden.save import save_golden

FULL = Case(
    id="c1",
    question="What does Pro cost?",
    reference="€49",
    relevant={"pricing#0": 3, "pricing#1": 0},
    relevant_docs={"pricing": 1},
    evidence=(
        Evidence(
            text="Pro is €49.",
            chunk_id="pricing#0",
            doc_id="pricing",
            doc_version="v1",
            start=0,
            end=11,
        ),
    ),
    tags=("lookup", "easy"),
    history=(Turn("user", "Hi"), Turn("assistant", "Hello")),
    group="g",
    split="test",
    source="log",
    metadata={"n": 1, "deep": {"list": [1, None, "x"]}},
)
ABSTAIN = Case(
    id="c2", question="And on Mars?", reference="NOT_IN_CORPUS", answerable=False, relevant={}
)
PLAIN = Case(id="c3", question="Unlabelled?")


def test_cases_load_as_they_are() -> None:
    golden = load_golden([FULL, ABSTAIN, PLAIN])
    assert list(golden) == [FULL, ABSTAIN, PLAIN]
    assert load_golden(golden) is golden
    assert golden.path is None


def test_empty_and_missing_labels_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    save_golden([ABSTAIN, PLAIN], path)
    golden = load_golden(path)
    assert (golden[0].relevant, golden[1].relevant) == ({}, None)
    assert golden.path == str(path)


ROW = {"question": "q?", "reference": "r", "relevant": ["a", "b"], "evidence": ["t"], "id": "1"}
ALIASES = [
    {
        "query": "q?",
        "expected_answer": "r",
        "relevant_chunk_ids": ["a", "b"],
        "reference_contexts": ["t"],
        "qid": "1",
    },
    {
        "user_input": "q?",
        "ground_truth": "r",
        "relevant_ids": ["a", "b"],
        "ground_truth_contexts": ["t"],
        "case_id": 1,
    },
    {
        "input": "q?",
        "expected_output": "r",
        "reference_context_ids": ["a", "b"],
        "context": ["t"],
        "query_id": "1",
    },
    {
        "Question": "q?",
        "Expected Answer": "r",
        "relevantChunkIds": ["a", "b"],
        "Reference-Contexts": "t",
        "ID": "1",
    },
    {
        "question": "q?",
        "ground_truths": ["r"],
        "relevant": {"b": 1, "a": 1},
        "evidence": [{"text": "t"}],
        "id": "1",
    },
    {
        **ROW,
        "answerable": True,
        "tags": [],
        "history": [],
        "metadata": {},
        "source": None,
        "split": None,
    },
    {
        **ROW,
        "response": None,
        "retrieved_contexts": None,
        "generated_answer": "",
        "actual_output": None,
    },
    {**ROW, "query": "q?"},
]


@pytest.mark.parametrize("row", ALIASES)
def test_other_names_and_spelled_out_defaults_are_the_same_version(row: dict[str, object]) -> None:
    golden = load_golden([row])
    assert list(golden) == list(load_golden([ROW]))
    assert golden.version == load_golden([ROW]).version
    assert golden.recorded == ()


def test_document_labels() -> None:
    for name in ("relevant_docs", "relevant_doc_ids", "relevant_documents"):
        case = load_golden([{"question": "q", name: ["d1", 7]}])[0]
        assert (case.relevant, case.relevant_docs) == (None, {"d1": 1, "7": 1})


@pytest.mark.parametrize(
    "given",
    [
        [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}],
        [{"role": "user", "text": "a"}, {"role": "assistant", "text": "b"}],
        ["a", "b"],
    ],
)
def test_history_forms(given: list[object]) -> None:
    case = load_golden([{"question": "q", "chat_history": given}])[0]
    assert case.history == (Turn("user", "a"), Turn("assistant", "b"))


def test_tags_as_text_and_each_once() -> None:
    assert load_golden([{"question": "q", "tags": "a, b ,a"}])[0].tags == ("a", "b")


def test_alternative_references_keep_the_first_and_all_in_metadata() -> None:
    case = load_golden([{"question": "q", "ground_truths": ["x", "y"]}])[0]
    assert (case.reference, case.metadata) == ("x", {"references": ["x", "y"]})


@pytest.mark.parametrize(("given", "kept"), [("", None), (None, None), ("  ", "  ")])
def test_an_empty_reference_is_none_and_one_of_spaces_refuses_nothing(
    given: str | None, kept: str | None
) -> None:
    one, two = load_golden([{"question": "p", "reference": given}, ROW])
    assert (one.reference, two.reference) == (kept, "r")


def test_other_tools_fields_are_kept_in_metadata() -> None:
    case = load_golden([{"input": "q", "name": "n", "comments": None, "metadata": {"a": 1}}])[0]
    assert case.metadata == {"a": 1, "name": "n"}


def test_ids_follow_from_question_and_history() -> None:
    one = load_golden([{"question": "q"}, {"question": "p"}])
    two = load_golden([{"query": "p", "tags": ["x"]}, {"query": "q", "reference": "r"}])
    assert [c.id for c in one] == [two[1].id, two[0].id]
    assert one[0].id.startswith("q-")
    later = load_golden([{"question": "q"}, {"question": "q", "history": ["earlier"]}])
    assert later[0].id != later[1].id


def test_same_question_without_ids_gets_ids_that_do_not_depend_on_order() -> None:
    rows = [{"question": "q", "reference": "x"}, {"question": "q", "reference": "y"}]
    one, two = load_golden(rows), load_golden(rows[::-1])
    assert {c.id: c.reference for c in one} == {c.id: c.reference for c in two}
    assert one.version == two.version
    with pytest.raises(BadGolden, match=r"row 2.*row 1"):
        load_golden([rows[0], rows[0]])


def test_version_ignores_order_and_sees_every_change() -> None:
    version = load_golden([FULL, PLAIN]).version
    assert version.startswith("sha256:")
    assert load_golden([PLAIN, FULL]).version == version
    turned = msgspec.structs.replace(FULL, tags=FULL.tags[::-1])
    assert load_golden([turned, PLAIN]).version == version
    for change in (
        {"question": "other"},
        {"reference": "x"},
        {"relevant": {"pricing#0": 2, "pricing#1": 0}},
        {"relevant": None},
        {"metadata": {}},
        {"split": "train"},
        {"history": ()},
    ):
        assert load_golden([msgspec.structs.replace(FULL, **change), PLAIN]).version != version


def test_recorded_outputs_inside_the_set_are_read_and_do_not_change_the_version() -> None:
    filled = {
        "response": "said",
        "retrieved_contexts": ["one text", "two"],
        "retrieved_context_ids": ["a", "b"],
    }
    golden = load_golden([{**ROW, **filled}, {"question": "other", "response": None}])
    (answer,) = golden.recorded
    assert (answer.case_id, answer.text) == ("1", "said")
    assert [(c.id, c.text) for c in answer.retrieved or ()] == [("a", "one text"), ("b", "two")]
    assert golden.version == load_golden([ROW, {"question": "other"}]).version


@pytest.mark.parametrize(
    "beside", [{"ground_truth": "r"}, {"ground_truth": None}, {"contexts": ["t t"]}]
)
def test_answer_is_the_generated_one_beside_a_reference_or_contexts(
    beside: dict[str, object],
) -> None:
    assert load_golden([{"question": "q", "answer": "said", **beside}]).recorded[0].text == "said"


def test_frames_load_by_arrow() -> None:
    frame = pl.DataFrame(
        {"question": ["a", "b"], "relevant": [["x"], None], "answerable": [None, False]}
    )
    golden = load_golden(frame)
    assert [(c.relevant, c.answerable) for c in golden] == [({"x": 1}, True), ({}, False)]


# ------------------------------------------------------------- one set, five forms, one version

words = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(
    lambda s: s.strip() == s and s[0] not in "[{"
)
names = st.text("abcdefgh0123#-_", min_size=1, max_size=8)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    abstain = draw(st.booleans())
    labels = st.none() | st.dictionaries(names, st.integers(0, 3), min_size=1, max_size=3)
    evidence = st.lists(st.builds(Evidence, text=words, doc_id=st.none() | names), max_size=2)
    turns = st.lists(st.builds(Turn, st.sampled_from(["user", "assistant"]), words), max_size=2)
    return Case(
        id=draw(names),
        question=draw(words),
        reference=draw(st.none() | words),
        relevant={} if abstain else draw(labels),
        relevant_docs=None if abstain else draw(labels),
        evidence=() if abstain else tuple(draw(evidence)),
        answerable=not abstain,
        tags=tuple(draw(st.lists(names, max_size=2, unique=True))),
        history=tuple(draw(turns)),
        split=draw(st.none() | names),
        metadata=draw(st.dictionaries(names, st.integers(-9, 9) | words, max_size=2)),
    )


def flat(row: dict[str, object]) -> dict[str, object]:
    return {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in row.items()
        if value is not None
    }


def written(rows: list[dict[str, object]], folder: Path) -> list[Path]:
    paths = [folder / f"g.{form}" for form in ("jsonl", "json", "yaml", "csv", "parquet")]
    paths[0].write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    paths[1].write_text(json.dumps({"cases": rows}, indent=1), encoding="utf-8")
    paths[2].write_text(yaml.safe_dump(rows, allow_unicode=True), encoding="utf-8")
    columns = sorted({name for row in rows for name in row})
    with paths[3].open("w", newline="", encoding="utf-8") as stream:
        table = csv.DictWriter(stream, columns)
        table.writeheader()
        table.writerows(map(flat, rows))
    table = [{name: flat(r).get(name) for name in columns} for r in rows]
    pl.DataFrame(table, schema=dict.fromkeys(columns, pl.String)).write_parquet(paths[4])
    return paths


@settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(st.lists(cases(), min_size=1, max_size=4, unique_by=lambda c: c.id))
def test_round_trip_in_every_form(tmp_path: Path, some: list[Case]) -> None:
    golden = load_golden(some)
    rows = [msgspec.to_builtins(case) for case in golden]
    for path in written(rows, tmp_path):
        again = load_golden(path)
        assert list(again) == list(golden), path.suffix
        assert again.version == golden.version
    save_golden(golden, tmp_path / "saved.jsonl")
    assert list(load_golden(tmp_path / "saved.jsonl")) == list(golden)


def test_parquet_with_nested_columns(tmp_path: Path) -> None:
    path = tmp_path / "g.parquet"
    pl.DataFrame(
        {
            "id": [1, 2],
            "question": ["a", "b"],
            "relevant": [["x", "y"], None],
            "evidence": [[{"text": "t", "doc_id": None}], []],
            "metadata": [{"n": 1, "m": None}, {"n": None, "m": None}],
            "answerable": [True, False],
        }
    ).write_parquet(path)
    one, two = load_golden(path)
    assert (one.id, one.relevant, one.metadata) == ("1", {"x": 1, "y": 1}, {"n": 1})
    assert one.evidence == (Evidence(text="t"),)
    assert (two.relevant, two.evidence, two.metadata) == ({}, (), {})


def test_csv_cells_hold_lists_in_several_ways(tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    rows = [
        ["q1", "a|b", "one; text|two", "x, y"],
        ["q2", "a; b", '["one; text", "two"]', "x|y"],
        ["q3", '["a", "b"]', "['one; text', 'two']", '["x", "y"]'],
        ["q4", '{"a": 1, "b": 1}', """["one; text", 'two']""", "x;y"],
    ]
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([["question", "relevant", "contexts_of_truth", "tags"], *rows])
    path.write_text(path.read_text().replace("contexts_of_truth", "reference_contexts"))
    for case in load_golden(path):
        assert case.relevant == {"a": 1, "b": 1}
        assert [e.text for e in case.evidence] == ["one; text", "two"]
        assert case.tags == ("x", "y")


def test_a_one_shot_iterable_is_read_once() -> None:
    golden = load_golden(row for row in [{"question": "a"}, {"question": "b"}])
    assert isinstance(golden, GoldenSet)
    assert len(golden) == 2


# ------------------------------------------------------------------------------- real data


def test_real_sets(shared: Path) -> None:
    data = shared / "data"
    golden = load_golden(data / "anthropic_docs" / "golden.jsonl")
    assert len(golden) == 100
    assert all(case.relevant_docs and case.reference for case in golden)
    goldens = [
        load_golden(data / "peer_formats" / "deepeval" / f"goldens.{form}")
        for form in ("json", "csv")
    ]
    for golden in goldens:
        assert golden[0].evidence == (Evidence(text="Geography"), Evidence(text="Mountains"))
        first = golden.recorded[0]
        assert first.text == "Mount Everest"
        assert [c.text for c in first.retrieved or ()] == ["Mountain heights list", "Moutain list"]
    assert [c.question for c in goldens[0]] == [c.question for c in goldens[1]]
    golden = load_golden(data / "peer_formats" / "continuous_eval" / "retrieval_sm.jsonl")
    assert len(golden.recorded) == len(golden) == 10
    with pytest.raises(
        BadGolden, match=r"hf_doc_qa_eval\.csv:\d+: a cell is filled under a column"
    ):
        load_golden(data / "peer_formats" / "ragas" / "hf_doc_qa_eval.csv")
