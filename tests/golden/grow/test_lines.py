"""Changing a file line by line: what is not changed stays byte for byte."""

import pytest
from msgspec.structs import replace

from acidtest.data.golden import Case
from acidtest.errors import BadGolden, UsageError
from acidtest.golden.grow.lines import read_file, write_file
from acidtest.golden.load import load_golden

ODD = (
    b'\xef\xbb\xbf{"question":"A?",  "id":"a","reference" : "1"}\r\n'
    b"\n"
    b'{"id": "b", "question": "B?", "metadata": {"z": 1, "a": 2}}\r\n'
    b'  {"id": "c", "question": "C?"}'
)


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "g.jsonl"
    file.write_bytes(ODD)
    return file


def test_lines_are_added_behind_what_is_there(path):
    write_file(read_file(path), added=[Case(id="d", question="D?")])
    assert path.read_bytes() == ODD + b'\n{"id":"d","question":"D?"}\n'


def test_one_line_is_changed_in_place(path):
    file = read_file(path)
    write_file(file, changed=[replace(file.cases[1], reference="2")])
    before, after = ODD.split(b"\n"), path.read_bytes().split(b"\n")
    assert after[:2] == before[:2]
    assert after[2] == b'{"id":"b","question":"B?","reference":"2","metadata":{"a":2,"z":1}}'
    assert after[3] == before[3]


def test_lines_go(path):
    write_file(read_file(path), removed=["a", "c"])
    assert [case.id for case in load_golden(path)] == ["b"]


def test_a_new_file_and_an_empty_one(tmp_path):
    for name, content in (("new.jsonl", None), ("empty.jsonl", b" \n")):
        file = tmp_path / name
        if content is not None:
            file.write_bytes(content)
        write_file(read_file(file, new=True), added=[Case(id="a", question="A?")])
        assert len(load_golden(file)) == 1
    with pytest.raises(BadGolden, match="no such file"):
        read_file(tmp_path / "other.jsonl")


def test_a_recorded_answer_is_not_lost(path):
    recorded = b'{"id": "a", "question": "A?", "reference": "1", "generated_answer": "one"}\n'
    path.write_bytes(recorded)
    file = read_file(path)
    write_file(file, added=[Case(id="b", question="B?")])
    assert path.read_bytes().startswith(recorded)
    for change in ({"changed": [file.cases[0]]}, {"removed": ["a"]}):
        with pytest.raises(UsageError, match="recorded answer"):
            write_file(read_file(path), **change)


def test_a_case_that_could_not_be_read_again_is_refused(path):
    with pytest.raises(BadGolden):
        write_file(read_file(path), added=[Case(id="x", question=" ")])
    assert path.read_bytes() == ODD


def test_half_a_surrogate_pair_is_written_as_such_cannot_be(path):
    write_file(
        read_file(path), added=[Case(id="x", question="What is it?", metadata={"a": "\ud800"})]
    )
    assert load_golden(path)[-1].metadata == {"a": "\ufffd"}


@pytest.mark.parametrize("name", ["g.json", "g.csv", "g.yaml", "g.parquet", "g.jsonl.gz", "g"])
def test_other_forms_are_refused_with_a_way_out(tmp_path, name):
    with pytest.raises(UsageError, match="acidtest convert"):
        read_file(tmp_path / name, new=True)
