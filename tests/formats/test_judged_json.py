"""`acidtest.retrieval` over JSON files: the dictionaries that Python takes."""

import json

import pytest

from acidtest.errors import BadData
from acidtest.project.retrieval import retrieval

QRELS = {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}}
RUN = {"q1": {"b": 2.5, "x": 2.0, "a": 1.0}, "q2": {"x": 1.0, "c": 0.5}}


def written(path, document):
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


def test_json_is_read_as_dictionaries_and_lists_are(tmp_path):
    qrels, run = written(tmp_path / "q.json", QRELS), written(tmp_path / "r.JSON", RUN)
    assert retrieval(qrels, str(run)) == retrieval(QRELS, RUN)
    lists = {query: list(scores) for query, scores in RUN.items()}
    assert retrieval(qrels, written(tmp_path / "l.json", lists)) == retrieval(QRELS, lists)


@pytest.mark.parametrize("text", ['{"q1" :{"b":1,"x" :0.5}}', '{"q1": {"b\\":": 2, "b": 1}}'])
def test_names_are_found_once_however_they_are_written(tmp_path, text):
    path = written(tmp_path / "r.json", text)
    assert retrieval(QRELS, path) == retrieval(QRELS, json.loads(text))


def test_a_byte_order_mark_is_passed_over(tmp_path):
    (tmp_path / "r.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(RUN).encode())
    assert retrieval(QRELS, tmp_path / "r.json") == retrieval(QRELS, RUN)


def test_samples_of_a_peer(shared):
    folder = shared / "data" / "peer_formats" / "ranx"
    expected = retrieval(folder / "qrels.trec", folder / "run.trec")
    for form in ("json", "parquet"):
        assert retrieval(folder / f"qrels.{form}", folder / f"run.{form}") == expected


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ("{", "not JSON that can be read"),
        ("[" * 100_000, "not JSON that can be read"),
        ([], "there are no queries in it"),
        ({}, "there are no queries in it"),
        ({"q1": {"a": "much"}}, "query 'q1' has neither documents with numbers nor a list"),
        ({"q1": {"a": None}}, "query 'q1'"),
        ({"q1": ["a", 1]}, "query 'q1'"),
        ({"format": "acidtest/run", "version": 1}, "query 'format'"),
        ('{"q1": {"a": NaN}}', "not JSON that can be read.*The JSON is an object"),
        ('{"q1": {"a": 1, "b": 3, "a" : 2}}', "query 'q1' has the document 'a' twice"),
        ('{"q1": {"a\\":": 1, "a\\":": 2}}', """query 'q1' has the document 'a":' twice"""),
        ('{"q1": {"a": 1}, "q2": ["a"], "q1": ["b"]}', "there is the query 'q1' twice"),
        ('{"q1": ' + "[" * 900 + "]" * 900 + ', "q1": {"a": 1}}', "the query 'q1' twice"),
    ],
)
def test_json_that_is_no_run(tmp_path, document, told):
    path = written(tmp_path / "r.json", document)
    with pytest.raises(BadData, match=told) as error:
        retrieval(QRELS, path)
    assert str(path) in str(error.value)
