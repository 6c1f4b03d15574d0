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
        with pytest.raises(BadData, match="the table cannot be read"):
            retrieval({"q": ["a"]}, tmp_path / name)


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
