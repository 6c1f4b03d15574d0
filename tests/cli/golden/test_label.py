"""Labelling line by line, labels into the set, and agreement, through the command line."""

import io
import json
import sys

import pytest

GOLDEN = [
    {"id": "a", "question": "What does Pro cost?", "reference": "Pro costs 49 euros a month."},
    {"id": "b", "question": "How long is shipping?", "reference": "Three days.", "relevant": ["s"]},
    {"id": "n", "question": "Who is king?", "answerable": False},
]
RIVAL = "def rag(question, k=5):\n    print('noise')\n    return {'answer': 'x', 'chunks': [{'id': f'k{n}', 'text': f'{k} {question}'} for n in range(k)]}\n"


def rows(path, some):
    path.write_text("".join(json.dumps(each) + "\n" for each in some))


@pytest.fixture
def files(folder):
    rows(folder / "g.jsonl", GOLDEN)
    found = [
        {
            "id": "a",
            "answer": "",
            "retrieved": [
                {"id": "p", "text": "Pro costs 49 euros a month."},
                {"id": "q", "text": "Other."},
            ],
        },
        {"id": "b", "answer": "", "retrieved": [{"id": "s"}, {"id": "gone"}]},
    ]
    rows(folder / "r.jsonl", found)
    rows(
        folder / "c.jsonl",
        [{"id": "s", "text": "Three days.", "doc_id": "ship", "doc_version": "v7"}],
    )
    (folder / "rival.py").write_text(RIVAL)
    return folder


@pytest.fixture
def label(files, cli, monkeypatch):
    def call(keys, *more, who="ann"):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{key}\n" for key in keys)))
        return cli("golden", "label", "g.jsonl", "--annotator", who, "--order", "rank", *more)

    return call


def said(folder, who="ann"):
    lines = (folder / f"g.labels.{who}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_keys_from_a_pipe_labels_into_the_set(files, label, cli):
    done = label("3n2", "--retriever", "r.jsonl", "--corpus", "c.jsonl", "--prelabel", "local")
    assert done.status == 0, done.err
    assert "A judge (local) says 2: 100% of the words" in done.out
    assert "1 chunks have no text" in done.err
    assert "2 judged now, 1 open. Kept in g.labels.ann.jsonl" in done.err
    one, two = said(files)
    assert (one["chunk"], one["grade"], one["found_by"], one["prelabel"]["grade"]) == (
        "p",
        3,
        {"r": 1},
        2,
    )
    assert (two["text"], two["doc_id"], two["doc_version"]) == ("Three days.", "ship", "v7")
    done = cli(
        "golden",
        "label",
        "--apply",
        "g.labels.ann.jsonl",
        "g.jsonl",
        "--out",
        "g2.jsonl",
        "--json",
        "-",
    )
    assert done.status == 0
    report = done.json
    assert (report["format"], report["version"]) == ("acidtest/golden-label", 1)
    assert [(each["case"], each["grade"], each["before"]) for each in report["labels"]] == [
        ("a", 3, None),
        ("b", 2, 1),
    ]
    cases = [json.loads(line) for line in (files / "g2.jsonl").read_text().splitlines()]
    assert cases[0]["relevant"] == {"p": 3}
    assert cases[1]["evidence"] == [
        {"text": "Three days.", "chunk_id": "s", "doc_id": "ship", "doc_version": "v7"}
    ]


def test_hidden_prelabels_are_not_shown(files, label):
    done = label("3", "--retriever", "r.jsonl", "--prelabel", "local", "--hide-prelabels")
    assert "judge" not in done.out
    assert said(files)[0]["prelabel"]["by"] == "local"


def test_several_retrievers_are_pooled_and_told_how_many_are_wanted(files, label):
    done = label(
        "0" * 9,
        "--retriever",
        "r.jsonl",
        "--retriever",
        "rival.py:rag",
        "--top",
        "3",
        "--case",
        "a",
    )
    assert done.status == 0, done.err
    found = {each["chunk"]: each["found_by"] for each in said(files)}
    assert found == {
        "p": {"r": 1},
        "k0": {"rag": 1},
        "q": {"r": 2},
        "k1": {"rag": 2},
        "k2": {"rag": 3},
    }
    assert "noise" not in done.out
    assert "r.jsonl" not in done.out
    assert said(files)[1]["text"].startswith("3 ")


@pytest.mark.parametrize("configured", [False, True])
def test_a_function_without_k_is_a_retriever_too(files, label, configured):
    (files / "own.py").write_text(
        "def rag(question):\n"
        "    return {'answer': 'x', 'chunks': [{'id': f'o{n}', 'text': str(n)} for n in range(4)]}\n"
    )
    if configured:
        (files / "acidtest.toml").write_text('[pipelines.own]\npython = "own:rag"\n')
    name = "own" if configured else "own.py:rag"
    done = label("0" * 9, "--retriever", name, "--top", "3", "--case", "a")
    assert done.status == 0, done.err
    assert [each["chunk"] for each in said(files)] == ["o0", "o1", "o2"]


def test_a_run_is_a_retriever_too(files, label, cli):
    run = cli(
        "run", "--golden", "g.jsonl", "--outputs", "r.jsonl", "-m", "recall@5", "--json", "run.json"
    )
    assert run.status in (0, 3), run.err
    for name in ("run.json", "latest"):
        done = label("3", "--retriever", name, who=name.partition(".")[0])
        assert "1 judged now" in done.err, done.err


def test_only_unlabelled(files, label):
    done = label("33333", "--retriever", "r.jsonl", "--only-unlabelled")
    assert {each["case"] for each in said(files)} == {"a"}
    assert done.status == 0


def test_two_people_agree_or_decide(files, label, cli, monkeypatch):
    label("30", "--retriever", "r.jsonl")
    label("20", "--retriever", "r.jsonl", who="bob")
    names = ("g.labels.ann.jsonl", "g.labels.bob.jsonl")
    for width in ("60", "80", "110"):
        monkeypatch.setenv("COLUMNS", width)
        done = cli("golden", "agree", *names)
        assert max(map(len, done.out.splitlines())) <= int(width)
        assert "ann and bob: 1 of 2 the same" in " ".join(done.out.split())
    done = cli("golden", "agree", *names, "--json", "-", "--review", "rv.jsonl")
    report = done.json
    assert (report["format"], report["version"]) == ("acidtest/golden-agree", 1)
    assert report["pairs"][0]["kappa"]["none"]["value"] == pytest.approx(1 / 3)
    assert report["pairs"][0]["kappa"]["relevant"]["value"] == 1
    assert report["disagreements"] == {
        "count": 1,
        "cases": ["a"],
        "chunks": [{"case": "a", "chunk": "p", "grades": {"ann": 3, "bob": 2}}],
    }
    done = cli("golden", "label", "--apply", names[0], names[1], "g.jsonl", "--out", "g2.jsonl")
    assert done.status == 1
    assert "1 open" in done.out
    row = json.loads((files / "rv.jsonl").read_text())
    rows(files / "rv.jsonl", [{**row, "decision": 2}])
    done = cli("golden", "label", "--apply", *names, "rv.jsonl", "g.jsonl", "--out", "g2.jsonl")
    assert done.status == 0
    assert json.loads((files / "g2.jsonl").read_text().splitlines()[0])["relevant"] == {
        "p": 2,
        "q": 0,
    }
    done = cli(
        "golden", "label", "--apply", *names, "g.jsonl", "--rule", "median", "--out", "g3.jsonl"
    )
    assert done.status == 0


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["g.jsonl"], "nobody says which chunks to label"),
        (["g.jsonl", "--retriever", "nothing"], "no pipeline and no run 'nothing'"),
        (["g.jsonl", "--retriever", "r.jsonl", "--case", "zz"], "unknown case 'zz'"),
        (["g.jsonl", "--retriever", "r.jsonl", "--case", "n"], "no case is left to label"),
        (
            ["g.jsonl", "--retriever", "r.jsonl", "--out", "g.jsonl"],
            "would overwrite the golden set",
        ),
        (["g.jsonl", "--retriever", "r.jsonl", "--out", "c.jsonl"], "unknown field"),
        (["g.jsonl", "--retriever", "r.jsonl", "--retriever", "r.jsonl"], "two retrievers"),
        (["g.jsonl", "r.jsonl", "--retriever", "r.jsonl"], "one set too many"),
        (["g.jsonl", "--apply", "r.jsonl", "--out", "x.jsonl"], "unknown field"),
        (["g.jsonl", "--apply", "r.jsonl"], "goes nowhere"),
        (["g.jsonl", "--retriever", "r.jsonl", "--review", "x"], "goes with --apply"),
    ],
)
def test_what_is_wrong_is_status_2(files, cli, arguments, what):
    done = cli("golden", "label", *arguments)
    assert done.status == 2
    assert what in done.err
    assert (files / "c.jsonl").read_text().startswith('{"id": "s"')


def test_one_person_agrees_with_nobody(files, label, cli):
    label("30", "--retriever", "r.jsonl")
    done = cli("golden", "agree", "g.labels.ann.jsonl")
    assert done.status == 2
    assert "all labels are by 'ann'" in done.err


def test_the_judge_of_a_name_is_asked_for_each_chunk(files, label):
    (files / "judge.py").write_text(
        "class Judge:\n"
        "    model = 'mine'\n"
        "    fingerprint = 'sha256:1'\n"
        "    async def ask(self, prompt, **fields):\n"
        "        from acidtest.ports import Verdict\n"
        "        import msgspec\n"
        "        verdict = 'direct' if '49' in fields['passages'][0] else 'unrelated'\n"
        "        said = {'passages': [{'passage_id': 1, 'why': 'so', 'verdict': verdict}]}\n"
        "        return Verdict(reply=msgspec.convert(said, prompt.reply))\n"
    )
    done = label("30", "--retriever", "r.jsonl", "--prelabel", "judge.py:Judge")
    assert done.status == 0, done.err
    assert [each["prelabel"]["grade"] for each in said(files)] == [3, 0]
    assert "says 3: so" in done.out
