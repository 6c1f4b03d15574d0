"""The command: groups, widths, JSON, status, and what --fix writes."""

import json
import subprocess
import sys

import pytest

ROWS = [
    {"id": "a", "question": "What does Pro cost? ", "reference": "€49", "relevant": ["p#1"], "tags": ["lookup"]},
    {"id": "b\u001b[31m", "question": "Who runs it?\u001b]0;x\u0007", "reference": "Me.", "relevant": ["gone"]},
    {"id": "c", "question": "What does Pro cost?", "reference": "€49", "relevant": ["p#1"], "tags": ["lookup"]},
    *({"id": f"n{n}", "question": f"What is thing{n}?"} for n in range(6)),
]  # fmt: skip


@pytest.fixture
def lint(cli, monkeypatch):
    """Run the command in this process: it begins at once."""

    def run(*args, width="80"):
        monkeypatch.setenv("COLUMNS", width)
        return cli("golden", "lint", *args)

    return run


@pytest.fixture
def folder(folder):
    lines = "\n".join(json.dumps(row) for row in ROWS)
    (folder / "g.jsonl").write_text(lines + "\n", encoding="utf-8")
    (folder / "c.jsonl").write_text(
        '{"id": "p#1", "text": "Pro costs €49.", "doc_id": "p"}\n', "utf-8"
    )
    return folder


@pytest.mark.parametrize("width", ["60", "80", "110"])
def test_findings_by_rule(folder, lint, width):
    done = lint("g.jsonl", "--corpus", "c.jsonl", width=width)
    assert done.status == 1, done.err
    lines = done.out.splitlines()
    assert lines[0].startswith("9 cases, version sha256:")
    assert lines[1] == "1 error, 13 warnings, 8 notes"
    assert "error unknown-id (1 case)" in lines
    assert "  - b: the corpus has no gone" in lines
    assert "warning missing-reference (6 cases)" in lines
    assert "    and 3 findings more; all: --rule missing-reference" in lines
    assert max(map(len, lines)) <= int(width)
    assert "\x1b" not in done.out
    assert "\x07" not in done.out


def test_one_rule_alone_is_told_whole(folder, lint):
    done = lint("g.jsonl", "--rule", "missing-reference")
    assert done.out.count("has no reference") == 6
    assert "No corpus was named" in done.out


def test_json_alone(folder):
    command = [sys.executable, "-m", "acidtest", "golden", "lint", "g.jsonl"]
    done = subprocess.run(
        [*command, "--corpus", "c.jsonl", "--json", "-"],
        cwd=folder, capture_output=True, text=True, env={"PATH": "", "PYTHONUTF8": "1"},
    )  # fmt: skip
    report = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (1, "")
    assert (report["format"], report["version"], report["status"]) == ("acidtest/lint", 1, 1)
    assert report["golden"]["cases"] == 9
    assert report["counts"]["error"] == 1
    (unknown,) = (each for each in report["findings"] if each["rule"] == "unknown-id")
    assert unknown == {
        "rule": "unknown-id",
        "case": "b\x1b[31m",
        "severity": "error",
        "message": "the corpus has no gone",
        "fix": "Carry the labels over with acidtest golden remap, or label it anew.",
        "cases": ["b\x1b[31m"],
        "fixable": False,
    }
    few = next(each for each in report["findings"] if each["rule"] == "few-cases")
    assert (few["case"], few["cases"]) == (None, [])


def test_status_0_where_only_notes_are_left(folder, lint):
    done = lint("g.jsonl", "--rule", "no-labels", "--rule", "untidy")
    assert (done.status, "notes" in done.out) == (0, True)
    assert lint("g.jsonl", "--rule", "contradiction").out.splitlines()[1] == "Nothing was found."


def test_fix_writes_says_what_it_did_and_is_clean_the_second_time(folder, lint):
    done = lint("g.jsonl", "--corpus", "c.jsonl", "--fix")
    assert done.status == 1
    assert "Dropped c: it is equal to a" in done.err
    assert "it has the text of p#1 as evidence" in done.err
    rows = [json.loads(line) for line in (folder / "g.jsonl").read_text("utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["a", ROWS[1]["id"], *(f"n{n}" for n in range(6))]
    assert rows[0]["question"] == "What does Pro cost?"
    assert rows[0]["evidence"][0]["text"] == "Pro costs €49."
    assert rows[1]["question"] == ROWS[1]["question"]
    before = (folder / "g.jsonl").read_bytes()
    again = lint("g.jsonl", "--corpus", "c.jsonl", "--fix", "--json", "-")
    assert "There was nothing to mend" in again.err
    assert (folder / "g.jsonl").read_bytes() == before
    report = json.loads(again.out)
    assert report["fixed"] == {"changed": {}, "dropped": {}}
    assert not any(each["fixable"] for each in report["findings"])


def test_fix_elsewhere_leaves_the_set(folder, lint):
    before = (folder / "g.jsonl").read_bytes()
    lint("g.jsonl", "--fix", "--out", "h.jsonl", "--ignore", "duplicate")
    assert (folder / "g.jsonl").read_bytes() == before
    assert len((folder / "h.jsonl").read_text("utf-8").splitlines()) == 9


def test_a_configured_judge_wants_fifty(folder, lint):
    (folder / "acidtest.toml").write_text('corpus = "c.jsonl"\n[metrics]\nown = ["faithfulness"]\n')
    done = lint("g.jsonl", "--rule", "few-cases")
    assert "50 is the least where a judge scores" in done.out
    (folder / "acidtest.toml").write_text('[metrics]\nown = ["recall@5"]\n')
    assert "30 is the least" in lint("g.jsonl", "--rule", "few-cases").out
    assert "50 is the least" in lint("g.jsonl", "--rule", "few-cases", "--judged").out


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("no.jsonl",), "no.jsonl: no such file"),
        (("g.jsonl", "--corpus", "no.jsonl"), "no.jsonl: no such file"),
        (("g.jsonl", "--tuning", "./g.jsonl"), "the tuning set is the golden set itself"),
        (("g.jsonl", "--out", "h.jsonl"), "nothing is written without --fix"),
        (("g.jsonl", "--fix", "--out", "g.jsonl"), "would overwrite the golden set"),
        (("g.jsonl", "--rule", "duplikate"), "Did you mean 'duplicate'?"),
        (("g.csv", "--fix"), "JSONL files only"),
        (("r.jsonl", "--fix"), "holds a recorded answer"),
    ],
)
def test_what_is_wrong_is_status_2(folder, lint, args, told):
    (folder / "g.csv").write_text("id,question\na,Why?\n")
    (folder / "r.jsonl").write_text('{"id": "a", "question": "Why? ", "generated_answer": "So."}\n')
    done = lint(*args)
    assert (done.status, told in done.err) == (2, True), done.err
    assert "Traceback" not in done.err
