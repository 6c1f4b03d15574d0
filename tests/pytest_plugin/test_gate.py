"""`assert_gate` in a session: what fails, what is told, and where its limits come from."""

import pytest

import acidtest as at
from acidtest import pytest_plugin
from acidtest.pytest_plugin import assert_gate

pytest_plugins = ["pytester"]

CASES = [
    {"id": f"case {n}", "question": f"question {n}?", "reference": "yes", "relevant": ["x"]}
    for n in range(6)
]


def a_run(tmp_path, right, name="rag"):
    def ask(question):
        good = int(question.split()[1][:-1]) < right
        return {"answer": "yes", "retrieved": [{"id": "x" if good else "y", "text": "t"}]}

    return at.evaluate(
        ask, CASES, ["recall@1", "exact_match"], name=name, store=str(tmp_path / "s.db"), fresh=True
    )


@pytest.fixture
def runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        pytest_plugin, "_ACTIVE", []
    )  # as outside a session: not that of these tests
    return a_run(tmp_path, 6, "before"), a_run(tmp_path, 3, "after")


def failure(*args, **limits):
    with pytest.raises(pytest.fail.Exception) as caught:
        assert_gate(*args, **limits)
    assert caught.value.pytrace is False
    return str(caught.value)


def test_a_gate_that_passes_is_returned(runs):
    before, after = runs
    made = assert_gate(after, min={"recall@1": 0.5, "exact_match": 1.0})
    assert made.result == "pass"
    assert assert_gate(before, baseline=after, max_drop=0.0).result == "pass"


def test_a_drop_tells_metric_figures_interval_and_the_cases_that_fell(runs, tmp_path):
    before, after = runs
    before.save("before.json")
    told = failure(after, baseline="before.json", max_drop=0.03)
    assert told == failure(after, baseline=before, max_drop=0.03)
    assert told.splitlines()[0] == "acidtest gate: FAIL: recall@1 of 2 gated metrics fails."
    assert f"after ({after.id}) against before ({before.id}), mode strict" in told
    assert "recall@1 fell by 0.5 (1 to 0.5), more than the 0.03 tolerated." in told
    row = next(line for line in told.splitlines() if line.startswith("recall@1  "))
    assert "1.000     0.500      -0.500" in row
    assert " to " in row  # the interval
    assert row.endswith("REGRESSION")
    assert "Cases that fell most, recall@1:" in told
    assert [n for n in range(6) if f"  case {n}  0 (was 1)  question {n}?" in told] == [3, 4, 5]
    assert "case 0" not in told


def test_a_floor_tells_the_cases_below_it_with_their_reasons(runs):
    _, after = runs
    told = failure(after, min={"recall@1": 0.9, "exact_match": 0.5})
    assert "recall@1 is 0.5, below its floor 0.9." in told
    assert "metric value limits recall@1 0.500 limit 0.900 BELOW FLOOR" in " ".join(told.split())
    assert "Worst cases, recall@1:" in told
    assert "  case 3  0  question 3?" in told
    assert "case 0" not in told
    assert "Worst cases, exact_match" not in told


def test_whatever_cases_hold_is_told_on_short_plain_lines(runs):
    hostile = "\x1b]0;title\x07\x1b[2J\r\n::error::\u202e{0} %s [red]" + "x" * 5000
    cases = [{"id": f"id{hostile}", "question": f"q{hostile}", "reference": "r", "relevant": ["x"]}]
    run = at.evaluate(lambda question: {"answer": hostile, "retrieved": [{"id": "y"}]}, cases,
                      ["recall@1"], name=f"run{hostile}"[:300])  # fmt: skip
    told = failure(run, min={"recall@1": 0.5})
    assert not set(told) & set("\x1b\x07\r\u202e")
    assert max(map(len, told.splitlines())) < 250
    assert not any(line.startswith("::") for line in told.splitlines())


def test_a_drop_without_a_baseline_and_other_wrong_limits_say_the_mend(runs):
    _, after = runs
    assert "--acidtest-baseline RUN" in failure(after, max_drop=0.03)
    assert "unknown metric in this run 'recal@1'. Did you mean 'recall@1'?" in failure(
        after, min={"recal@1": 0.5}
    )
    assert "is given dict, not a run" in failure({"recall@1": 1.0}, min={"recall@1": 0.5})
    assert "nope.json" in failure(after, baseline="nope.json", max_drop=0.1)


def test_inconclusive_fails_unless_it_is_allowed(runs, tmp_path):
    before, _ = runs
    after = a_run(tmp_path, 5, "after")
    limits = {"baseline": before, "max_drop": 0.01, "mode": "statistical"}
    told = failure(after, **limits)
    assert told.startswith(
        "acidtest gate: INCONCLUSIVE: recall@1 of 2 gated metrics cannot be decided."
    )
    assert "case 5  0 (was 1)" in told
    assert assert_gate(after, **limits, allow_inconclusive=True).result == "inconclusive"
    worse = a_run(tmp_path, 0, "after")
    assert "FAIL" in failure(worse, **limits, allow_inconclusive=True)


def test_without_limits_the_configured_ones_hold(runs, tmp_path):
    before, after = runs
    (tmp_path / "acidtest.toml").write_text(
        '[gate]\nmin = {"recall@1" = 0.4, faithfulness = 0.9}\nmax_drop = 0.1\n'
    )
    assert assert_gate(after).result == "pass"
    assert "more than the 0.1 tolerated" in failure(after, baseline=before)
    assert assert_gate(after, min={"recall@1": 0.5}).metrics.keys() == {"recall@1"}


def test_the_baseline_of_the_command_line(project, session):
    project.makepyfile(
        """
        from acidtest.pytest_plugin import assert_gate
        def test_floor(acidtest_run):
            assert_gate(acidtest_run, min={"recall@1": 0.5})
        def test_drop(acidtest_run, acidtest_baseline):
            assert_gate(acidtest_run, baseline=acidtest_baseline, max_drop=0.1)
        def test_said_by_nobody_here(acidtest_run, acidtest_baseline):
            assert_gate(acidtest_run, max_drop=0.1)
        """
    )
    first = session("-rs")
    first.assert_outcomes(passed=1, skipped=2)
    first.stdout.fnmatch_lines(["*no baseline is given: --acidtest-baseline RUN"])
    session("--acidtest-baseline", "latest").assert_outcomes(passed=3)
    rag = project.path / "my_rag.py"
    rag.write_text(rag.read_text().replace('"pricing#2": "Pro costs €49.", ', ""), encoding="utf-8")
    worse = session("--acidtest-baseline", "latest", "--acidtest-json", "out.json")
    worse.assert_outcomes(passed=1, failed=2)
    worse.stdout.fnmatch_lines(
        [
            "*mrr fell by 0.25 (0.75 to 0.5), more than the 0.1 tolerated.",
            "Cases that fell most, mrr:",
            "  pro  0 (was 1)  What does Pro cost?",
            "FAILED *test_drop - Failed: acidtest*",
        ]
    )
    assert "Traceback" not in worse.stdout.str()
    rag.write_text(rag.read_text().replace("refunds#0", "refunds#1"), encoding="utf-8")
    shared = session("--acidtest-baseline", "latest", "-p", "xdist", "-n", "2")
    shared.assert_outcomes(failed=3)
    shared.stdout.fnmatch_lines(["*mrr fell by 0.5 (0.5 to 0), more than the 0.1 tolerated."])
    none = session("--acidtest-baseline", "no-such-run")
    none.assert_outcomes(failed=1, errors=2)
    none.stdout.fnmatch_lines(["acidtest: unknown run 'no-such-run'.*"])
