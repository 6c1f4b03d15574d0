import pytest

GOLDEN = '{"id": "a", "question": "What does Pro cost?", "reference": "49", "relevant": ["docs/p.md#pro-1"]}\n'
WORDS = ["ship", "van", "truck", "bike", "train", "plane", "boat"]
ASKED = """\
{"query": "When is it sent?", "contexts": [{"id": "s.md#shipping-31m-1", "text": "x"}]}
{"query": "When is it sent?", "retrieved_ids": ["s.md#shipping-31m-1"]}
{"id": "a"}
{"note": "no question"}
"""


@pytest.fixture
def files(folder):
    docs = folder / "docs"
    docs.mkdir()
    (docs / "p.md").write_text("# Pro\n\n" + "Pro costs 49 a month. " * 8)
    (docs / "s.md").write_text(
        "# Shipping \x1b[31m\n\n"
        + "\n\n".join(f"Parcels go by {word} daily. " * 35 for word in WORDS * 2)
    )
    (folder / "g.jsonl").write_text(GOLDEN.replace("docs/p.md", "p.md"), encoding="utf-8")
    (folder / "asked.jsonl").write_text(ASKED)
    (folder / "acidtest.toml").write_text('corpus = "docs"')
    return folder


@pytest.mark.parametrize("width", ["60", "80", "110"])
def test_the_tables_fit(files, cli, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", width)
    done = cli("golden", "cover", "g.jsonl", "--traces", "asked.jsonl")
    assert done.status == 0, done.err
    assert max(map(len, done.out.splitlines())) <= int(width)
    flat = " ".join(done.out.split())
    assert "1 of 1 cases have a place in the corpus" in flat
    assert "3 recorded questions, 2 of them with a retrieved chunk" in flat
    assert "Write 1 question about s.md" in flat
    assert "\x1b" not in done.out


def test_json_alone(files, cli):
    done = cli("golden", "cover", "g.jsonl", "--json", "-")
    document = done.json
    assert [(d["id"], d["cases"]) for d in document["documents"]] == [("p.md", 1), ("s.md", 0)]
    assert 0 < sum(topic["chunks"] for topic in document["topics"]) <= document["chunks"]
    again = cli("golden", "cover", "g.jsonl", "--json", "-")
    assert again.out == done.out


def test_a_list_of_questions(files, cli):
    (files / "q.txt").write_text("What is it?\n\nWhere?\n")
    done = cli("golden", "cover", "g.jsonl", "--traces", "q.txt", "--topics", "2", "--json", "-")
    document = done.json
    assert (document["asked"], document["asked_placed"]) == (2, 0)
    assert len(document["topics"]) <= 2


def test_a_run_by_its_file_and_its_name(files, cli):
    outputs = '{"id": "a", "answer": "49", "retrieved": ["s.md#shipping-31m-1"]}\n'
    (files / "o.jsonl").write_text(outputs)
    run = ("run", "--golden", "g.jsonl", "--outputs", "o.jsonl", "-m", "recall@5")
    assert cli(*run, "--json", "run.json").status == 0
    for name in ("run.json", "latest"):
        done = cli("golden", "cover", "g.jsonl", "--traces", name, "--json", "-")
        document = done.json
        assert (document["asked"], document["asked_placed"]) == (1, 1), done.err
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
def test_what_is_wrong_is_status_2(files, cli, args, message):
    (files / "empty.jsonl").write_text('{"x": 1}\n')
    done = cli("golden", "cover", *args)
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert "Traceback" not in done.err


def test_without_a_corpus(files, cli):
    (files / "acidtest.toml").unlink()
    done = cli("golden", "cover", "g.jsonl")
    assert done.status == 2
    assert "no corpus was named. Give one with --corpus" in done.err
