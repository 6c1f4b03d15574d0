"""`acidtest.retrieval` over tables: data frames of several libraries, Parquet and Arrow files."""

import random
import subprocess
import sys

import pandas as pd
import polars as pl
import pytest

from acidtest.errors import BadData
from acidtest.project.retrieval import retrieval

QRELS = {"q2": {"a": 1}, "q1": {"a": 2, "b": 1}, "q10": {"c": 1, "d": 0}}
RUN = {
    "q1": {"x": 3.0, "a": 2.0, "b": 2.0},
    "q2": {"a": 0.5},
    "q10": {"d": 2.0, "c": 1.0},
    "other": {"a": 1.0},
}


def columns(table, value):
    rows = [(q, d, x) for q, values in table.items() for d, x in values.items()]
    return dict(zip(("query_id", "doc_id", value), map(list, zip(*rows, strict=True)), strict=True))


LABELS, RESULTS = columns(QRELS, "grade"), columns(RUN, "score")


@pytest.fixture
def expected():
    return retrieval(QRELS, RUN)


@pytest.mark.parametrize("frame", [pl.DataFrame, pl.LazyFrame, pd.DataFrame])
def test_frames_give_what_dictionaries_give(frame, expected):
    assert retrieval(frame(LABELS), frame(RESULTS)) == expected
    assert retrieval(QRELS, frame(RESULTS)) == expected
    assert retrieval(frame(LABELS), RUN) == expected


def test_anything_that_gives_an_arrow_stream(expected):
    class Foreign:
        def __init__(self, data):
            self._frame = pl.DataFrame(data)

        def __arrow_c_stream__(self, requested_schema=None):
            return self._frame.__arrow_c_stream__(requested_schema)

    assert retrieval(Foreign(LABELS), Foreign(RESULTS)) == expected


def test_files_of_tables_here_and_on_the_command_line(tmp_path, expected):
    qrels, parquet, arrow = (tmp_path / name for name in ("q.parquet", "r.PQ", "r.arrow"))
    pl.DataFrame(LABELS).write_parquet(qrels)
    pl.DataFrame(RESULTS).write_parquet(parquet)
    pl.DataFrame(RESULTS).write_ipc(arrow)
    assert retrieval(qrels, str(parquet)) == retrieval(qrels, arrow) == expected
    trec = tmp_path / "qrels.txt"
    trec.write_text("".join(f"{q} 0 {d} {g}\n" for q, x in QRELS.items() for d, g in x.items()))
    assert retrieval(trec, arrow) == expected


@pytest.mark.parametrize("frame", [pl.DataFrame, pd.DataFrame])
def test_other_names_more_columns_and_ids_that_are_numbers(frame, expected):
    numbers = {query: n for n, query in enumerate(RUN, 1)}
    qrels = {str(numbers[query]): labels for query, labels in QRELS.items()}
    run = {str(numbers[query]): scores for query, scores in RUN.items()}
    labels = {
        "qid": [numbers[q] for q in LABELS["query_id"]],
        "docno": LABELS["doc_id"],
        "Relevance": [float(grade) for grade in LABELS["grade"]],
    }
    results = {
        "query": ["what?"] * len(RESULTS["score"]),
        "Query-ID": [numbers[q] for q in RESULTS["query_id"]],
        "corpus-id": RESULTS["doc_id"],
        "score": RESULTS["score"],
        "rank": [1] * len(RESULTS["score"]),
    }
    assert retrieval(frame(labels), frame(results)) == retrieval(qrels, run)


@pytest.mark.parametrize("frame", [pl.DataFrame, pd.DataFrame])
def test_ranks_alone_are_an_order_and_two_columns_are_what_is_relevant(frame):
    results = {"query_id": ["q"] * 3, "doc_id": ["c", "a", "b"], "rank": [2, 3, 1]}
    labels = {"query_id": ["q", "q"], "doc_id": ["a", "b"]}
    expected = retrieval({"q": ["a", "b"]}, {"q": ["b", "c", "a"]})
    assert retrieval(frame(labels), frame(results)) == expected


@pytest.mark.parametrize("compat", ["9", "10"])
@pytest.mark.parametrize("depth", [None, 3])
def test_rows_in_any_order_with_ties(depth, compat):
    rng = random.Random(4)
    qrels, run = {}, {}
    for n in range(60):
        documents = [f"d{i}" for i in rng.sample(range(80), rng.randint(1, 30))]
        run[f"q{n}"] = {d: rng.choice((0.5, 0.50000000001, 1.0, 2.0)) for d in documents}
        qrels[f"q{n}"] = {f"d{i}": rng.randint(0, 3) for i in rng.sample(range(80), 6)}
    expected = retrieval(qrels, run, depth=depth, compat=compat)
    tables = pl.DataFrame(columns(qrels, "grade")), pl.DataFrame(columns(run, "score"))
    for seed in range(3):
        shuffled = [t.sample(fraction=1, shuffle=True, seed=seed) for t in tables]
        assert retrieval(*shuffled, depth=depth, compat=compat) == expected


def test_pandas_own_kinds_of_columns(expected):
    labels = pd.DataFrame(LABELS).astype({"query_id": "category", "grade": "Int64"})
    results = pd.DataFrame(RESULTS).astype({"doc_id": object, "score": "Float64"})
    assert retrieval(labels, results) == expected


def test_below_the_depth_a_document_may_come_again():
    rows = {"query_id": ["q"] * 3, "doc_id": ["b", "a", "b"], "score": [3.0, 2.0, 1.0]}
    assert retrieval({"q": ["a"]}, pl.DataFrame(rows), ["mrr"], depth=2).means == {"mrr": 0.5}
    with pytest.raises(BadData, match="query 'q' has the document 'b' twice"):
        retrieval({"q": ["a"]}, pl.DataFrame(rows), ["mrr"], depth=3)


@pytest.mark.parametrize("frame", [pl.DataFrame, pd.DataFrame])
@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"doc_id": None}, "no column holds the document; the columns are 'query_id', 'score'"),
        ({"score": None}, "no column holds the score.*Call it score. Known too: similarity, rank"),
        ({"score": ["1.0", "2.0"]}, "column 'score' holds String, and no numbers"),
        ({"score": [1.0, float("nan")]}, "column 'score' is NaN in row 2"),
        ({"query_id": [None, "q"]}, "column 'query_id' has no value in row 1"),
        ({"doc_id": [1.5, 2.0]}, "column 'doc_id' holds Float64, which is no id"),
        ({"doc_id": ["a", "a"]}, "query 'q' has the document 'a' twice"),
        ({"score": None, "rank": [1, 1]}, "query 'q' has the rank 1 more than once"),
        ({"query_id": [], "doc_id": [], "score": []}, "the table has no rows"),
    ],
)
def test_a_run_that_is_none(frame, changed, told):
    data = {"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [2.0, 1.0]} | changed
    given = frame({name: values for name, values in data.items() if values is not None})
    with pytest.raises(BadData, match=told) as error:
        retrieval({"q": ["a"]}, given)
    assert "run (" in str(error.value)
    assert "DataFrame" in str(error.value)


@pytest.mark.parametrize("frame", [pl.DataFrame, pd.DataFrame])
@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"grade": None, "relevence": [0, 1]}, "no column holds the grade; the columns are"),
        ({"grade": [1.0, 0.5]}, "column 'grade' has the grade 0.5 in row 2"),
        ({"grade": [1.0, float("inf")]}, "column 'grade' has the grade inf in row 2"),
        ({"grade": ["yes", "no"]}, "column 'grade' holds String"),
        ({"doc_id": ["a", "a"]}, "query 'q' has the document 'a' twice"),
    ],
)
def test_judgements_that_are_none(frame, changed, told):
    data = {"query_id": ["q", "q"], "doc_id": ["a", "b"], "grade": [1, 0]} | changed
    given = frame({name: values for name, values in data.items() if values is not None})
    with pytest.raises(BadData, match=told):
        retrieval(given, {"q": ["a"]})


def test_values_of_several_types_and_columns_that_stand_twice():
    mixed = pd.DataFrame({"query_id": ["q", 1], "doc_id": ["a", "b"], "score": [1, 2]})
    with pytest.raises(BadData, match="column 'query_id' holds values of several types"):
        retrieval({"q": ["a"]}, mixed)
    twice = pd.DataFrame([["q", "a", 1, 2]], columns=["query_id", "doc_id", "score", "score"])
    with pytest.raises(BadData, match="several columns 'score'"):
        retrieval({"q": ["a"]}, twice)


def test_files_that_are_no_tables(tmp_path):
    with pytest.raises(BadData, match=r"nowhere.parquet: No such file"):
        retrieval({"q": ["a"]}, tmp_path / "nowhere.parquet")
    for name in ("r.parquet", "r.arrow"):
        (tmp_path / name).write_bytes(b"q Q0 a 1 1.0 t\n" * 40)
        with pytest.raises(BadData, match=r"this is neither Parquet nor Arrow.*another ending"):
            retrieval({"q": ["a"]}, tmp_path / name)
        (tmp_path / name).write_bytes(b"")
        with pytest.raises(BadData, match=f"{name}: the file is empty"):
            retrieval({"q": ["a"]}, tmp_path / name)
    (tmp_path / "old.feather").write_bytes(b"FEA1" + bytes(100))
    with pytest.raises(BadData, match=r"this is a file of Feather 1.*Write it as Feather 2"):
        retrieval({"q": ["a"]}, tmp_path / "old.feather")


@pytest.mark.parametrize("write", [pl.DataFrame.write_parquet, pl.DataFrame.write_ipc])
def test_a_file_that_is_cut_off(tmp_path, write):
    path = tmp_path / "run.parquet"
    write(pl.DataFrame(RESULTS), path)
    whole = path.read_bytes()
    for length in (20, len(whole) // 2, len(whole) - 9):
        path.write_bytes(whole[:length])
        with pytest.raises(BadData, match=r"the table cannot be read.*Is it whole"):
            retrieval(QRELS, path)


@pytest.mark.parametrize("name", ["r.txt", "run", "r.qrels", "r.json", "r.arrow", "r.parquet"])
@pytest.mark.parametrize(
    "write", [pl.DataFrame.write_parquet, pl.DataFrame.write_ipc, pl.DataFrame.write_ipc_stream]
)
def test_a_table_is_known_whatever_its_file_is_called(tmp_path, name, write, expected):
    path = tmp_path / name
    write(pl.DataFrame(RESULTS), path)
    if write is pl.DataFrame.write_ipc_stream and path.suffix not in (".arrow", ".parquet"):
        with pytest.raises(BadData):
            retrieval(QRELS, path)
    else:
        assert retrieval(QRELS, path) == expected


@pytest.mark.parametrize(
    ("name", "how"), [("r.csv", "read_csv"), ("r.tsv", "read_csv"), ("r.jsonl", "read_ndjson")]
)
def test_of_other_tables_it_is_told_how_they_are_read(tmp_path, name, how):
    path = tmp_path / name
    path.write_text("query_id,doc_id,score\nq1,a,1.0\n")
    with pytest.raises(BadData, match=rf"{name}:1: the line has 1 columns.*polars.{how}\("):
        retrieval(QRELS, path)
    with pytest.raises(BadData, match=rf"{name}:1: the line has 1 columns.*polars.{how}\("):
        retrieval(path, RUN)


def test_text_that_begins_as_a_table_is_text(tmp_path):
    path = tmp_path / "run.txt"
    path.write_text("PAR1 Q0 a 1 2.0 PAR1 \nARROW1 Q0 b 1 2.0 t\n")
    assert retrieval({"PAR1": ["a"], "ARROW1": ["b"]}, path, ["mrr"]).means == {"mrr": 1.0}


@pytest.mark.parametrize("name", ["run*.arrow", "run[1].arrow", "run*.parquet"])
def test_a_name_is_no_pattern(tmp_path, name, expected):
    write = pl.DataFrame.write_ipc if name.endswith(".arrow") else pl.DataFrame.write_parquet
    for other in (name, name.replace("*", "2").replace("[1]", "1")):
        write(pl.DataFrame(RESULTS), tmp_path / other)
    assert retrieval(QRELS, tmp_path / name) == expected


@pytest.mark.parametrize("index", [["query_id"], ["doc_id"], ["query_id", "doc_id"]])
def test_what_stands_in_the_index_of_pandas_is_a_column(index, expected):
    labels, results = pd.DataFrame(LABELS), pd.DataFrame(RESULTS)
    assert retrieval(labels.set_index(index), results.set_index(index)) == expected
    assert retrieval(labels.set_index(index, drop=False), results.set_axis([7] * 7)) == expected


def test_columns_without_a_text_for_a_name_are_named():
    with pytest.raises(BadData, match="no column holds the query; the columns are '0', '1', '2'"):
        retrieval(QRELS, pd.DataFrame([["q", "a", 1.0]]))


@pytest.mark.parametrize(
    ("grade", "kind"), [(2**64 - 1, pl.UInt64), (-(2**100), pl.Int128), (1e300, pl.Float64)]
)
def test_grades_that_are_too_large(grade, kind):
    labels = pl.DataFrame(LABELS).with_columns(grade=pl.Series([1, 2, 1, grade, 0][:5], dtype=kind))
    with pytest.raises(BadData, match=r"column 'grade' has the grade .* in row 4.*below 2\^63"):
        retrieval(labels, RUN)


def test_decimals_are_ids_as_long_as_they_stand_for_one_number():
    exact = pl.DataFrame({"query_id": [2.0**53], "doc_id": [7.0], "score": [1.0]})
    assert retrieval({str(2**53): ["7"]}, exact, ["mrr"]).means == {"mrr": 1.0}
    with pytest.raises(BadData, match=r"column 'query_id' holds 1e.20 in row 2, a decimal"):
        retrieval(
            {"q": ["7"]}, pl.DataFrame({"query_id": [1.0, 1e20], "doc_id": [7, 8], "score": [1, 2]})
        )


def test_what_stands_twice_is_named_with_its_rows():
    rows = {"query_id": ["p", "q", "q", "q"], "doc_id": ["b", "b", "a", "b"]}
    told = "query 'q' has the document 'b' twice: rows 2 and 4"
    with pytest.raises(BadData, match=told):
        retrieval({"q": ["a"]}, pl.DataFrame(rows | {"score": [4.0, 3.0, 2.0, 1.0]}))
    with pytest.raises(BadData, match=told):
        retrieval({"q": ["a"]}, pl.DataFrame(rows | {"score": [4.0, 3.0, 2.0, 1.0]}), depth=3)
    with pytest.raises(BadData, match=told):
        retrieval(pl.DataFrame(rows), {"q": ["a"]})
    with pytest.raises(BadData, match="query 'q' has the rank 1 more than once: rows 2 and 4"):
        retrieval({"q": ["a"]}, pl.DataFrame(rows | {"rank": [1, 1, 2, 1]}))


def test_numbers_of_dictionaries_are_ids_beside_tables_and_files(tmp_path):
    numbers = {1: {5: 2, 6: 1}, 2: {7: 1}}
    texts = {str(q): {str(d): g for d, g in judged.items()} for q, judged in numbers.items()}
    run = {"1": {"6": 3.0, "5": 2.0}, "2": {"8": 1.0, "7": 0.5}}
    expected = retrieval(texts, run)
    frame = pl.DataFrame(columns(run, "score")).cast({"query_id": pl.Int64, "doc_id": pl.Int64})
    assert retrieval(numbers, frame) == expected
    path = tmp_path / "run.txt"
    path.write_text("1 Q0 6 1 3 t\n1 Q0 5 2 2 t\n2 Q0 8 1 1 t\n2 Q0 7 2 0.5 t\n")
    assert retrieval(numbers, path) == expected
    labels = pl.DataFrame(columns(texts, "grade"))
    assert retrieval(labels, {1: {6: 3.0, 5: 2.0}, 2: {8: 1.0, 7: 0.5}}) == expected
    assert retrieval(labels, {1: [6, 5], 2: [8, 7]}) == expected
    with pytest.raises(
        BadData, match=r"query '1'.*the id '5' stands there as a number and as text"
    ):
        retrieval({1: {5: 1, "5": 1}}, frame)


def test_a_frame_that_breaks_while_it_is_read():
    class Broken:
        def __arrow_c_stream__(self, schema=None):
            raise RuntimeError("the source broke")

    with pytest.raises(BadData, match=r"the table cannot be read: the source broke.*Is it whole"):
        retrieval(QRELS, Broken())
    late = pl.DataFrame(RESULTS).lazy().with_columns(score=pl.col("doc_id").cast(pl.Float64))
    with pytest.raises(BadData, match=r"the table cannot be read: conversion from 'str' to 'f64'"):
        retrieval(QRELS, late)


def test_strangers_are_named():
    with pytest.raises(BadData, match="none of the 1 judged queries is in the run"):
        retrieval({"nobody": ["a"]}, pl.DataFrame(RESULTS))


def test_dictionaries_load_no_table_library():
    code = (
        "import sys, acidtest as at; at.retrieval({'q': ['a']}, {'q': ['a']});"
        "print([name for name in ('polars', 'pandas', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
