"""The GitHub action: its steps are run here as a runner runs them, with a stand-in for `gh`."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}

GH = """\
#!{python}
import json, os, re, sys
from pathlib import Path

kept = Path(os.environ["FAKE_COMMENTS"])
comments = json.loads(kept.read_text()) if kept.exists() else {{}}
words = sys.argv[1:]
assert words[0] == "api", words
assert os.environ["GH_TOKEN"] == "t0ken"
body = next((Path(w.removeprefix("body=@")).read_text() for w in words if w.startswith("body=@")), "")
if "PATCH" in words:
    (path,) = [w for w in words if w.startswith("repos/")]
    comments[path.rsplit("/", 1)[1]] = body
elif "POST" in words:
    assert "repos/o/r/issues/7/comments" in words
    comments[str(100 + len(comments))] = body
else:
    assert words[-1] == ".[] | select(.body | startswith($ENV.MARK)) | .id"
    print("\\n".join(n for n, text in comments.items() if text.startswith(os.environ["MARK"])))
kept.write_text(json.dumps(comments))
"""

PIPELINE = """\
def ask(question):
    n = int(question.split()[1])
    return {{"answer": "x", "retrieved": [{{"id": f"c{{n if n >= {lost} else 99}}"}}]}}
"""


@pytest.fixture
def project(tmp_path):
    rows = [
        {"id": f"q{n}", "question": f"Question {n} ?", "relevant": [f"c{n}"]} for n in range(12)
    ]
    (tmp_path / "golden.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "acidtest.toml").write_text(
        'golden = "golden.jsonl"\n[pipelines.app]\npython = "rag.py:ask"\n'
        '[metrics]\nfast = ["recall@5", "mrr"]\n[gate]\nmax_drop = 0.03\n'
    )
    binaries = tmp_path / "bin"
    binaries.mkdir()
    (binaries / "gh").write_text(GH.format(python=sys.executable))
    (binaries / "gh").chmod(0o755)
    return tmp_path


class Build:
    """One build: the action's own shell steps, in their order, with what they leave for each other."""

    def __init__(self, folder, lost, event="push", **inputs):
        (folder / "rag.py").write_text(PIPELINE.format(lost=lost))
        self.folder, self.event = folder, event
        self.inputs = {k: v.get("default", "") for k, v in ACTION["inputs"].items()}
        self.inputs |= {
            "github-token": "t0ken",
            **{k.replace("_", "-"): v for k, v in inputs.items()},
        }
        self.outputs = {}
        self.summary = folder / "summary.md"
        self.summary.write_text("")
        self.said = ""

    def run(self):
        for name in (
            "Run",
            "Gate",
            "Comment on the pull request",
            "Keep the baseline of this branch",
        ):
            if self._wanted(name):
                status = self._step(STEPS[name])
                if status:
                    return status
        return self._step(STEPS["Decide"])

    def _wanted(self, name):
        pull = self.event == "pull_request"
        if name.startswith("Comment"):
            return pull and self.inputs["comment"] == "true"
        if name.startswith("Keep"):
            return not pull and self.outputs["gate"]["status"] == "0"
        return True

    def _step(self, step):
        told = self.folder / "output"
        told.write_text("")
        env = {
            **os.environ,
            "PATH": f"{self.folder / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "GITHUB_OUTPUT": str(told),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "FAKE_COMMENTS": str(self.folder / "comments.json"),
            **{key: self._value(text) for key, text in step.get("env", {}).items()},
        }
        env.pop("ACIDTEST_STORE", None)
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.folder, env=env, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        self.said += done.stdout + done.stderr
        if "id" in step:
            lines = (line.split("=", 1) for line in told.read_text().splitlines())
            self.outputs[step["id"]] = dict(lines)
        return done.returncode

    def _value(self, text):
        def value(match):
            kind, *path = match[1].split(".")
            if kind == "inputs":
                return self.inputs[path[0]]
            if kind == "steps":
                return self.outputs[path[0]].get(path[2], "")
            return {"repository": "o/r", "event": "7"}[path[0]]

        return re.sub(r"\$\{\{ (\S+) \}\}", value, text)


def test_nothing_from_outside_is_pasted_into_a_script():
    for step in STEPS.values():
        assert "${{" not in step.get("run", ""), step["name"]


def test_every_input_is_used_and_explained():
    text = (ROOT / "action.yml").read_text()
    page = (ROOT / "docs/ci.md").read_text()
    for name, given in ACTION["inputs"].items():
        assert f"inputs.{name} " in text or f"inputs.{name}\n" in text, name
        assert given["description"]
        assert f"`{name}`" in page, name
    ids = {step.get("id") for step in STEPS.values()}
    for output in ACTION["outputs"].values():
        assert re.search(r"steps\.(\w+)\.outputs", output["value"])[1] in ids


@pytest.mark.slow
def test_a_branch_and_a_pull_request(project):
    first = Build(project, lost=0)
    assert first.run() == 0, first.said
    assert first.outputs["gate"]["result"] == "none"  # there is nothing to compare with yet
    assert (project / ".acidtest/baseline.json").exists()
    assert "recall@5" in first.summary.read_text()

    worse = Build(project, lost=6, event="pull_request")
    assert worse.run() == 1
    assert worse.outputs["gate"]["result"] == "fail"
    assert "REGRESSION" in worse.summary.read_text()
    baseline = (project / ".acidtest/baseline.json").read_text()
    comments = json.loads((project / "comments.json").read_text())
    (body,) = comments.values()
    assert body.startswith("<!-- acidtest:acidtest -->")
    assert "REGRESSION" in body

    mended = Build(project, lost=0, event="pull_request")
    assert mended.run() == 0, mended.said
    assert mended.outputs["gate"]["result"] == "pass"
    again = json.loads((project / "comments.json").read_text())
    assert again.keys() == comments.keys()  # the same comment, brought up to date
    assert "REGRESSION" not in next(iter(again.values()))
    assert (project / ".acidtest/baseline.json").read_text() == baseline


@pytest.mark.slow
def test_what_stops_a_build(project):
    missed = Build(project, lost=3, run_args="--min=recall@5=0.9\n\n", gate="false")
    assert missed.run() == 1  # a missed floor is reported, and fails
    assert missed.outputs["gate"]["result"] == "none"
    assert not (project / ".acidtest/baseline.json").exists()
    unknown = Build(project, lost=0, tier="fsat")
    assert unknown.run() == 2
    assert "fast" in unknown.said
    hostile = Build(project, lost=0, pipelines="$(touch owned) app; touch owned")
    assert hostile.run() == 2
    assert not (project / "owned").exists()


@pytest.mark.slow
def test_each_of_several_pipelines_is_held_against_its_own_baseline(project):
    more = '[pipelines.steady]\npython = "steady.py:ask"\n[metrics]'
    settings = (project / "acidtest.toml").read_text()
    (project / "acidtest.toml").write_text(settings.replace("[metrics]", more))
    (project / "steady.py").write_text(PIPELINE.format(lost=0))
    first = Build(project, lost=0)
    assert first.run() == 0, first.said

    worse = Build(project, lost=6)
    assert worse.run() == 1, worse.said
    assert worse.outputs["gate"]["result"] == "fail"
    report = project / ".acidtest/report"
    results = [json.loads((report / f"gate{n}.json").read_text())["result"] for n in ("", "-2")]
    assert results == ["fail", "pass"]
    assert worse.summary.read_text().count("## acidtest gate: ") == 2

    same = Build(project, lost=0)
    assert same.run() == 0, same.said
    assert same.outputs["gate"]["result"] == "pass"

    added = settings.replace("[metrics]", more.replace("pipelines.steady", "pipelines.new"))
    (project / "acidtest.toml").write_text(added)
    other = Build(project, lost=0)
    assert other.run() == 0, other.said
    assert "Not gated: the baseline has no run of 'new'." in other.said
    assert not (report / "gate-2.json").exists()  # nor what the build before left
