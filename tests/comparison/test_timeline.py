import msgspec
import pytest

from acidtest.comparison.timeline import timeline
from acidtest.data.answers import Latency, Usage
from acidtest.data.runs import Commit, GoldenRef, JudgeRef
from acidtest.data.use import Operations, Percentiles


@pytest.fixture
def at(make_case, make_run):
    def build(sha, value, n=20, *, case=str, **info):
        cases = [
            msgspec.structs.replace(
                make_case(case(i), scores={"recall@5": value(i), "mrr": 0.5}),
                usage=Usage(cost_usd=0.01),
                latency_ms=Latency(total=100.0),
            )
            for i in range(n)
        ]
        run = make_run(cases, **info)
        told = msgspec.structs.replace(run.info, commit=Commit(sha=sha, branch="main", dirty=False))
        took = Operations(latency_ms={"total": Percentiles(90.0, 120.0)})
        return msgspec.structs.replace(run, info=told, operations=took)

    return build


def test_only_a_clear_change_is_marked(at):
    runs = [
        at("a", lambda i: float(i % 2)),
        at("b", lambda i: float(i % 2 or i == 0)),  # one case better: noise
        at("c", lambda i: 0.0),  # ten cases lost
    ]
    told = timeline(runs)
    assert told.columns == ("recall@5", "mrr", "latency_ms.total.p95", "cost_usd")
    assert [m.moved for m in told.moments] == [{}, {}, {"recall@5": -1}]
    assert told.moments[0].values == pytest.approx(
        {"recall@5": 0.5, "mrr": 0.5, "latency_ms.total.p95": 100.0, "cost_usd": 0.01}
    )
    assert told.directions["cost_usd"] == "lower"
    back = timeline([runs[2], runs[0]])
    assert back.moments[1].moved == {"recall@5": 1}


def test_what_breaks_the_line_is_said(at):
    first = at("a", lambda i: 1.0, judge=JudgeRef(model="x", fingerprint="1"))
    other = at(
        "bcdefghijk",
        lambda i: 1.0,
        judge=JudgeRef(model="x", fingerprint="2", reported=("x-2026",)),
        golden=GoldenRef(version="sha256:2", cases=20),
    )
    golden, judge = timeline([first, other]).notes
    assert golden.startswith("From bcdefghi on the golden set is another")
    assert "(x, then x (x-2026))" in judge


def test_runs_without_a_common_case_have_no_mark(at):
    runs = [at("a", lambda i: 1.0), at("b", lambda i: 0.0, case=lambda i: f"new-{i}")]
    assert timeline(runs).moments[1].moved == {}


def test_asked_columns_stand_in_their_order(at):
    told = timeline([at("a", lambda i: 1.0)], ("mrr", "no_such"))
    assert told.columns == ("mrr", "no_such")
    assert told.moments[0].values == {"mrr": 0.5}


def test_time_and_money_are_what_the_cases_tell_else_what_the_run_says(at):
    run = at("a", lambda i: 1.0)
    untold = [msgspec.structs.replace(case, usage=None, latency_ms=None) for case in run.cases]
    said = msgspec.structs.replace(run.operations, cost_usd=0.4)
    for cases in ((), untold):
        bare = msgspec.structs.replace(run, cases=tuple(cases), operations=said)
        told = timeline([run, bare]).moments
        assert [m.values["latency_ms.total.p95"] for m in told] == [100.0, 120.0]
        assert [m.values["cost_usd"] for m in told] == pytest.approx([0.01, 0.02])


def test_a_metric_that_was_never_scored_takes_no_column(at):
    run = at("a", lambda i: 1.0)
    nothing = msgspec.structs.replace(run.metrics["mrr"], mean=None, scored=0)
    runs = [
        msgspec.structs.replace(one, metrics=one.metrics | {"mrr": nothing, "f1": nothing})
        for one in (run, at("b", lambda i: 1.0))
    ]
    assert timeline(runs).columns == ("recall@5", "latency_ms.total.p95", "cost_usd")
    assert "f1" in timeline(runs, ["f1"]).columns
