import pytest

GOLDEN = """\
{"id": "a", "question": "What does Pro cost?", "reference": "€49", "relevant": ["p#1"], "tags": ["lookup"]}
{"id": "b\\u001b[31m", "question": "Who?", "reference": "Me.", "relevant": ["gone"]}
"""


@pytest.fixture
def files(folder):
    (folder / "g.jsonl").write_text(GOLDEN, encoding="utf-8")
    (folder / "docs").mkdir()
    (folder / "docs" / "p.md").write_text("Pro costs €49.")
    (folder / "docs" / "x.png").write_bytes(b"x")
    (folder / "c.jsonl").write_text('{"id": "p#1", "text": "Pro costs", "doc_id": "p"}\n')
    return folder


@pytest.mark.parametrize("width", ["60", "80", "110"])
def test_the_table_fits(files, cli, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", width)
    done = cli("golden", "stats", "g.jsonl", "--corpus", "c.jsonl")
    assert done.status == 0, done.err
    lines = done.out.splitlines()
    assert lines[0].startswith("2 cases, version sha256:")
    assert max(map(len, lines)) <= int(width)
    assert "1 of 2 labels are not in it. Cases: b." in done.out
    assert "\x1b" not in done.out


def test_json_alone(files, cli):
    done = cli("golden", "stats", "g.jsonl", "--json", "-")
    document = done.json
    assert (document["cases"], document["corpus"], done.err) == (2, None, "")


def test_the_configured_corpus_is_held_against(files, cli):
    (files / "acidtest.toml").write_text('corpus = "docs"')
    done = cli("golden", "stats", "g.jsonl")
    assert "None of the 2 labels is in it. Is this the corpus" in done.out
    assert "docs: left out, since their form is not read: 1 .png" in done.err


def test_what_is_wrong_is_status_2(files, cli):
    done = cli("golden", "stats", "g.jsonl", "--corpus", "no.jsonl")
    assert done.status == 2
    assert "no.jsonl: no such file" in done.err
    done = cli("golden", "stats", "g.jsonl", "--json", "g.jsonl")
    assert "would overwrite the golden set" in done.err
