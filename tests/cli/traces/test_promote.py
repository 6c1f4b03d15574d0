import json

T1, T2 = "r-0001-returns", "r-0002-shipping"


def cases(folder):
    return [json.loads(line) for line in (folder / "g.jsonl").read_text().splitlines()]


def test_a_trace_becomes_a_case_with_where_it_is_from(imported, cli):
    done = cli(
        *("golden", "promote", T1, "--traces", "--into", "g.jsonl", "--reference", "You do."),
        *("--relevant", "returns#2=3", "--by", "Ada"),
    )
    assert (done.status, done.out) == (0, f"Added {T1}\n")
    (case,) = cases(imported)
    assert (case["question"], case["reference"]) == ("Who pays for a return?", "You do.")
    assert (case["relevant"], case["group"], case["source"]) == (
        {"returns#2": 3},
        "s-1",
        "production",
    )
    assert case["evidence"] == [{"text": "Others are paid by you.", "chunk_id": "returns#2"}]
    told = case["metadata"]
    assert told["provenance"] == {
        "trace": T1,
        "session": "s-1",
        "date": "2026-11-01T10:00:00.000+00:00",
    }
    assert told["answer_given"] == "The customer."
    assert [each["chunk_id"] for each in told["proposed_evidence"]] == ["returns#1"]
    assert "anna@mail.example" not in json.dumps(case)


def test_several_wait_for_a_person(imported, cli):
    done = cli("golden", "promote", T1[:6], T2[:6], "--traces", "--into", "g.jsonl", "--json")
    assert done.status == 0
    assert done.json["open"] == [T1, T2]
    done = cli("golden", "promote", T1, T2, "--traces", "--into", "h.jsonl", "--reference", "x")
    assert (done.status, "one by one" in done.err) == (2, True)


def test_the_same_question_twice_is_refused(imported, cli):
    assert cli("golden", "promote", T1, "--traces", "--into", "g.jsonl").status == 0
    done = cli("golden", "promote", T1, "--traces", "--into", "g.jsonl")
    assert (done.status, "--replace" in done.err) == (2, True)
    assert f"case {T1!r} is there already" in done.err


RUN = {"run_type": "chain", "name": "ask", "start_time": "2026-11-01T10:00:00"}


def asked(folder, cli, *said):
    runs = [
        RUN | {"id": name, "trace_id": name, "inputs": {"question": q}, "outputs": {"answer": a}}
        for name, q, a in said
    ]
    (folder / "more.jsonl").write_text("\n".join(map(json.dumps, runs)))
    assert cli("traces", "import", "more.jsonl").status == 0


def test_of_traces_that_ask_the_same_the_first_named_stands_for_all(folder, cli):
    asked(folder, cli, ("a1", "Lost?", "No."), ("b2", "lost", "Yes."), ("c3", "Late?", "Yes."))
    names = ("b2", "c3", "a1")
    done = cli("golden", "promote", *names, "--traces", "--into", "g.jsonl", "--tag", "parcels")
    assert (done.status, done.out) == (0, "Added b2, c3\n")
    assert "b2 stands for all that ask this: a1 ask the same" in done.err
    first, second = cases(folder)
    assert (first["id"], first["question"], first["tags"]) == ("b2", "lost", ["parcels"])
    assert first["metadata"]["provenance"]["same"] == ["a1"]
    assert "same" not in second["metadata"]["provenance"]


def test_what_is_typed_of_one_question_holds_for_all_its_traces(folder, cli):
    asked(folder, cli, ("a1", "Lost?", "No."), ("b2", "lost", "Yes."))
    given = ("--traces", "--into", "g.jsonl", "--json", "-", "--reference", "We look for it.")
    done = cli("golden", "promote", "a1", "b2", *given)
    assert done.status == 0
    assert (done.json["added"], done.json["same"]) == (["a1"], {"a1": ["b2"]})
    done = cli("golden", "promote", "b2", "a1", *given, "--replace")
    assert (done.json["replaced"], done.json["same"]) == (["a1"], {"a1": ["a1"]})
    (case,) = cases(folder)
    assert case["reference"] == "We look for it."
    assert case["metadata"]["provenance"]["trace"] == "b2"


def test_a_trace_without_a_question_is_refused_with_the_reason(folder, cli):
    run = {"id": "x1y2", "trace_id": "x1y2", "run_type": "chain", "name": "ask"}
    (folder / "one.jsonl").write_text(json.dumps(run))
    assert cli("traces", "import", "one.jsonl").status == 0
    done = cli("golden", "promote", "x1y2", "--traces", "--into", "g.jsonl")
    assert done.status == 2
    assert "trace 'x1y2' has no question: No span" in done.err
    assert not (folder / "g.jsonl").exists()


def test_wrong_calls_say_what_to_do(imported, cli):
    done = cli("golden", "promote", T1, "--into", "g.jsonl")
    assert (done.status, "--traces" in done.err) == (2, True)
    done = cli("golden", "promote", "nope", "--traces", "--into", "g.jsonl")
    assert (done.status, "unknown trace 'nope'" in done.err) == (2, True)
    done = cli("golden", "promote", T1, "--traces", "--outputs", "o.jsonl", "--into", "g.jsonl")
    assert (done.status, "not both" in done.err) == (2, True)
