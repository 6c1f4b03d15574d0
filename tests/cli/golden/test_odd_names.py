"""JSON about files whose names are no UTF-8: half a character in a name is no reason to end in a trace."""

import json
import os
import shutil

import pytest

BAD = os.fsdecode(b"g\xff.jsonl")
SYNTHESIZE = ("golden", "synthesize", "--corpus", "c.jsonl", "--n", "1", "--judge", "local")
CASES = [
    {"id": "a", "question": "A?", "reference": "R", "metadata": {"review": "open"}},
    {"id": "b", "question": "B?", "answerable": False},
]


@pytest.mark.parametrize(
    "words",
    [
        ("golden", "stats", BAD),
        ("golden", "lint", BAD),
        ("golden", "review", BAD),
        ("golden", "accept", BAD, "--all"),
        ("golden", "diff", BAD, "g.jsonl"),
        (*SYNTHESIZE, "--into", BAD),
        ("golden", "promote", "b", "--outputs", "o.jsonl", "--into", BAD),
        ("convert", BAD, "out.jsonl"),
        ("convert", "g.jsonl", BAD, "--to", "ragas"),
    ],
)
def test_json_of_a_file_with_an_odd_name(folder, cli, words):
    (folder / "g.jsonl").write_text("".join(json.dumps(case) + "\n" for case in CASES))
    (folder / "o.jsonl").write_text('{"id": "b", "question": "C?", "answer": "x"}\n')
    (folder / "c.jsonl").write_text('{"id": "c", "text": "The Pro plan costs 49 euros a month."}\n')
    try:
        shutil.copy(folder / "g.jsonl", folder / BAD)
    except OSError:  # a file system that has UTF-8 names only
        pytest.skip("no such names here")
    done = cli(*words, "--json", "-")
    told = json.loads(done.out)
    assert told["format"].startswith("acidtest/")
    assert done.status in (0, 1, 3)
    if words[0] == "convert":
        assert told["read"]["cases"] == 2
