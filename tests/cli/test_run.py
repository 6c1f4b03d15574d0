import json
import signal
import subprocess
import sys
import time

import pytest

from acidtest.codec.runs import load_run
from acidtest.data.outcomes import Score

RECORDED = [
    {"id": "refund-time", "answer": "Within 14 days.", "retrieved": [{"id": "refunds#0"}]},
    {"question": "Which card is a refund paid to?", "answer": "I don't know", "retrieved": []},
]


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_the_scaffold_runs_as_it_is(project, cli):
    done = cli("run")
    assert done.status == 0, done.err
    assert "recall@3" in done.out
    assert "starter: ok recall@3" in done.err
    assert (project / ".acidtest" / "store.db").exists()


def test_json_is_alone_on_stdout_and_as_documented(project, cli):
    done = cli("run", "--tier", "nightly", "--json", "-")
    assert done.status == 0, done.err
    run = done.json
    assert run["format"] == "acidtest/run"
    assert run["version"] == 1
    assert set(run["run"]) == {
        "id",
        "name",
        "created",
        "status",
        "mode",
        "commit",
        "golden",
        "pipeline",
        "judge",
    }
    assert run["run"]["golden"]["cases"] == 10
    assert run["run"]["judge"]["model"] == "local"
    for summary in run["metrics"].values():
        assert {
            "stage",
            "direction",
            "mean",
            "p10",
            "p50",
            "ci",
            "n",
            "scored",
            "skipped",
            "failed",
        } <= set(summary)
    assert set(run["operations"]) <= {"latency_ms", "tokens", "cost_usd", "judge"}
    assert set(run["operations"]["latency_ms"]["total"]) == {"p50", "p95"}
    assert run["operations"]["judge"]["cost_usd"] == 0
    assert run["tags"]["easy"]["recall@3"] == 1.0
    case = run["cases"][0]
    assert {
        "id",
        "question",
        "answer",
        "retrieved",
        "tags",
        "group",
        "latency_ms",
        "usage",
        "scores",
        "diagnosis",
    } <= set(case)
    assert {"id", "rank", "score"} <= set(case["retrieved"][0])
    assert case["scores"]["recall@3"]["value"] == 1.0
    last = run["cases"][-1]
    assert last["scores"]["recall@3"]["skip"]
    assert "value" not in last["scores"]["recall@3"]


def test_several_pipelines_in_one_document(project, cli):
    done = cli("run", "starter", "my_rag.py:starter", "--json", "-")
    assert done.status == 0, done.err
    assert done.json["format"] == "acidtest/runs"
    assert len(done.json["runs"]) == 2


def test_recorded_outputs(project, cli):
    lines(project / "out.jsonl", [*RECORDED, {"id": "stray", "answer": "x"}])
    done = cli(
        "run",
        "--outputs",
        "out.jsonl",
        "-m",
        "recall@1",
        "-m",
        "abstention_accuracy",
        "--json",
        "run.json",
        "--limit",
        2,
        "--min",
        "recall@1=0.5",
    )
    assert done.status == 0, done.err
    assert "1 row belongs to no case: 'stray'" in done.err
    run = load_run(project / "run.json")
    assert run.metrics["recall@1"].mean == 0.5
    assert run.cases[1].scores["abstention_accuracy"].value == 0.0
    assert run.info.name == "out"


def test_a_missing_recorded_row_is_a_failure_and_the_run_incomplete(project, cli):
    lines(project / "out.jsonl", RECORDED)
    done = cli("run", "--outputs", "out.jsonl", "-m", "recall@1", "--min", "recall@1=0.1")
    assert done.status == 3
    assert "INCOMPLETE recall@1: 2 of 8 scored" in done.err


def test_a_floor_that_is_missed_gives_status_1(project, cli):
    done = cli("run", "--min", "recall@3=1.0")
    assert done.status == 1
    assert "BELOW FLOOR recall@3" in done.err


def test_thresholds_on_metrics_that_are_not_run(project, cli):
    done = cli("run", "-m", "recall@3", "--min", "recal@3=0.5")
    assert done.status == 2
    assert "Did you mean 'recall@3'" in done.err


def test_modes(project, cli):
    done = cli("run", "--mode", "retrieval-only", "-m", "recall@3", "-m", "exact_match", "--json")
    assert done.status == 0, done.err
    assert done.json["run"]["mode"] == "retrieval-only"
    assert done.json["cases"][0]["answer"] is None
    assert done.json["metrics"]["exact_match"]["scored"] == 0
    # The configured floor on recall@3 is for modes that retrieve.
    done = cli("run", "--mode", "golden-context", "-m", "token_f1", "-m", "recall@3", "--json")
    assert done.status == 0, done.err
    assert done.json["metrics"]["token_f1"]["scored"] == 8
    assert done.json["metrics"]["recall@3"]["skipped"] == 10


def test_configured_floors_are_for_the_metrics_that_run(project, cli):
    assert cli("run", "-m", "token_f1").status == 0


def test_dry_run_spends_nothing(project, cli):
    done = cli("run", "--dry-run", "--tier", "nightly")
    assert done.status == 0
    assert "10 cases, 10 pipeline calls" in done.out
    assert "Nothing was run." in done.out
    assert not (project / ".acidtest").exists()
    assert cli("run", "--dry-run", "--json").json["estimates"][0]["cases"] == 10


def test_artifacts(project, cli):
    done = cli("run", "--html", "a/b/r.html", "--junit", "j.xml", "--markdown", "m.md")
    assert done.status == 0, done.err
    assert "<html" in (project / "a/b/r.html").read_text()
    assert "<testsuite" in (project / "j.xml").read_text()
    assert "recall@3" in (project / "m.md").read_text()


def test_tags_and_limit(project, cli):
    assert (
        cli(
            "run",
            "--tag",
            "unanswerable",
            "-m",
            "abstention_accuracy",
            "--json",
            "--config",
            str(bare(project)),
        ).json["metrics"]["abstention_accuracy"]["n"]
        == 2
    )
    done = cli("run", "--tag", "unanswerabel")
    assert done.status == 2
    assert "Did you mean 'unanswerable'" in done.err


def bare(project):
    """A configuration without floors."""
    path = project / "bare.toml"
    path.write_text('golden = "golden.jsonl"\n[pipelines.starter]\npython = "my_rag.py:starter"\n')
    return path


def test_all_cases_unlabelled_is_not_a_pass(folder, cli):
    lines(folder / "g.jsonl", [{"question": "Q?"}, {"question": "R?"}])
    lines(
        folder / "o.jsonl", [{"question": "Q?", "answer": "a"}, {"question": "R?", "answer": "b"}]
    )
    done = cli("run", "--golden", "g.jsonl", "--outputs", "o.jsonl", "-m", "recall@5")
    assert done.status == 3
    assert "nothing was scored" in done.err


def test_answers_inside_the_golden_set(folder, cli):
    lines(
        folder / "g.jsonl",
        [
            {
                "question": "Q?",
                "reference": "yes",
                "generated_answer": "yes",
                "retrieved_contexts": ["c"],
            },
        ],
    )
    done = cli("run", "--golden", "g.jsonl", "-m", "exact_match", "--json")
    assert done.status == 0, done.err
    assert done.json["metrics"]["exact_match"]["mean"] == 1.0


PIPELINES = {
    "throws.py": "def p(q):\n    raise ValueError('no index')\n",
    "hangs.py": "import time\ndef p(q):\n    time.sleep(600)\n",
    "nonsense.py": "def p(q):\n    return 42\n",
}


@pytest.mark.parametrize("name", PIPELINES)
def test_a_pipeline_that_misbehaves_fails_its_cases(project, cli, name):
    (project / name).write_text(PIPELINES[name])
    (project / "c.toml").write_text(
        f'golden = "golden.jsonl"\n[pipelines.p]\npython = "{name}:p"\ntimeout_s = 0.2\n'
    )
    done = cli("run", "--config", "c.toml", "-m", "token_f1", "--limit", 3, "--json", "r.json")
    assert done.status == 3
    case = load_run(project / "r.json").cases[0]
    assert case.failure is not None
    if name == "throws.py":
        assert "no index" in case.failure.why
        assert "throws.py" in (case.failure.detail or "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--golden", "nothere.jsonl"], "no such file"),
        (["--golden", "empty.jsonl"], "empty"),
        (["--golden", "twice.jsonl"], "twice.jsonl:2"),
        (["--golden", "latin.jsonl"], "UTF-8"),
        (["--golden", "nan.jsonl"], "nan.jsonl:1"),
        (["--golden", "unknown.jsonl"], "Did you mean 'question'"),
        (["-m", "recal@5"], "Did you mean 'recall@5'"),
        (["-m", "recall@0"], "k counts ranks"),
        (["--tier", "fats"], "Did you mean 'fast'"),
        (["--outputs", "nothere.jsonl"], "no such file"),
        (["startr"], "Did you mean 'starter'"),
        (["nomodule:thing"], "nomodule"),
        (["broken.py:p"], "broken.py"),
        (["my_rag.py:startr"], "starter"),
        (["--judge", "gpt-9", "-m", "faithfulness"], "unknown judge 'gpt-9'"),
        (["--limit", "0"], "--limit"),
        (["--repeat", "0"], "repeat is 0"),
        (["--concurrency", "0"], "concurrency is 0"),
        (["--min", "recall@3"], "METRIC=NUMBER"),
        (["--html", "."], "folder"),
        (["--store", "/proc/nothere/store.db"], "cannot be made"),
        (["--config", "nothere.toml"], "no such file"),
        (["--mode", "dead"], "--mode"),
        (["--json", "-", "--markdown", "-"], "both want stdout"),
        (["--nonsense"], "--nonsense"),
        (["http://127.0.0.1:9/none", "-m", "recall@3"], None),
    ],
)
def test_bad_input(project, cli, arguments, message):
    (project / "empty.jsonl").write_text("")
    row = {"id": "a", "question": "Q?"}
    lines(project / "twice.jsonl", [row, row])
    (project / "latin.jsonl").write_bytes('{"question": "é"}'.encode("latin-1"))
    (project / "nan.jsonl").write_text('{"question": "Q", "metadata": {"x": NaN}}')
    lines(project / "unknown.jsonl", [{"questoin": "Q?"}])
    (project / "broken.py").write_text("import nothing_of_that_name\np = 1\n")
    done = cli("run", *arguments)
    if message is None:
        # A port where nobody listens fails every case: nothing scored, which is no pass.
        assert done.status in (1, 3)
        return
    assert done.status == 2
    assert message in done.err
    assert done.out == ""


def test_no_golden_set_and_nothing_to_evaluate(folder, cli):
    done = cli("run")
    assert done.status == 2
    assert "acidtest init" in done.err
    lines(folder / "g.jsonl", [{"question": "Q?"}])
    done = cli("run", "--golden", "g.jsonl")
    assert done.status == 2
    assert "there is nothing to evaluate" in done.err


def test_a_finished_run_is_not_resumed_and_an_interrupted_one_is(project, cli):
    first = cli("run", "--json").json["run"]["id"]
    second = cli("run", "--json").json["run"]["id"]
    assert first != second


SLOW = "import time\ndef p(q):\n    time.sleep(0.15)\n    return 'an answer'\n"


def test_ctrl_c_keeps_what_was_done_and_the_same_command_goes_on(project):
    (project / "slow.py").write_text(SLOW)
    (project / "c.toml").write_text(
        'golden = "golden.jsonl"\n[pipelines.p]\npython = "slow.py:p"\nconcurrency = 1\n'
    )
    command = [
        sys.executable,
        "-m",
        "acidtest",
        "run",
        "--config",
        "c.toml",
        "-m",
        "token_f1",
        "--json",
        "r.json",
    ]
    process = subprocess.Popen(
        command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    store = project / ".acidtest" / "store.db"
    deadline = time.monotonic() + 30
    while not store.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "the same command goes on" in err
    assert "Traceback" not in err
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Going on with run" in done.stderr
    run = load_run(project / "r.json")
    assert all(isinstance(c.scores["token_f1"], Score) for c in run.cases if c.answerable)
    assert "NaN" not in (project / "r.json").read_text()
    assert not (project / "r.json.part").exists()
