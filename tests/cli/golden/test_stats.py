import json
import subprocess
import sys

import pytest

GOLDEN = """\
{"id": "a", "question": "What does Pro cost?", "reference": "€49", "relevant": ["p#1"], "tags": ["lookup"]}
{"id": "b\\u001b[31m", "question": "Who?", "reference": "Me.", "relevant": ["gone"]}
"""


def stats(folder, *args, width="80"):
    command = [sys.executable, "-m", "acidtest", "golden", "stats", *args]
    environment = {"COLUMNS": width, "PATH": "", "PYTHONUTF8": "1"}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "g.jsonl").write_text(GOLDEN, encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "p.md").write_text("Pro costs €49.")
    (tmp_path / "docs" / "x.png").write_bytes(b"x")
    (tmp_path / "c.jsonl").write_text('{"id": "p#1", "text": "Pro costs", "doc_id": "p"}\n')
    return tmp_path


@pytest.mark.parametrize("width", ["60", "80", "110"])
def test_the_table_fits(folder, width):
    done = stats(folder, "g.jsonl", "--corpus", "c.jsonl", width=width)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("2 cases, version sha256:")
    assert max(map(len, lines)) <= int(width)
    assert "1 of 2 labels are not in it. Cases: b." in done.stdout
    assert "\x1b" not in done.stdout


def test_json_alone(folder):
    done = stats(folder, "g.jsonl", "--json", "-")
    document = json.loads(done.stdout)
    assert (document["cases"], document["corpus"], done.stderr) == (2, None, "")


def test_the_configured_corpus_is_held_against(folder):
    (folder / "acidtest.toml").write_text('corpus = "docs"')
    done = stats(folder, "g.jsonl")
    assert "None of the 2 labels is in it. Is this the corpus" in done.stdout
    assert "docs: left out, since their form is not read: 1 .png" in done.stderr


def test_what_is_wrong_is_status_2(folder):
    done = stats(folder, "g.jsonl", "--corpus", "no.jsonl")
    assert done.returncode == 2
    assert "no.jsonl: no such file" in done.stderr
    done = stats(folder, "g.jsonl", "--json", "g.jsonl")
    assert "would overwrite the golden set" in done.stderr
