"""pytest-xdist: what one worker makes, the others take."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from acidtest.errors import UsageError
from acidtest.pytest_plugin.share import forget, once, shared

pytest_plugins = ["pytester"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_workers_share_one_run_and_the_controller_tells_it(project, session, asked, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(project.path / "tmp"))
    (project.path / "tmp").mkdir()
    project.makepyfile(
        """
        import pytest
        @pytest.mark.parametrize("n", range(6))
        def test_many(acidtest_run, n, worker_id):
            with open(f"by-{worker_id}.txt", "a") as stream:
                stream.write(acidtest_run.id + "\\n")
        def test_case(acidtest_result):
            assert acidtest_result.scores["mrr"].value > 0
        @pytest.mark.acidtest(pipeline="recorded")
        def test_other(acidtest_run):
            assert acidtest_run.metrics["mrr"].mean == 1.0
        """
    )
    with (project.path / "acidtest.toml").open("a") as stream:
        stream.write('[pipelines.recorded]\noutputs = "o.jsonl"\n')
    project.makeini("[pytest]\nacidtest_pipeline = rag")
    (project.path / "o.jsonl").write_text(
        '{"id": "pro", "answer": "a", "retrieved": [{"id": "pricing#2"}]}\n{"id": "stray", "answer": "a"}\n'
    )
    result = session("-p", "xdist", "-n", "2", "--acidtest-json", "out.json")
    result.assert_outcomes(passed=9)
    assert asked() == ["What does Pro cost?", "When are refunds paid?"]
    by = [path.read_text().split() for path in project.path.glob("by-*.txt")]
    assert len(by) == 2
    runs = json.loads((project.path / "out.json").read_bytes())["runs"]
    (made,) = [one["run"]["id"] for one in runs if one["run"]["name"] == "rag"]
    assert {one for some in by for one in some} == {made}
    result.stdout.fnmatch_lines_random(
        [
            "*= acidtest =*",
            "rag (*, 2 cases): recall@1 0.500, mrr 0.750",
            "recorded (*, 2 cases): recall@1 1.000 (1 failed), mrr 1.000 (1 failed)",
            "*o.jsonl: 1 row belongs to no case: 'stray'",
        ]
    )
    assert list((project.path / "tmp").glob("acidtest-*")) == []


def test_an_error_is_the_same_in_each_worker(project, session):
    (project.path / "golden.jsonl").write_text("nonsense\n")
    project.makepyfile("def test_a(acidtest_run): pass\ndef test_b(acidtest_run): pass\n")
    result = session("-p", "xdist", "-n", "2")
    result.assert_outcomes(errors=2)
    told = [line for line in result.stdout.lines if line.startswith("acidtest: ")]
    assert len(told) == 2  # the summary below them is cut where CI is not set
    assert "INTERNALERROR" not in result.stdout.str()


def test_the_first_makes_it_and_errors_are_kept(folder):
    made = []

    def make():
        made.append(1)
        return b"it"

    assert [once("s", "key", make) for _ in range(3)] == [b"it"] * 3
    assert made == [1]
    assert shared("s") == [b"it"]

    def fail():
        made.append(2)
        raise UsageError("what", where="here", fix="Mend it.")

    for _ in range(2):
        with pytest.raises(UsageError, match=r"^here: what\. Mend it\.$"):
            once("s", "other", fail)
    assert made == [1, 2]
    forget("s")
    assert list(folder.iterdir()) == []


KILLED = """
import os, sys, tempfile
tempfile.tempdir = sys.argv[1]
from acidtest.pytest_plugin.share import once
once("s", "key", lambda: os._exit(9))
"""

FIRST = """
import sys, tempfile
tempfile.tempdir = sys.argv[1]
from acidtest.pytest_plugin.share import once
def make():
    print("making", flush=True)
    sys.stdin.readline()
    return b"first"
once("s", "key", make)
"""

SECOND = """
import sys, tempfile, time
tempfile.tempdir = sys.argv[1]
from acidtest.pytest_plugin import share
share.time.sleep = lambda s, sleep=time.sleep: (print("waits", flush=True), sleep(s))
print(share.once("s", "key", lambda: b"second").decode())
"""


def started(code, folder):
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", code, str(folder)], stdin=pipe, stdout=pipe, text=True
    )


def test_a_maker_that_is_killed_leaves_it_to_the_next(folder):
    with started(KILLED, folder) as killed:
        assert killed.wait(timeout=60) == 9
    assert once("s", "key", lambda: b"it") == b"it"


def test_who_comes_second_waits(folder):
    with started(FIRST, folder) as first:
        assert first.stdout.readline() == "making\n"
        with started(SECOND, folder) as second:
            assert second.stdout.readline() == "waits\n"
            first.communicate("go\n", timeout=60)
            told, _ = second.communicate(timeout=60)
    assert told.splitlines()[-1] == "first"


def test_the_folder_is_its_owners_alone(folder):
    once("s", "key", lambda: b"it")
    (made,) = Path(folder).iterdir()
    assert made.stat().st_mode & 0o077 == 0
