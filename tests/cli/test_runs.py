import json
import sqlite3

import pytest


@pytest.fixture
def run_id(project, cli):
    return cli("run", "--json").json["run"]["id"]


def test_list_show_export_import_delete(project, cli, run_id):
    listed = cli("runs", "list")
    assert listed.status == 0
    assert run_id in listed.out
    assert cli("runs", "list", "--json").json[0]["id"] == run_id
    for name in (run_id, run_id[:12], "latest", "starter"):
        assert cli("runs", "show", name, "--json").json["run"]["id"] == run_id
    assert "recall@3" in cli("runs", "show").out

    assert cli("runs", "export", run_id, "r.json").status == 0
    assert cli("runs", "export").json["run"]["id"] == run_id
    again = cli("runs", "import", "r.json")
    assert again.status == 2
    assert "in the store already" in again.err

    assert cli("runs", "delete", run_id).status == 2  # nobody is there to ask
    assert cli("runs", "delete", run_id, "--yes").status == 0
    assert cli("runs", "list", "--json").json == []
    assert cli("runs", "import", "r.json").status == 0
    before = json.loads((project / "r.json").read_text())
    after = cli("runs", "show", run_id, "--json").json
    assert after == before


def test_json_goes_to_stdout_alone_with_a_dash_too_and_into_a_file(project, cli, run_id):
    for command in (("runs", "list"), ("runs", "list", "--history"), ("runs", "show"), ("doctor",)):
        bare = cli(*command, "--json")
        assert cli(*command, "--json", "-").json == bare.json
        assert bare.status == 0
    assert cli("runs", "show", run_id, "--json", "-").json["run"]["id"] == run_id
    assert cli("runs", "show", "--json", run_id).json["run"]["id"] == run_id
    assert cli("runs", "show", run_id, "latest").status == 2
    assert cli("runs", "list", "--json", "list.json").out == ""
    assert json.loads((project / "list.json").read_text())[0]["id"] == run_id
    refused = cli("runs", "list", "--json", ".acidtest/store.db")
    assert refused.status == 2
    assert "would overwrite" in refused.err


def test_report_forms(project, cli, run_id):
    assert "recall@3" in cli("report").out
    assert cli("report", run_id, "--json").json["run"]["id"] == run_id
    assert "|" in cli("report", "--markdown", "-").out
    assert cli("report", "latest", "--html", "r.html").status == 0
    assert "<html" in (project / "r.html").read_text()
    cli("run")
    assert cli("report", "latest", run_id, "--json").json["format"] == "acidtest/runs"


def test_reading_makes_no_store(folder, cli):
    assert cli("runs", "list").status == 0
    done = cli("runs", "show")
    assert done.status == 2
    assert "holds no run yet" in done.err
    assert not (folder / ".acidtest").exists()


def test_names_that_are_no_run(project, cli, run_id):
    done = cli("runs", "show", "startr")
    assert done.status == 2
    assert "Did you mean 'starter'" in done.err
    assert cli("report", "nothere.json").status == 2
    (project / "x.json").write_text('{"format": "acidtest/run", "version": 99}')
    done = cli("report", "x.json")
    assert done.status == 2
    assert "Upgrade acidtest" in done.err
    (project / "x.json").write_text('{"format": "acidtest/run", "version": 1, "run": 3}')
    assert "x.json" in cli("report", "x.json").err


def test_a_damaged_run_is_named_beside_the_others(project, cli, run_id):
    other = cli("run", "--json").json["run"]["id"]
    with sqlite3.connect(project / ".acidtest" / "store.db") as connection:
        connection.execute("UPDATE runs SET info = x'00' WHERE id = ?", (other,))
    connection.close()
    listed = cli("runs", "list", "--json")
    assert [run["id"] for run in listed.json] == [run_id]
    assert f"Run {other} is damaged" in listed.err
    assert cli("runs", "delete", other, "--yes").status == 0
    assert cli("runs", "list").err == ""


def test_a_hostile_name_stays_on_the_line_of_its_note(project, cli, run_id, folder):
    cli("runs", "export", run_id, "r.json")
    made = json.loads((folder / "r.json").read_text())
    made["run"] |= {"id": "other", "name": "x\n::error::forged"}
    (folder / "other.json").write_text(json.dumps(made))
    done = cli("runs", "import", "other.json")
    assert done.status == 0
    assert done.err.splitlines() == ["Imported run other (x ::error::forged)"]
