"""Two runs side by side: metrics, operations, tags, verdicts, and what is hard to compare."""

import json

import pytest
from msgspec.structs import replace

import acidtest as at
from acidtest.comparison.side_by_side import compare_each
from acidtest.data.answers import Latency, Usage
from acidtest.data.outcomes import Failure, Score
from acidtest.data.runs import CaseResult
from acidtest.errors import BadData, FormatTooNew, Incomparable, UsageError

N = 24


def run_of(make_case, make_run, name, scores, **kw):
    """Make a run of `N` cases; `scores` is called with the case's number."""
    return make_run([make_case(str(n), scores=scores(n), **kw) for n in range(N)], name=name)


@pytest.fixture
def base(make_case, make_run):
    return run_of(make_case, make_run, "base", lambda n: {"mrr": 0.5, "faithfulness": (n % 4) / 4})


@pytest.fixture
def better(make_case, make_run):
    return run_of(
        make_case, make_run, "new", lambda n: {"mrr": 0.5, "faithfulness": (n % 4 + 1) / 4}
    )


def test_metrics_by_name(base, better):
    found = at.compare(base, better)
    assert (found.base.name, found.candidate.name, found.cases) == ("base", "new", N)
    assert list(found.metrics) == ["mrr", "faithfulness"]
    change = found.metrics["faithfulness"]
    assert (change.delta, change.wins, change.losses) == (0.25, N, 0)
    assert change.p < 1e-4
    assert change.p_adjusted == pytest.approx(2 * change.p)
    assert change.ci[0] > 0
    assert found.metrics["mrr"].p == 1.0


def test_operations_that_tie_are_doubted_by_their_own_size(base, better):
    def costing(run, usd, tokens):
        usage = Usage(input_tokens=tokens, cost_usd=usd)
        timed = Latency(total=200.0)
        return replace(
            run, cases=tuple(replace(c, usage=usage, latency_ms=timed) for c in run.cases)
        )

    found = at.compare(costing(base, 0.001, 0), costing(better, 0.001, 0)).metrics
    share = found["mrr"].ci[1]  # of cases that may yet change: the whole range of a metric is 1
    assert 0 < share < 0.2
    assert found["cost_usd"].ci == pytest.approx((-0.001 * share, 0.001 * share))
    assert found["latency_ms.total"].ci == pytest.approx((-200 * share, 200 * share))
    assert found["cost_usd"].min_detectable == pytest.approx(0.001 * found["mrr"].min_detectable)
    assert found["tokens.input"].ci == (0.0, 0.0)  # of what is 0 no size is known
    assert found["tokens.input"].min_detectable is None


def test_a_cost_that_rises_alike_in_all_cases_takes_few_cases_to_show(base, better):
    def costing(run, usd):
        return replace(run, cases=tuple(replace(c, usage=Usage(cost_usd=usd)) for c in run.cases))

    found = at.compare(costing(base, 0.001), costing(better, 0.002)).metrics["cost_usd"]
    assert found.needed == 6


def test_operations_are_compared_per_question_and_corrected_apart(base, better):
    def timed(run, total, cost):
        cases = [
            replace(
                case,
                latency_ms=Latency(total=total + n, retrieve=1.0),
                usage=Usage(input_tokens=10, cost_usd=cost),
            )
            for n, case in enumerate(run.cases)
        ]
        return replace(run, cases=tuple(cases))

    found = at.compare(timed(base, 100.0, 0.01), timed(better, 90.0, 0.02)).metrics
    assert found["latency_ms.total"].delta == pytest.approx(-10)
    assert found["latency_ms.total"].wins == N
    assert found["cost_usd"].losses == N
    assert found["tokens.input"].stage == "operations"
    assert "tokens.output" not in found
    assert found["faithfulness"].p_adjusted == pytest.approx(2 * found["faithfulness"].p)
    assert found["cost_usd"].p_adjusted == pytest.approx(4 * found["cost_usd"].p)


def test_tags_of_two_cases_on(make_case, make_run):
    def run(name, value):
        tags = [("hard", "one"), ("hard",), ("easy", "easy"), ("easy",)]
        cases = [make_case(str(n), scores={"mrr": value}, tags=t) for n, t in enumerate(tags)]
        return make_run(cases, name=name)

    found = at.compare(run("a", 0.2), run("b", 0.7)).tags
    assert list(found) == ["easy", "hard"]
    assert found["hard"]["mrr"].n == 2
    assert found["hard"]["mrr"].p_adjusted is None


def test_verdicts_of_both(make_case, make_run):
    one = make_run(
        [make_case("1", scores={"faithfulness": 1.0}), make_case("2", relevant={"z": 1})]
    )
    other = make_run([make_case("1", scores={"faithfulness": 1.0}), make_case("2")], name="new")
    found = at.compare(one, other).verdicts
    assert found["not retrieved"] == (1, 0)
    assert sum(before for before, _ in found.values()) == 2
    assert list(found) == [v for v in found if v != "ok"] + ["ok"]


def test_several_candidates_are_corrected_together(base, better):
    once = at.compare(base, better).metrics["faithfulness"]
    one, two = compare_each(base, [better, replace(better)])
    assert one.metrics["faithfulness"].p_adjusted == pytest.approx(4 * once.p)
    assert two.metrics["faithfulness"].p == once.p


def test_failures_on_one_side_are_said(make_case, make_run, base):
    broken = run_of(
        make_case,
        make_run,
        "new",
        lambda n: {"mrr": 0.5, "faithfulness": Failure("time-out") if n < 6 else 0.9},
    )
    told = replace(broken.metrics["faithfulness"], failed=6)
    broken = replace(broken, metrics=broken.metrics | {"faithfulness": told})
    found = at.compare(base, broken)
    assert found.metrics["faithfulness"].n == N - 6
    assert any("could not be scored in 0 cases before and 6 after" in n for n in found.notes)
    down = replace(
        broken, cases=(replace(broken.cases[0], failure=Failure("x")), *broken.cases[1:])
    )
    assert any("failed on 0 cases before and 1 after" in n for n in at.compare(base, down).notes)


def test_a_metric_on_one_side_only_is_said_and_left_out(make_case, make_run, base):
    other = run_of(make_case, make_run, "new", lambda _: {"mrr": 1.0, "map": 1.0})
    found = at.compare(base, other)
    assert list(found.metrics) == ["mrr"]
    assert any("not compared: faithfulness, map" in note for note in found.notes)


def test_one_case(make_case, make_run):
    one = make_run([make_case("1", scores={"mrr": 0.5})])
    other = make_run([make_case("1", scores={"mrr": 1.0})], name="new")
    change = at.compare(one, other).metrics["mrr"]
    assert (change.delta, change.ci, change.p, change.min_detectable) == (0.5, None, None, None)


def test_no_change_beyond_the_scale_is_said_to_be_the_smallest(make_case, make_run):
    def seven(name, scores):
        return make_run(
            [make_case(str(n), scores={"mrr": x, "length": x}) for n, x in enumerate(scores)],
            name=name,
        )

    found = at.compare(seven("a", [0, 1, 0, 1, 0, 1, 0]), seven("b", [1, 0, 1, 0, 1, 0, 1])).metrics
    assert found["length"].min_detectable > 1  # of an own metric nothing is known
    assert found["mrr"].min_detectable is None


def test_nothing_differs(base):
    found = at.compare(base, replace(base))
    assert {c.p_adjusted for c in found.metrics.values()} == {1.0}
    assert all(c.delta == 0 and 0.2 < c.min_detectable < 0.4 for c in found.metrics.values())
    assert "Contexts and answers are the same in all 24 cases: no stage changed." in found.words


def test_a_case_that_comes_twice_is_refused(make_case, make_run, base):
    twice = make_run([make_case("7"), make_case("7")], name="double")
    for args in ((base, twice), (twice, base)):
        for unpaired in (False, True):
            with pytest.raises(Incomparable, match="'double' has two cases with the id '7'"):
                at.compare(*args, unpaired=unpaired)


def test_runs_that_share_no_case_are_compared_only_when_asked(make_case, make_run, base):
    cases = [make_case(f"x{n}", scores={"mrr": 0.5 + n / 100}) for n in range(40)]
    other = make_run(cases, name="new")
    with pytest.raises(Incomparable, match="share no case"):
        at.compare(base, other)
    found = at.compare(base, other, unpaired=True)
    change = found.metrics["mrr"]
    assert (found.cases, change.n, change.wins, change.losses, change.ties) == (0, N, 0, 0, 0)
    assert change.delta == pytest.approx(0.195)
    assert change.ci[0] > 0
    assert change.p <= change.p_adjusted < 0.01
    assert found.tags == {}
    assert found.stages == {}
    assert "Not paired: 24 cases against 40" in found.notes[0]
    assert "cannot be told" in found.words[0]


def test_unpaired_means_of_groups(make_case, make_run, base):
    def run(name, shift, size):
        cases = [
            make_case(
                f"{name}{n}",
                scores={"mrr": (n // size * 7 % 10) / 20 + shift},
                group=str(n // size),
            )
            for n in range(80)
        ]
        return make_run(cases, name=name)

    alone = at.compare(run("a", 0, 1), run("b", 0.1, 1), unpaired=True).metrics["mrr"]
    grouped = at.compare(run("a", 0, 8), run("b", 0.1, 8), unpaired=True).metrics["mrr"]
    assert grouped.ci[1] - grouped.ci[0] > 2 * (alone.ci[1] - alone.ci[0])


@pytest.mark.parametrize("value", ["NaN", "1e999", "Infinity", "null", '"high"'])
def test_a_number_that_is_none_is_refused_when_a_run_is_read(base, tmp_path, value):
    path = tmp_path / "run.json"
    document = base.to_json().decode().replace('"value": 0.75', f'"value": {value}', 1)
    assert value in document
    path.write_text(document)
    with pytest.raises(BadData):
        at.load_run(path)


def test_a_file_of_the_documented_members_alone_compares(base, better, tmp_path):
    """What version 1 promised: other programs write no more than that."""
    path = tmp_path / "run.json"
    document = json.loads(better.to_json())
    kept = ("id", "question", "scores")
    for case in document["cases"]:
        for member in set(case) - set(kept):
            del case[member]
        for outcome in case["scores"].values():
            del outcome["outcome"], outcome["evidence"], outcome["parts"], outcome["trials"]
    path.write_text(json.dumps(document))
    found = at.compare(base, at.load_run(path))
    assert found.metrics["faithfulness"].delta == 0.25
    assert found.words[0] == "What was retrieved is not known in both runs: no stage can be told."
    document["version"] = 99
    path.write_text(json.dumps(document))
    with pytest.raises(FormatTooNew):
        at.load_run(path)


def test_the_same_runs_give_the_same_comparison(base, better):
    assert at.compare(base, better) == at.compare(base, better)


def test_values_alone_are_enough(make_run):
    cases = [CaseResult(id=str(n), question="q", scores={"mrr": Score(n / 9)}) for n in range(9)]
    assert at.compare(make_run(cases), make_run(cases)).cases == 9


@pytest.mark.parametrize("other", ["cand.json", None])
def test_what_is_no_run_is_told(make_case, make_run, other):
    with pytest.raises(UsageError, match=r"a run is needed.*load_run"):
        at.compare(make_run([make_case(scores={"mrr": 1.0})]), other)


def test_a_run_of_summaries_only_is_refused_unpaired_too(make_case, make_run):
    run = make_run([make_case(scores={"mrr": 1.0})])
    with pytest.raises(Incomparable, match="summaries only"):
        at.compare(run, replace(run, cases=()), unpaired=True)


def test_a_metric_that_no_case_has_on_both_sides_is_said(make_case, make_run):
    def run(scored, name):
        cases = [
            make_case(
                f"c{n}", scores={"map": 1.0, "mrr": 1.0 if n % 2 == scored else Failure("timeout")}
            )
            for n in range(8)
        ]
        return make_run(cases, name)

    made = at.compare(run(0, "base"), run(1, "cand"))
    assert set(made.metrics) == {"map"}
    assert "Scored in both runs, but in no case by both: mrr." in made.notes
