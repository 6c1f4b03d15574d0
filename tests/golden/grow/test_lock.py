"""Two who change one set at a time: nobody's cases are lost."""

import errno
import json
import multiprocessing

import pytest

from acidtest.data.golden import Case
from acidtest.errors import UsageError
from acidtest.golden.grow import lines, lock
from acidtest.golden.grow.lines import read_file, write_file
from acidtest.golden.grow.lock import alone
from acidtest.golden.grow.promote import Ruling, Seen
from acidtest.golden.load import load_golden
from acidtest.project.golden_promote import promote

EACH = 12


def add(path, who):
    ruling = Ruling(reference="R", by=who, when="2026-01-01")
    for n in range(EACH):
        case = Case(id=f"{who}{n}", question=f"What does {who} ask, number {n}?")
        promote(
            [Seen(case=case, answer=None, retrieved=(), provenance={}, source="run")], ruling, path
        )


def test_two_processes_add_to_one_set(tmp_path):
    path = str(tmp_path / "g.jsonl")
    context = multiprocessing.get_context("spawn")
    people = [context.Process(target=add, args=(path, who)) for who in ("ann", "bob")]
    for each in people:
        each.start()
    for each in people:
        each.join()
    assert [each.exitcode for each in people] == [0, 0]
    assert len(load_golden(path)) == 2 * EACH
    assert [each.name for each in tmp_path.iterdir()] == ["g.jsonl"]


def test_who_waits_too_long_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(lock, "PATIENCE_S", 0.05)
    with (
        alone(tmp_path / "g.jsonl"),
        pytest.raises(UsageError, match="another command is changing"),
        alone(tmp_path / "g.jsonl"),
    ):
        pass
    with alone(tmp_path / "g.jsonl"):  # it was let go
        pass


def test_a_folder_that_is_missing_cannot_be_locked_and_need_not(tmp_path):
    with alone(tmp_path / "no" / "g.jsonl"):
        pass


def test_what_an_editor_wrote_meanwhile_stays(tmp_path):
    path = tmp_path / "g.jsonl"
    path.write_text(json.dumps({"id": "a", "question": "A?"}) + "\n")
    file = read_file(path)
    edited = json.dumps({"id": "a", "question": "Edited?"}) + "\n"
    path.write_text(edited)
    with pytest.raises(UsageError, match=r"g.jsonl: the file was changed by another program"):
        write_file(file, added=[Case(id="b", question="B?")])
    assert path.read_text() == edited


def test_a_set_that_came_up_meanwhile_stays(tmp_path):
    path = tmp_path / "g.jsonl"
    file = read_file(path, new=True)
    path.write_text(json.dumps({"id": "a", "question": "A?"}) + "\n")
    with pytest.raises(UsageError, match="changed by another program"):
        write_file(file, added=[Case(id="b", question="B?")])
    assert [case.id for case in load_golden(path)] == ["a"]


def test_where_a_set_cannot_be_written_its_own_name_is_told(tmp_path, monkeypatch):
    def full(_path, _content):
        raise OSError(errno.ENOSPC, "No space left on device", "/x/.acidtest-1.part")

    path = tmp_path / "g.jsonl"
    file = read_file(path, new=True)
    monkeypatch.setattr(lines, "write_whole", full)
    with pytest.raises(UsageError, match=r"g.jsonl: the golden set cannot be written: No space"):
        write_file(file, added=[Case(id="b", question="B?")])


def test_a_new_set_needs_its_folder_before_anything_is_spent(tmp_path):
    (tmp_path / "plain").write_text("")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "new" / "g.jsonl")
    for path in ("plain/g.jsonl", "no/g.jsonl", "link.jsonl"):
        with pytest.raises(UsageError, match=rf"{path}: there is no folder"):
            read_file(tmp_path / path, new=True)
