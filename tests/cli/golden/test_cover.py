import json
import subprocess
import sys

import pytest

GOLDEN = '{"id": "a", "question": "What does Pro cost?", "reference": "49", "relevant": ["docs/p.md#pro-1"]}\n'
WORDS = "ship van truck bike train plane boat".split()
ASKED = """\
{"query": "When is it sent?", "contexts": [{"id": "s.md#shipping-31m-1", "text": "x"}]}
{"query": "When is it sent?", "retrieved_ids": ["s.md#shipping-31m-1"]}
{"id": "a"}
{"note": "no question"}
"""


def cover(folder, *args, width="80"):
    command = [sys.executable, "-m", "acidtest", "golden", "cover", *args]
    environment = {"COLUMNS": width, "PATH": "", "PYTHONUTF8": "1"}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)


@pytest.fixture
def folder(tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "p.md").write_text("# Pro\n\n" + "Pro costs 49 a month. " * 8)
    (docs / "s.md").write_text(
        "# Shipping \x1b[31m\n\n"
        + "\n\n".join(f"Parcels go by {word} daily. " * 35 for word in WORDS * 2)
    )
    (tmp_path / "g.jsonl").write_text(GOLDEN.replace("docs/p.md", "p.md"), encoding="utf-8")
    (tmp_path / "asked.jsonl").write_text(ASKED)
    (tmp_path / "acidtest.toml").write_text('corpus = "docs"')
    return tmp_path


@pytest.mark.parametrize("width", ["60", "80", "110"])
def test_the_tables_fit(folder, width):
    done = cover(folder, "g.jsonl", "--traces", "asked.jsonl", width=width)
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= int(width)
    flat = " ".join(done.stdout.split())
    assert "1 of 1 cases have a place in the corpus" in flat
    assert "3 recorded questions, 2 of them with a retrieved chunk" in flat
    assert "Write 1 question about s.md" in flat
    assert "\x1b" not in done.stdout


def test_json_alone(folder):
    done = cover(folder, "g.jsonl", "--json", "-")
    document = json.loads(done.stdout)
    assert [(d["id"], d["cases"]) for d in document["documents"]] == [("p.md", 1), ("s.md", 0)]
    assert 0 < sum(topic["chunks"] for topic in document["topics"]) <= document["chunks"]
    again = cover(folder, "g.jsonl", "--json", "-")
    assert again.stdout == done.stdout


def test_a_list_of_questions(folder):
    (folder / "q.txt").write_text("What is it?\n\nWhere?\n")
    done = cover(folder, "g.jsonl", "--traces", "q.txt", "--topics", "2", "--json", "-")
    document = json.loads(done.stdout)
    assert (document["asked"], document["asked_placed"]) == (2, 0)
    assert len(document["topics"]) <= 2


def test_a_run_by_its_file_and_its_name(folder):
    outputs = '{"id": "a", "answer": "49", "retrieved": ["s.md#shipping-31m-1"]}\n'
    (folder / "o.jsonl").write_text(outputs)
    run = [sys.executable, "-m", "acidtest", "run", "--golden", "g.jsonl", "--outputs", "o.jsonl"]
    subprocess.run(
        [*run, "-m", "recall@5", "--json", "run.json"], cwd=folder, check=True, capture_output=True
    )
    for name in ("run.json", "latest"):
        done = cover(folder, "g.jsonl", "--traces", name, "--json", "-")
        document = json.loads(done.stdout)
        assert (document["asked"], document["asked_placed"]) == (1, 1), done.stderr
        assert "say nothing of what users ask" in document["notes"][-1]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("g.jsonl", "--traces", "no.jsonl"), "no.jsonl: no such file"),
        (("g.jsonl", "--traces", "nothing"), "the store holds no run yet"),
        (("g.jsonl", "--traces", "empty.jsonl"), "no row has a question. Call the field one of"),
        (("g.jsonl", "--corpus", "no"), "no"),
        (
            ("g.jsonl", "--json", "asked.jsonl", "--traces", "asked.jsonl"),
            "would overwrite the traces",
        ),
    ],
)
def test_what_is_wrong_is_status_2(folder, args, message):
    (folder / "empty.jsonl").write_text('{"x": 1}\n')
    done = cover(folder, *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_corpus(folder):
    (folder / "acidtest.toml").unlink()
    done = cover(folder, "g.jsonl")
    assert done.returncode == 2
    assert "no corpus was named. Give one with --corpus" in done.stderr
