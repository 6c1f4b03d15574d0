"""Saved runs that cannot be read say why."""

import json

import pytest

from acidtest.codec.runs import decode_run
from acidtest.errors import BadData, FormatTooNew


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
    made = read(document(cases=[case(scores={"mrr": {"value": 1e99}}, latency_ms={"total": 5.0})]))
    assert made.cases[0].scores["mrr"].value == 1e99


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
