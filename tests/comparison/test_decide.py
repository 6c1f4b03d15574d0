"""The gate: the worked example, limits and their names, both modes, what is stale, what has a price."""

import random

import pytest
from msgspec.structs import replace

from acidtest.comparison.decide import gate
from acidtest.data.answers import Latency, Usage
from acidtest.data.outcomes import Failure, Skip
from acidtest.data.runs import GoldenRef, JudgeRef, Run, Summary
from acidtest.data.use import Operations, Percentiles, Tokens
from acidtest.errors import BadData, Incomparable, UnknownName, UsageError

BASE = {
    "context_recall": 0.86,
    "context_precision": 0.81,
    "faithfulness": 0.93,
    "answer_relevancy": 0.88,
}
CANDIDATE = {
    "context_recall": 0.91,
    "context_precision": 0.84,
    "faithfulness": 0.87,
    "answer_relevancy": 0.89,
}


def summary(mean, **more):
    fields = {
        "stage": "generation",
        "direction": "higher",
        "mean": mean,
        "p10": mean,
        "p50": mean,
        "ci": None,
        "n": 40,
        "scored": 40,
        "skipped": 0,
        "failed": 0,
    }
    return Summary(**(fields | more))


@pytest.fixture
def summaries(make_run):
    def make(means, name="base", **more):
        return make_run(name=name, metrics={m: summary(x) for m, x in means.items()}, **more)

    return make


@pytest.fixture
def pair(make_case, make_run):
    """Two runs over the same cases: metric -> (before, after), one value a case each."""

    def make(columns, *, tags=lambda n: (), group=lambda n: None, more=lambda n, side: {}, **kw):
        runs = []
        for side, name in enumerate(("base", "new")):
            size = len(next(iter(columns.values()))[0])
            cases = [
                make_case(
                    str(n),
                    scores={m: sides[side][n] for m, sides in columns.items()},
                    tags=tags(n),
                    group=group(n),
                    **more(n, side),
                )
                for n in range(size)
            ]
            runs.append(make_run(cases, name=name, **kw))
        return runs

    return make


def flags(made):
    return {name: entry.flag for name, entry in made.metrics.items() if entry.flag}


# ---------------------------------------------------------------------------- the worked example


@pytest.mark.parametrize("max_drop", [0.03, 0.07])
def test_the_worked_example_fails_for_the_floor_with_either_tolerance(summaries, max_drop):
    made = gate(
        summaries(CANDIDATE, "new"),
        baseline=summaries(BASE),
        min={"faithfulness": 0.90},
        max_drop=max_drop,
    )
    assert made.result == "fail"
    assert made.exit_status == 1
    assert list(made.metrics) == list(BASE)
    assert flags(made) == {"faithfulness": "BELOW FLOOR"}
    assert made.metrics["faithfulness"].delta == pytest.approx(-0.06)
    assert made.reasons[0].startswith("faithfulness is 0.87, below its floor 0.9.")
    assert ("fell by 0.06" in made.reasons[0]) == (max_drop == 0.03)


def test_without_its_floor_the_drop_is_named(summaries):
    made = gate(summaries(CANDIDATE, "new"), baseline=summaries(BASE), max_drop=0.03)
    assert flags(made) == {"faithfulness": "REGRESSION"}
    assert made.reasons == (
        "faithfulness fell by 0.06 (0.93 to 0.87), more than the 0.03 tolerated.",
    )
    assert gate(summaries(CANDIDATE, "new"), baseline=summaries(BASE), max_drop=0.06).result == (
        "pass"
    )


# ------------------------------------------------------------------------------------- limits


def test_a_bare_tolerance_covers_what_is_shared_and_a_named_one_outranks_it(summaries):
    old = summaries({"mrr": 0.8, "recall@5": 0.9, "map": 0.5})
    new = summaries({"mrr": 0.75, "recall@5": 0.8, "ndcg@10": 0.1}, "new")
    made = gate(new, baseline=old, max_drop={"": 0.05, "recall@5": 0.2})
    assert set(made.metrics) == {"mrr", "recall@5"}
    assert made.result == "pass"
    assert flags(gate(new, baseline=old, max_drop={"": 0.2, "recall@5": 0.05})) == {
        "recall@5": "REGRESSION"
    }


def test_limits_are_held_to_within_a_billionth(summaries):
    old, new = summaries({"mrr": 0.9}), summaries({"mrr": 0.87 - 1e-12}, "new")
    assert gate(new, baseline=old, max_drop=0.03, min={"mrr": 0.87}).result == "pass"
    assert gate(new, baseline=old, max_drop=0.03 - 1e-8).result == "fail"


def test_without_limits_nothing_may_drop_and_with_floors_alone_drops_are_not_gated(summaries):
    old, new = summaries({"mrr": 0.9, "map": 0.5}), summaries({"mrr": 0.89, "map": 0.5}, "new")
    assert flags(gate(new, baseline=old)) == {"mrr": "REGRESSION"}
    made = gate(new, baseline=old, min={"map": 0.4})
    assert list(made.metrics) == ["map"]
    assert made.result == "pass"
    assert gate(new, min={"map": 0.6}).exit_status == 1


def test_where_lower_is_better_a_floor_is_a_ceiling_and_a_rise_a_drop(make_run):
    old, new = (
        make_run(name=n, metrics={"grounding_leak": summary(x, direction="lower")})
        for n, x in (("base", 0.02), ("new", 0.08))
    )
    made = gate(new, baseline=old, max_drop=0.05)
    assert made.reasons[0].startswith("grounding_leak rose by 0.06")
    assert "above its ceiling 0.05" in gate(new, min={"grounding_leak": 0.05}).reasons[0]
    assert gate(old, baseline=new, max_drop=0.0).result == "pass"


def test_floors_spare_undecided_claims_unless_one_insists(make_run):
    run = make_run(metrics={"faithfulness": summary(0.5, undecided=0.6, floor_value=0.9)})
    assert gate(run, min={"faithfulness": 0.85}).result == "pass"
    assert gate(run, min={"faithfulness": 0.85}, floor_on="mean").result == "fail"
    assert "(claims not unsupported)" in gate(run, min={"faithfulness": 0.95}).reasons[0]


@pytest.mark.parametrize(
    ("limits", "error", "message"),
    [
        ({"min": {"faithfulnes": 0.5}}, UnknownName, "Did you mean 'faithfulness'"),
        ({"max_drop": {"faithfulnes": 0.5}}, UnknownName, "Did you mean 'faithfulness'"),
        ({"min": {"faithfulness": float("nan")}}, UsageError, "finite"),
        ({"min": {"faithfulness": 85}}, UsageError, "write 0.85 for 85 %"),
        ({"min": {"faithfulness": "0.85"}}, UsageError, "no floor"),
        ({"max_drop": float("nan")}, UsageError, "no tolerated drop"),
        ({"max_drop": float("inf")}, UsageError, "no tolerated drop"),
        ({"max_drop": -0.1}, UsageError, "from 0 on"),
        ({"max_drop": True}, UsageError, "no tolerated drop"),
        ({"max_drop": "three"}, UsageError, "no tolerated drop"),
        ({"max_drop": "%"}, UsageError, "no tolerated drop"),
        ({"max_drop": 3}, UsageError, "write 0.03 for 3 points"),
        ({"max_drop": "300%"}, UsageError, "can never drop by 300%"),
        ({"max_drop": {"mrr": 0.1}}, UnknownName, "unknown metric"),
        ({"max_drop": {"faithfulness.p11": 0.1}}, UnknownName, "Did you mean 'p10'"),
        ({"max_drop": {"faithfulness[faq]": 0.1}}, UnknownName, "unknown tag"),
        ({"max_drop": {"cost_usd": "20%"}}, Incomparable, "does not report it"),
        ({"mode": "statistic"}, UnknownName, "Did you mean 'statistical'"),
        ({"stale": "ignore"}, UnknownName, "stale"),
    ],
)
def test_bad_limits_say_how_to_mend_them(summaries, limits, error, message):
    with pytest.raises(error, match=message):
        gate(summaries(CANDIDATE, "new"), **({"baseline": summaries(BASE)} | limits))


def test_a_metric_on_one_side_only_is_refused_by_name(summaries):
    old, new = summaries({"mrr": 0.9}), summaries({"mrr": 0.9, "map": 0.4}, "new")
    with pytest.raises(Incomparable, match=r"map is not in the run 'base'.*-m map"):
        gate(new, baseline=old, max_drop={"map": 0.1})
    assert gate(new, baseline=old, min={"map": 0.3}).metrics["map"].baseline is None
    with pytest.raises(Incomparable, match="share no metric"):
        gate(new, baseline=summaries({"ndcg@10": 0.9}), max_drop=0.1)


def test_nothing_to_hold_to(summaries):
    with pytest.raises(UsageError, match="nothing to hold"):
        gate(summaries(BASE))
    with pytest.raises(UsageError, match="needs a baseline"):
        gate(summaries(BASE), max_drop=0.03)


def test_values_that_are_no_numbers_are_refused(summaries):
    with pytest.raises(BadData, match="nan"):
        gate(summaries({"mrr": float("nan")}, "new"), baseline=summaries({"mrr": 0.5}))


# ---------------------------------------------------------------- names: p10, tags, operations


def test_the_worst_tenth_and_tags_are_gated_by_name(pair):
    before = [1.0] * 30
    after = [0.5] * 4 + [1.0] * 26
    old, new = pair({"mrr": (before, after)}, tags=lambda n: ("faq",) if n < 10 else ("other",))
    made = gate(
        new,
        baseline=old,
        max_drop={
            "mrr": 0.1,
            "mrr.p10": 0.1,
            "mrr[faq]": 0.1,
            "mrr[other]": 0.1,
            "mrr[faq].p10": 1,
        },
    )
    assert set(flags(made)) == {"mrr.p10", "mrr[faq]"}
    assert made.metrics["mrr.p10"].candidate == 0.5
    assert made.metrics["mrr[faq]"].delta == pytest.approx(-0.2)
    assert made.metrics["mrr[faq].p10"].delta == -0.5


def costs(n, side):
    return {
        "usage": Usage(output_tokens=100 + 40 * side, cost_usd=0.002 + 0.0008 * side),
        "latency_ms": Latency(total=500.0 + n + 300 * side),
    }


def test_latency_tokens_and_money_are_gated_per_question_as_shares(pair):
    same = [0.5] * 20
    old, new = pair({"mrr": (same, same)}, more=costs)
    names = ["latency_ms.total.p95", "latency_ms.total", "tokens.output", "cost_usd"]
    made = gate(new, baseline=old, max_drop=dict.fromkeys(names, "20%"))
    assert flags(made) == dict.fromkeys(names, "REGRESSION")
    assert made.metrics["cost_usd"].max_drop == pytest.approx(0.0004)
    assert made.metrics["tokens.output"].candidate == 140
    assert "tokens.output rose by 40 tokens (100 tokens to 140 tokens)" in made.reasons[2]
    assert gate(new, baseline=old, max_drop=dict.fromkeys(names, "70%")).result == "pass"
    assert gate(new, min={"latency_ms.total.p95": 700}).result == "fail"
    assert gate(new, min={"cost_usd": 0.003}).result == "pass"
    shown = gate(new, baseline=old, max_drop=dict.fromkeys(names, "20%"), mode="statistical")
    assert set(flags(shown)) == set(names)


def test_operations_of_summaries_are_per_question(make_run):
    def run(name, tokens, cost, p95):
        return make_run(
            name=name,
            golden=GoldenRef(version="v", cases=50),
            metrics={"mrr": summary(0.5)},
            operations=Operations(
                latency_ms={"total": Percentiles(100.0, p95)},
                tokens=Tokens(output=tokens),
                cost_usd=cost,
            ),
        )

    old, new = run("base", 5000, 0.1, 900.0), run("new", 5000, 0.14, 950.0)
    made = gate(
        new,
        baseline=old,
        max_drop={"cost_usd": "20%", "latency_ms.total.p95": 100, "tokens.output": 0},
    )
    assert flags(made) == {"cost_usd": "REGRESSION"}
    assert made.metrics["cost_usd"].baseline == pytest.approx(0.002)


# ------------------------------------------------------------------------------ statistical


def test_a_clear_drop_fails_and_a_small_one_that_cases_do_not_show_is_open(pair):
    before = [1.0] * 100
    clear = [0.0] * 15 + [1.0] * 85
    slight = [0.0] * 5 + [1.0] * 95
    old, new = pair({"mrr": (before, clear), "map": (before, slight), "recall@5": (before, before)})
    made = gate(new, baseline=old, max_drop=0.03, mode="statistical")
    assert made.result == "fail"
    assert flags(made) == {"mrr": "REGRESSION"}
    assert made.metrics["mrr"].p_drop < 0.001
    assert "100 cases do not show it" in made.metrics["map"].open
    assert "needs about" in made.metrics["map"].open
    assert made.metrics["recall@5"].open == ""
    alone = gate(new, baseline=old, max_drop={"map": 0.03}, mode="statistical")
    assert alone.result == "inconclusive"
    assert alone.exit_status == 3
    assert gate(new, baseline=old, max_drop={"map": 0.05}, mode="statistical").result == "pass"


def test_the_same_drop_without_tolerance_is_shown(pair):
    before, after = [1.0] * 100, [0.0] * 5 + [1.0] * 95
    old, new = pair({"map": (before, after)})
    assert gate(new, baseline=old, mode="statistical").metrics["map"].p_drop < 0.02
    assert gate(new, baseline=old, mode="statistical").result == "fail"


def test_many_metrics_are_corrected_together(pair):
    before, after = [1.0] * 60, [0.0] * 5 + [1.0] * 55
    columns = {f"m{n}": (before, before) for n in range(4)} | {"mrr": (before, after)}
    old, new = pair(columns)
    made = gate(new, baseline=old, mode="statistical")
    alone = gate(new, baseline=old, max_drop={"mrr": 0.0}, mode="statistical")
    assert alone.result == "fail"
    assert made.metrics["mrr"].p_drop == pytest.approx(5 * alone.metrics["mrr"].p_drop)
    assert made.result == "inconclusive"


def test_cases_of_one_group_are_one_unit(pair):
    before, after = [1.0] * 60, [0.0] * 6 + [1.0] * 54
    old, new = pair({"mrr": (before, after)}, group=lambda n: "talk" if n < 6 else None)
    assert gate(new, baseline=old, mode="statistical").result == "inconclusive"


def test_a_set_that_is_too_small_says_so(pair):
    rng = random.Random(3)
    before = [float(rng.random() < 0.8) for _ in range(30)]
    after = [float(rng.random() < 0.8) for _ in range(30)]
    old, new = pair({"mrr": (before, after)})
    made = gate(new, baseline=old, max_drop=0.5, mode="statistical")
    assert made.result == "pass"
    assert any("This set is small" in note for note in made.notes)
    old, new = pair({"mrr": ([1.0], [0.0])})
    assert "too few" in gate(new, baseline=old, mode="statistical").metrics["mrr"].open


def test_equal_runs_pass_whatever_the_mode(pair):
    same = [0.25, 0.5, 1.0] * 10
    old, new = pair({"mrr": (same, same), "mrr.like": (same, same)})
    for mode in ("strict", "statistical"):
        made = gate(new, baseline=old, max_drop={"": 0.0, "mrr.p10": 0.0}, mode=mode)
        assert made.result == "pass"
        assert made.metrics["mrr"].ci is not None


def test_statistics_need_cases(summaries, pair):
    old, new = pair({"mrr": ([1.0] * 9, [1.0] * 9)})
    bare = replace(old, cases=())
    with pytest.raises(UsageError, match=r"'base' has summaries only.*mode strict"):
        gate(new, baseline=bare, mode="statistical")
    assert gate(new, baseline=bare, max_drop=0.0).result == "pass"


# ------------------------------------------------------------------------- coverage and pairing


def test_too_little_scored_is_inconclusive_and_a_flag_outranks_it(pair):
    failed = Failure("time-out")
    before, after = [0.9] * 40, [0.9] * 37 + [failed] * 3
    old, new = pair({"mrr": (before, after)})
    new = replace(new, metrics={"mrr": replace(new.metrics["mrr"], failed=3, skipped=0)})
    made = gate(new, baseline=old, max_drop=0.03)
    assert made.result == "inconclusive"
    assert made.reasons == ("mrr: only 37 of 40 scored in the candidate.",)
    assert gate(new, baseline=old, min={"mrr": 0.95}).result == "fail"
    assert "in the baseline" in gate(old, baseline=new, max_drop=0.03).reasons[0]


def test_nothing_scored_is_open(pair):
    old, new = pair({"mrr": ([0.9] * 5, [Skip("x")] * 5)})
    assert gate(new, baseline=old, max_drop=0.1).result == "inconclusive"
    assert gate(new, min={"mrr": 0.1}).result == "inconclusive"


def test_a_bare_tolerance_leaves_out_what_the_baseline_has_nothing_of(pair):
    old, new = pair({"mrr": ([0.9] * 5, [0.9] * 5), "recall@5": ([Skip("x")] * 5, [1.0] * 5)})
    made = gate(new, baseline=old, max_drop=0.1)
    assert (made.result, list(made.metrics)) == ("pass", ["mrr"])
    assert gate(new, baseline=old, max_drop={"recall@5": 0.1}).result == "inconclusive"


def test_only_cases_scored_on_both_sides_count_and_uneven_ones_are_told(pair):
    old, new = pair({"mrr": ([1.0] * 8 + [0.0] * 2, [1.0] * 8 + [Skip("declined")] * 2)})
    made = gate(new, baseline=old, max_drop=0.0)
    assert made.metrics["mrr"].baseline == 1.0
    assert any("2 cases have it in one run only" in note for note in made.notes)


def test_disjoint_case_sets_are_refused(make_case, make_run):
    one, other = (make_run([make_case(c, scores={"mrr": 1.0})]) for c in "ab")
    with pytest.raises(Incomparable, match="share no case"):
        gate(one, baseline=other)


# ------------------------------------------------------------------------------------- stale


def test_a_stale_baseline_is_told_or_refused(summaries):
    old = summaries({"faithfulness": 0.9})
    old = replace(old, metrics={"faithfulness": summary(0.9, cost="judge", version="1")})
    new = replace(
        old,
        info=replace(
            old.info,
            golden=GoldenRef(version="sha256:2", cases=0),
            judge=JudgeRef(model="big", fingerprint="sha256:k"),
        ),
        metrics={"faithfulness": summary(0.9, cost="judge", version="2")},
    )
    made = gate(new, baseline=old, max_drop=0.1)
    told = " ".join(made.notes)
    assert made.result == "pass"
    assert "golden set changed" in told
    assert "summaries without cases: the runs may not share a single one" in told
    assert "Another judge scored the baseline (local, now big): faithfulness" in told
    assert "in another version (1, now 2)" in told
    with pytest.raises(Incomparable, match="the baseline is stale"):
        gate(new, baseline=old, max_drop=0.1, stale="refuse")
    assert gate(old, baseline=old, max_drop=0.1, stale="refuse").notes == ()


@pytest.mark.parametrize(
    ("reported", "told"),
    [(("m-2",), "(m (m-1), now m (m-2))"), (("m-1",), "(m (m-1), asked otherwise)")],
)
def test_another_model_behind_the_judge_of_the_baseline_is_named(summaries, reported, told):
    old = summaries({"mrr": 0.9})
    before = JudgeRef(model="m", fingerprint="sha256:1", reported=("m-1",))
    after = JudgeRef(model="m", fingerprint="sha256:2", reported=reported)
    new = replace(old, info=replace(old.info, judge=after))
    old = replace(old, info=replace(old.info, judge=before))
    assert told in " ".join(gate(new, baseline=old, max_drop=0.1).notes)


def test_summaries_of_other_cases_leave_drops_open_and_hold_floors(summaries):
    old = summaries({"mrr": 0.9, "map": 0.5})
    few = replace(old, metrics={"mrr": summary(0.6, n=25, scored=25), "map": old.metrics["map"]})
    made = gate(few, baseline=old, max_drop=0.03)
    assert (made.result, made.metrics["mrr"].flag, made.metrics["map"].open) == (
        "inconclusive",
        None,
        "",
    )
    (reason,) = made.reasons
    assert "the baseline's summary is of 40 cases, the candidate's of 25" in reason
    assert reason.endswith("gate whole runs.")
    below = gate(few, baseline=old, max_drop=0.03, min={"mrr": 0.7})
    assert (below.result, below.metrics["mrr"].flag) == ("fail", "BELOW FLOOR")


@pytest.mark.parametrize(
    ("before", "after", "result"),
    [(40, 40, "fail"), (40, 25, "inconclusive"), (0, 25, "fail")],
)
def test_where_summaries_lack_counts_the_golden_sets_tell_them(make_run, before, after, result):
    old, new = (
        make_run(
            name=name,
            golden=GoldenRef(version="v", cases=cases),
            metrics={"mrr": summary(mean, n=0, scored=0)},
        )
        for name, cases, mean in (("base", before, 0.9), ("new", after, 0.6))
    )
    assert gate(new, baseline=old, max_drop=0.03).result == result


def test_whole_runs_of_other_cases_are_gated_on_those_that_they_share(pair):
    old, new = pair({"mrr": ([0.9] * 40, [0.9] * 40)})
    fewer = replace(
        new,
        cases=new.cases[:25],
        metrics={"mrr": replace(new.metrics["mrr"], n=25, scored=25)},
        info=replace(new.info, golden=GoldenRef(version="sha256:2", cases=25)),
    )
    made = gate(fewer, baseline=old, max_drop=0.03)
    assert made.result == "pass"
    assert "compared on the 25 cases that both have" in made.notes[0]


# ------------------------------------------------------------------------------------ trades


def test_a_gain_with_a_price_is_a_decision(make_run):
    def run(name, recall, cost):
        return make_run(
            name=name,
            golden=GoldenRef(version="v", cases=100),
            metrics={"recall@5": summary(recall, stage="retrieval")},
            operations=Operations(cost_usd=cost),
        )

    made = gate(run("new", 0.89, 0.28), baseline=run("base", 0.86, 0.2), max_drop=0.03)
    assert made.result == "pass"
    assert made.trades == (
        "recall@5 better by 3.0 points, and cost_usd +40% ($0.002 to $0.0028): is it worth it?",
    )
    assert gate(run("new", 0.89, 0.21), baseline=run("base", 0.86, 0.2), max_drop=0).trades == ()
    assert gate(run("new", 0.86, 0.28), baseline=run("base", 0.86, 0.2), max_drop=0).trades == ()


def test_one_stage_for_the_other_is_a_decision_and_noise_is_none(pair):
    low, high = [0.5, 0.6] * 20, [0.7, 0.8] * 20
    old, new = pair({"recall@5": (low, high), "faithfulness": (high, low)})
    (trade,) = gate(new, baseline=old, max_drop=1).trades
    assert trade == (
        "recall@5 better by 20.0 points, but faithfulness worse by 20.0 points: which one matters?"
    )
    noise = [0.5, 0.9, 0.7, 0.3] * 10, [0.9, 0.5, 0.3, 0.78] * 10
    old, new = pair({"recall@5": noise, "faithfulness": noise[::-1]})
    assert gate(new, baseline=old, max_drop=1).trades == ()


def test_a_gain_within_noise_that_costs_is_said_to_be_one(pair):
    before, after = [0.0] * 39 + [1.0], [0.0] * 38 + [1.0] * 2
    old, new = pair({"recall@5": (before, after)}, more=costs)
    trades = gate(new, baseline=old, max_drop=1).trades
    assert len(trades) == 3
    assert all("(within noise)" in trade for trade in trades)


def test_a_run_is_never_worse_than_itself(pair):
    scores = [0.3, 0.7, 1.0, 0.0] * 10
    old, _ = pair({"mrr": (scores, scores)})
    assert isinstance(old, Run)
    assert gate(old, baseline=old, mode="statistical").result == "pass"


def test_a_drop_that_no_case_was_scored_for_in_both_runs_is_open(make_case, make_run):
    here, there = [0.5] * 30, [0.9] * 30
    old = make_run([make_case(f"c{n}", scores={"mrr": x}) for n, x in enumerate(here)])
    new = make_run(
        [make_case(f"c{n}", scores={"mrr": Failure("timeout")}) for n in range(30)], "cand"
    )
    new = replace(new, metrics=make_run([make_case(scores={"mrr": there[0]})]).metrics)
    made = gate(new, baseline=old, mode="statistical")
    assert made.result == "inconclusive"
    assert "no case was scored in both runs" in made.metrics["mrr"].open


def test_one_case_shows_no_drop_and_the_gate_says_so(pair):
    old, new = pair({"mrr": ([1.0], [1.0])})
    made = gate(new, baseline=old, mode="statistical")
    assert any("Too few cases to show any drop" in note and "mrr" in note for note in made.notes)


@pytest.mark.parametrize("other", ["base.json", None, 3, {}])
def test_what_is_no_run_is_told(other):
    with pytest.raises(UsageError, match=r"a run is needed.*load_run"):
        gate(other, min={"mrr": 0.5})


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"min": 0.5}, "names no metric"),
        ({"min": [("mrr", 0.5)]}, "names no metric"),
        ({"min": {3: 0.5}}, "no metric's name"),
        ({"min": {"mrr": 10**400}}, "no floor for mrr"),
        ({"min": {"mrr": 10**5000}}, "no floor for mrr"),
        ({"max_drop": {3: 0.5}}, "no metric's name"),
        ({"max_drop": 10**5000}, "no tolerated drop"),
        ({"mode": None}, "unknown mode"),
        ({"floor_on": "median"}, "unknown floor_on"),
    ],
)
def test_limits_of_other_types_are_told(pair, limits, message):
    old, new = pair({"mrr": ([1.0] * 9, [1.0] * 9)})
    with pytest.raises((UsageError, UnknownName), match=message):
        gate(new, baseline=old, **limits)


def test_an_empty_mapping_of_drops_is_none(pair):
    old, new = pair({"mrr": ([1.0] * 9, [0.0] * 9)})
    assert gate(new, baseline=old, max_drop={}).result == "fail"
