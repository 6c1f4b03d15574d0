"""What the golden commands print in terminals of any width: within it, hanging, no spaces at the ends."""

import json

import pytest

CASES = [
    {
        "id": "price-of-the-plan",
        "question": "What does the plan cost that is called Pro?",
        "relevant": ["p0"],
        "evidence": [
            {
                "text": "The Pro plan costs 49 euros a month and is billed on the first.",
                "doc_id": "plans",
            }
        ],
        "source": "synthetic",
        "metadata": {"review": "open", "answer_given": "It costs as much as it costs. " * 6},
    },
    {
        "id": "refund-after-the-storm",
        "question": "When are refunds paid?",
        "relevant": ["p1"],
        "evidence": [{"text": "No refund is paid after the harbour has closed.", "doc_id": "gone"}],
    },
]
TODAY = [
    {
        "id": "t0",
        "doc_id": "plans",
        "text": "The Pro plan costs 59 euros a month and is billed on the first.",
    },
    {
        "id": "t1",
        "doc_id": "plans",
        "text": "Error E-4031 means that the disk of the server is full.",
    },
]
COMMANDS = {
    "stale": "stale g.jsonl --corpus c.jsonl",
    "remap": "remap g.jsonl --chunks c.jsonl --out out.jsonl",
    "review": "review g.jsonl",
    "synthesize": "synthesize --corpus c.jsonl --n 9 --out drafts.jsonl",
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("width", [40, 60, 110])
def test_lines_stay_within_the_terminal(folder, cli, monkeypatch, command, width):
    for name, rows in (("g.jsonl", CASES), ("c.jsonl", TODAY)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setenv("COLUMNS", str(width))
    lines = cli("golden", *COMMANDS[command].split()).out.splitlines()
    assert len(lines) > 3
    assert max(map(len, lines)) <= width
    assert [line for line in lines if line != line.rstrip()] == []


def test_a_long_finding_hangs_under_its_mark(folder, cli, monkeypatch):
    for name, rows in (("g.jsonl", CASES), ("c.jsonl", TODAY)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setenv("COLUMNS", "50")
    told = cli("golden", *COMMANDS["stale"].split()).out
    assert (
        "- vanished: refund-after-the-storm: its document\n  is gone, and the text is nowhere else\n"
        in told
    )
