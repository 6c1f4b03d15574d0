"""`acidtest golden promote`, `review` and `accept`: from a run into a set that people trust."""

import json

import pytest

from acidtest.golden.load import load_golden


@pytest.fixture
def run(project, cli):
    """The id of a run of the starter project."""
    done = cli("run", "-m", "recall@5", "--json", "-")
    assert done.status == 0, done.err
    return done.json["run"]["id"]


def ids(project):
    return [case.id for case in load_golden(project / "golden.jsonl")]


def promote(cli, *arguments, into="g.jsonl"):
    return cli("golden", "promote", *arguments, "--into", into, "--by", "Ada")


# ------------------------------------------------------------------------------- promote


def test_a_case_brings_where_it_is_from(project, cli, run):
    name = ids(project)[0]
    done = promote(cli, run, name, "--reference", "So it is.", "--tag", "regression", "--json", "-")
    assert done.status == 0
    assert done.json == {
        "format": "acidtest/golden-promote",
        "version": 1,
        "into": "g.jsonl",
        "added": [name],
        "replaced": [],
        "open": [],
        "same": {},
    }
    (case,) = load_golden("g.jsonl")
    assert (case.reference, case.source) == ("So it is.", "run")
    assert "regression" in case.tags
    told = case.metadata
    assert told["provenance"]["run"] == run
    assert told["provenance"]["case"] == name
    assert told["provenance"]["pipeline"]
    assert told["provenance"]["date"]
    assert told["answer_given"]
    assert told["review"] == "accepted"
    assert told["reviewed"]["by"] == "Ada"
    assert promote(cli, "latest", ids(project)[1]).status == 0
    assert len(load_golden("g.jsonl")) == 2


def test_retrieved_chunks_are_proposed_and_named_ones_are_evidence(project, cli, outputs):
    promote(cli, "Who pays?", "--outputs", outputs, "--relevant", "pay#1=3", "--reference", "Bob.")
    (case,) = load_golden("g.jsonl")
    assert case.relevant == {"pay#1": 3}
    assert [(each.chunk_id, each.text) for each in case.evidence] == [("pay#1", "Bob pays.")]
    proposed = case.metadata["proposed_evidence"]
    assert [(each["chunk_id"], each["rank"]) for each in proposed] == [("pay#2", 2)]
    assert case.source == "production"
    assert case.metadata["provenance"]["outputs"] == str(outputs)


@pytest.fixture
def outputs(project):
    rows = [
        {
            "question": "Who pays?",
            "answer": "Bob.",
            "retrieved": [
                {"id": "pay#1", "text": "Bob pays.", "doc_id": "pay"},
                {"id": "pay#2", "text": "Al \u202e eats."},
            ],
        },
        {"id": "r2", "answer": "No question here."},
        {"id": "r3", "question": "Twice?", "answer": "a"},
        {"id": "r4", "question": "Twice?", "answer": "b"},
    ]
    path = project / "out.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_rows_of_recorded_outputs(project, cli, outputs):
    assert promote(cli, "Who pays?", "--outputs", outputs, "--reference-from", "answer").status == 0
    assert load_golden("g.jsonl")[0].reference == "Bob."
    done = promote(cli, "r2", "--outputs", outputs)
    assert (done.status, "has no question" in done.err) == (2, True)
    done = promote(cli, "Twice?", "--outputs", outputs)
    assert (done.status, "2 rows" in done.err) == (2, True)
    assert promote(cli, "r4", "--outputs", outputs).status == 0
    done = promote(cli, "Who plays?", "--outputs", outputs)
    assert (done.status, "Who pays?" in done.err) == (2, True)


def test_without_a_reference_it_waits_for_review(project, cli, outputs):
    done = promote(cli, "Who pays?", "--outputs", outputs)
    assert done.status == 0
    assert "Waiting for review" in done.err
    (case,) = load_golden("g.jsonl")
    assert (case.reference, case.metadata["review"]) == (None, "open")


def test_what_must_be_declined(project, cli, run, outputs):
    done = promote(cli, "Who pays?", "--outputs", outputs, "--unanswerable")
    assert done.status == 0
    (case,) = load_golden("g.jsonl")
    assert (case.answerable, case.relevant, case.evidence) == (False, {}, ())
    assert promote(cli, run, ids(project)[0], "--unanswerable").status == 0  # it had labels
    assert load_golden("g.jsonl")[1].relevant == {}
    back = promote(cli, "Who pays?", "--outputs", outputs, "--reference", "Bob.", "--replace")
    assert back.status == 0
    assert load_golden("g.jsonl")[0].answerable


def test_the_same_question_is_refused_or_goes_into_the_old_case(project, cli, outputs):
    old = (
        '{"id": "mine", "question": "who pays", "relevant": {"old#1": 2}, "split": "test", '
        '"tags": ["money"], "metadata": {"note": "keep me"}}\n{"id": "other",   "question": "Why?"}\n'
    )
    (project / "g.jsonl").write_text(old)
    order = ("Who pays?", "--outputs", outputs, "--reference", "Bob.", "--relevant", "pay#1")
    done = promote(cli, *order)
    assert (done.status, "--replace" in done.err, "mine" in done.err) == (2, True, True)
    assert (project / "g.jsonl").read_text() == old
    assert promote(cli, *order, "--replace").status == 0
    case, _ = load_golden("g.jsonl")
    assert (case.id, case.split, case.reference) == ("mine", "test", "Bob.")
    assert case.relevant == {"old#1": 2, "pay#1": 1}
    assert case.tags == ("money",)
    assert case.metadata["note"] == "keep me"
    assert (project / "g.jsonl").read_text().endswith('{"id": "other",   "question": "Why?"}\n')


def test_an_id_that_is_taken_by_another_question(project, cli, run):
    name = ids(project)[0]
    (project / "g.jsonl").write_text(json.dumps({"id": name, "question": "Another one?"}) + "\n")
    assert promote(cli, run, name).status == 0
    first, second = load_golden("g.jsonl")
    assert first.id == name
    assert second.id.startswith("q-")


def test_the_history_comes_from_the_set_that_was_asked(project, cli):
    golden = project / "golden.jsonl"
    lines = golden.read_text().splitlines()
    case = json.loads(lines[0])
    case["history"] = [{"role": "user", "text": "Before?"}, {"role": "assistant", "text": "Yes."}]
    golden.write_text("\n".join([json.dumps(case), *lines[1:]]) + "\n")
    assert cli("run", "-m", "recall@5").status == 0
    promote(cli, "latest", case["id"])
    assert [turn.text for turn in load_golden("g.jsonl")[0].history] == ["Before?", "Yes."]


REVIEWED = {"review": "accepted", "reviewed": {"by": "Eve", "when": "2026-01-01"}}


@pytest.mark.parametrize(
    ("known", "arguments", "review"),
    [
        ({"reference": "r", "metadata": REVIEWED}, (), "accepted"),
        ({"reference": "r"}, (), None),
        ({"reference": "r"}, ("--relevant", "c#1", "--tag", "hard"), None),
        ({"answerable": False}, (), None),
        ({"answerable": False}, ("--relevant", "c#1"), "open"),
        ({"reference": "r", "metadata": {"review": "open"}}, (), "open"),
        ({"reference": "r", "metadata": {"review": "rejected"}}, (), "open"),
        ({"relevant": {"c#1": 1}}, (), "open"),
    ],
)
def test_what_its_own_set_accepted_stays_accepted(folder, cli, known, arguments, review):
    case = {"id": "a", "question": "Who pays?", "generated_answer": "Al.", **known}
    (folder / "own.jsonl").write_text(json.dumps(case) + "\n")
    assert cli("run", "--golden", "own.jsonl", "-m", "abstention_accuracy").status == 0
    done = promote(cli, "latest", "a", *arguments, "--json", "-")
    assert done.json["open"] == (["a"] if review == "open" else [])
    (new,) = load_golden("g.jsonl")
    assert new.metadata.get("review") == review
    assert new.metadata.get("reviewed") == known.get("metadata", {}).get("reviewed")


@pytest.mark.parametrize("now", [None, "another", "more"])
def test_a_set_that_is_gone_or_says_otherwise_now_accepts_nothing(folder, cli, now):
    case = {"id": "a", "question": "Who pays?", "generated_answer": "Al.", "reference": "r"}
    (folder / "own.jsonl").write_text(json.dumps(case) + "\n")
    assert cli("run", "--golden", "own.jsonl", "-m", "abstention_accuracy").status == 0
    if now is None:
        (folder / "own.jsonl").unlink()
    else:
        field = "reference" if now == "another" else "question"
        (folder / "own.jsonl").write_text(json.dumps({**case, field: now}) + "\n")
    assert promote(cli, "latest", "a", "--json", "-").json["open"] == ["a"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("latest",), "no case of run"),
        (("latest", "nope"), "nope"),
        (("never-was", "nope"), "never-was"),
        (("latest", "A", "B", "--reference", "x"), "one by one"),
        (("latest", "A", "B", "--relevant", "x"), "one by one"),
        (("latest", "A", "--reference", "x", "--reference-from", "answer"), "not both"),
        (("latest", "A", "--reference", "x", "--unanswerable"), "no reference"),
        (("latest", "A", "--relevant", "x", "--unanswerable"), "no relevant"),
        (("latest", "A", "--reference", "NOT_IN_CORPUS"), "--unanswerable"),
        (("latest", "A", "--relevant", "x=4"), "grade from 0 to 3"),
        (("latest", "A", "--relevant", "x=y"), "grade from 0 to 3"),
        (("latest", "A", "--relevant", "x=1", "--relevant", "x=2"), "twice"),
        (("latest", "A", "--reference", " "), "empty"),
    ],
)
def test_orders_that_cannot_be(project, cli, run, arguments, told):
    names = dict(zip("AB", ids(project), strict=False))
    done = promote(cli, *(names.get(each, each) for each in arguments))
    assert done.status == 2
    assert told in done.err
    assert not (project / "g.jsonl").exists()


def test_another_form_is_refused_with_a_way_out(project, cli, run):
    done = promote(cli, run, ids(project)[0], into="g.csv")
    assert (done.status, "acidtest convert" in done.err) == (2, True)
    done = promote(cli, run, ids(project)[0], into="no/such/folder/g.jsonl")
    assert (done.status, "no/such/folder" in done.err) == (2, True)


# ------------------------------------------------------------------------------- review, accept


@pytest.fixture
def waiting(folder):
    cases = [
        {
            "id": "a",
            "question": "A?",
            "reference": "1",
            "metadata": {"review": "open", "kind": "x"},
        },
        {"id": "b", "question": "B\x1b[31m?", "metadata": {"review": "open"}},
        {"id": "c", "question": "C?", "reference": "3"},
        {"id": "d", "question": "D?", "answerable": False, "metadata": {"review": "open"}},
    ]
    path = folder / "g.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in cases))
    return path


def test_what_waits_is_shown(waiting, cli):
    done = cli("golden", "review", waiting)
    assert done.status == 0
    assert "3 of 4 cases wait for review." in done.out
    assert "question: A?" in done.out
    assert "none yet" in done.out
    assert "must be declined" in done.out
    assert "C?" not in done.out
    assert "\x1b" not in done.out
    told = cli("golden", "review", waiting, "c", "--json", "-").json
    assert (told["format"], told["open"]) == ("acidtest/golden-review", ["a", "b", "d"])
    assert [case["id"] for case in told["shown"]] == ["c"]
    assert cli("golden", "review", waiting, "x").status == 2


def test_hostile_metadata_is_shown_as_text(folder, cli):
    told = {
        "review": "open",
        "kind": ["[red]", 1],
        "persona": {"a": None},
        "proposed_evidence": [1, {"text": None}, {"chunk_id": 3, "text": "[/]\x07"}],
        "checked_answer": 7,
    }
    (folder / "g.jsonl").write_text(json.dumps({"question": "[bold]Q?", "metadata": told}) + "\n")
    done = cli("golden", "review", "g.jsonl")
    assert done.status == 0
    assert "[bold]Q?" in done.out
    assert "\x07" not in done.out


def test_a_person_accepts_and_rejects(waiting, cli):
    done = cli("golden", "accept", waiting, "a", "--reject", "d", "--by", "Ada", "--json", "-")
    assert done.status == 0
    assert done.json["format"] == "acidtest/golden-accept"
    assert (done.json["accepted"], done.json["rejected"], done.json["open"]) == (["a"], ["d"], 1)
    golden = {case.id: case for case in load_golden(waiting)}
    assert list(golden) == ["a", "b", "c"]
    assert golden["a"].metadata["review"] == "accepted"
    assert golden["a"].metadata["reviewed"]["by"] == "Ada"
    (gone,) = load_golden(waiting.with_name("g.rejected.jsonl"))
    assert (gone.id, gone.metadata["review"]) == ("d", "rejected")


def test_all_leaves_what_has_no_reference(waiting, cli):
    done = cli("golden", "accept", waiting, "--all")
    assert done.status == 1
    assert "b: it has no reference" in done.err
    assert "2 accepted, 0 rejected, 1 still open" in done.out
    done = cli("golden", "accept", waiting, "b", "--reference", "Two.")
    assert done.status == 0
    assert load_golden(waiting)[1].reference == "Two."
    assert cli("golden", "accept", waiting, "--all").status == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "no case is named"),
        (("a", "--all"), "not both"),
        (("x",), "unknown case"),
        (("--reject", "x"), "unknown case"),
        (("a", "--reject", "a"), "both"),
        (("a", "c", "--reference", "1"), "one case"),
        (("d", "--reference", "1"), "must be declined"),
        (("--reject", "a", "--reject", "b", "--reject", "c", "--reject", "d"), "no case would be left"),
    ],
)  # fmt: skip
def test_what_cannot_be_ruled(waiting, cli, arguments, told):
    before = waiting.read_bytes()
    done = cli("golden", "accept", waiting, *arguments)
    assert done.status == 2
    assert told in done.err
    assert waiting.read_bytes() == before
