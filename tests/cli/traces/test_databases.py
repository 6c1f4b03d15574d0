"""The commands on traces, on SQLite and PostgreSQL alike."""

T1, T2 = "r-0001-returns", "r-0002-shipping"


def test_import_list_show_promote_and_delete(exported, cli, any_url):
    store = ("--store", any_url)
    assert cli("traces", "import", "runs.jsonl", *store).out.endswith("Understood 2 traces\n")
    again = cli("traces", "import", "runs.jsonl", *store)
    assert "0 of them new" in again.out
    listed = cli("traces", "list", "--user", "anna@mail.example", "--json", *store).json["traces"]
    assert [each["trace_id"] for each in listed] == [T1]
    assert "returns#1" in cli("traces", "show", T1[:6], *store).out
    done = cli("golden", "promote", T1, "--traces", "--into", "g.jsonl", *store)
    assert (done.status, done.out) == (0, f"Added {T1}\n")
    done = cli("traces", "delete", "--before", "2026-11-02", "--yes", *store)
    assert done.out == "Deleted 1 trace and 2 spans\n"
    left = cli("traces", "list", "--json", *store).json["traces"]
    assert [each["trace_id"] for each in left] == [T2]


def test_texts_that_databases_refuse_are_kept_without_what_they_refuse(folder, cli, any_url):
    (folder / "odd.jsonl").write_text(
        '{"id": "o1", "trace_id": "o1", "run_type": "chain", "name": "a\\u0000b", '
        '"inputs": {"question": "half \\ud800 and \\u0000?"}, "outputs": {"answer": "x"}}\n'
    )
    assert cli("traces", "import", "odd.jsonl", "--store", any_url).status == 0
    (trace,) = cli("traces", "list", "--json", "--store", any_url).json["traces"]
    assert trace["question"].startswith("half ")
