import json
import subprocess

import pytest
from click.testing import CliRunner

from acidtest.cli import group


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Three commits, one run each, and a second run of the last."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ACIDTEST_STORE", raising=False)

    def git(*words):
        who = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *words], check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    (tmp_path / ".gitignore").write_text(".acidtest\n")
    rows = [{"id": f"q{n}", "question": f"Q{n}?", "relevant": ["a"]} for n in range(12)]
    (tmp_path / "golden.jsonl").write_text("\n".join(map(json.dumps, rows)))
    for found in (1.0, 0.0, 1.0):
        outputs = [
            {"id": row["id"], "answer": "x", "retrieved": [{"id": "a" if found else "b"}]}
            for row in rows
        ]
        (tmp_path / "out.jsonl").write_text("\n".join(map(json.dumps, outputs)))
        git("add", "-A")
        git("commit", "-q", "--allow-empty", "-m", f"found {found}")
        run("--fresh")
    run("--fresh")
    return tmp_path


def run(*more):
    words = ["run", "--golden", "golden.jsonl", "--outputs", "out.jsonl", "--name", "app"]
    done = CliRunner().invoke(group, [*words, "-m", "recall@5", *more], standalone_mode=False)
    assert done.exception is None, done.output


def call(*words):
    return CliRunner().invoke(group, words, standalone_mode=False)


def test_one_line_a_commit(project):
    told = json.loads(call("runs", "list", "--history", "--json").stdout)
    assert (told["format"], told["version"]) == ("acidtest/history", 1)
    assert [m["values"]["recall@5"] for m in told["moments"]] == [1.0, 0.0, 1.0]
    assert [m["moved"] for m in told["moments"]] == [{}, {"recall@5": -1}, {"recall@5": 1}]
    assert [m["runs"] for m in told["moments"]] == [1, 1, 2]
    text = call("report", "--history").stdout
    assert "0.000 -" in text
    limited = json.loads(call("runs", "list", "--history", "--json", "--limit", "2").stdout)
    assert (len(limited["moments"]), limited["left_out"]) == (2, 1)


def test_files(project):
    done = call("report", "--history", "--html", "h.html", "--markdown", "h.md", "--json", "h.json")
    assert done.exception is None
    assert "recall@5" in (project / "h.html").read_text()
    assert (project / "h.md").read_text().startswith("## acidtest: `app` over time")
    assert json.loads((project / "h.json").read_text())["name"] == "app"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("runs", "list", "--history", "--name", "no"), "unknown run 'no'"),
        (("runs", "list", "--history", "-m", "recal@5"), "did you mean"),
        (("runs", "list", "--history", "-m", "mrr"), "no run called 'app' has the metric 'mrr'"),
        (("runs", "list", "-m", "mrr"), "-m needs --history"),
        (("report", "latest", "--history"), "takes no RUN"),
        (("report", "--limit", "3"), "go with --history"),
        (("runs", "list", "--history", "--limit", "0"), "x>=1"),
    ],
)
def test_what_cannot_be(project, words, message):
    done = call(*words)
    assert message.lower() in str(done.exception or done.output).lower()


def test_an_empty_store_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ACIDTEST_STORE", raising=False)
    assert "no run yet" in str(call("runs", "list", "--history").exception)
    assert not (tmp_path / ".acidtest").exists()
