"""A labels file: what was cut off is passed over, what is somebody else's text is refused."""

import json

import pytest

from acidtest.errors import BadData
from acidtest.golden.labelling.journal import LabelJournal
from acidtest.golden.labelling.labels_file import read_labels
from acidtest.golden.load import load_golden
from acidtest.project.golden_label import apply_labels

LINE = json.dumps(
    {"case": "a", "chunk": "x", "annotator": "ann", "at": "2026-01-01", "grade": 1}
    | {"question": "A?", "text": "t"},
    separators=(",", ":"),
).encode()


@pytest.mark.parametrize(
    "text",
    [b"my notes", b'{"a": 1', b"\0" * 50, b"\n notes", b'{"casetta', LINE + b"\nnotes below"],
)
def test_what_is_no_label_is_refused_and_stays(tmp_path, text):
    path = tmp_path / "labels.jsonl"
    path.write_bytes(text)
    with pytest.raises(BadData, match=r"labels.jsonl:\d: "):
        LabelJournal(str(path))
    assert path.read_bytes() == text


@pytest.mark.parametrize("cut", [1, 5, 8, 9, 40, len(LINE) - 1])
def test_a_label_that_was_cut_off_is_passed_over(tmp_path, cut):
    path = tmp_path / "labels.jsonl"
    path.write_bytes(LINE + b"\n" + LINE[:cut])
    assert len(read_labels(path).judgements) == 1
    with LabelJournal(str(path)) as journal:
        assert len(journal.before.judgements) == 1
    assert path.read_bytes() == LINE + b"\n"


def test_zeros_behind_labels_are_what_a_power_cut_leaves(tmp_path):
    path = tmp_path / "labels.jsonl"
    path.write_bytes(LINE + b"\n" + b"\0" * 20)
    with LabelJournal(str(path)) as journal:
        assert len(journal.before.judgements) == 1
    assert path.read_bytes() == LINE + b"\n"


def test_labels_of_another_set_are_told_with_file_and_line_and_bounded(tmp_path):
    path = tmp_path / "labels.jsonl"
    path.write_bytes(LINE + b"\n" + LINE.replace(b'"a"', b'"' + b"y" * 9000 + b'"') + b"\n")
    with pytest.raises(BadData, match=r"labels.jsonl:2: the set has no case") as caught:
        apply_labels(load_golden([{"id": "a", "question": "A?"}]), [path])
    assert len(str(caught.value)) < 500 + len(str(path))
    with pytest.raises(BadData, match=r"labels.jsonl:1: case 'a' asks something else"):
        apply_labels(load_golden([{"id": "a", "question": "Other?"}]), [path])


def test_decisions_that_differ_name_both_places(tmp_path):
    paths = []
    for name, decision in (("one", 1), ("two", 2)):
        row = {"case": "a", "question": "A?", "chunk": "x", "text": "t", "grades": {}}
        path = tmp_path / f"{name}.jsonl"
        path.write_text(json.dumps(row | {"decision": decision}) + "\n")
        paths.append(path)
    with pytest.raises(BadData, match=r"two.jsonl:1: .* differently at .*one.jsonl:1"):
        apply_labels(load_golden([{"id": "a", "question": "A?"}]), paths)


@pytest.mark.parametrize("decision", [1.5, True, [1], {"value": 1}])
def test_what_is_no_decision_names_the_field_and_what_to_write(tmp_path, decision):
    row = {"case": "a", "question": "A?", "chunk": "x", "text": "t", "grades": {}}
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps(row | {"decision": decision}) + "\n")
    with pytest.raises(
        BadData, match=r"d.jsonl:1: field 'decision': .* is no decision. Write a grade"
    ):
        read_labels(path)
