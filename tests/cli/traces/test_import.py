import json
import sqlite3

import pytest

from acidtest.tracing.files.registry import read_traces


def everything(folder):
    with sqlite3.connect(folder / ".acidtest" / "store.db") as connection:
        names = [
            row[0]
            for row in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        tables = {name: list(connection.execute(f"SELECT * FROM {name}")) for name in names}  # noqa: S608
    connection.close()
    return tables


def stored(folder) -> bytes:
    return b"".join(path.read_bytes() for path in (folder / ".acidtest").iterdir())


def test_a_file_is_read_and_understood_at_once(exported, cli):
    done = cli("traces", "import", "runs.jsonl")
    assert (done.status, done.out) == (0, "runs.jsonl: 3 spans\nUnderstood 2 traces\n")
    traces = cli("traces", "list", "--json").json["traces"]
    assert [each["answer"] for each in traces] == [None, "The customer."]


def test_the_same_file_twice_changes_nothing(imported, cli):
    before = everything(imported)
    done = cli("traces", "import", "runs.jsonl", "--from", "langsmith")
    assert done.out == "runs.jsonl: 3 spans, 0 of them new\nUnderstood 0 traces\n"
    assert everything(imported) == before


def test_a_trace_in_two_files_and_a_span_that_is_there_twice_count_once(exported, cli):
    lines = (exported / "runs.jsonl").read_text().splitlines(keepends=True)
    (exported / "a.jsonl").write_text(lines[0] + lines[0])
    (exported / "b.jsonl").write_text(lines[1])
    done = cli("traces", "import", "a.jsonl", "b.jsonl")
    assert done.out.splitlines() == [
        "a.jsonl: 2 spans, 1 of them new",
        "b.jsonl: 1 span",
        "Understood 1 trace",
    ]


def test_a_folder_is_read_file_by_file(exported, cli):
    inner = exported / "all" / "inner"
    inner.mkdir(parents=True)
    lines = (exported / "runs.jsonl").read_text().splitlines(keepends=True)
    (exported / "all" / "a.jsonl").write_text("".join(lines[:2]))
    (inner / "b.jsonl").write_text(lines[2])
    (inner / "notes.txt").write_text("no trace")
    done = cli("traces", "import", "all")
    assert done.status == 0
    assert done.out.splitlines() == [
        "all/a.jsonl: 2 spans",
        "all/inner/b.jsonl: 1 span",
        "Understood 2 traces",
    ]
    (exported / "empty").mkdir()
    done = cli("traces", "import", "empty")
    assert (done.status, "holds no trace file" in done.err) == (2, True)


def test_what_is_refused_is_told_with_its_place(exported, cli):
    with (exported / "runs.jsonl").open("a") as stream:
        stream.write('{"run_type": "llm", "id": "x", "parent_run_id": "y"}\n')
    done = cli("traces", "import", "runs.jsonl", "--json")
    assert done.status == 0
    (file,) = done.json["files"]
    assert (file["spans"], file["new"], file["refused"]) == (3, 3, 1)
    assert file["why"].startswith("runs.jsonl:4: ")
    assert (done.json["format"], done.json["version"], done.json["traces"]) == (
        "acidtest/traces-import",
        1,
        2,
    )


def test_a_file_that_cannot_be_read_does_not_stop_the_others(exported, cli):
    (exported / "bad.json").write_text('{"x": 1}')
    done = cli("traces", "import", "gone.json", "bad.json", "runs.jsonl")
    assert done.status == 2
    assert "gone.json" in done.err
    assert "bad.json:1: this is no trace of a known format" in done.err
    assert "runs.jsonl: 3 spans" in done.out


def test_an_unknown_format_is_refused_before_anything_is_made(exported, cli):
    done = cli("traces", "import", "runs.jsonl", "--from", "langsmit")
    assert done.status == 2
    assert "Did you mean 'langsmith'" in done.err
    assert not (exported / ".acidtest").exists()


def configured(folder, *lines):
    (folder / "acidtest.toml").write_text("\n".join(["[online]", *lines]))


def test_nothing_that_is_to_be_redacted_reaches_the_store(exported, cli):
    configured(exported, 'redact = ["email"]')
    assert cli("traces", "import", "runs.jsonl").status == 0
    assert b"bob@mail.example" not in stored(exported)
    assert b"anna@mail.example" not in stored(exported)
    (trace,) = cli("traces", "list", "--failed", "--json").json["traces"]
    assert trace["question"] == "How long is shipping? Mail [email]"


def test_errors_do_not_quote_what_is_to_be_redacted(exported, cli):
    configured(exported, 'redact = ["email"]')
    (exported / "bad.json").write_text('{"bob@mail.example": 1}')
    done = cli("traces", "import", "bad.json")
    assert done.status == 2
    assert "bob@" not in done.err
    assert "[email]" in done.err


def test_users_are_found_and_deleted_by_name_also_where_they_are_hashed(exported, cli, monkeypatch):
    configured(exported, "hash_users = true")
    monkeypatch.delenv("ACIDTEST_HASH_KEY", raising=False)
    done = cli("traces", "import", "runs.jsonl")
    assert (done.status, "ACIDTEST_HASH_KEY" in done.err) == (2, True)
    monkeypatch.setenv("ACIDTEST_HASH_KEY", "k" * 32)
    assert cli("traces", "import", "runs.jsonl").status == 0
    assert b"anna@" not in stored(exported)
    (trace,) = cli("traces", "list", "--user", "anna@mail.example", "--json").json["traces"]
    assert len(trace["user"]) == len(trace["session"]) == 32
    done = cli("traces", "delete", "--user", "anna@mail.example", "--yes")
    assert done.out.startswith("Deleted 1 trace and 2 spans")


def test_a_function_redacts_and_what_it_refuses_is_not_kept(exported, cli):
    (exported / "mine.py").write_text(
        "def clean(text):\n"
        "    if 'timeout' in text:\n        raise ValueError(text)\n"
        "    return text.replace('anna', 'X')\n"
    )
    configured(exported, 'redact_with = "mine.py:clean"')
    done = cli("traces", "import", "runs.jsonl")
    assert (done.status, done.out.splitlines()[0]) == (0, "runs.jsonl: 2 spans")
    assert "a span could not be redacted (ValueError)" in done.err
    assert "timeout" not in done.err
    assert b"anna" not in stored(exported)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('redact = ["emial"]', "Did you mean 'email'"),
        ('redact_with = "nowhere:clean"', "there is no module 'nowhere'"),
    ],
)
def test_a_redaction_that_cannot_be_is_refused(exported, cli, line, message):
    configured(exported, line)
    done = cli("traces", "import", "runs.jsonl")
    assert (done.status, message in done.err) == (2, True)


def test_a_big_file_is_stored_as_it_is_read(folder, cli):
    with (folder / "big.jsonl").open("w") as stream:
        for n in range(600):
            run = {"id": f"r{n}", "trace_id": "t", "run_type": "llm", "inputs": {"q": "x" * 9_000}}
            stream.write(json.dumps(run) + "\n")
        stream.write("{broken\n")
    done = cli("traces", "import", "big.jsonl")
    assert done.status == 2
    assert "big.jsonl:601: not JSON" in done.err
    assert done.out.startswith("big.jsonl: 600 spans")
    (trace,) = cli("traces", "list", "--json").json["traces"]
    assert trace["spans"] == 600
    parts = read_traces("big.jsonl")
    assert 400 < len(next(parts).spans) < 500  # they are never held together


def test_how_far_it_is_is_told_beside_the_result(exported, cli, monkeypatch):
    from acidtest.cli.traces import import_

    assert "so far" not in cli("traces", "import", "runs.jsonl").err
    monkeypatch.setattr(import_, "_PAUSE_S", 0.0)
    done = cli("traces", "import", "runs.jsonl", "--json", "-", "--store", "other.db")
    assert "runs.jsonl: 3 spans so far" in done.err
    assert "2 traces understood so far" in done.err
    assert done.json["traces"] == 2


def test_of_a_list_that_breaks_off_what_came_before_is_kept(exported, cli):
    lines = (exported / "runs.jsonl").read_text().splitlines()
    (exported / "runs.json").write_text("[" + ",\n".join(lines[:2]) + ',\n{"id": ')
    done = cli("traces", "import", "runs.json", "--json", "-")
    (file,) = done.json["files"]
    assert (done.status, file["spans"]) == (2, 2)
    assert file["error"].startswith("runs.json:3: not JSON: the text ends too early")
