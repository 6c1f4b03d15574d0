"""Results alone on stdout; no reader that goes away, and no closed stream, changes the status."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from acidtest.cli.streams import harmless
from acidtest.errors import UnknownName

ACIDTEST = [sys.executable, "-m", "acidtest"]
NOISY = """
import atexit, os, subprocess, sys
print("at import")
os.write(1, b"raw at import\\n")
atexit.register(os.write, 1, b"raw at exit\\n")
def p(q):
    os.write(1, b"raw when asked\\n")
    subprocess.run(["echo", "by a child"], check=True)
    if sys.stdout and not sys.stdout.closed:
        print("printed")
        ENDS
    return "an answer"
"""


def shell(command, folder, **more):
    script = f'acidtest() {{ {sys.executable} -m acidtest "$@"; }}; {command}; echo $? >status'
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {script}"],
        cwd=folder,
        capture_output=True,
        text=True,
        **more,
    )
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return int((folder / "status").read_text()), done.stdout, done.stderr


@pytest.mark.parametrize("ends", ["pass", "sys.stdout.close()", "sys.stdout = sys.stderr = None"])
def test_json_is_alone_whatever_a_pipeline_does_to_stdout(project, ends):
    (project / "noisy.py").write_text(NOISY.replace("ENDS", ends))
    (project / "c.toml").write_text(
        'golden = "golden.jsonl"\n[pipelines.p]\npython = "noisy.py:p"\nconcurrency = 1\n'
    )
    done = subprocess.run(
        [*ACIDTEST, "run", "--config", "c.toml", "-m", "token_f1", "--json", "-"],
        cwd=project,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["format"] == "acidtest/run"
    for told in ("raw at import", "raw when asked", "by a child", "raw at exit"):
        assert told in done.stderr


def test_json_is_alone_in_this_process_too(project, cli):
    (project / "prints.py").write_text("def p(q):\n    print('noise')\n    return 'a'\n")
    stdout = sys.stdout
    done = cli("run", "prints.py:p", "-m", "token_f1", "--json", "-")
    assert done.json["format"] == "acidtest/run"
    assert "noise" in done.err
    assert sys.stdout is stdout
    done = cli("doctor", "--json")
    assert done.json[0]["what"] == "Python"


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("acidtest run | true", 0),
        ("acidtest run --json - | true", 0),
        ("acidtest run --min recall@3=1 | true", 1),
        ("acidtest run --json --outputs part.jsonl -m recall@3 | true", 3),
        ("acidtest --help | true", 0),
        ("acidtest run --min recall@3=1 2> >(true) >/dev/null", 1),
        ("acidtest run 2> >(true) >/dev/null", 0),
        ("acidtest run 2>&- >/dev/null", 0),
        ("acidtest run --min recall@3=1 >&-", 1),
        ("acidtest run <&- >&- 2>&-", 0),
    ],
)
def test_status_is_the_checks_whoever_stopped_reading(project, command, status):
    row = {"id": "refund-time", "answer": "a", "retrieved": [{"id": "refunds#0"}]}
    (project / "part.jsonl").write_text(json.dumps(row) + "\n")
    found, _, err = shell(command, project)
    assert found == status, err
    if "--min" in command and "2>" not in command:
        assert "BELOW FLOOR recall@3" in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize("command", ["run --json -", "run", "--help", "runs list --json"])
def test_a_full_disk_under_stdout_is_told(project, command):
    status, _, err = shell(f"acidtest {command} >/dev/full", project)
    assert status == 2
    assert "No space left on device" in err


def test_stdout_by_its_other_names(project):
    status, out, _ = shell("acidtest run --json /dev/stdout", project)
    assert status == 0
    assert json.loads(out)["format"] == "acidtest/run"


@pytest.mark.parametrize("command", ["judge check", "run", "demo --help"])
def test_an_encoding_that_lacks_letters(project, command):
    status, out, _ = shell(
        f"acidtest {command}", project, env={**os.environ, "PYTHONIOENCODING": "ascii"}
    )
    assert status == 0
    assert out.isascii()


def test_a_message_that_quotes_without_end_is_cut_and_keeps_what_to_do():
    told = harmless(f"labels.jsonl:1: {'y' * 100_000}. Name the \x1b[31mcase")
    assert len(told) < 5000
    assert told.startswith("labels.jsonl:1: yyy")
    assert told.endswith("Name the \N{REPLACEMENT CHARACTER}[31mcase")


def test_names_from_files_are_short_in_messages():
    told = str(UnknownName("metric", "n" * 9000, ["k" * 9000], where="a.jsonl"))
    assert len(told) < 400
    assert told.startswith("a.jsonl: unknown metric 'nnn")
