"""Options that make no sense, places that cannot be written: told, with nothing lost."""

import json

import pytest

CASES = [
    {
        "id": "a",
        "question": "A?",
        "relevant": ["c"],
        "evidence": [{"text": "Pro is 49.", "chunk_id": "c"}],
    },
    {"id": "b", "question": "B?", "answerable": False},
]


@pytest.fixture
def files(folder):
    (folder / "g.jsonl").write_text("".join(json.dumps(case) + "\n" for case in CASES))
    (folder / "c.jsonl").write_text('{"id": "c", "text": "Pro is 49."}\n')
    (folder / "needy.py").write_text("def chunks(path):\n    return []\n")
    rows = [{"id": "a", "answer": "", "retrieved": [{"id": "c", "text": "Pro is 49."}]}]
    (folder / "o.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("remap g.jsonl --chunks c.jsonl --confidence nan", "--confidence"),
        ("remap g.jsonl --chunks c.jsonl --overlap nan", "--overlap"),
        ("label g.jsonl --retriever o.jsonl --budget-usd nan", "--budget-usd"),
        ("label g.jsonl --retriever o.jsonl --budget-usd -1", "--budget-usd"),
        ("label g.jsonl --retriever o.jsonl --out /dev/null", "labels are kept in a file"),
        ("lint g.jsonl --rule duplicate --ignore duplicate", "no rule is left"),
        (f"synthesize --corpus c.jsonl --n {10**23} --judge local --out s.jsonl", "--n"),
        (
            "synthesize --corpus c.jsonl --n 1 --judge local --out no/s.jsonl",
            "no/s.jsonl: there is no",
        ),
    ],
)
def test_nonsense_is_status_2_and_named(files, cli, words, told):
    before = contents(files)
    done = cli("golden", *words.split())
    assert (done.status, told in done.err, done.out) == (2, True, "")
    assert contents(files) == before


@pytest.mark.parametrize(
    "words",
    [
        "golden format g.jsonl --out /dev/full",
        "golden stats g.jsonl --json /dev/full",
        "golden remap g.jsonl --chunks c.jsonl --out /dev/full",
        "golden lint g.jsonl --fix --out /dev/full",
        "convert g.jsonl r.jsonl --to ragas --json /dev/full",
    ],
)
def test_a_full_disk_is_told_without_talk_of_runs(files, cli, words):
    done = cli(*words.split())
    assert done.status == 2
    assert "/dev/full" in done.err
    assert "No space left" in done.err
    assert "acidtest runs" not in done.err


def test_conflicts_on_stdout_are_not_said_to_be_in_a_file(files, cli):
    for name, reference in (("x", "X"), ("y", "Y")):
        rows = [{**CASES[0], "reference": reference}, CASES[1]]
        (files / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = "golden merge g.jsonl x.jsonl y.jsonl --out m.jsonl --conflicts -"
    done = cli(*words.split())
    assert done.status == 1
    assert json.loads(done.out)["case"] == "a"
    assert "--apply" not in done.err


def test_a_fix_leaves_what_was_written_meanwhile(files, cli, monkeypatch):
    (files / "g.jsonl").write_text('{"id": "a", "question": " A? "}\n')
    from acidtest.golden.lint.mend import mend as module

    mend = module.mend

    def slow(*given):
        (files / "g.jsonl").write_text('{"id": "a", "question": "Edited?"}\n')
        return mend(*given)

    monkeypatch.setattr(module, "mend", slow)
    done = cli("golden", "lint", "g.jsonl", "--fix")
    assert (done.status, "changed by another program" in done.err) == (2, True)
    assert "Edited?" in (files / "g.jsonl").read_text()


def test_a_conflict_that_the_file_lacks_is_told_how_to_be_had(files, cli):
    for name, reference in (("x", "X"), ("y", "Y")):
        rows = [{**CASES[0], "reference": reference}, CASES[1]]
        (files / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ("golden", "merge", "g.jsonl", "x.jsonl", "y.jsonl", "--out", "m.jsonl")
    assert cli(*words).status == 1
    (files / "m.conflicts.jsonl").write_text("\n")
    done = cli(*words, "--apply", "m.conflicts.jsonl")
    assert done.status == 2 or "--conflicts FILE" in done.err
    asked = {"case": "a", "question": "A?", "field": "tags", "base": None}
    (files / "m.conflicts.jsonl").write_text(json.dumps(asked) + "\n")
    done = cli(*words, "--apply", "m.conflicts.jsonl")
    assert (done.status, "--conflicts FILE" in done.err) == (1, True)
