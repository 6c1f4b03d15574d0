import pytest

from acidtest.data.runs import GoldenRef, Ref, Run, RunInfo, Summary
from acidtest.errors import UnknownName, UsageError
from acidtest.project.thresholds import check_run, parse_floors


def run_of(**metrics):
    info = RunInfo(
        id="r",
        name="n",
        created="c",
        status="finished",
        mode="live",
        golden=GoldenRef(version="v", cases=10),
        pipeline=Ref(name="n", fingerprint="f"),
    )
    return Run(info=info, metrics=metrics)


def summary(mean, *, scored=10, failed=0, skipped=0, direction="higher", **more):
    return Summary(
        stage="generation",
        direction=direction,
        mean=mean,
        p10=mean,
        p50=mean,
        ci=None,
        n=scored + failed + skipped,
        scored=scored,
        skipped=skipped,
        failed=failed,
        **more,
    )


def test_floors():
    run = run_of(mrr=summary(0.8), recall=summary(0.9 - 1e-12))
    check = check_run(run, {"mrr": 0.85, "recall": 0.9})
    assert [t.passed for t in check.thresholds] == [False, True]
    assert check.exit_status == 1
    assert check.lines("n") == [
        "n: BELOW FLOOR mrr 0.8000 (mean), floor 0.85",
        "n: ok recall 0.9000 (mean), floor 0.9",
    ]
    assert check_run(run, {}).exit_status == 0


def test_a_floor_is_a_ceiling_where_lower_is_better():
    run = run_of(leak=summary(0.1, direction="lower"))
    assert check_run(run, {"leak": 0.2}).exit_status == 0
    assert check_run(run, {"leak": 0.05}).exit_status == 1


def test_nothing_scored_is_never_a_pass():
    run = run_of(mrr=summary(None, scored=0, skipped=10))
    check = check_run(run, {"mrr": 0.5})
    assert check.thresholds[0].passed is None
    assert check.exit_status == 3
    assert "INCONCLUSIVE" in check.lines("n")[0]
    assert check_run(run, {}).exit_status == 3
    assert check_run(run, {}).incomplete == ("nothing was scored",)


def test_coverage_under_95_percent_is_incomplete_and_a_missed_floor_outranks_it():
    assert check_run(run_of(mrr=summary(0.8, scored=95, failed=5)), {}).exit_status == 0
    run = run_of(mrr=summary(0.8, scored=94, failed=6))
    assert check_run(run, {}).exit_status == 3
    assert check_run(run, {"mrr": 0.9}).exit_status == 1


def test_undecided_claims_are_spared_unless_one_insists():
    run = run_of(faithfulness=summary(0.5, undecided=0.6, floor_value=0.9))
    assert check_run(run, {"faithfulness": 0.85}).exit_status == 0
    assert check_run(run, {"faithfulness": 0.85}, floor_on="mean").exit_status == 1
    assert check_run(run, {"faithfulness": 0.85}).thresholds[0].on == "claims not unsupported"


def test_unknown_metric():
    with pytest.raises(UnknownName, match="Did you mean 'mrr'"):
        check_run(run_of(mrr=summary(1.0)), {"mr": 0.5})


def test_parse_floors():
    assert parse_floors(("a=0.5", "ndcg(gain=exp)@5=1")) == {"a": 0.5, "ndcg(gain=exp)@5": 1.0}
    for bad in ("a", "a=", "=1", "a=high", "a=nan", "a=inf"):
        with pytest.raises(UsageError, match="METRIC=NUMBER"):
            parse_floors((bad,))
    with pytest.raises(UsageError, match="a is given twice"):
        parse_floors(("a=0.5", "a=0.6"))
