"""`acidtest judge cache`: what is kept, what is deleted, and when somebody is asked first."""

import io
import sys

import pytest

from acidtest.store.owner import ownership
from acidtest.store.runs import Store

NOV = "2026-11-01T00:00:00+00:00"
DEC = "2026-12-01T00:00:00+00:00"


@pytest.fixture
def kept(folder):
    """A store with 100 verdicts of one model and one of another, whose name is hostile."""
    path = folder / ".acidtest" / "store.db"
    with Store(str(path)) as store:
        rows = [("gpt-x-2026", n, NOV if n < 40 else DEC) for n in range(100)]
        store.save_verdicts(
            [
                {"key": f"{model}{n}", "model": model, "created": created, "body": b"1" * 5000}
                for model, n, created in [*rows, ("\x1b[31mred", 0, DEC)]
            ]
        )
    return path


def left(path):
    from acidtest.store.verdicts import Verdicts

    with Verdicts(str(path)) as verdicts:
        return {each.model: each.verdicts for each in verdicts.by_model()}


@pytest.mark.parametrize("width", ["40", "100"])
def test_stats_to_read(cli, kept, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", width)
    done = cli("judge", "cache", "stats")
    assert done.status == 0
    assert max(map(len, done.out.splitlines())) <= int(width)
    assert "\x1b" not in done.out
    assert "kB" in done.err
    if width == "100":
        assert "500 kB" in done.out
        assert "2026-11-01" in done.out
        assert "101" in done.out


def test_stats_as_json(cli, kept):
    found = cli("judge", "cache", "stats", "--json").json
    assert found["format"] == "acidtest/judge-cache"
    assert (found["verdicts"], found["bytes"]) == (101, 505_000)
    assert found["models"][0] == {
        "model": "gpt-x-2026",
        "verdicts": 100,
        "bytes": 500_000,
        "oldest": NOV,
        "newest": DEC,
    }
    assert found["file_bytes"] == kept.stat().st_size > 500_000


def test_no_store_is_an_empty_cache_and_none_is_made(cli, folder):
    done = cli("judge", "cache", "stats")
    assert (done.status, done.out) == (0, "")
    assert "No verdict is kept" in done.err
    assert cli("judge", "cache", "stats", "--json").json["models"] == []
    assert "nothing to delete" in cli("judge", "cache", "delete", "--all", "--yes").err
    assert cli("judge", "cache", "shrink", "--json").json["freed_bytes"] == 0
    assert list(folder.iterdir()) == []


def test_delete_a_model_and_give_its_room_back(cli, kept):
    size = kept.stat().st_size
    done = cli("judge", "cache", "delete", "--model", "gpt-x-2026", "--yes", "--json")
    assert done.status == 0
    assert done.json["deleted"] == 100
    assert done.json["bytes"] == 500_000
    assert done.json["freed_bytes"] > 400_000
    assert kept.stat().st_size == size - done.json["freed_bytes"]
    assert left(kept) == {"\x1b[31mred": 1}


def test_delete_what_is_old(cli, kept):
    done = cli("judge", "cache", "delete", "--before", "2026-11-15", "--yes")
    assert done.status == 0
    assert "Deleted 40 verdict(s), 200 kB." in done.err
    assert sum(left(kept).values()) == 61
    again = cli("judge", "cache", "delete", "--before", "2026-11-15", "--yes")
    assert (again.status, "nothing to delete" in again.err) == (0, True)


def test_delete_all(cli, kept):
    assert cli("judge", "cache", "delete", "--all", "--yes").status == 0
    assert left(kept) == {}


def test_nobody_there_to_ask(cli, kept):
    done = cli("judge", "cache", "delete", "--all")
    assert done.status == 2
    assert "--yes" in done.err
    assert sum(left(kept).values()) == 101


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("said", "status", "count"), [("y\n", 0, 0), ("n\n", 130, 101), ("", 130, 101)]
)
def test_at_a_terminal_it_asks(cli, kept, monkeypatch, said, status, count):
    monkeypatch.setattr(sys, "stdin", Terminal(said))
    done = cli("judge", "cache", "delete", "--all")
    assert done.status == status
    assert "Delete 101 verdict(s)?" in done.err
    assert "gpt-x-2026  100 verdicts  500 kB" in done.err
    assert "\x1b" not in done.err
    assert sum(left(kept).values()) == count


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "nothing is chosen"),
        (("--all", "--model", "gpt-x-2026"), "Leave one of them out"),
        (("--model", "gpt-x-2025"), "Did you mean 'gpt-x-2026'?"),
        (("--before", "last week"), "2026-11-30"),
        (("--before", "0001-01-01T00:00+12:00"), "2026-11-30"),
        (("--model", ""), "empty"),
    ],
)
def test_bad_choices(cli, kept, arguments, told):
    done = cli("judge", "cache", "delete", "--yes", *arguments)
    assert done.status == 2
    assert told in done.err
    assert sum(left(kept).values()) == 101


def test_a_run_that_is_being_made_is_told_and_its_file_left_alone(cli, project):
    assert cli("run", "--limit", "2").status in (0, 1)
    path = project / ".acidtest" / "store.db"
    with ownership() as owner, Store(str(path)) as store:
        store.save_verdicts([{"key": "k", "model": "m", "created": NOV, "body": b"1"}])
        run = store.all_runs()[0]
        store.set_status(run.info.id, "running", owner=owner)
        refused = cli("judge", "cache", "shrink")
        assert (refused.status, "being made" in refused.err) == (2, True)
        done = cli("judge", "cache", "delete", "--all", "--yes")
        assert done.status == 0
        assert "1 run(s) are being made" in done.err
        assert "acidtest judge cache shrink" in done.err
    assert left(path) == {}
    # A run whose maker is gone stands in nobody's way.
    assert cli("judge", "cache", "shrink").status == 0


def test_a_store_that_cannot_be_read(cli, folder):
    (folder / "notes.txt").write_text("hello " * 200)
    for command in (("stats",), ("delete", "--all", "--yes"), ("shrink",)):
        done = cli("judge", "cache", *command, "--store", "notes.txt")
        assert done.status == 2
        assert "not a database" in done.err
