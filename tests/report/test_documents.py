"""Several runs in one JSON document."""

import json

from acidtest.codec.runs import decode_run
from acidtest.report.documents import runs_json


def test_each_run_stands_as_it_saves_itself(run, make_run):
    document = json.loads(runs_json([run, make_run("reranked")]))
    assert document["format"] == "acidtest/runs"
    assert [r["run"]["name"] for r in document["runs"]] == ["baseline", "reranked"]
    assert document["runs"][0] == json.loads(run.to_json())
    assert decode_run(json.dumps(document["runs"][0]).encode(), where="x") == run


def test_no_run_is_an_empty_list():
    assert json.loads(runs_json([])) == {"format": "acidtest/runs", "runs": []}
