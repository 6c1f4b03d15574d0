import sqlite3
import sys

import pytest
from msgspec.structs import replace

from acidtest.cli import main
from acidtest.data.answers import Answer
from acidtest.data.golden import Case
from acidtest.data.outcomes import MetricSpec, Result, Score
from acidtest.data.runs import GoldenRef, Ref, RunInfo
from acidtest.errors import StoreError, UnknownName, UsageError
from acidtest.project.stores import pick
from acidtest.run.assemble import load
from acidtest.store.rows import StoredRun
from acidtest.store.runs import Store

CASES = (Case(id="a", question="A?"),)


def stored(run_id, name="n", version="v"):
    return StoredRun(
        info=RunInfo(
            id=run_id,
            name=name,
            created=f"2026-01-01T00:00:0{run_id[-1]}Z",
            status="running",
            mode="live",
            golden=GoldenRef(version=version, cases=1),
            pipeline=Ref(name="p", fingerprint="f"),
        ),
        specs=(MetricSpec(name="mrr", stage="retrieval"),),
        case_ids=("a",),
        plan_hash="plan",
    )


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.db"


@pytest.fixture
def store(path):
    with Store(str(path)) as opened:
        for run_id in ("r1", "r2"):
            opened.create(stored(run_id), CASES)
            opened.save(
                run_id,
                [Answer(case_id="a", text="x")],
                [Result(case_id="a", metric="mrr", outcome=Score(1.0))],
            )
        yield opened


def spoil(path, sql, *values):
    connection = sqlite3.connect(path)
    connection.execute(sql, values)
    connection.commit()
    connection.close()


BODIES = [b"", b"{", b"[]", b"\xff", b'{"mode": "dead", "calls": "x"}', b"[" * 100_000, 7, "text"]


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("column", ["info", "specs", "case_ids", "judge_use"])
def test_a_damaged_run_is_named_and_can_be_deleted(store, path, column, body):
    if body == b"[]" and column in ("specs", "case_ids"):
        body = b"[[]]"
    spoil(path, f"UPDATE runs SET {column} = ? WHERE id = 'r2'", body)  # noqa: S608
    assert [run.info.id for run in store.all_runs()] == ["r1"]
    assert store.damaged() == ["r2"]
    with pytest.raises(StoreError, match=r"run 'r2' cannot be read.*acidtest runs delete r2"):
        store.get("r2")
    with pytest.raises(StoreError, match="run 'r2' cannot be read"):
        store.unfinished("plan")
    assert pick(store, "latest").info.id == "r1"
    store.delete("r2")
    assert store.damaged() == []
    assert len(store.cases(store.get("r1"))) == 1
    store.delete("r1")
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT count(*) FROM golden_cases").fetchone() == (0,)
    connection.close()


def test_an_odd_status_is_damage_and_a_finished_run_is_not_read_to_go_on(store, path):
    spoil(path, "UPDATE runs SET status = 'asleep' WHERE id = 'r2'")
    assert store.damaged() == ["r2"]
    spoil(path, "UPDATE runs SET status = 'finished', info = x'00' WHERE id = 'r2'")
    assert store.unfinished("plan") is None


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize(
    ("table", "what"),
    [
        ("answers", "the answer to case 'a'"),
        ("results", "mrr of case 'a'"),
        ("golden_cases", "case 'a' of its golden set"),
    ],
)
def test_a_damaged_part_names_its_run_and_case(store, path, table, what, body):
    spoil(path, f"UPDATE {table} SET body = ?", body)  # noqa: S608
    with pytest.raises(StoreError, match=f"run 'r2' cannot be read, {what} is damaged") as caught:
        load(store, store.get("r2"))
    assert caught.value.fix == "Delete it: acidtest runs delete r2"
    store.delete("r2")


def test_a_case_that_is_missing(store, path):
    spoil(path, "DELETE FROM golden_cases")
    with pytest.raises(StoreError, match=r"run 'r1' .*case 'a' of its golden set is not in the"):
        load(store, store.get("r1"))


def test_the_command_line_deletes_a_damaged_run(store, path, monkeypatch, capsys):
    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["acidtest", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        return left.value.code, capsys.readouterr().err

    monkeypatch.setenv("ACIDTEST_STORE", str(path))
    monkeypatch.chdir(path.parent)
    spoil(path, "UPDATE runs SET info = x'00'")
    with pytest.raises(UnknownName, match="unknown run 'latest'"):
        pick(store, "latest")
    status, said = call("runs", "show", "r2")
    assert status == 2
    assert "run 'r2' cannot be read" in said
    assert "acidtest runs delete r2" in said
    assert call("runs", "delete", "r2", "--yes")[0] == 0
    assert store.damaged() == ["r1"]


def test_what_would_not_be_read_back_is_not_stored(store):
    odd = stored("r3")
    odd = replace(odd, info=replace(odd.info, name=None))
    with pytest.raises(UsageError, match="cannot be stored"):
        store.create(odd, CASES)
    assert len(store.all_runs()) == 2
    assert store.damaged() == []


def test_halves_of_pairs_never_end_a_run(store):
    odd = stored("r3", name="n\ud800", version="\udfffv")
    case = Case(id="c\ud800", question="?", metadata={"k\ud800": "\ud800"})
    odd = replace(odd, case_ids=(case.id,))
    odd = replace(odd, info=replace(odd.info, golden=GoldenRef(version="v3\ud800", cases=1)))
    store.create(odd, [case])
    store.save(
        "r3",
        [Answer(case_id=case.id, text="\ud800")],
        [Result(case_id=case.id, metric="m\ud800", outcome=Score(1.0, "\ud800"))],
    )
    store.set_status("r3", "finished")
    store.save_verdicts([{"key": "k", "model": "\ud800", "created": "", "body": b"{}"}])
    run = load(store, store.get("r3"))
    assert run.name == "n\ufffd"
    assert [(c.id, c.answer) for c in run.cases] == [("c\ufffd", "\ufffd")]
    assert store.results("r3")[0].metric == "m\ufffd"
    with pytest.raises(UsageError, match="no run"):
        store.get("\ud800")
    store.delete("r3")
