"""Saved runs that cannot be read say why."""

import json

import pytest

from acidtest.codec.runs import decode_run, file_of, load_run, load_runs
from acidtest.errors import BadData, FormatTooNew, UnknownName


def document(**more):
    info = {
        "id": "r",
        "name": "n",
        "created": "2026-01-01T00:00:00Z",
        "status": "finished",
        "mode": "live",
        "golden": {"version": "v", "cases": 1},
        "pipeline": {"name": "p", "fingerprint": "f"},
    }
    return {"format": "acidtest/run", "version": 1, "run": info, "metrics": {}, "cases": []} | more


def case(**more):
    return {"id": "c1", "question": "q?", **more}


def read(made):
    return decode_run(json.dumps(made).encode(), where="run.json")


def test_a_sound_run_is_read():
    scores = {"mrr": {"value": 1.0 + 1e-12}, "own": {"value": 1e99}, "noise": {"value": -3.0}}
    made = read(document(cases=[case(scores=scores, latency_ms={"total": 0.0})]))
    assert [score.value for score in made.cases[0].scores.values()] == [1.0 + 1e-12, 1e99, -3.0]


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_deep_nesting_is_refused(opening):
    with pytest.raises(BadData, match="nests too deep"):
        decode_run(opening.encode() * 100_000, where="run.json")


@pytest.mark.parametrize("version", [0, -1])
def test_a_version_that_never_was_is_refused(version):
    with pytest.raises(BadData, match="the first is 1"):
        read(document(version=version))
    with pytest.raises(FormatTooNew):
        read(document(version=2))


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"scores": {"mrr": {"value": 1e308}}}, "score 'mrr'"),
        ({"scores": {"mrr": {"value": -1e101}}}, "score 'mrr'"),
        ({"scores": {"mrr": {"value": 1.0, "trials": [1e308, -1e308]}}}, "score 'mrr'"),
        ({"scores": {"mrr": {"value": 1.0, "parts": {"claims": 1e308}}}}, "score 'mrr'"),
        ({"latency_ms": {"total": 1e308}}, "latency_ms"),
        ({"usage": {"cost_usd": 1e308}}, "usage"),
    ],
)
def test_numbers_that_no_sum_can_hold_are_refused_with_their_field(more, field):
    with pytest.raises(BadData, match=f"case 'c1', {field}.*too large"):
        read(document(cases=[case(**more)]))


def test_so_are_those_of_a_summary():
    summary = {"stage": "retrieval", "direction": "higher", "mean": 1e308}
    with pytest.raises(BadData, match=r"metrics 'mrr'.*too large"):
        read(document(metrics={"mrr": summary}))


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"scores": {"mrr": {"value": 7}}}, "case 'c1', score 'mrr': mrr is from 0 to 1, not 7"),
        ({"scores": {"recall@5": {"value": -0.1}}}, "score 'recall@5': recall@5 is from 0 to 1"),
        ({"scores": {"ndcg(gain=exp)@10": {"value": 1.01}}}, "'ndcg(gain=exp)@10': ndcg(gain=exp)"),
        ({"scores": {"faithfulness": {"value": 1.0, "trials": [0.5, 1.5]}}}, "not 1.5"),
        (
            {"latency_ms": {"retrieve": -5.0}},
            "case 'c1', latency_ms: it is -5, and cannot be below 0",
        ),
        ({"usage": {"cost_usd": -0.01}}, "case 'c1', usage: it is -0.01"),
        ({"usage": {"input_tokens": -1}}, "case 'c1', usage: it is -1"),
    ],
)
def test_what_a_metric_or_an_amount_cannot_be_is_refused_with_file_case_and_name(more, told):
    with pytest.raises(BadData) as caught:
        read(document(cases=[case(**more)]))
    assert str(caught.value).startswith("run.json: case 'c1', ")
    assert told in str(caught.value)
    assert "Correct the number" in str(caught.value)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"metrics": {"mrr": {"stage": "retrieval", "direction": "higher", "mean": 7}}}, "not 7"),
        ({"tags": {"faq": {"mrr": -1.0}}}, "tags 'faq', 'mrr': mrr is from 0 to 1, not -1"),
        ({"operations": {"cost_usd": -1.0}}, "operations, cost_usd: it is -1"),
        ({"operations": {"latency_ms": {"total": {"p50": -1.0, "p95": 2.0}}}}, "'total': it is -1"),
        ({"operations": {"tokens": {"input": 1, "output": -2}}}, "operations, tokens: it is -2"),
        ({"operations": {"judge": {"calls": -1}}}, "operations, judge: it is -1"),
    ],
)
def test_nor_can_summaries_and_sums(more, told):
    with pytest.raises(BadData) as caught:
        read(document(**more))
    assert told in str(caught.value)


@pytest.fixture
def several(tmp_path):
    runs = []
    for n, name in enumerate(("before", "after", "after")):
        made = document()
        made["run"] = made["run"] | {"id": f"r{n}", "name": name}
        runs.append(made)
    path = tmp_path / "runs.json"
    path.write_text(json.dumps({"format": "acidtest/runs", "runs": runs}))
    return path


def test_a_run_of_a_file_of_several_is_named(several):
    assert [run.id for run in load_runs(several)] == ["r0", "r1", "r2"]
    assert load_run(f"{several}#before").id == "r0"
    assert load_run(f"{several}#r2").id == "r2"
    assert [run.id for run in load_runs(f"{several}#after")] == ["r1", "r2"]


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("", BadData, r"it holds 3 runs: r0, r1, r2.*Say which one: .*runs\.json#r0"),
        ("#after", BadData, r"it holds 2 runs: r1, r2.*Say which one: .*runs\.json#r1"),
        ("#befor", UnknownName, "Did you mean 'before'"),
    ],
)
def test_which_run_of_several_has_to_be_said(several, name, kind, said):
    with pytest.raises(kind, match=f"(?s){said}"):
        load_run(f"{several}{name}")


@pytest.mark.parametrize("runs", [None, {}, "x", [{"format": "other"}]])
def test_a_file_of_several_runs_holds_a_list_of_runs(tmp_path, runs):
    path = tmp_path / "runs.json"
    path.write_text(json.dumps({"format": "acidtest/runs", "runs": runs}))
    with pytest.raises(BadData, match="not a list" if runs != [{"format": "other"}] else "run 1"):
        load_runs(path)


def test_a_file_of_no_runs_is_told(tmp_path):
    path = tmp_path / "runs.json"
    path.write_text('{"format": "acidtest/runs", "runs": []}')
    with pytest.raises(BadData, match="holds no run"):
        load_run(path)


def test_a_file_may_have_the_sign_in_its_name(tmp_path):
    path = tmp_path / "a.json#b"
    path.write_text(json.dumps(document()))
    assert load_run(path).id == "r"


@pytest.mark.parametrize(
    ("run", "file"),
    [
        ("run.json", "run.json"),
        ("runs.json#a", "runs.json"),
        ("out/run", "out/run"),
        ("latest", None),
        ("issue#7", None),
        ("a#b.json#c", "a#b.json"),
    ],
)
def test_what_names_a_file(run, file):
    assert file_of(run) == file
