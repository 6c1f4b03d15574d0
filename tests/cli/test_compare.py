"""`acidtest compare`."""

import json

import pytest

FOUND = '{"question": "%s", "answer": "%s", "retrieved": [{"id": "%s", "text": "x"}]}'


@pytest.fixture
def runs(folder, cli):
    """Two runs over recorded outputs, `before` and `after`, in the store."""
    golden = [
        {"id": f"q{n}", "question": f"Question {n}?", "reference": f"{n}", "relevant": [f"c{n}"]}
        for n in range(12)
    ]
    (folder / "golden.jsonl").write_text("\n".join(map(json.dumps, golden)))
    for name, right in (("before", 4), ("after", 12)):
        rows = [
            FOUND % (f"Question {n}?", f"{n}", f"c{n}" if n < right else "z") for n in range(12)
        ]
        (folder / f"{name}.jsonl").write_text("\n".join(rows))
        done = cli(
            *("run", "--golden", "golden.jsonl", "--outputs", f"{name}.jsonl", "--name", name),
            *("-m", "recall@5", "-m", "exact_match", "--json", f"{name}.json"),
        )
        assert done.status in (0, 3), done.err
    return folder


def test_by_name_by_file_and_latest(cli, runs):
    by_name = cli("compare", "before", "after")
    assert by_name.status == 0
    assert "before → after" in by_name.out
    assert "the retriever changed" in " ".join(by_name.out.split())
    assert cli("compare", "before.json", "latest").out == by_name.out


def test_json_markdown_and_html(cli, runs):
    done = cli("compare", "before", "after", "--json")
    assert done.json["format"] == "acidtest/comparison"
    assert done.json["version"] == 1
    change = done.json["metrics"]["recall@5"]
    assert (change["base"], change["candidate"]) == (pytest.approx(1 / 3), 1.0)
    assert (change["wins"], change["losses"], change["ties"]) == (8, 0, 4)
    assert change["p"] == pytest.approx(2 / 2**8)
    assert done.json["base"]["name"] == "before"
    assert done.json["words"]
    written = cli("compare", "before", "after", "--html", "c.html", "--markdown", "c.md")
    assert (written.status, written.out) == (0, "")
    assert "<html" in (runs / "c.html").read_text()
    assert (runs / "c.md").read_text().startswith("## acidtest: `before`")


def test_several_candidates(cli, runs):
    done = cli("compare", "before", "after", "before", "--json", "-")
    assert done.json["format"] == "acidtest/comparisons"
    one, two = done.json["comparisons"]
    assert one["metrics"]["recall@5"]["p_adjusted"] == pytest.approx(4 * 2 / 2**8)
    assert two["metrics"]["recall@5"]["delta"] == 0
    assert cli("compare", "before", "after", "before").out.count("before → ") == 2


def test_runs_that_share_no_case(cli, runs):
    document = json.loads((runs / "after.json").read_text())
    for case in document["cases"]:
        case["id"] = f"other {case['id']}"
    (runs / "other.json").write_text(json.dumps(document))
    refused = cli("compare", "before", "other.json")
    assert refused.status == 2
    assert "share no case" in refused.err
    asked = cli("compare", "before", "other.json", "--unpaired")
    assert asked.status == 0
    assert "Not paired: 12 cases against 12" in " ".join(asked.out.split())


def test_bad_input_is_status_2(cli, runs):
    assert cli("compare", "before").status == 2
    unknown = cli("compare", "before", "afer")
    assert unknown.status == 2
    assert "'after'" in unknown.err
    for before in ("before.json", "before.json#before"):
        over = cli("compare", before, "after", "--json", "before.json")
        assert over.status == 2
        assert "would overwrite a run that is read" in over.err
    (runs / "twice.json").write_text(
        (runs / "after.json").read_text().replace('"id": "q1"', '"id": "q0"')
    )
    twice = cli("compare", "before", "twice.json")
    assert twice.status == 2
    assert "two cases with the id 'q0'" in twice.err
