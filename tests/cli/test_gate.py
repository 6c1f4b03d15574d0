"""`acidtest gate`: the worked example through files, every form of output, and what is refused."""

import json
import os
import xml.etree.ElementTree as ET

import pytest

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


def document(name, means, **more):
    metrics = {
        metric: {
            "stage": "retrieval" if metric.startswith("context") else "generation",
            "direction": "higher",
            "mean": mean,
        }
        for metric, mean in means.items()
    }
    run = {
        "id": name,
        "name": name,
        "created": "2026-01-02T03:04:05Z",
        "status": "finished",
        "mode": "live",
        "golden": {"version": "sha256:1", "cases": 50},
        "pipeline": {"name": name, "fingerprint": "sha256:p"},
    }
    return {
        "format": "acidtest/run",
        "version": 1,
        "run": run | more.pop("run", {}),
        "metrics": metrics,
        **more,
    }


def cases(values, metric="mrr"):
    return [
        {"id": str(n), "question": f"q{n}?", "scores": {metric: {"value": x}}}
        for n, x in enumerate(values)
    ]


@pytest.fixture
def files(folder):
    def write(**documents):
        for name, content in documents.items():
            (folder / f"{name}.json").write_text(json.dumps(content))

    write(base=document("base", BASE), cand=document("cand", CANDIDATE))
    return write


@pytest.mark.parametrize("max_drop", ["0.03", "0.07"])
def test_the_worked_example(files, cli, max_drop):
    done = cli(
        *("gate", "cand.json", "--baseline", "base.json", "--min", "faithfulness=0.90"),
        *("--max-drop", max_drop, "--json", "-"),
    )
    assert done.status == 1
    assert done.json["result"] == "fail"
    flags = {name: entry["flag"] for name, entry in done.json["metrics"].items()}
    assert flags == dict.fromkeys(BASE) | {"faithfulness": "BELOW FLOOR"}
    entry = done.json["metrics"]["faithfulness"]
    assert {"baseline", "candidate", "delta", "ci", "p", "flag", "min_detectable"} <= entry.keys()
    assert (entry["baseline"], entry["candidate"]) == (0.93, 0.87)
    assert done.json["reasons"][0].startswith("faithfulness is 0.87, below its floor 0.9.")


@pytest.mark.parametrize("columns", ["60", "80"])
def test_the_terminal_says_the_decision_first_and_last(files, cli, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    done = cli("gate", "cand.json", "--baseline", "base.json", "--max-drop", "0.03")
    lines = done.out.splitlines()
    assert lines[0] == "FAIL: faithfulness of 4 gated metrics fails."
    assert lines[-1] == "acidtest gate: fail metrics=4 failed=1 open=0"
    assert max(map(len, lines)) <= int(columns)
    assert any(line.endswith("REGRESSION") for line in lines)
    assert done.status == 1


def test_a_pass_and_an_inconclusive_one(files, cli):
    done = cli("gate", "base.json", "--baseline", "base.json", "--max-drop", "0.03")
    assert (done.status, done.out.splitlines()[0]) == (0, "PASS: all of 4 gated metrics hold.")
    slight = [0.0] * 3 + [1.0] * 57
    files(
        old=document("old", {"mrr": 1.0}, cases=cases([1.0] * 60)),
        new=document("new", {"mrr": 0.95}, cases=cases(slight)),
    )
    command = ("gate", "new.json", "--baseline", "old.json", "--mode", "statistical")
    done = cli(*command, "--max-drop", "0.02")
    assert done.status == 3
    assert done.out.splitlines()[0].startswith("INCONCLUSIVE: mrr of 1 gated metric")
    assert "needs about" in " ".join(done.out.split())
    assert "p drop" in done.out
    assert cli(*command, "--max-drop", "mrr=0.05").status == 0
    assert cli(*command, "--max-drop", "5%", "--max-drop", "mrr=0.1").status == 0


def test_markdown_junit_and_step_summary(files, cli, folder, monkeypatch):
    summary = folder / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    done = cli(
        *("gate", "cand.json", "--baseline", "base.json", "--max-drop", "0.03", "--summary"),
        *("--markdown", "gate.md", "--junit", "gate.xml", "--json", "gate.json"),
    )
    assert done.status == 1
    text = (folder / "gate.md").read_text()
    assert text.splitlines()[0] == "<!-- acidtest:gate -->"
    assert "✗ REGRESSION" in text
    assert summary.read_text().startswith("before\n<!-- acidtest:gate -->\n")
    root = ET.parse(folder / "gate.xml").getroot()  # noqa: S314 - our own output
    assert root.find("testsuite").get("failures") == "1"
    assert json.loads((folder / "gate.json").read_text())["result"] == "fail"
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    done = cli("gate", "base.json", "--baseline", "base.json", "--summary")
    assert done.status == 0
    assert "GITHUB_STEP_SUMMARY is not set" in done.err


def test_limits_come_from_the_configuration_and_options_outrank_them(files, cli, folder):
    (folder / "acidtest.toml").write_text(
        '[gate]\nmin = { faithfulness = 0.9, "mrr" = 0.5, cost_usd = 1 }\n'
        'max_drop = { "faithfulness" = "50%", "token_recall" = 0.1 }\nmode = "strict"\n'
    )
    done = cli("gate", "cand.json", "--baseline", "base.json", "--json")
    assert done.status == 1
    assert done.json["metrics"].keys() == {"faithfulness"}
    assert done.json["metrics"]["faithfulness"]["max_drop"] == pytest.approx(0.465)
    assert "Not checked: the floor on mrr" in done.err
    assert "Not checked: the floor on cost_usd" in done.err
    assert "Not checked: the drop of token_recall" in done.err
    alone = cli("gate", "cand.json")
    assert "Not checked: the drop that [gate] max_drop tolerates, without a --baseline" in alone.err
    again = cli("gate", "cand.json", "--baseline", "base.json", "--min", "faithfulness=0.8")
    assert again.status == 0
    (folder / "acidtest.toml").write_text("[gate]\nmin = { faithfulnes = 0.9 }\n")
    done = cli("gate", "cand.json", "--baseline", "base.json")
    assert done.status == 2
    assert "Did you mean 'faithfulness'" in done.err


def test_a_stale_baseline_is_refused_by_option_or_setting(files, cli, folder):
    files(cand=document("cand", CANDIDATE, run={"golden": {"version": "sha256:2", "cases": 50}}))
    command = ("gate", "cand.json", "--baseline", "base.json", "--max-drop", "0.1")
    assert "golden set changed" in " ".join(cli(*command).out.split())
    done = cli(*command, "--stale", "refuse")
    assert done.status == 2
    assert "the baseline is stale" in done.err
    (folder / "acidtest.toml").write_text('[gate]\nstale = "refuse"\n')
    assert cli(*command).status == 2
    assert cli(*command, "--stale", "warn").status == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--min", "faithfulnes=0.9"), "Did you mean 'faithfulness'"),
        (("--max-drop", "faithfulnes=0.9"), "Did you mean 'faithfulness'"),
        (("--min", "faithfulness=nan"), "METRIC=NUMBER"),
        (("--min", "faithfulness=90%"), "METRIC=NUMBER"),
        (("--min", "faithfulness=90"), "write 0.9 for 90 %"),
        (("--max-drop", "nan"), "is not [METRIC=]DROP"),
        (("--max-drop", "=0.1"), "lacks the metric"),
        (("--max-drop", "-3%"), "is not [METRIC=]DROP"),
        (("--max-drop", "3"), "write 0.03 for 3 points"),
        (("--max-drop", "faithfulness=0.1", "--max-drop", "faithfulness=0.2"), "given twice"),
        (("--mode", "statistical"), "has summaries only"),
        (("--json", "base.json"), "would overwrite"),
        (("--json", "-", "--markdown", "-"), "both want stdout"),
        (("--baseline", "nothere.json"), "nothere.json"),
        (("--baseline", ""), "empty"),
        (("--max-drop", "nightly=0.1"), "tier"),
    ],
)
def test_bad_input_is_told_and_ends_with_2(files, cli, options, message):
    done = cli("gate", "cand.json", "--baseline", "base.json", *options)
    assert done.status == 2
    assert message in done.err


def test_a_terminal_of_no_width_still_shows_the_gate(files, cli, monkeypatch):
    monkeypatch.setenv("COLUMNS", "0")
    assert "faithfulness" in cli("gate", "cand.json", "--baseline", "base.json").out


def test_files_with_nothing_to_compare(files, cli):
    files(
        one=document("one", {"mrr": 1.0}, cases=cases([1.0])),
        other=document("other", {"map": 1.0}, cases=cases([1.0], "map")),
        apart=document("apart", {"mrr": 1.0}, cases=[{"id": "x", "question": "x?"}]),
        broken={"format": "acidtest/run", "version": 1, "metrics": {"mrr": {"mean": "high"}}},
    )
    assert "share no metric" in cli("gate", "one.json", "--baseline", "other.json").err
    assert "share no case" in cli("gate", "one.json", "--baseline", "apart.json").err
    done = cli("gate", "one.json", "--baseline", "broken.json")
    assert done.status == 2
    assert "broken.json" in done.err
    assert cli("gate", "one.json").status == 2
    assert cli("gate", "one.json", "--min", "mrr=0.5").status == 0


def test_stored_runs_are_gated_by_name_and_run_knows_the_same_floors(project, cli):
    assert cli("run", "--min", "recall@3.p10=0", "--min", "recall(k=3)=0.1").status == 0
    assert cli("gate", "latest", "--baseline", "starter", "--mode", "statistical").status == 0
    done = cli("run", "--min", "recall@3[nosuch]=0.5")
    assert done.status == 2
    assert "unknown tag" in done.err
    assert cli("run", "--min", "cost_usd=0.5").status == 3  # the pipeline does not report it
    assert cli("run", "--min", "latency_ms.total.p95=0.0000001").status == 1


def test_hostile_names_stay_text(files, cli, folder):
    nasty = "<b>|x</b> \x1b[31m @someone `"
    files(
        base=document(nasty, {nasty: 0.9}),
        cand=document(nasty, {nasty: 0.5}),
    )
    done = cli(
        *("gate", "cand.json", "--baseline", "base.json", "--max-drop", "0.1"),
        *("--markdown", "g.md", "--junit", "g.xml"),
    )
    assert done.status == 1
    assert "\x1b" not in done.out + (folder / "g.md").read_text() + (folder / "g.xml").read_text()
    assert "<b>" not in (folder / "g.md").read_text()
    ET.parse(folder / "g.xml")  # noqa: S314 - our own output
    assert os.path.getsize(folder / "g.md") < 5_000  # noqa: PTH202


def test_the_page_shows_both_runs_and_the_gate(files, cli, folder):
    files(
        old=document("old", {"mrr": 1.0}, cases=cases([1.0] * 40)),
        new=document("new", {"mrr": 0.5}, cases=cases([1.0, 0.0] * 20)),
    )
    command = ("gate", "new.json", "--max-drop", "0.02", "--html", "page.html")
    assert cli(*command, "--baseline", "old.json").status == 1
    page = (folder / "page.html").read_text()
    assert "FAIL: mrr of 1 gated metric fails." in page
    assert page.count('<details class="case bad"') == 20
    done = cli(*command)
    assert done.status == 2
    assert "Give --baseline" in " ".join(done.err.split())
    # Summaries have no cases: the gate is shown, and why no more is.
    command = ("gate", "cand.json", "--max-drop", "0.02", "--html", "page.html")
    assert cli(*command, "--baseline", "base.json").status == 1
    page = (folder / "page.html").read_text()
    assert "summaries only" in page


def test_a_run_after_a_bare_json_is_not_taken_for_its_file(files, cli, folder):
    kept = (folder / "cand.json").read_bytes()
    for run in ("latest", "20260102-030405-abcdef", "cand.json"):
        done = cli("gate", "--json", run, "--baseline", "base.json")
        assert done.status == 2
        assert f"--json: --json takes '{run}' for the file that it writes" in done.err
        assert f"acidtest gate {run} --json -" in done.err
    assert (folder / "cand.json").read_bytes() == kept
    assert sorted(p.name for p in folder.glob("*")) == ["base.json", "cand.json"]
    done = cli("gate", "--json", "new.json", "--baseline", "base.json")
    assert "takes 'new.json'" not in done.err
    done = cli("report", "--json", "latest")
    assert (done.status, (folder / "latest").exists()) == (2, False)


def test_a_run_file_that_lacks_a_member_says_of_which_metric_and_how_to_mend_it(files, cli):
    broken = document("cand", CANDIDATE)
    del broken["metrics"]["faithfulness"]["stage"]
    files(cand=broken)
    done = cli("gate", "cand.json", "--baseline", "base.json")
    assert done.status == 2
    assert "cand.json: Object missing required field 'stage'" in done.err
    assert "$.metrics['faithfulness']" in done.err
    assert "acidtest run --json FILE" in done.err
