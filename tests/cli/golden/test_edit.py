"""Diff, merge and format through the command line, and inside git."""

import json
import os
import shutil
import subprocess
import sys

import pytest

BASE = [
    {
        "id": "a",
        "question": "What does Pro cost?",
        "reference": "It costs 40 euros a month.",
        "relevant": {"c1": 1, "c3": 2},
    },
    {"id": "b", "question": "How long is shipping?"},
    {"id": "x", "question": "Old id?"},
]
OURS = [
    {
        "id": "a",
        "question": "What does Pro cost?",
        "reference": "It costs 49 euros a month.",
        "relevant": {"c1": 1, "c3": 3},
        "tags": ["easy\x1b[31m"],
    },
    {"id": "b", "question": "How long is shipping?", "split": "test"},
    {"id": "new-id", "question": "Old id?"},
    {"id": "d", "question": "Added?"},
]
THEIRS = [
    {
        "id": "a",
        "question": "What does Pro cost?",
        "reference": "It costs 50 euros a month.",
        "relevant": {"c1": 1, "c3": 2, "c9": 3},
    },
    {"id": "x", "question": "Old id?", "split": "test"},
]


def rows(path, some):
    path.write_text("".join(json.dumps(each) + "\n" for each in some))


@pytest.fixture
def files(folder):
    for name, some in (("base", BASE), ("ours", OURS), ("theirs", THEIRS)):
        rows(folder / f"{name}.jsonl", some)
    return folder


@pytest.mark.parametrize("width", ["60", "80", "110"])
def test_diff_in_words(files, cli, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", width)
    done = cli("golden", "diff", "base.jsonl", "ours.jsonl")
    assert done.status == 0, done.err
    assert "\x1b" not in done.out
    assert max(map(len, done.out.splitlines())) <= int(width)
    told = " ".join(done.out.split())
    for what in (
        "1 added, 2 changed, 1 renamed, 1 moved to another split; 0 unchanged",
        "reference: It costs [-40-]{+49+} euros a month.",
        "relevant c3: 2 → 3",
        "tag: {+easy+}",
        "split: {+test+}",
        "id: x → new-id",
        "+ d Added?",
    ):
        assert what in told, what


def test_diff_status_json_and_markdown(files, cli):
    assert cli("golden", "diff", "base.jsonl", "base.jsonl", "--exit-code").status == 0
    assert cli("golden", "diff", "base.jsonl", "ours.jsonl", "--exit-code").status == 1
    done = cli("golden", "diff", "base.jsonl", "ours.jsonl", "--json", "-", "--markdown", "d.md")
    report = done.json
    assert (report["format"], report["version"], report["same"]) == (
        "acidtest/golden-diff",
        1,
        False,
    )
    assert report["added"] == {"count": 1, "cases": ["d"]}
    assert report["renamed"] == [{"from": "x", "to": "new-id"}]
    assert report["moved"] == [{"case": "b", "from": None, "to": "test"}]
    edits = report["cases"]["changed"][0]["edits"]
    assert edits[0]["gone"] == [[9, 11]]
    assert {"field": "relevant", "what": "changed", "key": "c3", "before": 2, "after": 3} in edits
    assert "- reference: `It costs [-40-]{+49+} euros a month.`" in (files / "d.md").read_text()


def test_order_and_keys_are_no_difference(files, cli):
    (files / "other.json").write_text(
        json.dumps([dict(reversed(each.items())) for each in BASE[::-1]])
    )
    done = cli("golden", "diff", "base.jsonl", "other.json", "--exit-code")
    assert done.status == 0
    assert "no difference: 3 cases, in another order" in " ".join(done.out.split())


def test_merge_conflicts_decisions(files, cli):
    three = ("base.jsonl", "ours.jsonl", "theirs.jsonl")
    done = cli("golden", "merge", *three, "--out", "g.jsonl", "--json", "m.json")
    assert done.status == 1
    open_rows = [
        json.loads(line) for line in (files / "g.conflicts.jsonl").read_text().splitlines()
    ]
    assert [(row["case"], row["field"]) for row in open_rows] == [("a", "reference"), ("b", "case")]
    cases = {
        row["id"]: row for row in map(json.loads, (files / "g.jsonl").read_text().splitlines())
    }
    assert list(cases) == ["a", "b", "new-id", "d"]
    assert cases["a"]["relevant"] == {"c1": 1, "c3": 3, "c9": 3}
    assert cases["new-id"]["split"] == "test"
    assert json.loads((files / "m.json").read_text())["conflicts_to"] == "g.conflicts.jsonl"
    rows(
        files / "g.conflicts.jsonl",
        [{**open_rows[0], "decision": {"value": "49.50"}}, open_rows[1]],
    )
    done = cli("golden", "merge", *three, "--out", "g.jsonl", "--apply", "g.conflicts.jsonl")
    assert done.status == 1
    assert "1 decided" in done.out
    rows(
        files / "g.conflicts.jsonl",
        [{**open_rows[0], "decision": {"value": "49.50"}}, {**open_rows[1], "decision": "theirs"}],
    )
    done = cli("golden", "merge", *three, "--out", "g.jsonl", "--apply", "g.conflicts.jsonl")
    assert done.status == 0
    cases = [json.loads(line) for line in (files / "g.jsonl").read_text().splitlines()]
    assert [case["id"] for case in cases] == ["a", "new-id", "d"]
    assert cases[0]["reference"] == "49.50"


def test_a_conflict_of_a_whole_case_says_what_each_side_did(files, cli):
    done = cli("golden", "merge", "base.jsonl", "ours.jsonl", "theirs.jsonl", "--out", "g.jsonl")
    told = done.out[done.out.index("! b") :]
    assert told == (
        "! b  How long is shipping?\n"
        '    ours   changed split: "test"\n'
        "    theirs removed the case\n"
    )


def test_a_question_that_both_added_is_told(files, cli):
    for name in ("ours", "theirs"):
        rows(files / f"{name}.jsonl", [*BASE, {"id": f"by-{name}", "question": "Showers?"}])
    done = cli("golden", "merge", "base.jsonl", "ours.jsonl", "theirs.jsonl", "--out", "g.jsonl")
    assert done.status == 0
    assert done.out == "5 cases, 0 conflicts\n- by-ours, by-theirs: ask the same: Showers?\n"


def test_recorded_answers_are_not_lost_in_silence(files, cli):
    rows(files / "ours.jsonl", [{**OURS[0], "generated_answer": "49"}])
    for command in (
        ["merge", "base.jsonl", "ours.jsonl", "theirs.jsonl", "--out", "g.jsonl"],
        ["format", "ours.jsonl"],
    ):
        done = cli("golden", *command)
        assert done.status == 2
        assert "holds a recorded answer, which would be lost" in done.err
    assert not (files / "g.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["merge", "base.jsonl", "ours.jsonl", "theirs.jsonl"], "goes nowhere"),
        (["merge", "base.jsonl", "ours.jsonl", "theirs.jsonl", "--out", "-"], "no place beside"),
        (["merge", "base.jsonl", "ours.jsonl", "theirs.jsonl", "--out", "ours.jsonl"], "overwrite"),
        (["diff", "base.jsonl", "no.jsonl"], "no such file"),
        (["format", "base.jsonl", "--check", "--out", "x.jsonl"], "--check writes nothing"),
    ],
)
def test_what_is_wrong_is_status_2(files, cli, arguments, what):
    done = cli("golden", *arguments)
    assert done.status == 2
    assert what in done.err


def test_format(files, cli):
    import acidtest as at

    before = at.load_golden("ours.jsonl").version
    assert cli("golden", "format", "ours.jsonl", "--check").status == 1
    assert cli("golden", "format", "ours.jsonl").status == 0
    assert at.load_golden("ours.jsonl").version == before
    done = cli("golden", "format", "ours.jsonl", "--check")
    assert (done.status, done.out) == (0, "")
    assert (
        '"reference":"It costs 49 euros a month.","relevant":{"c1":1,"c3":3}'
        in (files / "ours.jsonl").read_text()
    )
    (files / "g.json").write_text(json.dumps(OURS))
    assert "JSONL" in cli("golden", "format", "g.json").err
    assert cli("golden", "format", "g.json", "--out", "h.jsonl").status == 0
    assert (files / "h.jsonl").read_bytes() == (files / "ours.jsonl").read_bytes()


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_inside_git_the_next_step_is_one_that_works_there(files, cli):
    done = cli(
        "golden", "merge", "base.jsonl", "ours.jsonl", "theirs.jsonl", "--driver", "golden.jsonl"
    )
    assert done.status == 1
    assert "--apply" not in done.err
    assert "then: git add golden.jsonl, and remove golden.conflicts.jsonl" in done.err


def test_git_merges_and_shows_golden_sets(files):
    acidtest = f"{sys.executable} -m acidtest"
    env = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "COLUMNS": "100",
    }

    def git(*arguments, status=0):
        identity = (
            "-c",
            "user.name=T",
            "-c",
            "user.email=t@example.com",
            "-c",
            "init.defaultBranch=main",
        )
        done = subprocess.run(
            ["git", *identity, *arguments], cwd=files, env=env, capture_output=True, text=True
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout

    def commit(some):
        rows(files / "golden.jsonl", some)
        git("add", "golden.jsonl", ".gitattributes")
        git("commit", "-q", "-m", "x")

    git("init", "-q")
    (files / ".gitattributes").write_text("golden.jsonl merge=acidtest diff=acidtest\n")
    git("config", "merge.acidtest.driver", f"{acidtest} golden merge %O %A %B --driver %P")
    git("config", "diff.acidtest.command", f'f() {{ {acidtest} golden diff "$2" "$5"; }}; f')
    commit(BASE)
    git("checkout", "-q", "-b", "theirs")
    commit([{**BASE[0], "relevant": {"c1": 1, "c3": 2, "c9": 3}}, *BASE[1:]])
    git("checkout", "-q", "main")
    commit([{**BASE[0], "relevant": {"c1": 2, "c3": 2}}, *BASE[1:]])
    assert "relevant c1: 1 → 2" in git("diff", "--ext-diff", "HEAD~1")
    git("merge", "-q", "-m", "both", "theirs")  # line by line this is a conflict
    merged = json.loads((files / "golden.jsonl").read_text().splitlines()[0])
    assert merged["relevant"] == {"c1": 2, "c3": 2, "c9": 3}
    git("checkout", "-q", "-b", "again", "theirs")
    commit([{**BASE[0], "reference": "50"}, *BASE[1:]])
    git("checkout", "-q", "main")
    commit([{**BASE[0], "reference": "49"}, *BASE[1:]])
    git("merge", "-q", "-m", "both", "again", status=1)
    assert "UU golden.jsonl" in git("status", "--short")
    (row,) = map(json.loads, (files / "golden.conflicts.jsonl").read_text().splitlines())
    assert (row["field"], row["ours"], row["theirs"]) == ("reference", "49", "50")
